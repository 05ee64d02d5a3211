/* sluice bench sph: the pair loop of water by each strategy of cells and by window, in a disordered
 * cube and in the dam break of SPHERIC test 2, with the neighbours that Algis, Bramas, Darles &
 * Aveneau 2024 (8) target: 30 to 40 of a cubic spline.
 *
 * A strategy has the sizes that a run gives it, and then the published ones (NAME-published):
 * x-pencil copies one pencil at a time. Forces alone are summed, as in `bench strategies`;
 * NAME-energies sums the energies, too, with the strategy's own sizes. */
#include <string.h>

#include "bench/benchmark.h"
#include "kernels/registry.h"

static const struct sluice_bench_limits limits = {100, 0.05};

static const struct {
    const char *name, *kernel;
    double h_over_dp;
    int is_tank;
} cases[] = {
    {"cube-m4-1.0", "cubic-spline", 1.0, 0}, {"cube-m4-1.3", "cubic-spline", 1.3, 0},
    {"cube-c2-1.3", "wendland-c2", 1.3, 0},  {"cube-c2-2.0", "wendland-c2", 2.0, 0},
    {"tank-m4-1.0", "cubic-spline", 1.0, 1}, {"tank-m4-1.3", "cubic-spline", 1.3, 1},
    {"tank-c2-1.3", "wendland-c2", 1.3, 1},  {"tank-c2-2.0", "wendland-c2", 2.0, 1},
};

static int find_case(const struct sluice_bench_settings *settings, int k,
                     struct sluice_bench_case *found)
{
    const long long particles = sluice_bench_particles(settings);
    if (k == sizeof cases / sizeof cases[0])
        return 0;
    found->name = cases[k].name;
    (cases[k].is_tank ? sluice_bench_make_tank : sluice_bench_make_cube)(
        found, particles, cases[k].kernel, cases[k].h_over_dp);
    return 1;
}

struct loop {
    struct sluice_sim *sim;
    struct sluice_pass pass; /* a device fills it when it has caught up */
};

static sluice_status launch(void *data)
{
    struct loop *loop = data;
    struct sluice_backend *b = &loop->sim->backend;
    return b->ops->interact(b, &loop->sim->grid, &loop->pass);
}

enum way { OWN, PUBLISHED, ENERGIES, WAYS };
static const char *const endings[WAYS] = {"", "-published", "-energies"};

/* One strategy, in the bins that it wants. */
static sluice_status measure(struct sluice_bench *bench, const char *name, int strategy,
                             enum way way)
{
    struct sluice_sim *sim = &bench->sim;
    struct sluice_backend *b = &sim->backend;
    struct loop loop = {sim, sluice_bench_fluid_pass(sim)};
    char variant[64];
    snprintf(variant, sizeof variant, "%s%s", sluice_strategies[strategy].name, endings[way]);
    struct sluice_bench_loop row = {.name = name,
                                    .variant = variant,
                                    .backend = b,
                                    .particles = (double)loop.pass.target->count,
                                    .flops = sluice_pairs[loop.pass.pair].flops,
                                    .times = {bench->seconds, bench->settings->repeats, 0}};
    b->published = way == PUBLISHED ? SLUICE_PUBLISHED_SIZES : SLUICE_OWN_SIZES;
    loop.pass.energy = way == ENERGIES;
    SLUICE_TRY(sluice_bench_count(b, &sim->grid, &loop.pass, &row.pairs));
    row.moved = sluice_bench_moved(&loop.pass) / row.particles;
    SLUICE_TRY(sluice_bench_time(&row.times, b, &limits, launch, &loop));
    sluice_bench_print_loop(bench, &row);
    return SLUICE_OK;
}

/* Creates the case anew: a strategy decides the bins, and these the places of particles. */
static sluice_status start_with(struct sluice_bench *bench, int k, int strategy)
{
    sluice_sim_destroy(&bench->sim);
    sluice_case_destroy(&bench->setup);
    snprintf(bench->config.backend.strategy, sizeof bench->config.backend.strategy, "%s",
             sluice_strategies[strategy].name);
    SLUICE_TRY(sluice_case_create(&bench->setup, &bench->config, NULL));
    if (!cases[k].is_tank)
        SLUICE_TRY(sluice_bench_disorder(&bench->setup));
    return sluice_bench_start(bench, 0);
}

static sluice_status run(struct sluice_bench *bench, int k, const char *name)
{
    for (int s = 0; s < SLUICE_STRATEGY_COUNT; s++) {
        const int is_window = s == SLUICE_STRATEGY_window;
        const char *only = bench->settings->backend.strategy;
        if ((!is_window && sluice_strategies[s].bins != SLUICE_CELLS) ||
            (only && strcmp(only, sluice_strategies[s].name) != 0))
            continue;
        SLUICE_TRY(start_with(bench, k, s));
        for (int way = 0; way < WAYS; way++)
            if (way != PUBLISHED || !is_window)
                SLUICE_TRY(measure(bench, name, s, way));
    }
    return SLUICE_OK;
}

const struct sluice_benchmark sluice_bench_sph = {"sph", find_case, run};
