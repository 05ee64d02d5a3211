#include "probes/probe_force.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/allocate.h"

enum { NO_FORCE = -1 };

/* In place of a motion: the group is at rest; several motions, or bodies, move it. */
enum { NO_MOTION = -1, ANYWHERE = -2 };

struct wall_pass {
    struct sluice_forces *forces;
    const struct sluice_grid *grid;
    const struct sluice_start *wall; /* a chunk of them */
    unsigned char *mixes;            /* [capacity] whether forces on them may be of another wall */
    int64_t capacity;
};

enum { BLOCK = 64 }; /* wall particles that a thread tests at a time */

static void test_walls(struct sluice_share *share, void *data)
{
    const struct wall_pass *pass = data;
    const struct sluice_force_split *split = &pass->forces->split;
    const struct sluice_start *wall = pass->wall;
    int64_t k, end;
    while (sluice_share_block(share, wall->count, BLOCK, &k, &end))
        for (; k < end; k++) {
            const int group = (int)wall->group[k];
            double x[3] = {0, 0, 0};
            sluice_grid_coordinates(pass->grid, &wall->place[k], x);
            pass->mixes[k] = (unsigned char)(!(wall->motion && wall->motion[k]) &&
                                             sluice_force_split_mixes(split, group, x));
        }
}

/* Finds which walls of a chunk mix. */
static sluice_status find_mixing(struct wall_pass *pass, const struct sluice_start *wall,
                                 struct sluice_threads *team)
{
    if (wall->count > pass->capacity) {
        free(pass->mixes);
        pass->capacity = 0;
        SLUICE_ALLOCATE(pass->mixes, wall->count, "wall particles under probes");
        pass->capacity = wall->count;
    }
    pass->wall = wall;
    sluice_threads_run(team, sluice_blocks(wall->count, BLOCK), test_walls, pass);
    return SLUICE_OK;
}

/* Extends the box of a probe, at t = 0, by a particle of its group. motion: 1 + the motion that
 * moves it; more than there are: a body does. */
static void extend_box(struct sluice_forces *f, int probe, uint32_t motion, const double x[3])
{
    struct sluice_box *box = &f->box[probe];
    const int moved = (int)motion > f->setup->config->motion_count ? ANYWHERE : (int)motion - 1,
              first = box->low[0] > box->high[0];
    f->motion[probe] = first || f->motion[probe] == moved ? moved : ANYWHERE;
    for (int a = 0; a < 3; a++) {
        box->low[a] = fmin(box->low[a], x[a]);
        box->high[a] = fmax(box->high[a], x[a]);
    }
}

/* Notes the ids of wall particles, and extends the boxes of their probes. */
static sluice_status add_walls(void *data, const struct sluice_start *wall, int64_t first,
                               struct sluice_threads *team)
{
    struct wall_pass *pass = data;
    struct sluice_forces *f = pass->forces;
    const struct sluice_case *c = f->setup;
    SLUICE_TRY(find_mixing(pass, wall, team));
    for (int64_t k = 0; k < wall->count; k++) {
        const uint32_t motion = wall->motion ? wall->motion[k] : 0;
        const int group = (int)wall->group[k];
        double x[3] = {0, 0, 0};
        f->id[first + k] = wall->id[k];
        sluice_grid_coordinates(pass->grid, &wall->place[k], x);
        sluice_force_split_note(&f->split, first + k, motion, pass->mixes[k], x);
        for (int i = 0; i < c->config->probe_count; i++)
            if (f->group[i] == group)
                extend_box(f, i, motion, x);
    }
    return SLUICE_OK;
}

/* The box of a probe's particles now. Along a periodic axis moving ones may be on either side. */
static struct sluice_box box_now(const struct sluice_forces *f, int probe)
{
    static const struct sluice_box all = {{-INFINITY, -INFINITY, -INFINITY},
                                          {INFINITY, INFINITY, INFINITY}};
    const struct sluice_motions *motions = &f->setup->physics.motions;
    const double margin = f->setup->config->spacing;
    const int motion = f->motion[probe];
    struct sluice_box box = f->box[probe];
    if (motion == ANYWHERE)
        return all;
    if (motion != NO_MOTION) {
        double from[2][3], now[2][3];
        struct sluice_displacement d;
        memcpy(from[0], box.low, sizeof from[0]);
        memcpy(from[1], box.high, sizeof from[1]);
        sluice_motions_at(motions, motion, f->time, &d);
        sluice_motions_carry_box(motions, motion, &d, from, now);
        memcpy(box.low, now[0], sizeof box.low);
        memcpy(box.high, now[1], sizeof box.high);
    }
    for (int a = 0; a < 3; a++) {
        const double by = motion >= 0 && f->setup->grid.periodic[a] ? INFINITY : margin;
        box.low[a] -= by;
        box.high[a] += by;
    }
    return box;
}

sluice_status sluice_forces_create(struct sluice_forces *f, const struct sluice_case *c)
{
    static const struct sluice_box empty = {{INFINITY, INFINITY, INFINITY},
                                            {-INFINITY, -INFINITY, -INFINITY}};
    const size_t n = (size_t)c->config->probe_count;
    struct sluice_grid grid;
    *f = (struct sluice_forces){.setup = c};
    if (!sluice_config_probe_of(c->config, SLUICE_PROBE_FORCE))
        return SLUICE_OK;
    SLUICE_ALLOCATE(f->group, n, "probes");
    SLUICE_ALLOCATE(f->value, n, "probes");
    SLUICE_ALLOCATE(f->motion, n, "probes");
    SLUICE_ALLOCATE(f->box, n, "probes");
    SLUICE_ALLOCATE(f->due, n + 1 + (size_t)c->config->motion_count, "probes");
    SLUICE_ALLOCATE(f->id, c->start[SLUICE_WALL].count, "wall particles under probes");
    SLUICE_ALLOCATE(f->index, c->start[SLUICE_WALL].count, "wall particles under probes");
    for (size_t i = 0; i < n; i++) {
        const struct sluice_probe *probe = &c->config->probes[i];
        f->group[i] = probe->kind == SLUICE_PROBE_FORCE ? sluice_groups_find(&c->groups, probe->on)
                                                        : NO_FORCE;
        f->box[i] = empty;
    }
    SLUICE_TRY(sluice_force_split_create(&f->split, c));
    SLUICE_TRY(sluice_grid_create(&grid, &c->grid));
    struct wall_pass pass = {.forces = f, .grid = &grid};
    const sluice_status status = sluice_case_each(c, SLUICE_WALL, add_walls, &pass);
    free(pass.mixes);
    sluice_grid_destroy(&grid);
    return status;
}

void sluice_forces_destroy(struct sluice_forces *f)
{
    free(f->group);
    free(f->value);
    free(f->motion);
    free(f->box);
    free(f->due);
    free(f->id);
    free(f->index);
    sluice_fetch_destroy(&f->fetch);
    sluice_force_split_destroy(&f->split);
    *f = (struct sluice_forces){0};
}

static double real_of(const struct sluice_fetch *fetch, enum sluice_field field, int64_t k)
{
    return sluice_real_at(fetch->field[field], fetch->set->real_bytes, k);
}

/* Adds a force on fetched particle n, and its torque about a point. */
static void add_force(const struct sluice_fetch *fetch, const struct sluice_grid *g, int64_t n,
                      const double force[3], const double about[3], double *sum)
{
    const int dim = g->dimension;
    const int slot = (int)((const uint32_t *)fetch->field[SLUICE_FIELD_FRAME])[n];
    double arm[3] = {0, 0, 0};
    for (int a = 0; a < dim; a++) {
        arm[a] = sluice_grid_centre(g, slot, a) +
                 real_of(fetch, SLUICE_FIELD_POSITION, (dim + 1) * n + a) - about[a];
        sum[a] += force[a];
    }
    double *torque = sum + dim;
    torque[dim - 2 ? 2 : 0] += arm[0] * force[1] - arm[1] * force[0];
    if (dim == 3) {
        torque[0] += arm[1] * force[2] - arm[2] * force[1];
        torque[1] += arm[2] * force[0] - arm[0] * force[2];
    }
}

/* Adds the force on fetched particle n. */
static void add_particle(const struct sluice_fetch *fetch, const struct sluice_grid *g, int64_t n,
                         const double about[3], double *sum)
{
    double force[3] = {0, 0, 0};
    for (int a = 0; a < g->dimension; a++)
        force[a] = real_of(fetch, SLUICE_FIELD_REACTION, g->dimension * n + a);
    add_force(fetch, g, n, force, about, sum);
}

/* The index of a wall particle in the start, which is sorted by id: those of the geometry follow
 * one another, those of a file may have gaps. -1: none. */
static int64_t find_id(const struct sluice_forces *f, sluice_id id)
{
    const int64_t count = f->setup->start[SLUICE_WALL].count;
    int64_t low = 0, high = count;
    if (id >= f->id[0] && (int64_t)(id - f->id[0]) < count && f->id[id - f->id[0]] == id)
        return (int64_t)(id - f->id[0]);
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (f->id[middle] < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && f->id[low] == id ? low : -1;
}

static void set_index(struct sluice_forces *f)
{
    const sluice_id *id = f->fetch.field[SLUICE_FIELD_ID];
    memset(f->index, 0, (size_t)f->setup->start[SLUICE_WALL].count * sizeof *f->index);
    for (int64_t n = 0; n < f->fetch.count; n++) {
        const int64_t k = find_id(f, id[n]);
        if (k >= 0)
            f->index[k] = (sluice_id)n + 1;
    }
}

/* Sums in the order of the ids, whatever order the particles came in: the forces on the group's
 * particles, then what other walls take over from them, and they from others. */
static void sum_by_id(struct sluice_forces *f, const struct sluice_grid *g,
                      const unsigned char *due)
{
    const int64_t walls = f->setup->start[SLUICE_WALL].count;
    const struct sluice_config *config = f->setup->config;
    for (int i = 0; i < config->probe_count; i++) {
        if (!due[i] || f->group[i] == NO_FORCE)
            continue;
        memset(f->value[i], 0, sizeof f->value[i]);
        for (int64_t k = 0; k < walls; k++)
            if (f->index[k] &&
                sluice_force_group(f->setup, &f->fetch, (int64_t)f->index[k] - 1) == f->group[i])
                add_particle(&f->fetch, g, (int64_t)f->index[k] - 1, config->probes[i].about,
                             f->value[i]);
        for (int64_t k = 0; k < f->split.parts; k++) {
            const struct sluice_force_part *part = &f->split.part[k];
            if (part->group == f->group[i])
                add_force(&f->fetch, g, (int64_t)f->index[part->wall] - 1, part->force,
                          config->probes[i].about, f->value[i]);
        }
    }
}

void sluice_forces_move(struct sluice_forces *forces, double time)
{
    forces->time = time;
    sluice_force_split_move(&forces->split, time);
}

sluice_status sluice_forces_measure(struct sluice_forces *forces, struct sluice_backend *b,
                                    const struct sluice_grid *g, struct sluice_set *set,
                                    const unsigned char *due)
{
    struct sluice_fetch *fetch = &forces->fetch;
    fetch->box_count = 0;
    for (int i = 0; forces->group && i < forces->setup->config->probe_count; i++)
        if (due[i] && forces->group[i] != NO_FORCE)
            forces->due[fetch->box_count++] = box_now(forces, i);
    if (fetch->box_count == 0)
        return SLUICE_OK;
    fetch->box_count += sluice_force_split_boxes(&forces->split, forces->due + fetch->box_count);
    fetch->set = &set[SLUICE_WALL];
    fetch->box = forces->due;
    fetch->fields = SLUICE_BIT(POSITION) | SLUICE_BIT(FRAME) | SLUICE_BIT(ID) | SLUICE_BIT(GROUP) |
                    SLUICE_BIT(REACTION) | (forces->split.used ? SLUICE_SPLIT_FIELDS : 0);
    SLUICE_TRY(b->ops->fetch(b, g, fetch));
    set_index(forces);
    SLUICE_TRY(sluice_force_split_measure(&forces->split, b, b->team ? b->team : forces->team, g,
                                          &set[SLUICE_FLUID], fetch, forces->index));
    sum_by_id(forces, g, due);
    return SLUICE_OK;
}
