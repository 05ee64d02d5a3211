/* The tree of a surface: boxes around halves of its elements, and what they add up to. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/vector.h"
#include "surface/surface.h"

enum { LEAF = 4 }; /* elements of a leaf */

void sluice_surface_normal(const struct sluice_surface *s, int64_t element, double normal[3])
{
    const double *a = sluice_surface_corner(s, element, 0),
                 *b = sluice_surface_corner(s, element, 1);
    if (s->dimension == 2) {
        normal[0] = b[1] - a[1];
        normal[1] = a[0] - b[0];
        normal[2] = 0;
        return;
    }
    const double *c = sluice_surface_corner(s, element, 2);
    const double u[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]},
                 v[3] = {c[0] - a[0], c[1] - a[1], c[2] - a[2]};
    normal[0] = (u[1] * v[2] - u[2] * v[1]) / 2;
    normal[1] = (u[2] * v[0] - u[0] * v[2]) / 2;
    normal[2] = (u[0] * v[1] - u[1] * v[0]) / 2;
}

static double middle(const struct sluice_surface *s, int64_t element, int axis)
{
    double sum = 0;
    for (int k = 0; k < s->dimension; k++)
        sum += sluice_surface_corner(s, element, k)[axis];
    return sum / s->dimension;
}

static void measure_node(const struct sluice_surface *s, struct sluice_surface_node *n)
{
    double weight = 0;
    for (int a = 0; a < 3; a++) {
        n->low[a] = INFINITY;
        n->high[a] = -INFINITY;
        n->dipole[a] = n->centre[a] = 0;
    }
    for (int64_t i = n->first; i < n->first + n->count; i++) {
        double normal[3];
        sluice_surface_normal(s, s->order[i], normal);
        const double area = sluice_norm(normal);
        weight += area;
        for (int a = 0; a < 3; a++) {
            n->dipole[a] += normal[a];
            n->centre[a] += area * middle(s, s->order[i], a);
            for (int k = 0; k < s->dimension; k++) {
                const double x = sluice_surface_corner(s, s->order[i], k)[a];
                n->low[a] = fmin(n->low[a], x);
                n->high[a] = fmax(n->high[a], x);
            }
        }
    }
    n->radius = 0;
    for (int a = 0; a < 3; a++) {
        n->centre[a] = weight > 0 ? n->centre[a] / weight : (n->low[a] + n->high[a]) / 2;
        const double far = fmax(n->high[a] - n->centre[a], n->centre[a] - n->low[a]);
        n->radius += far * far;
    }
    n->radius = sqrt(n->radius);
}

/* Puts the elements with the lower middles before position `at` (Hoare's selection). The pivot is
 * any element: those in the middle of a file may be the least or the largest ones. */
static void select_half(const struct sluice_surface *s, int64_t low, int64_t high, int64_t at,
                        int axis)
{
    uint64_t random = 1;
    while (low < high) {
        random = random * UINT64_C(6364136223846793005) + 1;
        const int64_t any = low + (int64_t)((random >> 32) % (uint64_t)(high - low + 1));
        const double pivot = middle(s, s->order[any], axis);
        int64_t i = low, k = high;
        while (i <= k) {
            while (middle(s, s->order[i], axis) < pivot)
                i++;
            while (middle(s, s->order[k], axis) > pivot)
                k--;
            if (i <= k) {
                const int64_t swapped = s->order[i];
                s->order[i++] = s->order[k];
                s->order[k--] = swapped;
            }
        }
        if (at <= k)
            high = k;
        else if (at >= i)
            low = i;
        else
            return;
    }
}

/* A part of the tree that is to be made: its root, and its elements in `order`. Children follow
 * their parents, the first half of the elements before the second one. */
struct branch {
    int64_t node, first, count;
};

/* The numbers of nodes of trees over this many elements, and over one more. */
static void count_nodes(int64_t elements, int64_t nodes[2])
{
    int64_t half[2];
    nodes[0] = nodes[1] = 1;
    if (elements < LEAF)
        return;
    count_nodes(elements / 2, half);
    if (elements > LEAF)
        nodes[0] = 1 + half[0] + half[elements % 2];
    nodes[1] = 1 + half[elements % 2] + half[1];
}

/* Makes the root of a branch, and halves its elements along its longest side. Returns 0 at a leaf.
 */
static int halve(struct sluice_surface *s, const struct branch *b, struct branch half[2])
{
    struct sluice_surface_node *n = &s->node[b->node];
    int axis = 0;
    n->first = b->first;
    n->count = b->count;
    n->second = 0;
    measure_node(s, n);
    if (b->count <= LEAF)
        return 0;
    for (int a = 1; a < s->dimension; a++)
        if (n->high[a] - n->low[a] > n->high[axis] - n->low[axis])
            axis = a;
    const int64_t middle = b->first + b->count / 2;
    int64_t nodes[2];
    select_half(s, b->first, b->first + b->count - 1, middle, axis);
    count_nodes(b->count / 2, nodes);
    half[0] = (struct branch){b->node + 1, b->first, b->count / 2};
    half[1] = (struct branch){b->node + 1 + nodes[0], middle, b->count - b->count / 2};
    n->second = half[1].node;
    return 1;
}

static void grow(struct sluice_surface *s, const struct branch *b)
{
    struct branch half[2];
    if (halve(s, b, half)) {
        grow(s, &half[0]);
        grow(s, &half[1]);
    }
}

struct growth {
    struct sluice_surface *surface;
    struct branch *from, *to;
};

static void halve_branches(struct sluice_share *share, void *data)
{
    const struct growth *g = data;
    int64_t i;
    while (sluice_share_next(share, &i))
        halve(g->surface, &g->from[i], &g->to[2 * i]);
}

static void grow_branches(struct sluice_share *share, void *data)
{
    const struct growth *g = data;
    int64_t i;
    while (sluice_share_next(share, &i))
        grow(g->surface, &g->from[i]);
}

/* Halves all branches at a time until there are enough for a team. They have more than LEAF
 * elements as FEW is larger, so each has two halves. */
static void make_tree(struct sluice_surface *s, struct sluice_threads *team)
{
    enum { BRANCHES = 256, FEW = 256 };
    struct branch one[BRANCHES], other[BRANCHES];
    struct growth g = {s, one, other};
    int64_t count = 1;
    one[0] = (struct branch){0, 0, s->element_count};
    for (; count < BRANCHES && s->element_count / count > FEW; count *= 2) {
        sluice_threads_run(team, count, halve_branches, &g);
        struct branch *swapped = g.from;
        g.from = g.to;
        g.to = swapped;
    }
    sluice_threads_run(team, count, grow_branches, &g);
}

static void measure_nodes(struct sluice_share *share, void *data)
{
    struct sluice_surface *s = data;
    int64_t i, end;
    while (sluice_share_block(share, s->node_count, 64, &i, &end))
        for (; i < end; i++)
            measure_node(s, &s->node[i]);
}

void sluice_surface_measure(struct sluice_surface *s, struct sluice_threads *team)
{
    sluice_threads_run(team, sluice_blocks(s->node_count, 64), measure_nodes, s);
}

static double volume_of(const struct sluice_surface *s)
{
    const double *from = sluice_surface_corner(s, 0, 0);
    double sum = 0;
    for (int64_t i = 0; i < s->element_count; i++) {
        double normal[3];
        sluice_surface_normal(s, i, normal);
        for (int a = 0; a < s->dimension; a++)
            sum += normal[a] * (sluice_surface_corner(s, i, 0)[a] - from[a]);
    }
    return sum / s->dimension;
}

sluice_status sluice_surface_build(struct sluice_surface *s, struct sluice_threads *team)
{
    int64_t nodes[2];
    count_nodes(s->element_count, nodes);
    s->node_count = nodes[0];
    s->node = calloc((size_t)s->node_count, sizeof *s->node);
    s->order = calloc((size_t)s->element_count + 1, sizeof *s->order);
    if (!s->node || !s->order) {
        const long long count = (long long)s->element_count;
        sluice_surface_destroy(s);
        return SLUICE_FAIL(SLUICE_DEVICE, "no memory for a surface of %lld elements", count);
    }
    for (int64_t i = 0; i < s->element_count; i++)
        s->order[i] = i;
    make_tree(s, team);
    memcpy(s->low, s->node->low, sizeof s->low);
    memcpy(s->high, s->node->high, sizeof s->high);
    s->volume = volume_of(s);
    return SLUICE_OK;
}

void sluice_surface_destroy(struct sluice_surface *s)
{
    free(s->vertex);
    free(s->element);
    free(s->node);
    free(s->order);
    *s = (struct sluice_surface){0};
}
