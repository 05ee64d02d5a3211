/* From the case's particles to sorted sets on the backend, and the first forces. */
#include <math.h>
#include <stdlib.h>

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

/* Fills the staged array of a chunk of particles. Returns 0 for a field that the start does not
 * give. */
static int fill_field(const struct sluice_sim *sim, const struct sluice_start *start,
                      enum sluice_field field, const struct staging *s, struct sluice_threads *team)
{
    struct filling f = {sim, start, field, s};
    if (!stage(sim, start, field, 0, s))
        return 0;
    sluice_threads_run(team, sluice_blocks(start->count, STAGED_BLOCK), stage_blocks, &f);
    return 1;
}

struct upload {
    struct sluice_sim *sim;
    struct sluice_set *set;
};

static sluice_status upload_fields(const struct upload *u, const struct sluice_start *chunk,
                                   int64_t first, const struct staging *s,
                                   struct sluice_threads *team)
{
    struct sluice_set *set = u->set;
    for (int f = 0; f < SLUICE_FIELD_COUNT; f++) {
        const enum sluice_field field = (enum sluice_field)f;
        const int64_t bytes = sluice_set_field_bytes(set, field);
        if (!set->field[f] || !fill_field(u->sim, chunk, field, s, team))
            continue;
        if (field == SLUICE_FIELD_POSITION) {
            const double mass = sluice_common_mass(s->memory, chunk->count, set->dimension,
                                                   set->real_bytes);
            set->mass = first == 0 || mass == set->mass ? mass : 0;
        }
        SLUICE_TRY(u->sim->backend.ops->upload(&u->sim->backend,
                                               (char *)set->field[f] + first * bytes, s->memory,
                                               (size_t)(chunk->count * bytes)));
    }
    return SLUICE_OK;
}

static sluice_status upload_chunk(void *data, const struct sluice_start *chunk, int64_t first,
                                  struct sluice_threads *team)
{
    const struct upload *u = data;
    struct staging s = {.real_bytes = u->set->real_bytes};
    SLUICE_ALLOCATE(s.memory, 4 * chunk->count, "reals to stage");
    const sluice_status status = upload_fields(u, chunk, first, &s, team);
    free(s.memory);
    return status;
}

struct frame_pass {
    struct sluice_frame_counts *counts;
    enum sluice_type type;
};

static sluice_status count_frames(void *data, const struct sluice_start *chunk, int64_t first,
                                  struct sluice_threads *team)
{
    const struct frame_pass *pass = data;
    (void)first;
    (void)team;
    return sluice_frame_counts_add(pass->counts, pass->type, chunk->place, chunk->count);
}

/* Makes the table of frames, and sets with room for the particles. */
static sluice_status create_sets(struct sluice_sim *sim)
{
    struct frame_pass pass = {.counts = &sim->start_frames};
    int64_t count[SLUICE_TYPE_COUNT];
    for (int t = 0; t < SLUICE_TYPE_COUNT; t++) {
        pass.type = (enum sluice_type)t;
        count[t] = sim->setup->start[t].count;
        SLUICE_TRY(sluice_case_each(sim->setup, pass.type, count_frames, &pass));
    }
    SLUICE_TRY(sluice_frame_counts_set(&sim->start_frames, &sim->grid));
    SLUICE_TRY(sluice_sim_create_sets(sim, count));
    sluice_frame_counts_destroy(&sim->start_frames);
    return SLUICE_OK;
}

static sluice_status upload_sets(struct sluice_sim *sim)
{
    for (int t = 0; t < SLUICE_TYPE_COUNT; t++) {
        struct upload upload = {sim, &sim->set[t]};
        SLUICE_TRY(sluice_case_each(sim->setup, (enum sluice_type)t, upload_chunk, &upload));
    }
    return SLUICE_OK;
}

/* a(-1) = a(0), R(-1) = R(0). */
static sluice_status copy_to_old(struct sluice_sim *sim, enum sluice_type type,
                                 enum sluice_field from, enum sluice_field to)
{
    enum { PIECE = 1 << 24 };
    const struct sluice_set *set = &sim->set[type];
    const int64_t bytes = set->count * sluice_set_field_bytes(set, from);
    sluice_status status = SLUICE_OK;
    char *memory;
    if (!set->field[from] || !set->field[to])
        return SLUICE_OK;
    SLUICE_ALLOCATE(memory, PIECE, "bytes to stage");
    for (int64_t at = 0; at < bytes && status == SLUICE_OK; at += PIECE) {
        const size_t n = (size_t)(bytes - at < PIECE ? bytes - at : PIECE);
        status = sim->backend.ops->download(&sim->backend, memory, (char *)set->field[from] + at,
                                            n);
        if (status == SLUICE_OK)
            status = sim->backend.ops->upload(&sim->backend, (char *)set->field[to] + at, memory,
                                              n);
    }
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
    SLUICE_TRY(create_sets(sim));
    SLUICE_TRY(upload_sets(sim));
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
