/* Images of wall particles in the surface of the walls: their ghost nodes.
 *
 *        fluid     o   o           o  an open cell: in the domain, and no wall of this motion
 *     ----------+---------         x  wall particles; their nearest points of the open cells are
 *        x   x  | x  x  .             on the surface, and the images as far on its other side
 *        x   x  | x  x  .  closed
 *
 * The point of the open cells nearest to a wall particle is on the surface, whatever shapes make
 * it. In a concave corner it is the corner. A particle with several nearest points, as on the
 * diagonal behind an outer edge, is mirrored along the sum of the ways to them: through the edge.
 *
 * A surface that is no part of the lattice is stairs there, so particles near it are mirrored in
 * the surface itself, by its signed distance: outwards in that of their own shape, or into that of
 * a later shape which cuts it. A round shape mirrors along its radius, outwards; round holes are
 * the stairs that the lattice makes of them.
 *
 * Cells of walls with another motion are open, as those walls may move away. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/geometry.h"

enum { NEAREST_MOST = 8 };

/* The ways from a particle to its nearest points of open cells, all of one length. */
struct nearest {
    int count;
    double length2, way[NEAREST_MOST][3];
};

static int is_open(const struct sluice_geometry *g, const char *motion, const int64_t at[3])
{
    int64_t cell[3] = {at[0], at[1], at[2]};
    sluice_geometry_wrap(g, cell);
    for (int a = 0; a < g->dimension; a++)
        if (cell[a] < 0 || cell[a] >= g->n[a])
            return 0;
    const int owner = sluice_geometry_owner(g, cell);
    const struct sluice_shape *s = owner < 0 ? NULL : &g->config->shapes[owner];
    return !s || s->type != SLUICE_SHAPE_WALL || strcmp(s->motion, motion) != 0;
}

/* Considers the nearest point of an open cell that is `apart` cells away. */
static void meet_cell(const struct sluice_geometry *g, const int64_t apart[3], struct nearest *n)
{
    const double same = 1e-6 * g->spacing * g->spacing;
    double way[3] = {0, 0, 0}, length2 = 0;
    for (int a = 0; a < g->dimension; a++) {
        way[a] = apart[a] > 0   ? ((double)apart[a] - 0.5) * g->step[a]
                 : apart[a] < 0 ? ((double)apart[a] + 0.5) * g->step[a]
                                : 0;
        length2 += way[a] * way[a];
    }
    if (n->count && length2 > n->length2 + same)
        return;
    if (!n->count || length2 < n->length2 - same) {
        n->count = 0;
        n->length2 = length2;
    }
    if (n->count < NEAREST_MOST)
        memcpy(n->way[n->count++], way, sizeof way);
}

/* Considers the shell of cells whose largest distance along an axis is `distance`. */
static void meet_shell(const struct sluice_geometry *g, const char *motion, const int64_t cell[3],
                       int64_t distance, struct nearest *n)
{
    const int64_t deep = g->dimension == 3 ? distance : 0;
    int64_t d[3];
    for (d[2] = -deep; d[2] <= deep; d[2]++)
        for (d[1] = -distance; d[1] <= distance; d[1]++) {
            const int within = llabs(d[2]) < distance && llabs(d[1]) < distance;
            for (d[0] = -distance; d[0] <= distance; d[0] += within ? 2 * distance : 1) {
                const int64_t other[3] = {cell[0] + d[0], cell[1] + d[1], cell[2] + d[2]};
                if (is_open(g, motion, other))
                    meet_cell(g, d, n);
            }
        }
}

static void find_nearest(const struct sluice_geometry *g, const char *motion, const int64_t cell[3],
                         struct nearest *n)
{
    n->count = 0;
    for (int64_t distance = 1; distance <= g->layers + 1; distance++) {
        const double least = ((double)distance - 0.5) * g->spacing;
        if (n->count && n->length2 < least * least * (1 - 1e-6))
            return;
        meet_shell(g, motion, cell, distance, n);
    }
}

/* Sets the ghost to x + 2 way. Returns whether it is in an open cell. */
static int image(const struct sluice_geometry *g, const char *motion, const double x[3],
                 const double way[3], double ghost[3])
{
    int64_t cell[3];
    for (int a = 0; a < 3; a++)
        ghost[a] = x[a] + 2 * way[a];
    sluice_geometry_cell_at(g, ghost, cell);
    return is_open(g, motion, cell);
}

/* Mirrors in a round shape's own surface, unless a flat surface or that of a hole is nearer. */
static int image_in_round(const struct sluice_geometry *g, int shape, const double x[3],
                          const struct nearest *n, double ghost[3])
{
    const struct sluice_shape *s = &g->asked[shape];
    double out[3] = {0, 0, 0}, r2 = 0;
    if (s->kind == SLUICE_SHAPE_BOX || s->kind == SLUICE_SHAPE_WALLS)
        return 0;
    for (int a = 0; a < g->dimension; a++) {
        const int flat = s->kind == SLUICE_SHAPE_CYLINDER && a == s->axis;
        out[a] = flat ? 0 : x[a] - s->centre[a];
        r2 += out[a] * out[a];
    }
    const double r = sqrt(r2), depth = s->radius - r;
    double outwards = 0;
    for (int a = 0; a < g->dimension; a++)
        outwards += n->way[0][a] * out[a];
    if (outwards <= 0)
        return 0;
    if (s->kind == SLUICE_SHAPE_CYLINDER && n->way[0][s->axis] != 0 && n->length2 < depth * depth)
        return 0;
    for (int a = 0; a < 3; a++)
        out[a] *= depth / r;
    return image(g, s->motion, x, out, ghost);
}

/* Whether a point of a surface's outer side is in no wall of this motion. Shapes that are not plain
 * have it by their distance, as a cell on the surface is on both sides. */
static int is_open_point(const struct sluice_geometry *g, const char *motion, const double x[3])
{
    int64_t cell[3], from[3];
    double at[3] = {x[0], x[1], x[2]}, way[3];
    sluice_geometry_cell_at(g, x, from);
    memcpy(cell, from, sizeof cell);
    sluice_geometry_wrap(g, cell);
    for (int a = 0; a < g->dimension; a++) {
        at[a] += (double)(cell[a] - from[a]) * g->step[a];
        if (cell[a] < 0 || cell[a] >= g->n[a])
            return 0;
    }
    for (int s = g->config->shape_count - 1; s >= 0; s--) {
        const struct sluice_shape *shape = &g->asked[s];
        const int owns = shape->type == SLUICE_SHAPE_PART ? 0
                         : sluice_geometry_is_plain(shape)
                             ? sluice_geometry_owns(g, s, cell)
                             : sluice_geometry_distance(g, s, at, way) < -1e-9 * g->spacing;
        if (owns)
            return shape->type != SLUICE_SHAPE_WALL || strcmp(shape->motion, motion) != 0;
    }
    return 1;
}

/* Mirrors in the surface of a shape that is not plain: the particle's own, or one that cuts it. On
 * the lattice the surface is at most half a cell's diagonal off, so a wall that is nearer than that
 * is another one. */
static int image_in_surface(const struct sluice_geometry *g, int shape, const double x[3],
                            const struct nearest *n, double ghost[3])
{
    const char *motion = g->asked[shape].motion;
    const double stairs = 0.5 * sqrt(g->dimension) * g->spacing, most = sqrt(n->length2) + stairs;
    double least = INFINITY, image_at[3];
    int64_t opening[3]; /* the open cell that is nearest */
    for (int a = 0; a < 3; a++) {
        const double w = n->way[0][a];
        image_at[a] = x[a] + w + (w > 0 ? 0.5 : w < 0 ? -0.5 : 0) * g->step[a];
    }
    sluice_geometry_cell_at(g, image_at, opening);
    sluice_geometry_wrap(g, opening);
    for (int s = shape; s < g->config->shape_count; s++) {
        const int type = g->asked[s].type,
                  cuts = s > shape && (type == SLUICE_SHAPE_VOID || type == SLUICE_SHAPE_FLUID);
        double way[3], along = 0;
        if (sluice_geometry_is_plain(&g->asked[s]) ||
            (s != shape && !(cuts && sluice_geometry_owns(g, s, opening) &&
                             sluice_geometry_owns(g, shape, opening))))
            continue;
        const double d = fabs(sluice_geometry_distance(g, s, x, way));
        for (int a = 0; a < 3; a++) {
            along += way[a] * n->way[0][a];
            image_at[a] = x[a] + 2 * way[a];
        }
        if (d >= least || d > most || along <= 0 || !is_open_point(g, motion, image_at))
            continue;
        least = d;
        memcpy(ghost, image_at, sizeof image_at);
    }
    return least < INFINITY;
}

void sluice_geometry_mirror(const struct sluice_geometry *g, int shape, const double x[3],
                            double ghost[3])
{
    const char *motion = g->config->shapes[shape].motion;
    struct nearest n;
    int64_t cell[3];
    double way[3] = {0, 0, 0};
    sluice_geometry_cell_at(g, x, cell);
    find_nearest(g, motion, cell, &n);
    memcpy(ghost, x, 3 * sizeof *ghost);
    if (n.count == 0 || image_in_surface(g, shape, x, &n, ghost))
        return;
    if (sluice_geometry_is_plain(&g->asked[shape]) && image_in_round(g, shape, x, &n, ghost))
        return;
    for (int k = 0; k < n.count; k++)
        for (int a = 0; a < 3; a++)
            way[a] += n.way[k][a];
    /* In a thin plate the sum over both faces is 0, or leads back into walls: take one of them. */
    if ((way[0] == 0 && way[1] == 0 && way[2] == 0) || !image(g, motion, x, way, ghost))
        image(g, motion, x, n.way[0], ghost);
}
