/* Warns of water on walls that starts without the pressure that carries it: it would fall, be
 * stopped, and ring. Warns also of a hydrostatic pressure that counts the depth from a level (see
 * water_levels.c) above a free surface: there it is too high. */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "case/builder.h"
#include "core/vector.h"
#include "domain/comm.h"
#include "grid/cell_bits.h"

enum { FLUID = 1, WALL = 2 }; /* bits of cells with such particles */

/* The occupied cells, of one spacing; how much fluid rests on walls, and how deep its lowest
 * surface lies. Each of several ranks looks at the fluid between `from` and `to` along one axis,
 * and needs the cells a little beyond. */
struct standing {
    const struct sluice_case_builder *b;
    int axis;
    double from, to; /* m */
    const struct sluice_start *chunk;
    unsigned bits; /* of the type that is visited */
    struct sluice_cell_bits cells;
    int hydrostatic;  /* the pressure is, and only broad surfaces count */
    int64_t on_walls; /* particles with a wall one spacing below */
    double lowest;    /* depth of the deepest particle with nothing above, m */
    int group;        /* of that particle */
    int no_memory;
    pthread_mutex_t lock;
};

/* The cell of a place that lies `up` spacings above x. */
static void find_cell(const struct sluice_case_builder *b, const double x[3], double up,
                      int64_t cell[3])
{
    const struct sluice_initial_frame *f = &b->frame;
    const double spacing = b->config->spacing;
    for (int a = 0; a < 3; a++) {
        const double low = b->c->fluid_low[a] - spacing,
                     there = x[a] - up * (f->pull[a] / f->gravity) * spacing;
        cell[a] = a < b->config->dimension ? (int64_t)floor((there - low) / spacing) : 0;
    }
}

/* Two unit vectors across gravity; in 2-D the second is 0. */
static void find_sideways(const struct sluice_case_builder *b, double side[2][3])
{
    const double *pull = b->frame.pull;
    double axis[3] = {0, 0, 1};
    memset(side, 0, 6 * sizeof **side);
    if (b->config->dimension == 3 && fabs(pull[2]) > fabs(pull[0])) {
        axis[0] = 1;
        axis[2] = 0;
    }
    sluice_cross(pull, axis, side[0]);
    const double size = sluice_norm(side[0]);
    for (int a = 0; a < 3; a++)
        side[0][a] /= size;
    if (b->config->dimension == 3) {
        sluice_cross(pull, side[0], side[1]);
        for (int a = 0; a < 3; a++)
            side[1][a] /= b->frame.gravity;
    }
}

/* Whether a surface five spacings wide is free for two above it: that beside or below a body is
 * not, wherever the particles of its wall lie. A cell holds a particle 0.5 spacings into it, so 1.4
 * and 2.4 spacings above one end well within cells. */
static int is_surface(const struct standing *s, const double x[3])
{
    static const int aside[5] = {0, 1, -1, 2, -2}; /* straight above is seldom free */
    const int across = s->b->config->dimension == 3 ? 5 : 1;
    double side[2][3];
    int64_t cell[3];
    find_sideways(s->b, side);
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < 5; i++)
            for (int j = 0; j < across; j++) {
                double at[3];
                for (int a = 0; a < 3; a++)
                    at[a] = x[a] +
                            s->b->config->spacing * (aside[i] * side[0][a] + aside[j] * side[1][a]);
                find_cell(s->b, at, 1.4 + k, cell);
                if (sluice_cell_bits_at(&s->cells, cell))
                    return 0;
            }
    return 1;
}

static int is_free_above(const struct standing *s, const double x[3])
{
    int64_t above[3];
    if (s->hydrostatic)
        return is_surface(s, x);
    find_cell(s->b, x, 1, above);
    return !sluice_cell_bits_at(&s->cells, above);
}

/* Takes a surface over that is deeper; of equal ones that of the later group. */
static void take_deeper(double *lowest, int *group, double depth, int of_group)
{
    if (depth > *lowest || (depth >= *lowest && of_group > *group)) {
        *lowest = depth;
        *group = of_group;
    }
}

static void mark_blocks(struct sluice_share *share, void *data)
{
    struct standing *s = data;
    struct sluice_cell_bits cells = {0};
    sluice_status status = SLUICE_OK;
    int64_t i, end;
    while (sluice_share_block(share, s->chunk->count, SLUICE_CASE_BLOCK, &i, &end))
        for (; i < end && status == SLUICE_OK; i++) {
            double x[3];
            int64_t cell[3];
            sluice_grid_coordinates(&s->b->grid, &s->chunk->place[i], x);
            find_cell(s->b, x, 0, cell);
            status = sluice_cell_bits_set(&cells, cell, s->bits);
        }
    pthread_mutex_lock(&s->lock);
    if (status == SLUICE_OK)
        status = sluice_cell_bits_join(&s->cells, cells.word, cells.slots);
    s->no_memory |= status != SLUICE_OK;
    pthread_mutex_unlock(&s->lock);
    sluice_cell_bits_destroy(&cells);
}

/* Depth of a particle below the level that its pressure counts from, m. */
static double depth_of(const struct standing *s, int64_t i, const double x[3])
{
    struct sluice_initial_frame own = s->b->frame;
    own.top = sluice_case_level(s->b, SLUICE_FLUID, s->chunk, i, x);
    return sluice_initial_depth(&own, x);
}

static void find_by_blocks(struct sluice_share *share, void *data)
{
    struct standing *s = data;
    int64_t i, end, on_walls = 0;
    int group = -1;
    double lowest = 0;
    while (sluice_share_block(share, s->chunk->count, SLUICE_CASE_BLOCK, &i, &end))
        for (; i < end; i++) {
            double x[3];
            int64_t below[3];
            sluice_grid_coordinates(&s->b->grid, &s->chunk->place[i], x);
            if (x[s->axis] < s->from || x[s->axis] >= s->to)
                continue;
            find_cell(s->b, x, -1, below);
            on_walls += (sluice_cell_bits_at(&s->cells, below) & WALL) != 0;
            if (is_free_above(s, x))
                take_deeper(&lowest, &group, depth_of(s, i, x), (int)s->chunk->group[i]);
        }
    pthread_mutex_lock(&s->lock);
    s->on_walls += on_walls;
    take_deeper(&s->lowest, &s->group, lowest, group);
    pthread_mutex_unlock(&s->lock);
}

/* This rank's part of the fluid, along its longest axis but x, along which slabs are long. */
static void find_part(struct standing *s)
{
    const struct sluice_comm *world = sluice_world();
    const double *low = s->b->c->fluid_low, *high = s->b->c->fluid_high;
    s->axis = s->b->config->dimension == 3 && high[2] - low[2] > high[1] - low[1] ? 2 : 1;
    const double part = (high[s->axis] - low[s->axis]) / world->size;
    s->from = world->rank == 0 ? -INFINITY : low[s->axis] + part * world->rank;
    s->to = world->rank == world->size - 1 ? INFINITY : low[s->axis] + part * (world->rank + 1);
}

/* A cell one spacing above or below may hold particles two spacings away. That of a surface may be
 * 2.4 spacings above and two aside. */
static int wants(const void *data, const double low[3], const double high[3])
{
    const struct standing *s = data;
    const double beyond = (s->hydrostatic ? 5.41 : 2.01) * s->b->config->spacing;
    return high[s->axis] >= s->from - beyond && low[s->axis] <= s->to + beyond;
}

static sluice_status visit_particles(struct standing *s)
{
    const struct sluice_case *c = s->b->c;
    struct sluice_comm *world = sluice_world();
    struct sluice_case_visit visit = {
        .loop = mark_blocks, .data = s, .chunk = &s->chunk, .wants = wants};
    s->bits = FLUID;
    SLUICE_TRY(sluice_case_visit(c, SLUICE_FLUID, &visit));
    s->bits = WALL;
    SLUICE_TRY(sluice_case_visit(c, SLUICE_WALL, &visit));
    SLUICE_CHECK(!s->no_memory, SLUICE_DEVICE, "no memory for the cells of particles");
    visit.loop = find_by_blocks;
    SLUICE_TRY(sluice_case_visit(c, SLUICE_FLUID, &visit));
    SLUICE_TRY(world->ops->sum(world, &s->on_walls, 1));
    const double own = s->lowest;
    SLUICE_TRY(world->ops->max(world, &s->lowest, 1));
    double group = own < s->lowest ? -1 : s->group;
    SLUICE_TRY(world->ops->max(world, &group, 1));
    s->group = (int)group;
    return SLUICE_OK;
}

static int has_pressure(const struct sluice_case_builder *b)
{
    const struct sluice_groups *g = &b->c->groups;
    int all = 1;
    for (int k = 0; k < g->count; k++) {
        int given = g->group[k].type != SLUICE_FLUID;
        for (int i = 0; i < b->config->initial_count; i++)
            given |= b->config->initials[i].field != SLUICE_FIELD_OF_VELOCITY &&
                     sluice_case_initial_is_on(b, i, k);
        all &= given;
    }
    return all || b->config->fluid.masses == SLUICE_MASSES_HYDROSTATIC ||
           (b->from_file[SLUICE_FLUID] > 0 && (b->file.has_density || b->file.has_pressure));
}

/* Warns of fluid that starts without a pressure. */
static void warn_of_none(struct sluice_case_builder *b, const struct standing *s)
{
    const int fields = b->config->initial_count;
    char remedy[160];
    /* The field counts the depth from a shape's highest place, so it fits a level surface only. */
    if (s->lowest > 2 * b->config->spacing)
        snprintf(remedy, sizeof remedy,
                 "Its surface is not level, by up to %.3g, so that no field fits: start from a "
                 "particle file with a column pressure, or let it settle first",
                 s->lowest);
    else
        snprintf(remedy, sizeof remedy, "%s { field = \"pressure\"; kind = \"hydrostatic\"; }%s",
                 fields ? "Add to the list initial:" : "Add the line initial = (",
                 fields ? "" : " );");
    sluice_warn(&b->warnings,
                "initial: gravity pulls on fluid that starts without a pressure; it falls on its "
                "walls and rings, with a period of %.3g s. %s",
                4 * b->c->fluid_depth / b->c->physics.wcsph.sound_speed, remedy);
}

/* --- A hydrostatic pressure --- */

/* The last entry of `initial` that sets the pressure, if it is hydrostatic; NULL: none is. *masses:
 * fluid.masses sets it, and no entry does. */
static const struct sluice_initial *find_hydrostatic(const struct sluice_case_builder *b,
                                                     int *masses)
{
    const struct sluice_initial *last = NULL;
    for (int i = 0; i < b->config->initial_count; i++)
        if (b->config->initials[i].field != SLUICE_FIELD_OF_VELOCITY)
            last = &b->config->initials[i];
    *masses = !last && b->config->fluid.masses == SLUICE_MASSES_HYDROSTATIC &&
              b->from_file[SLUICE_FLUID] == 0;
    return last && last->kind == SLUICE_INITIAL_HYDROSTATIC ? last : NULL;
}

static int is_level_box(const struct sluice_shape *s)
{
    return s->kind == SLUICE_SHAPE_BOX && !(fabs(s->rotation_degrees) > 0) && !s->within[0] &&
           !s->without[0];
}

/* Whether the shapes alone say that there is one level: a box of fluid, into which no void cuts,
 * with gravity along an axis. */
static int is_one_box(const struct sluice_case_builder *b)
{
    const double *pull = b->frame.pull;
    int fluids = 0, others = b->from_file[SLUICE_FLUID] > 0;
    others += fabs(pull[0]) + fabs(pull[1]) + fabs(pull[2]) > b->frame.gravity * (1 + 1e-12);
    for (int k = 0; k < b->config->shape_count; k++) {
        const struct sluice_shape *s = &b->config->shapes[k];
        const int fluid = s->type == SLUICE_SHAPE_FLUID;
        fluids += fluid;
        others += s->type == SLUICE_SHAPE_VOID || (fluid && !is_level_box(s));
    }
    return fluids == 1 && others == 0;
}

static void warn_of_levels(struct sluice_case_builder *b, const struct standing *s,
                           const struct sluice_initial *field)
{
    const char *unit = sluice_config_unit(b->config, " m");
    const double deep = s->lowest - 0.5 * b->config->spacing;
    const double *pull = b->frame.pull,
                 most = fmax(fmax(fabs(pull[0]), fabs(pull[1])), fabs(pull[2]));
    const int has_level = !b->c->physics.wcsph.second && !(b->frame.gravity > most * (1 + 1e-12));
    const char *remedy = has_level
                             ? "Water below other water shares its level: make shapes that "
                               "meet at upright faces, or give its surface an entry of its "
                               "own, with on and level"
                             : "Start from a particle file with a column pressure, or let the "
                               "levels settle first";
    const char *name = s->group >= 0 ? b->c->groups.group[s->group].name : "fluid";
    char key[3 * SLUICE_TEXT_MAX] = "fluid.masses";
    if (field)
        snprintf(key, sizeof key, "%s:%d: initial", field->file, field->line);
    sluice_warn(&b->warnings,
                "%s: \"hydrostatic\" counts the depth from the level of the water; a surface of "
                "'%.60s' lies %.4g%s below that, where the pressure starts %.3g Pa too high and "
                "throws fluid and bodies up. %s",
                key, name, deep, unit, b->c->physics.wcsph.rho0 * b->frame.gravity * deep, remedy);
}

sluice_status sluice_case_check_initial_pressure(struct sluice_case_builder *b)
{
    int masses;
    const struct sluice_initial *field = find_hydrostatic(b, &masses);
    struct standing s = {
        .b = b, .lock = PTHREAD_MUTEX_INITIALIZER, .hydrostatic = field || masses, .group = -1};
    if (b->config->model != SLUICE_MODEL_WCSPH || b->c->fluid_depth <= 0 ||
        (s.hydrostatic ? is_one_box(b) : b->c->start[SLUICE_WALL].count == 0 || has_pressure(b)))
        return SLUICE_OK;
    find_part(&s);
    const sluice_status status = visit_particles(&s);
    sluice_cell_bits_destroy(&s.cells);
    if (status == SLUICE_OK && s.hydrostatic && s.lowest > 2 * b->config->spacing)
        warn_of_levels(b, &s, field);
    else if (status == SLUICE_OK && !s.hydrostatic && s.on_walls > 0)
        warn_of_none(b, &s);
    return status;
}
