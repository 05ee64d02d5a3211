/* The points of a body that its contacts test. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact/contact_points.h"
#include "core/allocate.h"
#include "core/vector.h"
#include "grid/cell_lists.h"

/* Over the step: edges longer than this have places between their ends; nearer than this places
 * are one; how near two contacts of one side are at least; how far outside a face its own part is
 * asked for. */
static const double long_edge = 1.5, equal = 1e-3, nearest = 0.5, cell = 0.01;
/* Two faces make an edge from 30 degrees on (sine), three a corner (volume of their normals). */
static const double edge_least = 0.5, corner_least = 0.2;

enum { FACE = 1, EDGE, CORNER };

/* --- Places of a facet --- */

static sluice_status add_spot(struct sluice_contact_spots *s, const double x[3],
                              const double out[3])
{
    SLUICE_GROW(s->spot, s->count, s->capacity, "places of a surface");
    memcpy(s->spot[s->count].x, x, 3 * sizeof *x);
    memcpy(s->spot[s->count++].out, out, 3 * sizeof *out);
    return SLUICE_OK;
}

static double pieces_of(const struct sluice_contact_spots *s, const double a[3], const double b[3])
{
    const double way[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]}, length = sluice_norm(way);
    return length > long_edge * s->step ? ceil(length / s->step - 1e-6) : 1;
}

/* Places on an edge, without its end. */
static sluice_status add_edge(struct sluice_contact_spots *s, const double a[3], const double b[3],
                              const double out[3])
{
    const double pieces = pieces_of(s, a, b);
    for (double i = 0; i < pieces; i++) {
        const double t = i / pieces, x[3] = {a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1]),
                                             a[2] + t * (b[2] - a[2])};
        SLUICE_TRY(add_spot(s, x, out));
    }
    return SLUICE_OK;
}

static sluice_status add_inner(struct sluice_contact_spots *s, const double c[3][3],
                               const double out[3])
{
    double n = 1;
    for (int k = 0; k < 3; k++)
        n = fmax(n, pieces_of(s, c[k], c[(k + 1) % 3]));
    for (double i = 1; i < n; i++)
        for (double k = 1; i + k < n; k++) {
            double x[3];
            for (int a = 0; a < 3; a++)
                x[a] = c[0][a] + i / n * (c[1][a] - c[0][a]) + k / n * (c[2][a] - c[0][a]);
            SLUICE_TRY(add_spot(s, x, out));
        }
    return SLUICE_OK;
}

sluice_status sluice_contact_spots_add(struct sluice_contact_spots *s, const double c[3][3],
                                       int corners)
{
    double u[3], v[3] = {0, 0, 1}, out[3];
    for (int a = 0; a < 3; a++) {
        u[a] = c[1][a] - c[0][a];
        v[a] = corners == 3 ? c[2][a] - c[0][a] : v[a];
    }
    sluice_cross(u, v, out);
    const double size = sluice_norm(out);
    for (int a = 0; a < 3; a++)
        out[a] /= size;
    if (!(size > 0))
        return SLUICE_OK;
    for (int k = 0; k < corners; k++)
        SLUICE_TRY(corners == 2 && k == 1 ? add_spot(s, c[1], out)
                                          : add_edge(s, c[k], c[(k + 1) % corners], out));
    return corners == 3 ? add_inner(s, c, out) : SLUICE_OK;
}

/* --- The choice --- */

static sluice_status make_lists(struct sluice_cell_lists *l, const struct sluice_contact_spots *s,
                                double edge)
{
    struct sluice_grid_options options = {.dimension = s->dimension};
    return sluice_cell_lists_create(l, &options, edge, s->count);
}

/* A place, and the number of the spot that each point of a list stands for. */
struct near {
    const struct sluice_cell_lists *list;
    const double *x;
    double most2;    /* m^2 */
    int64_t cell[3]; /* of x */
    int k;           /* cells looked into */
    int64_t at;      /* 1 + the point that comes next */
};

static struct near begin(const struct sluice_cell_lists *list, const double x[3], double most)
{
    struct near n = {.list = list, .x = x, .most2 = most * most, .k = -1};
    sluice_cell_lists_cell(list, x, n.cell);
    return n;
}

/* The next point of the list within the distance; -1: no more. A point may come twice. */
static int64_t next_near(struct near *n)
{
    double way[3];
    const int cells = n->list->dimension == 2 ? 9 : 27;
    for (;;) {
        while (n->at == 0) {
            if (++n->k == cells)
                return -1;
            const int64_t there[3] = {n->cell[0] + n->k % 3 - 1, n->cell[1] + n->k / 3 % 3 - 1,
                                      cells == 9 ? n->cell[2] : n->cell[2] + n->k / 9 - 1};
            n->at = sluice_cell_lists_first(n->list, there);
        }
        const int64_t point = n->at - 1;
        n->at = n->list->next[point];
        if (sluice_cell_lists_way(n->list, point, n->x, way) <= n->most2)
            return point;
    }
}

/* The kind of a spot, with all that are at its place; their mean direction to `out`. 0: an earlier
 * one stands for it. */
static int kind_of(const struct sluice_contact_spots *s, const struct sluice_cell_lists *all,
                   int64_t number, double out[3])
{
    const struct sluice_contact_spot *spot = &s->spot[number];
    double second[3] = {0, 0, 0}, cross[3] = {0, 0, 0};
    int kind = FACE;
    memset(out, 0, 3 * sizeof *out);
    for (int pass = 0; pass < 2; pass++) {
        struct near n = begin(all, spot->x, equal * s->step);
        for (int64_t k = next_near(&n); k >= 0; k = next_near(&n)) {
            const double *other = s->spot[k].out;
            if (k < number)
                return 0;
            for (int a = 0; a < 3 && pass == 0; a++)
                out[a] += other[a];
            if (pass == 1) {
                kind = fabs(sluice_dot(cross, other)) > corner_least ? CORNER : kind;
                continue;
            }
            sluice_cross(spot->out, other, second);
            if (kind == FACE && sluice_norm(second) > edge_least) {
                kind = EDGE;
                memcpy(cross, second, sizeof cross);
            }
        }
    }
    if (kind == EDGE && s->dimension == 2)
        kind = CORNER;
    const double length = sluice_norm(out);
    for (int a = 0; a < 3; a++)
        out[a] = length > 0 ? out[a] / length : spot->out[a];
    return kind;
}

/* Whether two places are of one side of a plate: their directions are alike, or the displacement
 * between them is along the surface at both. */
static int are_beside(const struct sluice_contact_spot *a, const struct sluice_contact_spot *b)
{
    const double way[3] = {b->x[0] - a->x[0], b->x[1] - a->x[1], b->x[2] - a->x[2]},
                 along = 0.3 * sluice_norm(way), same = sluice_dot(a->out, b->out);
    return same > 0.5 || (same > -0.5 && fabs(sluice_dot(way, a->out)) <= along &&
                          fabs(sluice_dot(way, b->out)) <= along);
}

/* Whether a contact of the same side is near, or any at the place. */
static int is_taken(const struct sluice_contact_spots *s, const struct sluice_cell_lists *taken,
                    const int64_t *number, int64_t spot, int kind)
{
    struct near n = begin(taken, s->spot[spot].x, (kind == CORNER ? equal : nearest) * s->step);
    for (int64_t k = next_near(&n); k >= 0; k = next_near(&n))
        if (kind == CORNER || are_beside(&s->spot[number[k]], &s->spot[spot]))
            return 1;
    return 0;
}

static sluice_status set_kinds(struct sluice_contact_spots *s, char *kind)
{
    struct sluice_cell_lists all = {0};
    double(*out)[3];
    SLUICE_ALLOCATE(out, s->count, "places of a surface");
    sluice_status status = make_lists(&all, s, cell * s->step);
    for (int64_t i = 0; status == SLUICE_OK && i < s->count; i++)
        sluice_cell_lists_add(&all, s->spot[i].x);
    for (int64_t i = 0; status == SLUICE_OK && i < s->count; i++)
        kind[i] = (char)kind_of(s, &all, i, out[i]);
    for (int64_t i = 0; status == SLUICE_OK && i < s->count; i++)
        memcpy(s->spot[i].out, out[i], sizeof out[i]);
    sluice_cell_lists_destroy(&all);
    free(out);
    return status;
}

static sluice_status choose(struct sluice_contact_spots *s, double (**point)[3], int64_t *points,
                            const char *kind)
{
    struct sluice_cell_lists taken = {0};
    int64_t *number; /* of the spot of each contact */
    SLUICE_ALLOCATE(*point, s->count, "contacts of a body");
    SLUICE_ALLOCATE(number, s->count, "places of a surface");
    const sluice_status status = make_lists(&taken, s, nearest * s->step);
    for (int pass = CORNER; status == SLUICE_OK && pass >= FACE; pass--)
        for (int64_t i = 0; i < s->count; i++) {
            if (kind[i] != pass || is_taken(s, &taken, number, i, pass))
                continue;
            sluice_cell_lists_add(&taken, s->spot[i].x);
            number[*points] = i;
            memcpy((*point)[(*points)++], s->spot[i].x, sizeof s->spot[i].x);
        }
    sluice_cell_lists_destroy(&taken);
    free(number);
    return status;
}

sluice_status sluice_contact_spots_choose(struct sluice_contact_spots *s, double (**point)[3],
                                          int64_t *points)
{
    char *kind;
    SLUICE_ALLOCATE(kind, s->count, "places of a surface");
    sluice_status status = set_kinds(s, kind);
    if (status == SLUICE_OK)
        status = choose(s, point, points, kind);
    free(kind);
    return status;
}
