/* From the case's particles to sorted sets on the backend, and the first forces. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/allocate.h"
#include "core/threads.h"
#include "sim/tune.h"
#include "sim/sim.h"
#include "sim/sim_internal.h"

enum { STAGED_BLOCK = 1 << 14 };

/* One field of a set, made on the host in the run's precision. */
struct staging {
    int real_bytes;
    double *memory; /* room for reals of either size, or whole numbers */
};

static void put(const struct staging *s, int64_t k, double value)
{
    sluice_put_real(s->memory, s->real_bytes, k, value);
}

/* The place of particle i of a moving wall relative to the centre of its motion, or the rounding
 * error of that place. */
static void put_reference(const struct sluice_sim *sim, const struct sluice_start *start, int64_t i,
                          int low, const struct staging *s)
{
    const int dim = sim->config->dimension;
    double x[3];
    sluice_grid_coordinates(&sim->grid, &start->place[i], x);
    for (int c = 0; c < dim; c++) {
        const double d = start->motion[i]
                             ? x[c] - sim->config->motions[start->motion[i] - 1].centre[c]
                             : 0;
        const double rounded = s->real_bytes == 8 ? d : (double)(float)d;
        put(s, dim * i + c, low ? d - rounded : rounded);
    }
}

/* Stages a field of particle i. Returns 0 for a field that the start does not give. */
static int stage(const struct sluice_sim *sim, const struct sluice_start *start,
                 enum sluice_field field, int64_t i, const struct staging *s)
{
    const int dim = sim->config->dimension;
    switch (field) {
    case SLUICE_FIELD_POSITION:
        for (int c = 0; c < dim; c++)
            put(s, (dim + 1) * i + c, start->place[i].offset[c]);
        put(s, (dim + 1) * i + dim, start->mass[i]);
        return 1;
    case SLUICE_FIELD_VELOCITY:
    case SLUICE_FIELD_OFFSET:
        for (int c = 0; c < dim; c++)
            put(s, dim * i + c,
                (field == SLUICE_FIELD_OFFSET ? start->offset : start->velocity)[i][c]);
        return 1;
    case SLUICE_FIELD_DENSITY:
        put(s, i, start->density[i]);
        return 1;
    case SLUICE_FIELD_REFERENCE:
    case SLUICE_FIELD_REFERENCE_LOW:
        put_reference(sim, start, i, field == SLUICE_FIELD_REFERENCE_LOW, s);
        return 1;
    case SLUICE_FIELD_MOTION:
    case SLUICE_FIELD_ID:
        ((uint32_t *)s->memory)[i] = (field == SLUICE_FIELD_ID ? start->id : start->motion)[i];
        return 1;
    case SLUICE_FIELD_FRAME:
        ((uint32_t *)s->memory)[i] = (uint32_t)sluice_grid_find_frame(&sim->grid,
                                                                      start->place[i].frame);
        return 1;
    default:
        return 0;
    }
}

struct filling {
    const struct sluice_sim *sim;
    const struct sluice_start *start;
    enum sluice_field field;
    const struct staging *staging;
};

static void stage_blocks(struct sluice_share *share, void *data)
{
    const struct filling *f = data;
    int64_t i, end;
    while (sluice_share_block(share, f->start->count, STAGED_BLOCK, &i, &end))
        for (; i < end; i++)
            stage(f->sim, f->start, f->field, i, f->staging);
}

/* Fills the staged array of a set that has particles. Returns 0 for a field that the start does not
 * give. */
static int fill_field(const struct sluice_sim *sim, const struct sluice_start *start,
                      enum sluice_field field, const struct staging *s)
{
    struct filling f = {sim, start, field, s};
    if (!stage(sim, start, field, 0, s))
        return 0;
    sluice_threads_run(sim->backend.team, sluice_blocks(start->count, STAGED_BLOCK), stage_blocks,
                       &f);
    return 1;
}

static sluice_status upload_set(struct sluice_sim *sim, enum sluice_type type)
{
    const struct sluice_start *start = &sim->setup->start[type];
    struct sluice_set *set = &sim->set[type];
    struct staging s = {.real_bytes = set->real_bytes};
    sluice_status status = SLUICE_OK;
    SLUICE_ALLOCATE(s.memory, 4 * start->count, "reals to stage");
    for (int f = 0; f < SLUICE_FIELD_COUNT && status == SLUICE_OK; f++) {
        const enum sluice_field field = (enum sluice_field)f;
        if (!set->field[f] || !fill_field(sim, start, field, &s))
            continue;
        if (field == SLUICE_FIELD_POSITION)
            set->mass = sluice_common_mass(s.memory, start->count, set->dimension, set->real_bytes);
        status = sim->backend.ops->upload(
            &sim->backend, set->field[f], s.memory,
            (size_t)(start->count * sluice_set_field_bytes(set, field)));
    }
    free(s.memory);
    return status;
}

/* Particles that follow one another mostly lie in one frame, which is listed once. */
static sluice_status list_frames(const struct sluice_start *start, int32_t (**frame)[3], int64_t *n,
                                 int64_t *room)
{
    for (int64_t i = 0; i < start->count; i++) {
        const int32_t *own = start->place[i].frame;
        if (*n > 0 && memcmp((*frame)[*n - 1], own, sizeof **frame) == 0)
            continue;
        SLUICE_GROW(*frame, *n, *room, "frames of particles");
        memcpy((*frame)[(*n)++], own, sizeof **frame);
    }
    return SLUICE_OK;
}

static sluice_status set_frames(struct sluice_sim *sim)
{
    int32_t(*frame)[3] = NULL;
    int64_t n = 0, room = 0;
    sluice_status status = SLUICE_OK;
    for (int t = 0; t < SLUICE_TYPE_COUNT && status == SLUICE_OK; t++)
        status = list_frames(&sim->setup->start[t], &frame, &n, &room);
    if (status == SLUICE_OK)
        status = sluice_grid_set_frames(&sim->grid, (const int32_t(*)[3])frame, n);
    free(frame);
    return status;
}

/* a(-1) = a(0), R(-1) = R(0). */
static sluice_status copy_to_old(struct sluice_sim *sim, enum sluice_type type,
                                 enum sluice_field from, enum sluice_field to)
{
    const struct sluice_set *set = &sim->set[type];
    const size_t bytes = (size_t)(set->count * sluice_set_field_bytes(set, from));
    char *memory;
    if (!set->field[from] || !set->field[to])
        return SLUICE_OK;
    SLUICE_ALLOCATE(memory, bytes, "bytes to stage");
    sluice_status status = sim->backend.ops->download(&sim->backend, memory, set->field[from],
                                                      bytes);
    if (status == SLUICE_OK)
        status = sim->backend.ops->upload(&sim->backend, set->field[to], memory, bytes);
    free(memory);
    return status;
}

static double initial_energy(const struct sluice_sim *sim)
{
    const struct sluice_budget_row *e = &sim->now;
    return e->kinetic + e->elastic + fabs(e->potential) + fabs(e->pair);
}

sluice_status sluice_sim_start(struct sluice_sim *sim)
{
    struct sluice_flight *first = &sim->flight[0];
    int64_t count[SLUICE_TYPE_COUNT];
    for (int t = 0; t < SLUICE_TYPE_COUNT; t++)
        count[t] = sim->setup->start[t].count;
    SLUICE_TRY(set_frames(sim));
    SLUICE_TRY(sluice_sim_create_sets(sim, count));
    for (int t = 0; t < SLUICE_TYPE_COUNT; t++)
        if (count[t])
            SLUICE_TRY(upload_set(sim, (enum sluice_type)t));

    SLUICE_TRY(sluice_sim_sort(sim, first));
    sim->model.time = sim->model.dt = sim->model.dt_old = 0;
    sim->model.reacts = sim->reaction_time <= 0;
    first->pair_energy = sim->model.pair_energy;
    SLUICE_TRY(sluice_model_move_walls(&sim->model, &sim->backend, &sim->grid, 0));
    SLUICE_TRY(sluice_tune(sim, 0));
    if (sim->counts_pairs)
        SLUICE_TRY(sluice_sim_count_pairs(sim, &sim->pairs_at_start, NULL));
    SLUICE_TRY(sim->model.ops->forces(&sim->model, &sim->backend, &sim->grid, &first->passes));
    for (int t = 0; t < SLUICE_TYPE_COUNT; t++) {
        SLUICE_TRY(copy_to_old(sim, (enum sluice_type)t, SLUICE_FIELD_ACCELERATION,
                               SLUICE_FIELD_ACCELERATION_OLD));
        SLUICE_TRY(copy_to_old(sim, (enum sluice_type)t, SLUICE_FIELD_RATE, SLUICE_FIELD_RATE_OLD));
    }
    SLUICE_TRY(sluice_sim_reduce(sim, first));
    SLUICE_TRY(sim->backend.ops->sync(&sim->backend));
    SLUICE_TRY(sluice_sim_book(sim, first));
    /* Particles beyond the domain at the start are not in E(0). */
    sim->now.removed = 0;
    sim->start_total = sim->now.total;
    sim->now.residual = 0;
    sim->reference_energy = sim->setup->reference_energy > 0 ? sim->setup->reference_energy
                                                             : initial_energy(sim);
    SLUICE_TRY(sluice_sim_check_alive(sim));
    SLUICE_CHECK(sim->reference_energy > 0 || !sim->model.energy, SLUICE_BAD_INPUT,
                 "energy.reference: the case has no energy at its start to measure the residual "
                 "against; give energy.reference (J)");
    sim->now.reference = sim->reference_energy;
    sim->dt_old = sim->dt_next; /* of the step before the first one, which does not exist */
    return SLUICE_OK;
}
