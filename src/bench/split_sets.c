/* sluice bench split: sets by type against one mixed set, in SPHERIC test 2. With sets, fluid takes
 * fluid and walls as sources, and walls take fluid. In one set every particle takes every other, so
 * walls also take walls. A loop that looks at the types of each pair cannot visit fewer pairs.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/benchmark.h"
#include "kernels/registry.h"

static const struct sluice_bench_limits limits = {20, 0.1};

struct split {
    struct sluice_sim *sim;
    struct sluice_pass pass[2];
    int passes;
    double pairs, flops; /* a launch */
};

/* --- The case, as one set ---- */

/* Makes the list large enough for n more particles. */
static sluice_status grow(struct sluice_start *s, int64_t n)
{
    const size_t all = (size_t)(s->count + n);
#define GROW(name)                                                                                 \
    if (s->name) {                                                                                 \
        void *array = realloc(s->name, all * sizeof *s->name);                                     \
        SLUICE_CHECK(array, SLUICE_DEVICE, "no memory for %zu particles", all);                    \
        s->name = array;                                                                           \
    }
    SLUICE_START_ARRAYS(GROW)
#undef GROW
    return SLUICE_OK;
}

sluice_status sluice_bench_make_one_set(struct sluice_case *setup)
{
    struct sluice_start *fluid = &setup->start[SLUICE_FLUID], *wall = &setup->start[SLUICE_WALL];
    SLUICE_TRY(grow(fluid, wall->count));
    for (int64_t i = 0; i < wall->count; i++) {
        const int64_t n = fluid->count + i;
        fluid->id[n] = (sluice_id)n;
        fluid->place[n] = wall->place[i];
        memset(fluid->velocity[n], 0, sizeof fluid->velocity[n]);
        fluid->density[n] = 0;
        fluid->mass[n] = wall->mass[i];
        fluid->group[n] = wall->group[i];
        if (fluid->phase)
            fluid->phase[n] = 0;
    }
    fluid->count += wall->count;
    wall->count = 0;
    return SLUICE_OK;
}

/* --- Passes ---- */

static void make_passes(struct split *s)
{
    const int kernel = s->sim->config->kernel.name;
    struct sluice_set *fluid = &s->sim->set[SLUICE_FLUID], *wall = &s->sim->set[SLUICE_WALL];
    struct sluice_pass force = {.name = "pair loop",
                                .params = &s->sim->setup->physics.wcsph,
                                .target = fluid,
                                .source = {fluid, wall->count ? wall : NULL},
                                .sums = SLUICE_ALL_SUMS};
    force.pair = sluice_wcsph_pair(force.params, sluice_pass_mass(&force));
    s->passes = 0;
    s->pass[s->passes++] = force;
    if (wall->count == 0)
        return;
    force.pair = sluice_pair_with_kernel(SLUICE_PAIR_adami_wendland, kernel);
    force.target = wall;
    force.source[0] = fluid;
    force.source[1] = NULL;
    force.sums = 0;
    s->pass[s->passes++] = force;
}

/* The walls' pass comes first: the force needs their state. */
static sluice_status launch(void *data)
{
    struct split *s = data;
    struct sluice_backend *b = &s->sim->backend;
    for (int k = s->passes - 1; k >= 0; k--)
        SLUICE_TRY(b->ops->interact(b, &s->sim->grid, &s->pass[k]));
    return SLUICE_OK;
}

/* Pairs and operations of a launch. walls: also the pairs of walls with walls, which only the mixed
 * set has; NULL: not wanted. */
static sluice_status count_pairs(struct split *s, double *walls)
{
    double pairs;
    s->pairs = s->flops = 0;
    for (int k = s->passes - 1; k >= 0; k--) {
        SLUICE_TRY(sluice_bench_count(&s->sim->backend, &s->sim->grid, &s->pass[k], &pairs));
        s->pairs += pairs;
        s->flops += pairs * sluice_pairs[s->pass[k].pair].flops;
    }
    if (!walls)
        return SLUICE_OK;
    struct sluice_pass pass = s->pass[1];
    pass.source[0] = pass.target;
    return sluice_bench_count(&s->sim->backend, &s->sim->grid, &pass, walls);
}

static sluice_status measure(struct sluice_bench *bench, struct split *s,
                             struct sluice_bench_loop *row)
{
    row->backend = &s->sim->backend;
    row->particles = (double)(s->sim->set[SLUICE_FLUID].count + s->sim->set[SLUICE_WALL].count);
    row->pairs = s->pairs;
    row->flops = s->flops / s->pairs;
    row->held = (double)sluice_sim_memory(s->sim) / row->particles;
    row->moved = 0;
    for (int k = 0; k < s->passes; k++)
        row->moved += sluice_bench_moved(&s->pass[k]) / row->particles;
    SLUICE_TRY(sluice_bench_time(&row->times, &s->sim->backend, &limits, launch, s));
    return sluice_bench_print_loop(bench, row);
}

/* Measures the case as it is now. walls: the number of pairs of walls with walls; NULL without a
 * wall set. */
static sluice_status run_sets(struct sluice_bench *bench, struct sluice_bench_loop *row,
                              double *walls)
{
    struct split s = {.sim = &bench->sim};
    SLUICE_TRY(sluice_bench_start(bench, 0));
    make_passes(&s);
    SLUICE_TRY(count_pairs(&s, walls));
    return measure(bench, &s, row);
}

static sluice_status run(struct sluice_bench *bench, int k, const char *name)
{
    const struct sluice_config *config = &bench->config;
    struct sluice_bench_loop row = {
        .name = name, .variant = "sets", .times = {bench->seconds, bench->settings->repeats, 0}};
    double walls;
    (void)k;
    SLUICE_CHECK(sluice_config_walls_have(config, SLUICE_WALL_EXTRAPOLATED) &&
                     !sluice_config_walls_have(config, SLUICE_WALL_GHOSTS) &&
                     config->motion_count == 0 && bench->setup.start[SLUICE_WALL].count > 0,
                 SLUICE_BAD_INPUT,
                 "bench split %s: it compares sets of fluid and of walls at rest, with "
                 "boundary.kind = \"adami\"",
                 name);
    SLUICE_TRY(run_sets(bench, &row, &walls));
    const double sets = row.pairs;
    SLUICE_TRY(sluice_bench_make_one_set(&bench->setup));
    row.variant = "mixed";
    SLUICE_TRY(run_sets(bench, &row, NULL));
    SLUICE_CHECK(fabs(sets + walls - row.pairs) <= 1e-6 * row.pairs, SLUICE_FAILED_CHECK,
                 "bench split %s: %.0f pairs of sets and %.0f of walls with walls, but %.0f of "
                 "everything; that is a mistake of the program",
                 name, sets, walls, row.pairs);
    return SLUICE_OK;
}

static int find_case(const struct sluice_bench_settings *settings, int k,
                     struct sluice_bench_case *found)
{
    (void)settings;
    return k < SLUICE_BENCH_SPHERIC && sluice_bench_find_config(k, found);
}

const struct sluice_benchmark sluice_bench_split = {"split", find_case, run};
