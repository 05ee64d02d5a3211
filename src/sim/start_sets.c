/* The sets at the start, filled from the case's chunks. Of several ranks each holds only the
 * particles that it is near to: the cuts between ranks are made before. */
#include <stdlib.h>

#include "core/allocate.h"
#include "sim/sim.h"
#include "sim/sim_internal.h"

enum { STAGED_BLOCK = 1 << 14 };

/* --- The case as a whole --- */

/* A pass over the particles of one type before there are sets. */
struct first_pass {
    struct sluice_sim *sim;
    enum sluice_type type;
    double mass;            /* of every particle, in the run's precision; 0: they differ */
    int64_t every, samples; /* one particle in so many is a sample; places found so far */
    double (*sample)[3];    /* m from the centre of frame 0; NULL: not wanted */
};

static void find_mass(struct first_pass *p, const struct sluice_start *chunk, int64_t first)
{
    const int whole = p->sim->backend.real_bytes == 8;
    for (int64_t i = 0; i < chunk->count; i++) {
        const double mass = whole ? chunk->mass[i] : (double)(float)chunk->mass[i];
        if (first + i == 0)
            p->mass = mass;
        else if (mass != p->mass)
            p->mass = 0;
    }
}

static sluice_status look_at_chunk(void *data, const struct sluice_start *chunk, int64_t first,
                                   struct sluice_threads *team)
{
    struct first_pass *p = data;
    (void)team;
    find_mass(p, chunk, first);
    for (int64_t i = (p->every - first % p->every) % p->every; p->sample && i < chunk->count;
         i += p->every)
        sluice_domain_place_of(&p->sim->grid, &chunk->place[i], p->sample[p->samples++]);
    return sluice_frame_counts_add(&p->sim->start_frames, p->type, chunk->place, chunk->count);
}

/* Makes the table of frames and, of several ranks, the cuts between them. mass[t]: of every
 * particle of a type. */
static sluice_status look_at_case(struct sluice_sim *sim, double mass[SLUICE_TYPE_COUNT])
{
    struct sluice_domain *d = sim->backend.domain;
    struct first_pass p = {.sim = sim, .every = 1};
    int64_t count[SLUICE_TYPE_COUNT], room = 0;
    sluice_status status = SLUICE_OK;
    for (int t = 0; t < SLUICE_TYPE_COUNT; t++)
        count[t] = sim->setup->start[t].count;
    for (int t = 0; t < SLUICE_TYPE_COUNT; t++)
        room += count[t] / sluice_domain_sample_every((enum sluice_type)t, count) + 1;
    if (d)
        SLUICE_ALLOCATE(p.sample, room, "samples of particles");
    for (int t = 0; t < SLUICE_TYPE_COUNT && status == SLUICE_OK; t++) {
        p.type = (enum sluice_type)t;
        p.every = sluice_domain_sample_every(p.type, count);
        p.mass = 0;
        status = sluice_case_each(sim->setup, p.type, look_at_chunk, &p);
        mass[t] = p.mass;
    }
    if (status == SLUICE_OK)
        status = sluice_frame_counts_set(&sim->start_frames, &sim->grid);
    if (status == SLUICE_OK && d)
        status = sluice_domain_cut(d, (const double(*)[3])p.sample, p.samples);
    free(p.sample);
    return status;
}

/* --- Which particles this rank holds --- */

struct kept {
    const struct sluice_sim *sim;
    const struct sluice_start *chunk;
    uint8_t *near;   /* [chunk->count] 1: this rank needs the particle */
    uint32_t *index; /* of those in the chunk; NULL: all */
    int64_t count;
};

static void mark_near(struct sluice_share *share, void *data)
{
    const struct kept *k = data;
    const struct sluice_domain *d = k->sim->backend.domain;
    struct sluice_regions regions = d->regions;
    int64_t i, end;
    regions.reach *= 1.001; /* places are rounded to the run's precision */
    while (sluice_share_block(share, k->chunk->count, STAGED_BLOCK, &i, &end))
        for (; i < end; i++) {
            double x[3] = {0};
            sluice_domain_place_of(&k->sim->grid, &k->chunk->place[i], x);
            k->near[i] = (uint8_t)sluice_regions_is_near(&regions, d->comm->rank, x);
        }
}

/* Ghost nodes are on all ranks: their results lie in the order of all ids. */
static sluice_status list_kept(const struct sluice_sim *sim, enum sluice_type type,
                               const struct sluice_start *chunk, struct sluice_threads *team,
                               struct kept *k)
{
    *k = (struct kept){.sim = sim, .chunk = chunk, .count = chunk->count};
    if (!sim->backend.domain || type == SLUICE_GHOST)
        return SLUICE_OK;
    SLUICE_ALLOCATE(k->near, chunk->count, "marks of particles");
    k->index = malloc((size_t)chunk->count * sizeof *k->index);
    if (!k->index)
        free(k->near);
    SLUICE_CHECK(k->index, SLUICE_DEVICE, "no memory for lists of particles");
    sluice_threads_run(team, sluice_blocks(chunk->count, STAGED_BLOCK), mark_near, k);
    k->count = 0;
    for (int64_t i = 0; i < chunk->count; i++)
        if (k->near[i])
            k->index[k->count++] = (uint32_t)i;
    free(k->near);
    k->near = NULL;
    return SLUICE_OK;
}

struct counting {
    const struct sluice_sim *sim;
    enum sluice_type type;
    int64_t kept;
};

static sluice_status count_kept(void *data, const struct sluice_start *chunk, int64_t first,
                                struct sluice_threads *team)
{
    struct counting *c = data;
    struct kept k;
    (void)first;
    SLUICE_TRY(list_kept(c->sim, c->type, chunk, team, &k));
    c->kept += k.count;
    free(k.index);
    return SLUICE_OK;
}

/* --- Fields --- */

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
                          int64_t k, int low, const struct staging *s)
{
    const int dim = sim->config->dimension;
    double x[3];
    sluice_grid_coordinates(&sim->grid, &start->place[i], x);
    for (int c = 0; c < dim; c++) {
        const double d = start->motion[i]
                             ? x[c] - sim->config->motions[start->motion[i] - 1].centre[c]
                             : 0;
        const double rounded = s->real_bytes == 8 ? d : (double)(float)d;
        put(s, dim * k + c, low ? d - rounded : rounded);
    }
}

/* Stages a field of particle i as number k. Returns 0 for a field that the start does not give. */
static int stage(const struct sluice_sim *sim, const struct sluice_start *start,
                 enum sluice_field field, int64_t i, int64_t k, const struct staging *s)
{
    const int dim = sim->config->dimension;
    switch (field) {
    case SLUICE_FIELD_POSITION:
        for (int c = 0; c < dim; c++)
            put(s, (dim + 1) * k + c, start->place[i].offset[c]);
        put(s, (dim + 1) * k + dim, start->mass[i]);
        return 1;
    case SLUICE_FIELD_VELOCITY:
    case SLUICE_FIELD_OFFSET:
        for (int c = 0; c < dim; c++)
            put(s, dim * k + c,
                (field == SLUICE_FIELD_OFFSET ? start->offset : start->velocity)[i][c]);
        return 1;
    case SLUICE_FIELD_DENSITY:
        put(s, k, start->density[i]);
        return 1;
    case SLUICE_FIELD_REFERENCE:
    case SLUICE_FIELD_REFERENCE_LOW:
        put_reference(sim, start, i, k, field == SLUICE_FIELD_REFERENCE_LOW, s);
        return 1;
    case SLUICE_FIELD_MOTION:
        ((uint32_t *)s->memory)[k] = start->motion[i];
        return 1;
    case SLUICE_FIELD_ID:
        ((sluice_id *)s->memory)[k] = start->id[i];
        return 1;
    case SLUICE_FIELD_FRAME:
        ((uint32_t *)s->memory)[k] = (uint32_t)sluice_grid_find_frame(&sim->grid,
                                                                      start->place[i].frame);
        return 1;
    default:
        return 0;
    }
}

struct filling {
    const struct sluice_sim *sim;
    const struct kept *kept;
    enum sluice_field field;
    const struct staging *staging;
};

static void stage_blocks(struct sluice_share *share, void *data)
{
    const struct filling *f = data;
    const struct kept *kept = f->kept;
    int64_t k, end;
    while (sluice_share_block(share, kept->count, STAGED_BLOCK, &k, &end))
        for (; k < end; k++)
            stage(f->sim, kept->chunk, f->field, kept->index ? kept->index[k] : k, k, f->staging);
}

struct upload {
    struct sluice_sim *sim;
    struct sluice_set *set;
    int64_t done; /* particles */
};

/* Stages and uploads the fields that the start gives, behind what is done. */
static sluice_status upload_fields(const struct upload *u, const struct kept *kept,
                                   const struct staging *s, struct sluice_threads *team)
{
    struct sluice_backend *b = &u->sim->backend;
    for (int f = 0; f < SLUICE_FIELD_COUNT; f++) {
        const int64_t bytes = sluice_set_field_bytes(u->set, (enum sluice_field)f);
        struct filling filling = {u->sim, kept, (enum sluice_field)f, s};
        if (!u->set->field[f] || !stage(u->sim, kept->chunk, filling.field, 0, 0, s))
            continue;
        sluice_threads_run(team, sluice_blocks(kept->count, STAGED_BLOCK), stage_blocks, &filling);
        SLUICE_TRY(b->ops->upload(b, (char *)u->set->field[f] + u->done * bytes, s->memory,
                                  (size_t)(kept->count * bytes)));
    }
    return SLUICE_OK;
}

static sluice_status upload_kept(const struct upload *u, const struct kept *kept,
                                 struct sluice_threads *team)
{
    struct staging s = {.real_bytes = u->set->real_bytes};
    if (kept->count == 0)
        return SLUICE_OK;
    SLUICE_ALLOCATE(s.memory, 4 * kept->count, "reals to stage");
    const sluice_status status = upload_fields(u, kept, &s, team);
    free(s.memory);
    return status;
}

static sluice_status upload_chunk(void *data, const struct sluice_start *chunk, int64_t first,
                                  struct sluice_threads *team)
{
    struct upload *u = data;
    struct kept kept;
    (void)first;
    SLUICE_TRY(list_kept(u->sim, u->set->type, chunk, team, &kept));
    const sluice_status status = upload_kept(u, &kept, team);
    u->done += kept.count;
    free(kept.index);
    return status;
}

/* --- All --- */

sluice_status sluice_sim_fill_sets(struct sluice_sim *sim)
{
    double mass[SLUICE_TYPE_COUNT];
    int64_t held[SLUICE_TYPE_COUNT], count[SLUICE_TYPE_COUNT];
    SLUICE_TRY(look_at_case(sim, mass));
    for (int t = 0; t < SLUICE_TYPE_COUNT; t++) {
        struct counting c = {.sim = sim, .type = (enum sluice_type)t};
        held[t] = count[t] = sim->setup->start[t].count;
        if (sim->backend.domain) {
            SLUICE_TRY(sluice_case_each(sim->setup, c.type, count_kept, &c));
            held[t] = c.kept;
        }
    }
    SLUICE_TRY(sluice_sim_create_sets(sim, count, held));
    sluice_frame_counts_destroy(&sim->start_frames);
    for (int t = 0; t < SLUICE_TYPE_COUNT; t++) {
        struct upload u = {.sim = sim, .set = &sim->set[t]};
        sim->set[t].mass = mass[t];
        SLUICE_TRY(sluice_case_each(sim->setup, (enum sluice_type)t, upload_chunk, &u));
    }
    return SLUICE_OK;
}
