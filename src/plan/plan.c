#include "plan/plan.h"

#include <math.h>
#include <string.h>

#include "core/allocate.h"
#include "core/hash.h"
#include "domain/domain.h"
#include "domain/frame_counts.h"

/* Bytes of a particle in a snapshot without compression. */
static double snapshot_bytes(const struct sluice_config *config)
{
    const int real = config->output.precision == SLUICE_OUTPUT_DOUBLE ? 8 : 4;
    double bytes = 41;
    for (int k = 0; k < SLUICE_EFFECT_OUTPUTS; k++)
        if (config->output.fields >> k & 1)
            bytes += real * sluice_effect_output_columns(k);
    return bytes + (config->output.forces ? 4 * real : 0);
}

/* Each particle of the case stands for some of the planned ones, at random places around it: so
 * many places are looked at in all, if the planned ones are not the case's own. */
enum { PLACES = 1 << 20, PLACES_A_PARTICLE = 64 };

/* --- The planes --- */

struct sampling {
    const struct sluice_grid *grid;
    int64_t every, n;
    double (*x)[3];
    enum sluice_type type;
    struct sluice_frame_counts *frames;
};

static sluice_status sample_chunk(void *data, const struct sluice_start *chunk, int64_t first,
                                  struct sluice_threads *team)
{
    struct sampling *s = data;
    (void)team;
    for (int64_t i = (s->every - first % s->every) % s->every; i < chunk->count; i += s->every)
        sluice_domain_place_of(s->grid, &chunk->place[i], s->x[s->n++]);
    return sluice_frame_counts_add(s->frames, s->type, chunk->place, chunk->count);
}

/* The frames of planned particles: fluid fills them, and walls lie in layers along them. Few frames
 * of a periodic case may be much wider than usual. */
static double count_frames(const struct sluice_plan *plan, const struct sluice_grid *g)
{
    const struct sluice_case *setup = plan->setup;
    const int layers = setup->wall_layers > 0 ? setup->wall_layers : 1;
    double of_fluid = 1, of_walls = layers;
    for (int c = 0; c < g->dimension; c++) {
        const double edge = (g->periodic[c] ? setup->grid.frame_cutoffs : g->width[c] / g->cutoff) *
                            setup->reach;
        of_fluid *= edge;
        of_walls *= c > 0 ? edge : 1;
    }
    return plan->scale[SLUICE_FLUID] * (double)setup->start[SLUICE_FLUID].count / of_fluid +
           plan->scale[SLUICE_WALL] * (double)setup->start[SLUICE_WALL].count / of_walls;
}

/* Takes the samples that a run takes, cuts space, and counts the frames. */
static sluice_status cut(struct sluice_plan *plan, const struct sluice_grid *g,
                         struct sluice_domain *d)
{
    struct sluice_frame_counts frames = {0};
    struct sampling s = {.grid = g, .frames = &frames};
    int64_t count[SLUICE_TYPE_COUNT], capacity = 0;
    for (int t = 0; t < SLUICE_TYPE_COUNT; t++)
        count[t] = plan->setup->start[t].count;
    for (int t = 0; t < SLUICE_TYPE_COUNT; t++)
        capacity += count[t] / sluice_domain_sample_every((enum sluice_type)t, count) + 1;
    SLUICE_ALLOCATE(s.x, capacity, "samples of particles");
    sluice_status status = SLUICE_OK;
    for (int t = 0; t < SLUICE_TYPE_COUNT && status == SLUICE_OK; t++) {
        s.type = (enum sluice_type)t;
        s.every = sluice_domain_sample_every(s.type, count);
        status = sluice_case_each(plan->setup, s.type, sample_chunk, &s);
    }
    if (status == SLUICE_OK)
        status = sluice_domain_cut(d, (const double(*)[3])s.x, s.n);
    plan->samples = (double)s.n;
    plan->frames = plan->scale[SLUICE_FLUID] == 1 ? (double)frames.used : count_frames(plan, g);
    sluice_frame_counts_destroy(&frames);
    free(s.x);
    return status;
}

/* --- The ranks that have a particle --- */

struct near {
    const struct sluice_regions *regions;
    double x[3];      /* or an image of it over a periodic border */
    int *rank, count; /* [ranks] */
};

static void add_near(struct near *n, int rank)
{
    for (int k = 0; k < n->count; k++)
        if (n->rank[k] == rank)
            return;
    if (sluice_regions_is_near(n->regions, rank, n->x))
        n->rank[n->count++] = rank;
}

/* Goes down the cuts, on each side that is within reach. */
static void find_near(struct near *n, int cut)
{
    const struct sluice_regions *s = n->regions;
    if (cut < 0) {
        add_near(n, -1 - cut);
        return;
    }
    const struct sluice_cut *c = &s->cut[cut];
    if (n->x[c->axis] - s->reach < c->x)
        find_near(n, c->below);
    if (n->x[c->axis] + s->reach >= c->x)
        find_near(n, c->above);
}

/* The images of x on an axis, and on those after it, that lie within reach of the domain. */
static void find_images(struct near *n, const struct sluice_domain *d, int axis)
{
    const struct sluice_regions *s = n->regions;
    if (axis == s->dimension) {
        find_near(n, s->ranks > 1 ? 0 : -1);
        return;
    }
    const double x = n->x[axis];
    for (int side = -1; side <= 1; side++) {
        const double image = x + side * s->length[axis];
        if (side && (s->length[axis] <= 0 || image < d->low[axis] - s->reach ||
                     image > d->high[axis] + s->reach))
            continue;
        n->x[axis] = image;
        find_images(n, d, axis + 1);
    }
    n->x[axis] = x;
}

struct counting {
    struct sluice_plan *plan;
    const struct sluice_grid *grid;
    const struct sluice_domain *d;
    enum sluice_type type;
    int places;     /* looked at for each particle of the case */
    double spacing; /* m: a particle stands for a cube of this edge */
    int *near;      /* [ranks] scratch space */
};

static void count_place(const struct counting *c, const double x[3], double particles)
{
    struct sluice_plan_rank *rank = c->plan->rank;
    struct near near = {.regions = &c->d->regions, .rank = c->near};
    const int owner = sluice_regions_owner(near.regions, x);
    rank[owner].own[c->type] += particles;
    memcpy(near.x, x, sizeof near.x);
    find_images(&near, c->d, 0);
    for (int k = 0; k < near.count; k++)
        if (near.rank[k] != owner) {
            rank[near.rank[k]].halo[c->type] += particles;
            rank[owner].sends[c->type] += particles;
        }
}

static sluice_status count_chunk(void *data, const struct sluice_start *chunk, int64_t first,
                                 struct sluice_threads *team)
{
    const struct counting *c = data;
    const double particles = c->plan->scale[c->type] / c->places;
    (void)team;
    for (int64_t i = 0; i < chunk->count; i++) {
        double x[3] = {0};
        sluice_domain_place_of(c->grid, &chunk->place[i], x);
        for (int k = 0; k < c->places; k++) {
            const uint64_t draw = (uint64_t)((first + i) * c->places + k);
            double place[3] = {0};
            for (int axis = 0; axis < c->grid->dimension; axis++)
                place[axis] = x[axis] +
                              c->spacing * (sluice_mix_unit((3 * draw + (uint64_t)axis + 1) *
                                                            SLUICE_MIX_STEP) -
                                            0.5);
            count_place(c, place, particles);
        }
    }
    return SLUICE_OK;
}

/* Ghost nodes are on all ranks, and their results go to all. */
static void count_ghosts(struct sluice_plan *plan)
{
    const double all = plan->scale[SLUICE_GHOST] * (double)plan->setup->start[SLUICE_GHOST].count;
    for (int r = 0; r < plan->ranks; r++) {
        plan->rank[r].own[SLUICE_GHOST] = all / plan->ranks;
        plan->rank[r].halo[SLUICE_GHOST] = plan->rank[r].sends[SLUICE_GHOST] = all -
                                                                               all / plan->ranks;
    }
}

static sluice_status count(struct sluice_plan *plan, const struct sluice_grid *g,
                           const struct sluice_domain *d)
{
    const int64_t all = plan->setup->start[SLUICE_FLUID].count +
                        plan->setup->start[SLUICE_WALL].count;
    const int is_own = plan->scale[SLUICE_FLUID] == 1;
    struct counting c = {.plan = plan, .grid = g, .d = d, .places = 1};
    if (!is_own) {
        c.places = (int)fmin(PLACES_A_PARTICLE, ceil((double)PLACES / (double)all));
        c.spacing = g->cutoff / plan->setup->reach;
    }
    plan->place = plan->scale[SLUICE_FLUID] / c.places;
    SLUICE_ALLOCATE(c.near, plan->ranks, "neighbours of a rank");
    sluice_status status = SLUICE_OK;
    for (int t = 0; t < SLUICE_GHOST && status == SLUICE_OK; t++) {
        c.type = (enum sluice_type)t;
        status = sluice_case_each(plan->setup, c.type, count_chunk, &c);
    }
    free(c.near);
    count_ghosts(plan);
    return status;
}

/* --- The plan --- */

/* Fluid fills space, and walls are layers on surfaces. Returns how much finer the spacing is. */
static double find_scale(struct sluice_plan *plan, double particles)
{
    const double fluid = (double)plan->setup->start[SLUICE_FLUID].count,
                 wall = (double)plan->setup->start[SLUICE_WALL].count;
    const int dim = plan->setup->config->dimension;
    double finer = 1;
    for (int k = 0; k < 60 && particles > 0; k++) /* converges: the exponents differ by one */
        finer = pow(particles / (fluid + wall / finer), 1.0 / dim);
    plan->scale[SLUICE_FLUID] = pow(finer, dim);
    plan->scale[SLUICE_WALL] = plan->scale[SLUICE_GHOST] = pow(finer, dim - 1);
    plan->particles = fluid * plan->scale[SLUICE_FLUID] + wall * plan->scale[SLUICE_WALL];
    return finer;
}

static sluice_status fill(struct sluice_plan *plan, const struct sluice_grid *g, double finer)
{
    const double drift = plan->machine->on_device ? SLUICE_DRIFT_MOST * g->cutoff : 0;
    struct sluice_comm all = sluice_comm_self();
    struct sluice_domain *d = NULL;
    all.size = plan->ranks;
    sluice_status status = sluice_domain_create(&d, &all, NULL, g, drift);
    if (status == SLUICE_OK) {
        d->regions.reach /= finer;
        plan->reach = d->regions.reach;
        status = cut(plan, g, d);
    }
    if (status == SLUICE_OK)
        status = count(plan, g, d);
    sluice_domain_destroy(&d);
    return status;
}

sluice_status sluice_plan_create(struct sluice_plan *plan, const struct sluice_sim *sim,
                                 const struct sluice_plan_options *options)
{
    *plan = (struct sluice_plan){.machine = options->machine,
                                 .setup = sim->setup,
                                 .ranks = options->ranks,
                                 .pairs_a_particle = sim->setup->neighbours};
    const double finer = find_scale(plan, options->particles);
    if (options->output_every > 0) /* the time step is as much shorter */
        plan->output_bytes = snapshot_bytes(sim->config) * plan->particles /
                             (finer * options->output_every);
    SLUICE_ALLOCATE(plan->rank, options->ranks, "planned ranks");
    SLUICE_TRY(sluice_plan_find_traffic(&plan->traffic, sim, options->machine));
    return fill(plan, &sim->grid, finer);
}

sluice_status sluice_plan_copy(struct sluice_plan *plan, const struct sluice_plan *from,
                               const struct sluice_machine *machine)
{
    struct sluice_plan_rank *rank;
    SLUICE_ALLOCATE(rank, from->ranks, "planned ranks");
    memcpy(rank, from->rank, (size_t)from->ranks * sizeof *rank);
    *plan = *from;
    plan->rank = rank;
    plan->machine = machine;
    return SLUICE_OK;
}

void sluice_plan_destroy(struct sluice_plan *plan)
{
    free(plan->rank);
    plan->rank = NULL;
}

/* --- Its numbers --- */

static double sum_of(const double particles[SLUICE_TYPE_COUNT])
{
    return particles[SLUICE_FLUID] + particles[SLUICE_WALL] + particles[SLUICE_GHOST];
}

static void add(struct sluice_spread *spread, double value, int r, int ranks)
{
    spread->least = r == 0 ? value : fmin(spread->least, value);
    spread->most = r == 0 ? value : fmax(spread->most, value);
    spread->mean += value / ranks;
}

static struct sluice_step_load load_of(const struct sluice_plan *plan,
                                       const struct sluice_plan_rank *rank)
{
    struct sluice_step_load load = {.pairs = plan->pairs_a_particle * rank->own[SLUICE_FLUID],
                                    .fluid = rank->own[SLUICE_FLUID],
                                    .wall = rank->own[SLUICE_WALL] + rank->own[SLUICE_GHOST],
                                    .halo = rank->halo[SLUICE_FLUID]};
    for (int t = 0; t < SLUICE_TYPE_COUNT; t++)
        load.bytes += rank->sends[t] * (plan->traffic.at_sort[t] / plan->machine->steps_a_sort +
                                        plan->traffic.after_pass[t]);
    return load;
}

/* One rank with everything. */
static double alone(const struct sluice_plan *plan)
{
    struct sluice_plan_rank all = {{0}, {0}, {0}};
    const struct sluice_step_rounds none = {.ranks = 1, .output_bytes = plan->output_bytes};
    for (int r = 0; r < plan->ranks; r++)
        for (int t = 0; t < SLUICE_TYPE_COUNT; t++)
            all.own[t] += plan->rank[r].own[t];
    const struct sluice_step_load load = load_of(plan, &all);
    return sluice_step_seconds(plan->machine, &none,
                               sluice_step_seconds_of_rank(plan->machine, &load, &none));
}

/* After some sorts planes are moved until the ranks' times differ by 2% at most
 * (src/domain/planes.c), or by what one sample costs. */
static double slowest_of(const struct sluice_plan *plan, const struct sluice_spread *seconds)
{
    const double even = 1.02 + plan->ranks / plan->samples;
    return fmin(seconds->most, even * seconds->mean);
}

/* Sums a step: of the passes and limits, of the extremes, and two questions whether a signal has
 * come. At a sort: of the frames, and the counts of each set's messages. */
enum { SUMS_A_STEP = 4, SUMS_A_SORT = 1 };

struct sluice_plan_summary sluice_plan_summarise(const struct sluice_plan *plan)
{
    const struct sluice_machine *m = plan->machine;
    const struct sluice_plan_traffic *traffic = &plan->traffic;
    struct sluice_step_rounds rounds = {
        .ranks = plan->ranks,
        .rounds = traffic->passes + traffic->sorts / m->steps_a_sort,
        .sums = SUMS_A_STEP + (SUMS_A_SORT + traffic->sorts) / m->steps_a_sort,
        .frame_bytes = plan->frames * (double)sizeof(int64_t) * (1 + traffic->sorts),
        .output_bytes = plan->output_bytes};
    struct sluice_plan_summary s = {.rounds = rounds.rounds, .sums = rounds.sums};
    struct sluice_spread work = {0};
    for (int r = 0; r < plan->ranks; r++) {
        const struct sluice_step_load load = load_of(plan, &plan->rank[r]);
        add(&s.own, sum_of(plan->rank[r].own), r, plan->ranks);
        add(&s.halo, sum_of(plan->rank[r].halo), r, plan->ranks);
        add(&s.bytes, load.bytes, r, plan->ranks);
        add(&work, sluice_step_seconds_of_rank(m, &load, &rounds), r, plan->ranks);
        s.places += plan->rank[r].halo[SLUICE_FLUID] / plan->place / plan->ranks;
    }
    s.halo_fraction = s.halo.mean / (s.own.mean + s.halo.mean);
    s.busiest = work.most / work.mean;
    s.seconds = sluice_step_seconds(m, &rounds, slowest_of(plan, &work));
    s.alone = alone(plan);
    return s;
}
