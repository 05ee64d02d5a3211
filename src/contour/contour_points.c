/* The planes at the crossed edges of a loop meet at a corner, or at an edge; of a smooth face the
 * point is the surface's nearest to the middle of the crossings. */
#include "contour/contour_points.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contour/sharp_point.h"
#include "core/allocate.h"
#include "core/vector.h"

enum { TANGENTS_MOST = 64 };

/* How far from a surface, in steps of the grid, a point where planes meet is still on it; and what
 * counts as rounding. */
static const double on_surface = 1e-3, rounding = 1e-9;

/* A loop of the surface in a cell. */
struct loop {
    const struct sluice_contour *contour;
    const struct sluice_contour_cell *cell;
    double low[3], high[3], step; /* of the cell; its longest side */
    double middle[3];             /* of the crossings */
    int tangents, has_planes;
    struct sluice_tangent tangent[TANGENTS_MOST];
    struct sluice_tangent_faces faces;
};

static double distance_from(const struct loop *l, const double y[3], double way[3])
{
    return sluice_solid_union_distance(l->contour->grid->u, y, way);
}

static void add_tangent(struct loop *l, const double at[3], const double out[3])
{
    if (l->tangents == TANGENTS_MOST)
        return;
    memcpy(l->tangent[l->tangents].at, at, 3 * sizeof *at);
    memcpy(l->tangent[l->tangents].out, out, 3 * sizeof *out);
    l->tangents++;
}

static void set_loop(struct loop *l, const struct sluice_contour *c,
                     const struct sluice_contour_cell *cell, int arc)
{
    const struct sluice_surface_grid *g = c->grid;
    int count = 0;
    *l = (struct loop){.contour = c, .cell = cell};
    sluice_surface_grid_place(g, cell->node, l->low);
    for (int a = 0; a < 3; a++) {
        l->high[a] = l->low[a] + g->step[a];
        l->step = fmax(l->step, g->step[a]);
    }
    for (int e = 0; e < SLUICE_CELL_EDGES; e++) {
        if (cell->arc[e] != arc)
            continue;
        const struct sluice_crossing *x = sluice_surface_grid_find(
            g, sluice_contour_edge_node(g, cell->node, e), e / 4);
        for (int a = 0; a < 3 && x; a++)
            l->middle[a] += x->at[a];
        count += x != NULL;
        if (x && x->has_plane)
            add_tangent(l, x->at, x->out);
    }
    for (int a = 0; a < 3; a++)
        l->middle[a] /= count;
    l->has_planes = l->tangents > 0;
    sluice_find_faces(l->tangent, l->tangents, &l->faces, NULL);
}

/* Adds what a place is nearest to, if that is in the cell, widened by so many steps, and on at most
 * one of the known planes: so it is another face, rather than an edge. A place in one part of the
 * union may be nearest to its surface in another one, where there is no surface. */
static void add_seen(struct loop *l, const double y[3], double wide)
{
    double way[3], rest[3], foot[3], out[3];
    const double d = distance_from(l, y, way);
    int through = 0;
    if (fabs(d) < rounding * l->step)
        return;
    for (int a = 0; a < 3; a++) {
        foot[a] = y[a] + way[a];
        out[a] = -way[a] / d;
        const double margin = wide * l->contour->grid->step[a];
        if (foot[a] < l->low[a] - margin || foot[a] > l->high[a] + margin)
            return;
    }
    for (int i = 0; i < l->tangents; i++) {
        const struct sluice_tangent *t = &l->tangent[i];
        const double off = sluice_dot(t->out, foot) - sluice_dot(t->out, t->at);
        if (fabs(off) > on_surface * l->step)
            continue;
        if (sluice_dot(t->out, out) > 0.94)
            return;
        through++;
    }
    if (through < 2 && fabs(distance_from(l, foot, rest)) < on_surface * l->step)
        add_tangent(l, foot, out);
}

/* Whether the corners of the cell are as far from the one face of the loop as from the surface. */
static int is_flat(const struct loop *l)
{
    const struct sluice_surface_grid *g = l->contour->grid;
    if (l->faces.count > 1 || l->tangents == 0)
        return 0;
    for (int k = 0; k < 1 << g->dimension; k++) {
        double y[3], off = 0;
        const int64_t node = l->cell->node + (k & 1) * g->stride[0] + (k >> 1 & 1) * g->stride[1] +
                             (k >> 2) * g->stride[2];
        sluice_surface_grid_place(g, node, y);
        for (int i = 0; i < l->tangents; i++)
            off += (sluice_dot(l->tangent[i].out, y) -
                    sluice_dot(l->tangent[i].out, l->tangent[i].at)) /
                   l->tangents;
        if (fabs(off - (double)g->d[node]) > 0.1 * l->step)
            return 0;
    }
    return 1;
}

/* Looks for faces that no crossed edge shows, from three places on each axis. */
static void look_around(struct loop *l, double wide)
{
    const struct sluice_surface_grid *g = l->contour->grid;
    for (int k = 0; k < (g->dimension == 3 ? 27 : 9); k++) {
        const double share[3] = {k % 3, k / 3 % 3, g->dimension == 3 ? k / 9 : 0};
        double y[3] = {0, 0, 0};
        for (int a = 0; a < g->dimension; a++)
            y[a] = l->low[a] + (share[a] / 2 * (1 + 2 * wide) - wide) * g->step[a];
        add_seen(l, y, wide);
    }
    sluice_find_faces(l->tangent, l->tangents, &l->faces, NULL);
}

/* --- Sharp points --- */

/* Moves a point of an edge or corner onto the surface, where round faces meet: by the planes that
 * places beside it see. From inside a convex edge, or outside a hollow one, its faces are nearest,
 * rather than the edge. */
static void sharpen(const struct loop *l, int rank, double point[3])
{
    const double aside = 0.02 * l->step;
    const struct sluice_tangent_faces *f = &l->faces;
    struct sluice_tangent seen[SLUICE_FACES_OF_POINT];
    double sum[3] = {0, 0, 0}, y[2][3], way[3];
    for (int k = 0; k < f->count; k++)
        for (int a = 0; a < 3; a++)
            sum[a] += f->out[k][a];
    for (int a = 0; a < 3; a++) {
        y[0][a] = point[a] - aside * sum[a];
        y[1][a] = point[a] + aside * sum[a];
    }
    const double inner = fabs(distance_from(l, y[0], way)),
                 outer = fabs(distance_from(l, y[1], way)), sense = inner <= outer ? -1 : 1;
    for (int k = 0; k < f->count; k++) {
        double from[3];
        for (int a = 0; a < 3; a++)
            from[a] = point[a] + sense * aside * (sum[a] - f->out[k][a] / 2);
        const double d = distance_from(l, from, way);
        for (int a = 0; a < 3; a++) {
            seen[k].at[a] = from[a] + way[a];
            seen[k].out[a] = d != 0 ? -way[a] / d : 0;
        }
        if (sluice_dot(seen[k].out, f->out[k]) < 0.8)
            return;
    }
    double moved[3], before[3];
    const double was = fabs(distance_from(l, point, before));
    if (sluice_sharp_point(seen, f->count, point, rank, moved) == rank &&
        fabs(distance_from(l, moved, way)) < was)
        memcpy(point, moved, sizeof moved);
}

/* Whether a point may be that of the loop: in its cell; of an edge, a little beside it; or in a
 * cell that has none of its own, where an edge or corner juts out between the nodes. */
static int is_in_place(const struct loop *l, int rank, const double y[3])
{
    const struct sluice_surface_grid *g = l->contour->grid;
    int64_t node = l->cell->node;
    double beside = 0;
    for (int a = 0; a < g->dimension; a++) {
        const double under = l->low[a] - y[a], over = y[a] - l->high[a],
                     steps = fmax(under, over) / g->step[a];
        beside = fmax(beside, steps);
        if (steps > 1e-6)
            node += under > 0 ? -g->stride[a] : g->stride[a];
    }
    if (node == l->cell->node || (rank < g->dimension && beside <= 0.25))
        return 1;
    return beside <= 0.75 && sluice_contour_find_cell(l->contour, node) == NULL;
}

/* Tries to find a corner or a point of an edge, from rank `most` down to `least`. Returns the rank,
 * or 1. */
static int find_meeting(struct loop *l, int most, int least, double point[3])
{
    for (int rank = most; rank >= least; rank--) {
        double way[3];
        if (sluice_sharp_point(l->tangent, l->tangents, l->middle, rank, point) < rank)
            continue;
        for (int k = 0; k < 3 && fabs(distance_from(l, point, way)) > rounding * l->step; k++)
            sharpen(l, rank, point);
        const double off = fabs(distance_from(l, point, way));
        if (!is_in_place(l, rank, point) || off > on_surface * l->step)
            continue;
        for (int a = 0; a < 3 && off > rounding * l->step; a++)
            point[a] += way[a];
        return rank;
    }
    return 1;
}

/* The same; if the planes in the cell show no corner, those around it may: a corner that juts out
 * into a cell without crossed edges. */
static int find_sharp(struct loop *l, int most, double point[3])
{
    const int dimension = l->contour->grid->dimension;
    double corner[3];
    if (is_flat(l))
        return 1;
    look_around(l, 0.125);
    if (l->faces.count < 2)
        return 1;
    const int rank = find_meeting(l, most, 2, point);
    if (rank == dimension || most < dimension)
        return rank;
    look_around(l, 0.5);
    if (find_meeting(l, dimension, dimension, corner) < dimension)
        return rank;
    memcpy(point, corner, sizeof corner);
    return dimension;
}

/* The point of a smooth face. */
static void find_smooth(const struct loop *l, double point[3])
{
    memcpy(point, l->middle, sizeof l->middle);
    for (int k = 0; k < 2 && l->has_planes; k++) {
        double way[3];
        distance_from(l, point, way);
        for (int a = 0; a < 3; a++)
            point[a] += way[a];
    }
}

static void place(struct sluice_contour *c, const struct sluice_contour_cell *cell, int arc,
                  int most)
{
    struct sluice_contour_point *p = &c->point[cell->first + arc];
    struct loop l;
    set_loop(&l, c, cell, arc);
    p->rank = find_sharp(&l, most, p->y);
    if (p->rank == 1)
        find_smooth(&l, p->y);
}

/* --- Corners that two cells have found --- */

struct claim {
    double y[3], off; /* off: how far from the middle of the cell */
    int64_t cell;
    int arc;
};

static int by_place(const void *a, const void *b)
{
    const struct claim *p = a, *q = b;
    if (p->y[0] < q->y[0] || p->y[0] > q->y[0])
        return p->y[0] < q->y[0] ? -1 : 1;
    return (p->cell > q->cell) - (p->cell < q->cell);
}

/* The nearest cell keeps a corner; the others get a point of an edge. */
static void settle_claims(struct sluice_contour *c, struct claim *claim, int64_t claims)
{
    const double *step = c->grid->step, near = 1e-6 * fmax(step[0], fmax(step[1], step[2]));
    for (int64_t i = 0; i < claims; i++)
        for (int64_t k = i + 1; k < claims && claim[k].y[0] - claim[i].y[0] < near; k++) {
            struct claim *a = &claim[i], *b = &claim[k];
            if (fabs(a->y[1] - b->y[1]) > near || fabs(a->y[2] - b->y[2]) > near || a->cell < 0 ||
                b->cell < 0)
                continue;
            struct claim *loser = a->off > b->off ? a : b;
            place(c, &c->cell[loser->cell], loser->arc, c->grid->dimension - 1);
            loser->cell = -1;
        }
}

static int64_t list_claims(const struct sluice_contour *c, struct claim *claim)
{
    int64_t count = 0;
    for (int64_t k = 0; k < c->cells; k++)
        for (int arc = 0; arc < c->cell[k].arcs; arc++) {
            const struct sluice_contour_point *p = &c->point[c->cell[k].first + arc];
            double low[3], off2 = 0;
            if (p->rank < c->grid->dimension)
                continue;
            sluice_surface_grid_place(c->grid, c->cell[k].node, low);
            for (int a = 0; a < c->grid->dimension; a++) {
                const double off = p->y[a] - low[a] - c->grid->step[a] / 2;
                off2 += off * off;
            }
            claim[count++] = (struct claim){{p->y[0], p->y[1], p->y[2]}, off2, k, arc};
        }
    return count;
}

/* --- All points --- */

/* The point of a face is on the surface, near the middle of its line. */
static void place_face(struct sluice_contour *c, const struct sluice_contour_face *face)
{
    const struct sluice_surface_grid *g = c->grid;
    const int64_t node = face->key / 3;
    const int axis = (int)(face->key % 3), b = (axis + 1) % 3, d = (axis + 2) % 3;
    const struct {
        int64_t node;
        int axis;
    } edge[4] = {{node, b}, {node + g->stride[b], d}, {node + g->stride[d], b}, {node, d}};
    for (int k = 0; k < 4; k++) {
        double *y = c->point[sluice_contour_face_point(face, k)].y;
        const struct sluice_crossing *x = sluice_surface_grid_find(g, edge[k].node, edge[k].axis);
        for (int a = 0; a < 3 && x; a++)
            y[a] += x->at[a] / 2;
    }
    for (int line = 0; line < 2; line++) {
        double *y = c->point[face->point[line]].y, way[3];
        const double off = sluice_solid_union_distance(g->u, y, way);
        for (int a = 0; a < 3 && fabs(off) < g->step[axis]; a++)
            y[a] += way[a];
    }
}

sluice_status sluice_contour_place(struct sluice_contour *c)
{
    struct claim *claim;
    for (int64_t k = 0; k < c->cells; k++)
        for (int arc = 0; arc < c->cell[k].arcs; arc++)
            place(c, &c->cell[k], arc, c->grid->dimension);
    for (int64_t k = 0; k < c->faces; k++)
        place_face(c, &c->face[k]);
    SLUICE_ALLOCATE(claim, c->points, "corners of a surface");
    const int64_t claims = list_claims(c, claim);
    qsort(claim, (size_t)claims, sizeof *claim, by_place);
    settle_claims(c, claim, claims);
    free(claim);
    return SLUICE_OK;
}
