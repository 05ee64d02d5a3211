/* bench claims split: SPHERIC test 2 with dynamic walls, as one set whose loop looks at the types
 * of both particles of a pair; as sets by type, a launch for each pair of types; and as the program
 * does it: sets by type, but fluid meets fluid and walls in one launch, in two loops.
 *
 * On a GPU all three search as par-part-noloop does, on the CPU as window. The launch of fluid from
 * walls adds to the accelerations that fluid from fluid has left, but replaces its rates, for the
 * program has no pass that adds to those: 4 bytes a particle are not read. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/bench/bench_ops.h"
#include "kernels/bench/branching_params.h"
#include "bench/claims.h"
#include "core/allocate.h"
#include "kernels/registry.h"

enum way { BRANCHES, SPLIT, SETS, WAYS };
enum pass {
    ALL_FROM_ALL,
    FLUID_FROM_FLUID,
    FLUID_FROM_WALLS,
    FLUID_FROM_BOTH,
    WALLS_FROM_FLUID,
    PASSES
};

struct split {
    struct sluice_bench *bench;
    struct sluice_sim mixed;          /* all particles in one set; bench->sim has two */
    struct wcsph_params begins, adds; /* to accelerations of 0; to those that are there */
    struct sluice_branching_params mixes;
    struct sluice_pass pass[PASSES];
    int64_t fluid;
};

static const struct sluice_claim_way ways[WAYS];

/* --- Passes ---- */

static void make_pass(struct split *s, enum pass which, const void *params,
                      struct sluice_set *target, struct sluice_set *first,
                      struct sluice_set *second)
{
    s->pass[which] = (struct sluice_pass){.name = "pair loop",
                                          .pair = which == WALLS_FROM_FLUID
                                                      ? SLUICE_PAIR_dynamic_wendland
                                                      : SLUICE_PAIR_wcsph_wendland,
                                          .params = params,
                                          .target = target,
                                          .source = {first, second}};
}

static void make_passes(struct split *s)
{
    struct sluice_set *fluid = &s->bench->sim.set[SLUICE_FLUID],
                      *wall = &s->bench->sim.set[SLUICE_WALL], *all = &s->mixed.set[SLUICE_FLUID];
    make_pass(s, ALL_FROM_ALL, &s->mixes, all, all, NULL);
    make_pass(s, FLUID_FROM_FLUID, &s->begins, fluid, fluid, NULL);
    make_pass(s, FLUID_FROM_WALLS, &s->adds, fluid, NULL, wall);
    make_pass(s, FLUID_FROM_BOTH, &s->begins, fluid, fluid, wall);
    make_pass(s, WALLS_FROM_FLUID, &s->begins, wall, fluid, NULL);
}

static sluice_status run_pass(struct split *s, enum pass which)
{
    struct sluice_sim *sim = &s->bench->sim;
    return sim->backend.ops->interact(&sim->backend, &sim->grid, &s->pass[which]);
}

static sluice_status launch(void *data, int way)
{
    struct split *s = data;
    struct sluice_backend *mixed = &s->mixed.backend;
    if (way == BRANCHES)
        return sluice_bench_ops_find(mixed)->branching(mixed, &s->mixed.grid,
                                                       &s->pass[ALL_FROM_ALL]);
    if (way == SETS) {
        SLUICE_TRY(run_pass(s, FLUID_FROM_BOTH));
    } else {
        SLUICE_TRY(run_pass(s, FLUID_FROM_FLUID));
        SLUICE_TRY(run_pass(s, FLUID_FROM_WALLS));
    }
    return run_pass(s, WALLS_FROM_FLUID);
}

/* --- Checking: the three give the same forces and rates ---- */

/* `rates`: of the walls, whose ids follow the fluid's. The sums have another order: about a unit in
 * the last place of the largest term, and terms may be a hundred times their sum. */
static sluice_status compare(struct split *s, int way, enum sluice_field field, double *want,
                             double *got)
{
    const int rates = field == SLUICE_FIELD_RATE;
    const enum sluice_type type = rates ? SLUICE_WALL : SLUICE_FLUID;
    const int64_t walls = s->bench->sim.set[SLUICE_WALL].count, first = rates ? s->fluid : 0,
                  n = rates ? walls : 3 * s->fluid;
    const double tolerance = s->mixed.backend.real_bytes == 4 ? 1e-4 : 1e-12;
    double most = 0;
    SLUICE_TRY(sluice_claims_fetch(&s->mixed, SLUICE_FLUID, field, sluice_claim_all_ids, want));
    SLUICE_TRY(sluice_claims_fetch(&s->bench->sim, type, field, sluice_claim_all_ids, got));
    for (int64_t k = first; k < first + n; k++)
        most = fmax(most, fabs(want[k]));
    for (int64_t k = first; k < first + n; k++)
        SLUICE_CHECK(fabs(want[k] - got[k]) <= tolerance * most, SLUICE_FAILED_CHECK,
                     "bench claims split, %s: %s %lld is %.9g, and %.9g with branches; that is a "
                     "mistake of the program",
                     ways[way].name, rates ? "rate" : "acceleration", (long long)k, got[k],
                     want[k]);
    return SLUICE_OK;
}

static sluice_status compare_ways(struct split *s, double *want, double *got)
{
    struct sluice_backend *backend = &s->bench->sim.backend;
    SLUICE_TRY(launch(s, BRANCHES));
    for (int way = SPLIT; way < WAYS; way++) {
        SLUICE_TRY(launch(s, way));
        SLUICE_TRY(backend->ops->sync(backend));
        SLUICE_TRY(compare(s, way, SLUICE_FIELD_ACCELERATION, want, got));
        SLUICE_TRY(compare(s, way, SLUICE_FIELD_RATE, want, got));
    }
    return SLUICE_OK;
}

static sluice_status check(struct split *s)
{
    const int64_t all = 3 * s->mixed.set[SLUICE_FLUID].count;
    double *numbers;
    SLUICE_ALLOCATE(numbers, 2 * all, "numbers");
    const sluice_status status = compare_ways(s, numbers, numbers + all);
    free(numbers);
    return status;
}

/* --- Running ---- */

static const struct sluice_claim_way ways[WAYS] = {
    [BRANCHES] = {"branches", 0, NULL, 0, 0, 0, launch},
    [SPLIT] = {"split", 0,
               "a launch for each pair of types is 1.3 times as fast (Maxwell; Kepler: 1.5; 4.4.2)",
               1.3, 0, BRANCHES, launch},
    [SETS] = {"sets", 0, "the program's own two launches", 0, 0, BRANCHES, launch},
};

/* A GPU's strategy, for all three. */
static sluice_status start_sets(struct sluice_bench *bench)
{
    char *strategy = bench->config.backend.strategy;
    SLUICE_TRY(sluice_bench_start(bench, 0));
    if (bench->sim.backend.ops->on_host)
        return SLUICE_OK;
    snprintf(strategy, sizeof bench->config.backend.strategy, "%s",
             sluice_strategies[SLUICE_STRATEGY_par_part_noloop].name);
    return sluice_bench_start(bench, 0);
}

void sluice_claims_stir(struct sluice_start *fluid)
{
    for (int64_t i = 0; i < fluid->count; i++)
        for (int c = 0; c < 3; c++)
            fluid->velocity[i][c] = sluice_bench_random((uint64_t)(3 * i + c));
}

sluice_status sluice_claims_check_tank(const struct sluice_bench *bench, const char *name)
{
    SLUICE_CHECK(sluice_config_walls_have(&bench->config, SLUICE_WALL_DENSITY) &&
                     bench->config.motion_count == 0 && !bench->config.particles[0] &&
                     bench->config.kernel.name == SLUICE_KERNEL_WENDLAND_C2 &&
                     bench->config.dimension == 3,
                 SLUICE_BAD_INPUT,
                 "bench claims %s: it compares shapes of fluid and of walls at rest in 3-D, "
                 "with boundary.kind = \"dynamic\" and kernel \"wendland-c2\"",
                 name);
    return SLUICE_OK;
}

static sluice_status start(struct split *s)
{
    struct sluice_bench *bench = s->bench;
    SLUICE_TRY(sluice_claims_check_tank(bench, "split"));
    bench->setup.more_passes = 1; /* SPLIT has three, a step of the case two */
    sluice_claims_stir(&bench->setup.start[SLUICE_FLUID]);
    SLUICE_TRY(start_sets(bench));
    s->fluid = bench->setup.start[SLUICE_FLUID].count;
    s->begins = s->adds = bench->setup.physics.wcsph;
    s->begins.begins = 1;
    s->adds.begins = 0;
    memset(s->begins.body, 0, sizeof s->begins.body);
    s->mixes = (struct sluice_branching_params){s->begins, (sluice_id)-1, (sluice_id)s->fluid};
    SLUICE_TRY(sluice_bench_make_one_set(&bench->setup));
    SLUICE_TRY(sluice_sim_create(&s->mixed, &bench->config, &bench->setup, &bench->log));
    SLUICE_TRY(sluice_sim_start(&s->mixed));
    make_passes(s);
    return SLUICE_OK;
}

static sluice_status measure(struct split *s, struct sluice_claims *c)
{
    SLUICE_TRY(start(s));
    SLUICE_TRY(check(s));
    c->backend = &s->bench->sim.backend;
    c->particles = (double)s->mixed.set[SLUICE_FLUID].count;
    memcpy(c->way, ways, sizeof ways);
    c->way[BRANCHES].backend = &s->mixed.backend;
    for (int way = 0; way < WAYS; way++)
        c->way[way].bytes = (double)sluice_sim_memory(way == BRANCHES ? &s->mixed
                                                                      : &s->bench->sim) /
                            c->particles;
    SLUICE_TRY(sluice_claims_measure(c));
    return sluice_claims_print(c);
}

sluice_status sluice_claims_split(struct sluice_bench *bench, const char *name)
{
    struct split s = {.bench = bench};
    struct sluice_claims c = {.bench = bench, .name = name, .data = &s, .ways = WAYS};
    const sluice_status status = measure(&s, &c);
    sluice_sim_destroy(&s.mixed);
    free(c.seconds);
    return status;
}
