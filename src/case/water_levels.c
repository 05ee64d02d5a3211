/* The levels of water at rest: how high it stands above each particle.
 *
 * Shapes of fluid that lie one above another share the level of the highest one. Those that meet at
 * upright faces only keep their own, as basins behind gates do. A shape without a free surface, in
 * a duct or beneath a lid, has the level of what it meets at its sides.
 *
 *      1 |~~~~~~~|                shapes 1 and 2: the level of 1
 *        |-------|~~~~~~~~~|      shape 3: its own
 *      2 |       |    3    |
 *
 * An entry of `initial` with a level goes first. Fluid from a file has one level, that of its
 * highest particle, and so do two fluids: their layers share one column. */
#include <math.h>
#include <stdlib.h>

#include "case/builder.h"
#include "core/allocate.h"

/* Where a shape of fluid stands. */
struct standing {
    int joined; /* the shape that stands for all that share its level */
    int is_free;
    int64_t top; /* of those: their highest cell, counted upwards */
};

struct search {
    const struct sluice_geometry *g;
    struct standing *shape; /* [shape_count] */
    int axis, up;           /* gravity's axis; 1: up is its positive direction, else -1 */
    int changed;
};

static int find(struct search *s, int k)
{
    while (s->shape[k].joined != k)
        k = s->shape[k].joined;
    return k;
}

static void join(struct search *s, int a, int b)
{
    struct standing *one = &s->shape[find(s, a)], *other = &s->shape[find(s, b)];
    if (one == other)
        return;
    if (one > other) { /* the earliest stands for all */
        struct standing *swap = one;
        one = other;
        other = swap;
    }
    other->joined = (int)(one - s->shape);
    one->top = one->top > other->top ? one->top : other->top;
    one->is_free |= other->is_free;
    s->changed = 1;
}

static int64_t height_of(const struct search *s, const int64_t cell[3])
{
    return s->up * cell[s->axis];
}

/* The shape of fluid in a cell; -1: none; -2: a wall or a body. */
static int fluid_in(const struct search *s, int64_t cell[3])
{
    sluice_geometry_wrap(s->g, cell);
    const int owner = sluice_geometry_owner(s->g, cell);
    const int type = owner < 0 ? -1 : s->g->config->shapes[owner].type;
    return type == SLUICE_SHAPE_FLUID ? owner : type == SLUICE_SHAPE_WALL ? -2 : -1;
}

/* The cell so many spacings above, and aside along the other axes. */
static int fluid_beside(const struct search *s, const int64_t cell[3], int above, int aside,
                        int across)
{
    int64_t there[3] = {cell[0], cell[1], cell[2]};
    const int first = s->axis == 0 ? 1 : 0, second = 3 - s->axis - first;
    there[s->axis] += s->up * above;
    there[first] += aside;
    if (s->g->dimension == 3)
        there[second] += across;
    return fluid_in(s, there);
}

typedef void visitor(struct search *s, int shape, const int64_t cell[3]);

static void visit_cells(struct search *s, visitor *visit)
{
    struct sluice_cells box[SLUICE_SHAPE_BOXES];
    int64_t cell[3];
    for (int k = 0; k < s->g->config->shape_count; k++) {
        const int is_fluid = s->g->config->shapes[k].type == SLUICE_SHAPE_FLUID,
                  boxes = is_fluid ? sluice_geometry_boxes(s->g, k, box) : 0;
        for (int i = 0; i < boxes; i++)
            for (cell[2] = box[i].low[2]; cell[2] < box[i].high[2]; cell[2]++)
                for (cell[1] = box[i].low[1]; cell[1] < box[i].high[1]; cell[1]++)
                    for (cell[0] = box[i].low[0]; cell[0] < box[i].high[0]; cell[0]++)
                        if (sluice_geometry_fills(s->g, k, cell))
                            visit(s, k, cell);
    }
}

static void join_above(struct search *s, int shape, const int64_t cell[3])
{
    const int above = fluid_beside(s, cell, 1, 0, 0);
    const int64_t height = height_of(s, cell);
    struct standing *top = &s->shape[find(s, shape)];
    top->top = height > top->top ? height : top->top;
    if (above >= 0 && above != shape)
        join(s, shape, above);
}

static int is_own(struct search *s, int shape, int other)
{
    return other >= 0 && find(s, other) == find(s, shape);
}

/* A surface five cells wide without a wall or fluid in two cells above its fluid: that below a
 * floating body is none. Walls and other water beside it may be nearer. */
static void find_free(struct search *s, int shape, const int64_t cell[3])
{
    struct standing *top = &s->shape[find(s, shape)];
    const int across = s->g->dimension == 3 ? 2 : 0;
    if (top->is_free || height_of(s, cell) != top->top)
        return;
    for (int above = 1; above <= 2; above++)
        for (int i = -2; i <= 2; i++)
            for (int j = -across; j <= across; j++)
                if (is_own(s, shape, fluid_beside(s, cell, 0, i, j)) &&
                    fluid_beside(s, cell, above, i, j) != -1)
                    return;
    top->is_free = 1;
}

static void join_aside(struct search *s, int shape, const int64_t cell[3])
{
    static const int aside[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
    for (int i = 0; i < (s->g->dimension == 3 ? 4 : 2); i++) {
        const int other = fluid_beside(s, cell, 0, aside[i][0], aside[i][1]);
        if (other >= 0 && !(s->shape[find(s, shape)].is_free && s->shape[find(s, other)].is_free))
            join(s, shape, other);
    }
}

/* Whether the levels can differ: gravity along one axis, and several shapes of the one fluid. */
static int can_differ(const struct sluice_case_builder *b)
{
    int axes = 0, fluids = 0, hydrostatic = b->config->fluid.masses == SLUICE_MASSES_HYDROSTATIC;
    for (int i = 0; i < b->config->initial_count; i++)
        hydrostatic |= b->config->initials[i].kind == SLUICE_INITIAL_HYDROSTATIC;
    for (int a = 0; a < 3; a++)
        axes += fabs(b->frame.pull[a]) > 0;
    for (int k = 0; k < b->config->shape_count; k++)
        fluids += b->config->shapes[k].type == SLUICE_SHAPE_FLUID;
    return hydrostatic && axes == 1 && fluids > 1 && b->c->geometry.box &&
           b->from_file[SLUICE_FLUID] == 0 && !b->c->physics.wcsph.second;
}

/* The height of the upper face of a cell, as frame.top. */
static double face_above(const struct sluice_case_builder *b, const struct search *s,
                         int64_t height)
{
    const double centre = sluice_geometry_centre(s->g, s->axis, s->up * height),
                 face = s->up * centre + 0.5 * s->g->step[s->axis];
    return fabs(face - b->frame.top) < 1e-6 * b->config->spacing ? b->frame.top : face;
}

sluice_status sluice_case_find_levels(struct sluice_case_builder *b)
{
    const int shapes = b->config->shape_count;
    struct search s = {.g = &b->c->geometry};
    if (!can_differ(b))
        return SLUICE_OK;
    while (!(fabs(b->frame.pull[s.axis]) > 0))
        s.axis++;
    s.up = b->frame.pull[s.axis] < 0 ? 1 : -1;
    SLUICE_ALLOCATE(s.shape, shapes, "shapes of fluid");
    for (int k = 0; k < shapes; k++)
        s.shape[k] = (struct standing){.joined = k, .top = INT64_MIN};
    visit_cells(&s, join_above);
    visit_cells(&s, find_free);
    do {
        s.changed = 0;
        visit_cells(&s, join_aside);
    } while (s.changed);
    b->level = malloc((size_t)shapes * sizeof *b->level);
    for (int k = 0; b->level && k < shapes; k++) {
        const int64_t top = s.shape[find(&s, k)].top;
        b->level[k] = top == INT64_MIN ? b->frame.top : face_above(b, &s, top);
    }
    free(s.shape);
    SLUICE_CHECK(b->level, SLUICE_DEVICE, "no memory for the levels of %d shapes", shapes);
    return SLUICE_OK;
}

/* --- At a particle --- */

/* The shape of fluid nearest to a wall particle, within reach of it; -1: none. */
static int fluid_near(const struct sluice_case_builder *b, const double x[3])
{
    const struct sluice_geometry *g = &b->c->geometry;
    const int64_t reach = g->layers + 1, deep = g->dimension == 3 ? reach : 0;
    int64_t at[3], d[3], least = INT64_MAX;
    int nearest = -1;
    sluice_geometry_cell_at(g, x, at);
    for (d[2] = -deep; d[2] <= deep; d[2]++)
        for (d[1] = -reach; d[1] <= reach; d[1]++)
            for (d[0] = -reach; d[0] <= reach; d[0]++) {
                const int64_t far = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
                int64_t cell[3];
                for (int a = 0; a < 3; a++)
                    cell[a] = at[a] + d[a];
                sluice_geometry_wrap(g, cell);
                const int owner = far < least ? sluice_geometry_owner(g, cell) : -1;
                if (owner >= 0 && b->config->shapes[owner].type == SLUICE_SHAPE_FLUID) {
                    nearest = owner;
                    least = far;
                }
            }
    return nearest;
}

int sluice_case_is_hydrostatic(const struct sluice_case_builder *b, const double x[3])
{
    const int shape = b->has_levels ? fluid_near(b, x) : -1,
              group = shape >= 0 ? b->shape_group[shape] : -1;
    int is = b->config->fluid.masses == SLUICE_MASSES_HYDROSTATIC;
    for (int i = 0; i < b->config->initial_count; i++)
        if (b->config->initials[i].field != SLUICE_FIELD_OF_VELOCITY &&
            sluice_case_initial_is_on(b, i, group))
            is = b->config->initials[i].kind == SLUICE_INITIAL_HYDROSTATIC;
    return is;
}

double sluice_case_level(const struct sluice_case_builder *b, enum sluice_type type,
                         const struct sluice_start *s, int64_t i, const double x[3])
{
    double level = b->frame.top;
    int group = s->group ? (int)s->group[i] : -1, shape = s->shape ? s->shape[i] : -1;
    if ((b->level || b->has_levels) && type == SLUICE_WALL)
        shape = fluid_near(b, x);
    if (b->level && shape >= 0)
        level = b->level[shape];
    if (type == SLUICE_WALL)
        group = shape >= 0 ? b->shape_group[shape] : -1;
    const double own = level, *pull = b->frame.pull, up = pull[0] + pull[1] + pull[2] < 0 ? 1 : -1;
    for (int k = 0; k < b->config->initial_count && b->has_levels; k++) {
        const struct sluice_initial *f = &b->config->initials[k];
        if (f->kind == SLUICE_INITIAL_HYDROSTATIC && sluice_case_initial_is_on(b, k, group))
            level = isfinite(f->level) ? up * f->level : own;
    }
    return level;
}
