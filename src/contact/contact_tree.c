/* The points of a body as a tree. A node far from the other solid is skipped with all its points.
 * Points are in the order of Hilbert's curve, so that halves of a run are compact. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact/contact_internal.h"
#include "core/allocate.h"
#include "core/vector.h"
#include "kernels/types/curve.h"

struct place {
    uint64_t key;
    int64_t number;
};

static int compare_places(const void *a, const void *b)
{
    const struct place *p = a, *q = b;
    return p->key != q->key ? (p->key > q->key) - (p->key < q->key)
                            : (p->number > q->number) - (p->number < q->number);
}

static void find_extent(const double (*point)[3], int64_t n, double low[3], double high[3])
{
    for (int a = 0; a < 3; a++) {
        low[a] = INFINITY;
        high[a] = -INFINITY;
    }
    for (int64_t i = 0; i < n; i++)
        for (int a = 0; a < 3; a++) {
            low[a] = fmin(low[a], point[i][a]);
            high[a] = fmax(high[a], point[i][a]);
        }
}

static void sort_places(struct place *place, int dimension, const double (*point)[3], int64_t n)
{
    enum { CELLS = 1 << CURVE_BITS_MOST };
    double low[3], high[3], size = 0;
    find_extent(point, n, low, high);
    for (int a = 0; a < dimension; a++)
        size = fmax(size, high[a] - low[a]);
    for (int64_t i = 0; i < n; i++) {
        uint32_t x[3] = {0, 0, 0};
        for (int a = 0; a < dimension && size > 0; a++)
            x[a] = (uint32_t)fmin(CELLS - 1, (point[i][a] - low[a]) / size * CELLS);
        place[i] = (struct place){curve_place(dimension, CURVE_BITS_MOST, x), i};
    }
    qsort(place, (size_t)n, sizeof *place, compare_places);
}

/* The ball about the middle of the points' box. */
static void set_ball(struct sluice_contact_node *node, const struct sluice_contact_tree *t)
{
    double low[3], high[3];
    find_extent((const double(*)[3])t->point + node->first, node->count, low, high);
    for (int a = 0; a < 3; a++)
        node->centre[a] = (low[a] + high[a]) / 2;
    for (int64_t i = node->first; i < node->first + node->count; i++) {
        double to[3];
        for (int a = 0; a < 3; a++)
            to[a] = t->point[i][a] - node->centre[a];
        node->radius = fmax(node->radius, sluice_norm(to) + t->radius[i]);
    }
    node->radius *= 1 + 1e-12;
}

static void add_node(struct sluice_contact_tree *t, int64_t first, int64_t count, int in_chunk)
{
    const int i = t->nodes++;
    struct sluice_contact_node *node = &t->node[i];
    *node = (struct sluice_contact_node){.first = first, .count = count};
    set_ball(node, t);
    if (!in_chunk && count <= SLUICE_CONTACT_CHUNK) {
        t->chunk[t->chunks++] = i;
        in_chunk = 1;
    }
    if (count > SLUICE_CONTACT_LEAF) {
        add_node(t, first, count / 2, in_chunk);
        add_node(t, first + count / 2, count - count / 2, in_chunk);
    }
    node->next = t->nodes;
}

static sluice_status create_arrays(struct sluice_contact_tree *t)
{
    SLUICE_ALLOCATE(t->point, t->points, "points of a body");
    SLUICE_ALLOCATE(t->radius, t->points, "points of a body");
    SLUICE_ALLOCATE(t->number, t->points, "points of a body");
    SLUICE_ALLOCATE(t->place, t->points, "points of a body");
    SLUICE_ALLOCATE(t->node, 1 + t->points, "nodes of a body's points"); /* leaves hold 4 or more */
    SLUICE_ALLOCATE(t->chunk, 1 + t->points, "nodes of a body's points");
    return SLUICE_OK;
}

sluice_status sluice_contact_tree_create(struct sluice_contacts *c, int solid,
                                         const double (*point)[3], int64_t points)
{
    struct sluice_contact_tree *t = solid >= 0 ? &c->solid[solid].tree : &c->wall[-1 - solid].tree;
    const double *centre = sluice_contact_centre(c, solid);
    struct place *place;
    memset(t, 0, sizeof *t);
    t->points = points;
    SLUICE_TRY(create_arrays(t));
    SLUICE_ALLOCATE(place, points, "points of a body");
    sort_places(place, c->dimension, point, points);
    for (int64_t i = 0; i < points; i++) {
        double x[3] = {0, 0, 0};
        t->number[i] = place[i].number;
        t->place[place[i].number] = i;
        memcpy(x, point[place[i].number], (size_t)c->dimension * sizeof x[0]);
        t->radius[i] = sluice_contact_place_ball(c, solid, x, t->point[i]);
        for (int a = 0; a < c->dimension; a++)
            t->point[i][a] -= centre[a];
    }
    free(place);
    if (points > 0)
        add_node(t, 0, points, 0);
    return SLUICE_OK;
}

void sluice_contact_tree_destroy(struct sluice_contact_tree *t)
{
    free(t->node);
    free(t->chunk);
    free(t->point);
    free(t->radius);
    free(t->number);
    free(t->place);
    free(t->round);
    memset(t, 0, sizeof *t);
}
