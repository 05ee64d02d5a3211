/* sluice bench strategies: every strategy in cubes of random particles, as Algis, Bramas, Darles &
 * Aveneau measured theirs. A cube has 2 to 32 cells along an edge, each a cutoff wide, with 1, 10
 * or 100 particles in the mean. A time is the mean of at most 200 launches of the pair loop alone.
 */
#include <string.h>

#include "bench/benchmark.h"
#include "core/allocate.h"
#include "kernels/registry.h"

static const double ALL = 1e15; /* a cutoff that no distance reaches; its square is a float */
/* `tiled` tests all pairs: no larger cubes, on the host and on a device. */
enum { TILED_ON_HOST = 20000, TILED_PARTICLES = 400000 };
static const struct sluice_bench_limits limits = {200, 0.2};

/* --- The cubes ---- */

const int sluice_bench_cube_pairs[] = {SLUICE_PAIR_lj, SLUICE_PAIR_low, SLUICE_PAIR_high};

struct sluice_bench_cube sluice_bench_cube_at(int k)
{
    static const int edges[] = {2, 4, 8, 16, 32}, fillings[] = {1, 10, 100};
    const int edge = edges[k % 5], filling = fillings[k / 5];
    return (struct sluice_bench_cube){edge, filling, (int64_t)edge * edge * edge * filling};
}

int sluice_bench_name_cube(int k, struct sluice_bench_case *found)
{
    if (k >= SLUICE_BENCH_CUBES)
        return 0;
    const struct sluice_bench_cube cube = sluice_bench_cube_at(k);
    snprintf(found->made_name, sizeof found->made_name, "%dx%d", cube.edge, cube.filling);
    found->name = found->made_name;
    return 1;
}

static int find_case(const struct sluice_bench_settings *settings, int k,
                     struct sluice_bench_case *found)
{
    (void)settings;
    return sluice_bench_name_cube(k, found);
}

/* --- Measuring ---- */

/* One strategy in one cube. */
struct loop {
    struct sluice_bench_set particles;
    struct lj_params atoms;
    struct sluice_pass pass;
};

static sluice_status create_particles(struct loop *loop, struct sluice_backend *b,
                                      const struct sluice_bench_cube *cube)
{
    double *x;
    SLUICE_ALLOCATE(x, 3 * cube->atoms, "coordinates");
    for (int64_t i = 0; i < cube->atoms; i++)
        sluice_bench_random_place(i, cube->edge, x + 3 * i);
    const sluice_status status = sluice_bench_set_create(&loop->particles, b, x, 3, cube->atoms,
                                                         cube->edge, cube->filling);
    free(x);
    return status;
}

static sluice_status launch(void *data)
{
    struct loop *loop = data;
    struct sluice_backend *b = loop->particles.backend;
    return b->ops->interact(b, &loop->particles.grid, &loop->pass);
}

static sluice_status measure_pair(struct sluice_bench *bench, struct loop *loop, int pair,
                                  const struct sluice_bench_cube *cube)
{
    struct sluice_backend *b = loop->particles.backend;
    struct sluice_set *set = &loop->particles.set;
    const double softening = pair == SLUICE_PAIR_lj ? bench->settings->softening : 0;
    char variant[64];
    snprintf(variant, sizeof variant, softening > 0 ? "%s-%.3g" : "%s", sluice_pairs[pair].name,
             softening);
    struct sluice_bench_loop row = {.backend = b,
                                    .variant = variant,
                                    .particles = (double)set->count,
                                    .flops = sluice_pairs[pair].flops,
                                    .times = {bench->seconds, bench->settings->repeats, 0}};
    loop->atoms = sluice_bench_lj(0.4);
    loop->atoms.softening = softening;
    if (bench->settings->all_candidates)
        loop->atoms.cutoff = ALL; /* the cells stay as wide */
    loop->pass = (struct sluice_pass){.name = "pair loop",
                                      .pair = pair,
                                      .params = &loop->atoms,
                                      .target = set,
                                      .source = {set, NULL}};
    SLUICE_TRY(sluice_bench_count(b, &loop->particles.grid, &loop->pass, &row.pairs));
    row.moved = sluice_bench_moved(&loop->pass) / row.particles;
    SLUICE_TRY(sluice_bench_time(&row.times, b, &limits, launch, loop));
    return sluice_bench_print_strategy(bench, &row, cube);
}

static sluice_status measure_cube(struct sluice_bench *bench, const struct sluice_bench_cube *cube,
                                  const char *cube_name)
{
    struct sluice_backend *b = &bench->backend;
    const char *name = sluice_strategies[b->orders.strategy].name;
    const int most = b->ops->on_host ? TILED_ON_HOST : TILED_PARTICLES;
    struct loop loop;
    if (b->orders.strategy == SLUICE_STRATEGY_tiled && cube->atoms > most) {
        fprintf(stderr, "%s, %s: left out, it would test all pairs of more than %d particles\n",
                name, cube_name, most);
        return SLUICE_OK;
    }
    SLUICE_TRY(create_particles(&loop, b, cube));
    sluice_status status = SLUICE_OK;
    for (int k = 0; k < SLUICE_BENCH_CUBE_PAIRS && status == SLUICE_OK; k++)
        status = measure_pair(bench, &loop, sluice_bench_cube_pairs[k], cube);
    sluice_bench_set_destroy(&loop.particles);
    return status;
}

static sluice_status run(struct sluice_bench *bench, int k, const char *name)
{
    const struct sluice_bench_cube cube = sluice_bench_cube_at(k);
    const char *strategy = bench->settings->backend.strategy;
    struct sluice_backend *b = &bench->backend;
    const int only = strategy && strcmp(strategy, "auto") != 0 ? b->orders.strategy : -1;
    int measured = 0;
    for (int s = 0; s < SLUICE_STRATEGY_COUNT; s++) {
        if ((only >= 0 && s != only) || !sluice_strategy_has(s, 0) ||
            (b->published && sluice_strategies[s].bins != SLUICE_CELLS))
            continue;
        b->orders.strategy = s;
        measured++;
        SLUICE_TRY(measure_cube(bench, &cube, name));
    }
    SLUICE_CHECK(only < 0 || sluice_strategy_has(only, 0), SLUICE_BAD_INPUT,
                 "--strategy %s: it is for a gas, and these pairs have one support for all "
                 "particles: take window or one of cells",
                 strategy);
    SLUICE_CHECK(measured, SLUICE_BAD_INPUT,
                 "--all-candidates is for the strategies of cells, such as x-pencil: give no other "
                 "--strategy");
    return SLUICE_OK;
}

const struct sluice_benchmark sluice_bench_strategies = {"strategies", find_case, run};
