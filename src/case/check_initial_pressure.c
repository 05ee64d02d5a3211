/* Warns of water on walls that starts without the pressure that carries it: it would fall, be
 * stopped, and ring. */
#include <math.h>
#include <pthread.h>

#include "case/builder.h"
#include "domain/comm.h"
#include "grid/cell_bits.h"

enum { FLUID = 1, WALL = 2 }; /* bits of cells with such particles */
enum { BLOCK = 1 << 14 };

/* The occupied cells, of one spacing; how much fluid rests on walls, and how deep its lowest
 * surface lies. Of several ranks each looks at the fluid between `from` and `to` along one axis,
 * and needs the cells a little beyond. */
struct standing {
    const struct sluice_case_builder *b;
    int axis;
    double from, to; /* m */
    const struct sluice_start *chunk;
    unsigned bits; /* of the type that is visited */
    struct sluice_cell_bits cells;
    int64_t on_walls; /* particles with a wall one spacing below */
    double lowest;    /* depth of the deepest particle with nothing one spacing above, m */
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

static void mark_blocks(struct sluice_share *share, void *data)
{
    struct standing *s = data;
    struct sluice_cell_bits cells = {0};
    sluice_status status = SLUICE_OK;
    int64_t i, end;
    while (sluice_share_block(share, s->chunk->count, BLOCK, &i, &end))
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

static sluice_status mark_cells(void *data, const struct sluice_start *chunk, int64_t first,
                                struct sluice_threads *team)
{
    struct standing *s = data;
    (void)first;
    s->chunk = chunk;
    sluice_threads_run(team, sluice_blocks(chunk->count, BLOCK), mark_blocks, s);
    SLUICE_CHECK(!s->no_memory, SLUICE_DEVICE, "no memory for the cells of particles");
    return SLUICE_OK;
}

static void find_by_blocks(struct sluice_share *share, void *data)
{
    struct standing *s = data;
    int64_t i, end, on_walls = 0;
    double lowest = 0;
    while (sluice_share_block(share, s->chunk->count, BLOCK, &i, &end))
        for (; i < end; i++) {
            double x[3];
            int64_t below[3], above[3];
            sluice_grid_coordinates(&s->b->grid, &s->chunk->place[i], x);
            if (x[s->axis] < s->from || x[s->axis] >= s->to)
                continue;
            find_cell(s->b, x, -1, below);
            find_cell(s->b, x, 1, above);
            on_walls += (sluice_cell_bits_at(&s->cells, below) & WALL) != 0;
            if (!sluice_cell_bits_at(&s->cells, above))
                lowest = fmax(lowest, sluice_initial_depth(&s->b->frame, x));
        }
    pthread_mutex_lock(&s->lock);
    s->on_walls += on_walls;
    s->lowest = fmax(s->lowest, lowest);
    pthread_mutex_unlock(&s->lock);
}

static sluice_status find_standing(void *data, const struct sluice_start *fluid, int64_t first,
                                   struct sluice_threads *team)
{
    struct standing *s = data;
    (void)first;
    s->chunk = fluid;
    sluice_threads_run(team, sluice_blocks(fluid->count, BLOCK), find_by_blocks, s);
    return SLUICE_OK;
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

/* A cell one spacing above or below may hold particles two spacings away. */
static int wants(const void *data, const double low[3], const double high[3])
{
    const struct standing *s = data;
    const double beyond = 2.01 * s->b->config->spacing;
    return high[s->axis] >= s->from - beyond && low[s->axis] <= s->to + beyond;
}

static sluice_status visit_particles(struct standing *s)
{
    const struct sluice_case *c = s->b->c;
    struct sluice_comm *world = sluice_world();
    struct sluice_case_visit visit = {.work = mark_cells, .data = s, .wants = wants};
    s->bits = FLUID;
    SLUICE_TRY(sluice_case_visit(c, SLUICE_FLUID, &visit));
    s->bits = WALL;
    SLUICE_TRY(sluice_case_visit(c, SLUICE_WALL, &visit));
    visit.work = find_standing;
    SLUICE_TRY(sluice_case_visit(c, SLUICE_FLUID, &visit));
    SLUICE_TRY(world->ops->sum(world, &s->on_walls, 1));
    return world->ops->max(world, &s->lowest, 1);
}

static int has_pressure(const struct sluice_case_builder *b)
{
    int given = b->config->fluid.masses == SLUICE_MASSES_HYDROSTATIC ||
                (b->from_file[SLUICE_FLUID] > 0 && (b->file.has_density || b->file.has_pressure));
    for (int i = 0; i < b->config->initial_count; i++)
        given |= b->config->initials[i].field != SLUICE_FIELD_OF_VELOCITY;
    return given;
}

sluice_status sluice_case_check_initial_pressure(struct sluice_case_builder *b)
{
    const int fields = b->config->initial_count;
    struct standing s = {.b = b, .lock = PTHREAD_MUTEX_INITIALIZER};
    if (b->config->model != SLUICE_MODEL_WCSPH || b->c->fluid_depth <= 0 ||
        b->c->start[SLUICE_WALL].count == 0 || has_pressure(b))
        return SLUICE_OK;
    find_part(&s);
    const sluice_status status = visit_particles(&s);
    sluice_cell_bits_destroy(&s.cells);
    if (status != SLUICE_OK || s.on_walls == 0)
        return status;
    char remedy[160];
    /* The field measures depth from the highest fluid, so it fits a level surface only. */
    if (s.lowest > 2 * b->config->spacing)
        snprintf(remedy, sizeof remedy,
                 "Its surface is not level, by up to %.3g, so that no field fits: start from a "
                 "particle file with a column pressure, or let it settle first",
                 s.lowest);
    else
        snprintf(remedy, sizeof remedy, "%s { field = \"pressure\"; kind = \"hydrostatic\"; }%s",
                 fields ? "Add to the list initial:" : "Add the line initial = (",
                 fields ? "" : " );");
    sluice_warn(&b->warnings,
                "initial: gravity pulls on fluid that starts without a pressure; it falls on its "
                "walls and rings, with a period of %.3g s. %s",
                4 * b->c->fluid_depth / b->c->physics.wcsph.sound_speed, remedy);
    return SLUICE_OK;
}
