/* sluice bench sph: the pair loop of water by each strategy of cells and by window, in a cube and
 * in the tank of SPHERIC test 2, both shaken, with h/dp from 1.0, which gives a cubic spline nearly
 * the 30 to 40 neighbours that Algis, Bramas, Darles & Aveneau 2024 (8) aim at, to 2.0.
 *
 * A strategy has the sizes that a run gives it, and on GPUs then the published ones
 * (NAME-published), if they differ: x-pencil copies one pencil at a time. Forces alone are summed,
 * as in `bench strategies`; NAME-energies sums the energies, too, with the strategy's own sizes. */
#include <math.h>
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

/* The edge, in spacings, of a cube whose cells are a cutoff wide, or little more. It is within 15%
 * of that of the number of particles. A frame of a periodic axis is cut into a power of two cells.
 * In most cubes they are wider, or narrower, and then five are searched along each axis. */
static long long edge_of(long long particles, double h_over_dp)
{
    const double wanted = fmax(16, cbrt((double)particles)), frame = 8 * 2 * h_over_dp;
    double best = INFINITY;
    long long edge = (long long)rint(wanted);
    for (long long n = (long long)(0.85 * wanted); n <= (long long)(1.15 * wanted); n++) {
        const double frames = (double)n / frame, whole = floor(frames + 1e-9),
                     wider = whole > 0 ? frames / whole - 1 : INFINITY,
                     off = fabs((double)n - wanted) / wanted;
        if (wider + 1e-4 * off < best) {
            best = wider + 1e-4 * off;
            edge = n;
        }
    }
    return edge;
}

static int find_case(const struct sluice_bench_settings *settings, int k,
                     struct sluice_bench_case *found)
{
    const long long particles = sluice_bench_particles(settings);
    if (k == sizeof cases / sizeof cases[0])
        return 0;
    const long long edge = edge_of(particles, cases[k].h_over_dp);
    found->name = cases[k].name;
    if (cases[k].is_tank)
        sluice_bench_make_tank(found, particles, cases[k].kernel, cases[k].h_over_dp);
    else
        sluice_bench_make_cube(found, edge * edge * edge, cases[k].kernel, cases[k].h_over_dp);
    return 1;
}

struct loop {
    struct sluice_sim *sim;
    struct sluice_pass pass; /* a device writes its sums there at the next sync */
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
    loop.pass.sums = way == ENERGIES ? SLUICE_ALL_SUMS : 0;
    SLUICE_TRY(sluice_bench_count(b, &sim->grid, &loop.pass, &row.pairs));
    row.moved = sluice_bench_moved(&loop.pass) / row.particles;
    SLUICE_TRY(sluice_bench_time(&row.times, b, &limits, launch, &loop));
    return sluice_bench_print_loop(bench, &row);
}

/* Creates the case anew: a strategy decides the bins, and these the places of particles. */
static sluice_status start_with(struct sluice_bench *bench, int strategy)
{
    sluice_sim_destroy(&bench->sim);
    sluice_case_destroy(&bench->setup);
    snprintf(bench->config.backend.strategy, sizeof bench->config.backend.strategy, "%s",
             sluice_strategies[strategy].name);
    SLUICE_TRY(sluice_case_create(&bench->setup, &bench->config, NULL));
    SLUICE_TRY(sluice_bench_disorder(&bench->setup));
    return sluice_bench_start(bench, 0);
}

/* Whether the published sizes are others than a run's. */
static int differs(const struct sluice_backend *b, int strategy)
{
    return !b->ops->on_host && strategy != SLUICE_STRATEGY_window &&
           strategy != SLUICE_STRATEGY_par_part_noloop && strategy != SLUICE_STRATEGY_all_in_sm;
}

static sluice_status run(struct sluice_bench *bench, int k, const char *name)
{
    const char *only = bench->settings->backend.strategy;
    int measured = 0;
    (void)k;
    for (int s = 0; s < SLUICE_STRATEGY_COUNT; s++) {
        const int is_window = s == SLUICE_STRATEGY_window;
        if ((!is_window && sluice_strategies[s].bins != SLUICE_CELLS) ||
            (only && strcmp(only, sluice_strategies[s].name) != 0))
            continue;
        SLUICE_TRY(start_with(bench, s));
        for (int way = 0; way < WAYS; way++)
            if (way != PUBLISHED || differs(&bench->sim.backend, s))
                SLUICE_TRY(measure(bench, name, s, way));
        measured++;
    }
    SLUICE_CHECK(measured, SLUICE_BAD_INPUT,
                 "bench sph compares window and the strategies of cells, such as x-pencil: give no "
                 "--strategy, or one of these");
    return SLUICE_OK;
}

const struct sluice_benchmark sluice_bench_sph = {"sph", find_case, run};
