/* The sets at the start, filled from the case's chunks. Each of several ranks holds only the
 * particles that it is near to: the cuts between ranks are made before. */
#include <math.h>
#include <pthread.h>
#include <stdlib.h>

#include "core/allocate.h"
#include "core/vector.h"
#include "sim/sim.h"
#include "sim/sim_internal.h"

enum { STAGED_BLOCK = 1 << 14 };

/* --- The case as a whole --- */

/* A pass over the particles of one type before there are sets. */
struct first_pass {
    struct sluice_sim *sim;
    enum sluice_type type;
    const struct sluice_start *chunk;
    double least, most;  /* mass of a particle, in the run's precision */
    sluice_id last;      /* the largest id */
    int64_t every;       /* one particle in so many is a sample */
    int64_t samples;     /* of types before this one */
    double (*sample)[3]; /* m from the centre of frame 0; NULL: not wanted */
    int no_memory;
    pthread_mutex_t lock;
};

static void find_extremes(struct first_pass *p, const struct sluice_start *chunk, int64_t first,
                          int64_t last)
{
    const int whole = p->sim->backend.real_bytes == 8;
    for (int64_t i = first; i < last; i++) {
        const double mass = whole ? chunk->mass[i] : (double)(float)chunk->mass[i];
        p->least = fmin(p->least, mass);
        p->most = fmax(p->most, mass);
        p->last = chunk->id[i] > p->last ? chunk->id[i] : p->last;
    }
}

static void look_at_blocks(struct sluice_share *share, void *data)
{
    struct first_pass *all = data;
    struct sluice_frame_counts frames = {0};
    struct first_pass own = {.sim = all->sim, .least = INFINITY, .most = -INFINITY};
    sluice_status status = SLUICE_OK;
    int64_t i, end;
    while (sluice_share_block(share, all->chunk->count, STAGED_BLOCK, &i, &end)) {
        find_extremes(&own, all->chunk, i, end);
        if (status == SLUICE_OK)
            status = sluice_frame_counts_add(&frames, all->type, all->chunk->place + i, end - i);
    }
    pthread_mutex_lock(&all->lock);
    all->least = fmin(all->least, own.least);
    all->most = fmax(all->most, own.most);
    all->last = own.last > all->last ? own.last : all->last;
    if (status == SLUICE_OK)
        status = sluice_frame_counts_join(&all->sim->start_frames, frames.slot, frames.slots);
    all->no_memory |= status != SLUICE_OK;
    pthread_mutex_unlock(&all->lock);
    sluice_frame_counts_destroy(&frames);
}

static sluice_status look_at_chunk(void *data, const struct sluice_start *chunk, int64_t first,
                                   struct sluice_threads *team)
{
    struct first_pass *p = data;
    p->chunk = chunk;
    for (int64_t i = (p->every - first % p->every) % p->every; p->sample && i < chunk->count;
         i += p->every)
        sluice_domain_place_of(&p->sim->grid, &chunk->place[i],
                               p->sample[p->samples + (first + i) / p->every]);
    sluice_threads_run(team, sluice_blocks(chunk->count, STAGED_BLOCK), look_at_blocks, p);
    SLUICE_CHECK(!p->no_memory, SLUICE_DEVICE, "no memory for frames of particles");
    return SLUICE_OK;
}

/* Looks at the particles of a type. mass: of every one; 0: masses differ. */
static sluice_status look_at_type(struct first_pass *p, double *mass)
{
    const struct sluice_case_visit visit = {.work = look_at_chunk, .data = p, .shared = 1};
    p->least = INFINITY;
    p->most = -INFINITY;
    SLUICE_TRY(sluice_case_visit(p->sim->setup, p->type, &visit));
    double most[3] = {-p->least, p->most, (double)p->last};
    SLUICE_TRY(sluice_world()->ops->max(sluice_world(), most, 3));
    *mass = -most[0] == most[1] ? most[1] : 0;
    p->sim->model.first_born = (int64_t)most[2] + 1;
    return SLUICE_OK;
}

static sluice_status look_at_types(struct first_pass *p, const int64_t count[SLUICE_TYPE_COUNT],
                                   double mass[SLUICE_TYPE_COUNT])
{
    for (int t = 0; t < SLUICE_TYPE_COUNT; t++) {
        p->type = (enum sluice_type)t;
        p->every = sluice_domain_sample_every(p->type, count);
        SLUICE_TRY(look_at_type(p, &mass[t]));
        p->samples += (count[t] + p->every - 1) / p->every;
    }
    return SLUICE_OK;
}

/* Joins the frames and the samples of all ranks, and makes the cuts between them. */
static sluice_status join_ranks(const struct first_pass *p)
{
    struct sluice_domain *d = p->sim->backend.domain;
    const struct sluice_frame_counts own = p->sim->start_frames;
    void *all;
    size_t bytes;
    SLUICE_TRY(d->comm->ops->max(d->comm, p->sample[0], 3 * p->samples));
    SLUICE_TRY(sluice_comm_gather(d->comm, own.slot, (size_t)own.slots * sizeof *own.slot, 1, &all,
                                  &bytes));
    sluice_frame_counts_destroy(&p->sim->start_frames);
    const sluice_status status = sluice_frame_counts_join(&p->sim->start_frames, all,
                                                          (int64_t)(bytes / sizeof *own.slot));
    free(all);
    SLUICE_TRY(status);
    return sluice_domain_cut(d, (const double(*)[3])p->sample, p->samples);
}

/* Makes the table of frames and, of several ranks, the cuts between them. mass[t]: of every
 * particle of a type. */
static sluice_status look_at_case(struct sluice_sim *sim, double mass[SLUICE_TYPE_COUNT])
{
    struct first_pass p = {.sim = sim, .lock = PTHREAD_MUTEX_INITIALIZER};
    int64_t count[SLUICE_TYPE_COUNT], capacity = 0;
    for (int t = 0; t < SLUICE_TYPE_COUNT; t++)
        count[t] = sim->setup->start[t].count;
    for (int t = 0; t < SLUICE_TYPE_COUNT; t++)
        capacity += count[t] / sluice_domain_sample_every((enum sluice_type)t, count) + 1;
    if (sim->backend.domain)
        SLUICE_ALLOCATE(p.sample, capacity, "samples of particles");
    for (int64_t i = 0; i < capacity && p.sample; i++)
        for (int a = 0; a < 3; a++)
            p.sample[i][a] = -INFINITY; /* until a rank finds it */
    sluice_status status = look_at_types(&p, count, mass);
    if (status == SLUICE_OK && sim->backend.domain)
        status = join_ranks(&p);
    free(p.sample);
    return status == SLUICE_OK ? sluice_frame_counts_set(&sim->start_frames, &sim->grid) : status;
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

/* Whether this rank may need particles in a box, m. Along a periodic axis a box that reaches out of
 * the domain may lie anywhere. */
static int is_near(const struct sluice_sim *sim, const double low[3], const double high[3])
{
    const struct sluice_domain *d = sim->backend.domain;
    const struct sluice_grid *g = &sim->grid;
    const double margin = 0.002 * d->regions.reach; /* of mark_near, and more */
    double from[3], to[3];
    for (int a = 0; a < 3; a++) {
        const double shift = (g->shift[a] - 0.5) * g->width[a] - g->corner[a];
        const int wraps = g->periodic[a] && (low[a] < g->low[a] || high[a] > g->high[a]);
        from[a] = wraps ? -INFINITY : low[a] + shift - margin;
        to[a] = wraps ? INFINITY : high[a] + shift + margin;
    }
    return sluice_domain_needs_box(d, from, to);
}

/* Ghost nodes are on all ranks: their results lie in the order of all numbers. */
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

static int counting_wants(const void *data, const double low[3], const double high[3])
{
    return is_near(((const struct counting *)data)->sim, low, high);
}

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
    double *memory; /* scratch space for reals of either size, or whole numbers */
};

static void put(const struct staging *s, int64_t k, double value)
{
    sluice_put_real(s->memory, s->real_bytes, k, value);
}

/* x of a particle, from the centre of its body in the axes of its shapes. */
static void turn_back(const struct sluice_config *config, const struct sluice_rigid_body *body,
                      const double x[3], double from[3])
{
    for (int c = 0; c < 3; c++) {
        const double period = config->domain.max[c] - config->domain.min[c];
        from[c] = x[c] - body->start.centre[c];
        if (c < config->dimension && config->domain.periodic[c])
            from[c] -= period * rint(from[c] / period);
    }
    sluice_matrix_transposed_times(body->start.turn, from, from);
}

/* The place of particle i of a moving wall relative to the centre of its motion, or the rounding
 * error of that place. */
static void put_reference(const struct sluice_sim *sim, const struct sluice_start *start, int64_t i,
                          int64_t k, int low, const struct staging *s)
{
    const int dim = sim->config->dimension;
    double x[3];
    sluice_grid_coordinates(&sim->grid, &start->place[i], x);
    const int mover = (int)start->motion[i] - 1, motions = sim->config->motion_count;
    const double *centre = mover < 0         ? x
                           : mover < motions ? sim->config->motions[mover].centre
                                             : sim->setup->physics.bodies[mover - motions].centre;
    const struct sluice_rigid_body *body = sluice_case_moved_body(sim->setup, mover);
    double from[3] = {x[0] - centre[0], x[1] - centre[1], x[2] - centre[2]};
    if (body)
        turn_back(sim->config, body, x, from);
    for (int c = 0; c < dim; c++) {
        const double d = from[c], rounded = s->real_bytes == 8 ? d : (double)(float)d;
        put(s, dim * k + c, low ? d - rounded : rounded);
    }
}

/* h from the density at the start, which the model's first sum improves; its rate; the limiter
 * before there are any velocity gradients; no limit on the time step. */
static void put_smoothing(const struct sluice_sim *sim, const struct sluice_start *start, int64_t i,
                          int64_t k, const struct staging *s)
{
    const double volume = start->mass[i] / start->density[i];
    put(s, 4 * k, sim->setup->physics.gas.eta * pow(volume, 1.0 / sim->config->dimension));
    put(s, 4 * k + 1, 0);
    put(s, 4 * k + 2, 1);
    put(s, 4 * k + 3, 0);
}

/* Stages a field of particle i as number k. Returns 0 for a field that the start does not give. */
static int stage(const struct sluice_sim *sim, const struct sluice_start *start,
                 enum sluice_field field, int64_t i, int64_t k, const struct staging *s)
{
    const int dim = sim->config->dimension;
    const uint32_t *number = sluice_start_numbers(start, field);
    if (number) {
        ((uint32_t *)s->memory)[k] = number[i];
        return 1;
    }
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
    case SLUICE_FIELD_SCALAR:
    case SLUICE_FIELD_HAS_FRICTION:
        put(s, k, sluice_start_scalar(start, field, i));
        return 1;
    case SLUICE_FIELD_SMOOTHING:
        put_smoothing(sim, start, i, k, s);
        return 1;
    case SLUICE_FIELD_REFERENCE:
    case SLUICE_FIELD_REFERENCE_LOW:
        put_reference(sim, start, i, k, field == SLUICE_FIELD_REFERENCE_LOW, s);
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

static int upload_wants(const void *data, const double low[3], const double high[3])
{
    return is_near(((const struct upload *)data)->sim, low, high);
}

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

/* Counts the particles of a type that this rank holds. */
static sluice_status count_held(struct sluice_sim *sim, enum sluice_type type, int64_t *held)
{
    struct counting c = {.sim = sim, .type = type};
    const struct sluice_case_visit visit = {
        .work = count_kept, .data = &c, .wants = counting_wants};
    *held = sim->setup->start[type].count;
    if (!sim->backend.domain || type == SLUICE_GHOST)
        return SLUICE_OK;
    SLUICE_TRY(sluice_case_visit(sim->setup, type, &visit));
    *held = c.kept;
    return SLUICE_OK;
}

static sluice_status fill_set(struct sluice_sim *sim, enum sluice_type type)
{
    struct upload u = {.sim = sim, .set = &sim->set[type]};
    const int chooses = sim->backend.domain && type != SLUICE_GHOST;
    const struct sluice_case_visit visit = {
        .work = upload_chunk, .data = &u, .wants = chooses ? upload_wants : NULL};
    return sluice_case_visit(sim->setup, type, &visit);
}

sluice_status sluice_sim_fill_sets(struct sluice_sim *sim)
{
    double mass[SLUICE_TYPE_COUNT];
    int64_t held[SLUICE_TYPE_COUNT], count[SLUICE_TYPE_COUNT];
    sluice_sim_set_reach(sim);
    SLUICE_TRY(look_at_case(sim, mass));
    for (int t = 0; t < SLUICE_TYPE_COUNT; t++) {
        count[t] = sim->setup->start[t].count;
        SLUICE_TRY(count_held(sim, (enum sluice_type)t, &held[t]));
    }
    SLUICE_TRY(sluice_sim_create_sets(sim, count, held));
    sluice_frame_counts_destroy(&sim->start_frames);
    for (int t = 0; t < SLUICE_TYPE_COUNT; t++) {
        sim->set[t].mass = mass[t];
        SLUICE_TRY(fill_set(sim, (enum sluice_type)t));
    }
    return SLUICE_OK;
}
