/* sluice bench strategies: every strategy on cubes of cells of one cutoff, random particles, as
 * Algis, Bramas, Darles & Aveneau measured theirs: 2 to 32 cells along an edge, 1, 10 and 100
 * particles a cell, the mean of 200 launches of the pair loop alone. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"
#include "core/version.h"
#include "kernels/backends.h"

/* Least and most launches of a measurement; what it may take, s, on a GPU and on the CPU; pairs
 * tried by a strategy without search. */
enum { LAUNCHES = 200, TILED_PARTICLES = 400000 };
static const double seconds_gpu = 0.2, seconds_cpu = 0.1;

const int sluice_bench_boxes[] = {2, 4, 8, 16, 32}, sluice_bench_fillings[] = {1, 10, 100};
const int sluice_bench_cube_pairs[] = {SLUICE_PAIR_lj, SLUICE_PAIR_low, SLUICE_PAIR_high};

void sluice_bench_cube_name(int box, int filling, char name[32])
{
    snprintf(name, 32, "%dx%d", box, filling);
}

struct cube {
    struct sluice_bench_set particles;
    int box, filling;
};

/* box^3 cells with `filling` random particles each in the mean, in bins as the strategy wants them.
 */
static sluice_status create_cube(struct cube *cube, struct sluice_backend *b, int box, int filling)
{
    const int64_t n = (int64_t)box * box * box * filling;
    double(*x)[3] = malloc((size_t)n * sizeof *x);
    SLUICE_CHECK(x, SLUICE_DEVICE, "no memory for %lld particles", (long long)n);
    cube->box = box;
    cube->filling = filling;
    for (int64_t i = 0; i < n; i++)
        for (int c = 0; c < 3; c++)
            x[i][c] = box * (sluice_bench_random((uint64_t)(3 * i + c)) + 0.5);
    const sluice_status status = sluice_bench_set_create(&cube->particles, b, (const double(*)[3])x,
                                                         n, box, filling);
    free(x);
    return status;
}

/* --- Measuring ---- */

struct table {
    struct sluice_backend backend;
    FILE *out;
    int repeats;
    double *seconds; /* [repeats] of one launch */
};

static sluice_status launch(struct cube *cube, struct sluice_pass *pass, int times)
{
    struct sluice_backend *b = cube->particles.backend;
    for (int k = 0; k < times; k++)
        SLUICE_TRY(b->ops->interact(b, &cube->particles.grid, pass));
    return b->ops->sync(b);
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void print_row(const struct table *t, const struct cube *cube, int pair, int launches,
                      double hits, double moved)
{
    const struct sluice_backend *b = &t->backend;
    const double *s = t->seconds, n = (double)cube->particles.set.count;
    const double median = 0.5 * (s[(t->repeats - 1) / 2] + s[t->repeats / 2]);
    char device[256], isa[256], compiler[256];
    double mean = 0;
    for (int k = 0; k < t->repeats; k++)
        mean += s[k] / t->repeats;
    sluice_bench_device(b, device);
    sluice_bench_field(isa, sizeof isa, b->isa);
    sluice_bench_field(compiler, sizeof compiler, sluice_version.compiler);
    fprintf(t->out, "%s,%s,%d,%d,%.4g,%.4g,%.4g,%.4g,%d,%d,%.0f,%.4g,%.0f,%.4g,%.4g",
            sluice_strategies[b->strategy].name, sluice_pairs[pair].name, cube->box, cube->filling,
            median, s[0], s[t->repeats - 1], mean, launches, t->repeats, n, hits / n, hits,
            hits / median, hits * sluice_pairs[pair].flops / median);
    sluice_bench_print_limits(t->out, b, hits * sluice_pairs[pair].flops, moved, median);
    fprintf(t->out, ",%s,%s,%s,%s,%s,%s\n", b->real_bytes == 8 ? "double" : "float", b->ops->name,
            sluice_version.revision, device, isa, compiler);
    fflush(t->out);
}

static sluice_status measure(struct table *t, struct cube *cube, int pair)
{
    struct sluice_bench_lj atoms;
    struct sluice_pass pass = {.name = "pair loop",
                               .pair = pair,
                               .params = &atoms,
                               .target = &cube->particles.set,
                               .source = {&cube->particles.set, NULL},
                               .count_pairs = 1};
    sluice_bench_lj(&atoms, 0.4);
    SLUICE_TRY(launch(cube, &pass, 1));
    const double hits = pass.sum[SLUICE_SUM_PAIRS],
                 budget = sluice_bench_is_device(&t->backend) ? seconds_gpu : seconds_cpu;
    pass.count_pairs = 0;
    SLUICE_TRY(launch(cube, &pass, 1));
    const double begun = sluice_seconds();
    SLUICE_TRY(launch(cube, &pass, 1));
    const double once = sluice_seconds() - begun;
    const int launches = (int)fmax(1, fmin(LAUNCHES, budget / fmax(once, 1e-9)));
    for (int k = 0; k < t->repeats; k++) {
        const double before = sluice_seconds();
        SLUICE_TRY(launch(cube, &pass, launches));
        t->seconds[k] = (sluice_seconds() - before) / launches;
    }
    qsort(t->seconds, (size_t)t->repeats, sizeof *t->seconds, compare);
    print_row(t, cube, pair, launches, hits, sluice_bench_moved(&pass));
    return SLUICE_OK;
}

/* One strategy in one cube. What does not fit into shared memory is said, and left out. */
static sluice_status measure_cube(struct table *t, int box, int filling)
{
    const char *name = sluice_strategies[t->backend.strategy].name;
    struct cube cube;
    if (t->backend.strategy == SLUICE_STRATEGY_tiled &&
        (double)box * box * box * filling > TILED_PARTICLES) {
        fprintf(stderr, "%s, %dx%d: left out, it meets all pairs of more than %d particles\n", name,
                box, filling, (int)TILED_PARTICLES);
        return SLUICE_OK;
    }
    SLUICE_TRY(create_cube(&cube, &t->backend, box, filling));
    sluice_status status = SLUICE_OK;
    for (int k = 0; k < SLUICE_BENCH_CUBE_PAIRS && status == SLUICE_OK; k++) {
        status = measure(t, &cube, sluice_bench_cube_pairs[k]);
        if (status == SLUICE_DEVICE && strstr(sluice_message(), "bytes of shared memory")) {
            fprintf(stderr, "%s, %s, %dx%d: left out: %s\n", name,
                    sluice_pairs[sluice_bench_cube_pairs[k]].name, box, filling, sluice_message());
            status = SLUICE_OK;
        }
    }
    sluice_bench_set_destroy(&cube.particles);
    return status;
}

/* --- The verb ---- */

static int is_asked(const char *asked, int box, int filling)
{
    char name[32];
    sluice_bench_cube_name(box, filling, name);
    return !asked || strcmp(asked, name) == 0;
}

static sluice_status measure_all(struct table *t, const char *cube, int only)
{
    for (int f = 0; f < SLUICE_BENCH_FILLINGS; f++)
        for (int b = 0; b < SLUICE_BENCH_BOXES; b++)
            for (int s = 0; s < SLUICE_STRATEGY_COUNT; s++) {
                if (!is_asked(cube, sluice_bench_boxes[b], sluice_bench_fillings[f]) ||
                    (only >= 0 && s != only) ||
                    sluice_backend_check(t->backend.ops, s) != SLUICE_OK)
                    continue;
                t->backend.strategy = s;
                SLUICE_TRY(measure_cube(t, sluice_bench_boxes[b], sluice_bench_fillings[f]));
            }
    return SLUICE_OK;
}

static sluice_status open_table(struct table *t, const struct sluice_arguments *arguments,
                                int *only)
{
    const char *strategy = arguments->value[SLUICE_OPTION_STRATEGY];
    SLUICE_TRY(sluice_bench_open(&t->backend, arguments));
    *only = strategy && strcmp(strategy, "auto") != 0 ? t->backend.strategy : -1;
    if (t->backend.ops == &sluice_cpu_ops && *only < 0)
        fprintf(stderr,
                "on the CPU: of the strategies those that it has; the others are for GPUs\n");
    return SLUICE_OK;
}

sluice_status sluice_bench_strategies(const struct sluice_arguments *arguments, FILE *out,
                                      int repeats)
{
    const char *cube = arguments->positional_count > 1 ? arguments->positional[1] : NULL;
    struct table t = {.out = out, .repeats = repeats};
    int only;
    SLUICE_TRY(open_table(&t, arguments, &only));
    t.seconds = malloc((size_t)repeats * sizeof *t.seconds);
    sluice_status status = t.seconds ? SLUICE_OK
                                     : SLUICE_FAIL(SLUICE_DEVICE, "no memory for %d measurements",
                                                   repeats);
    if (status == SLUICE_OK) {
        fprintf(out, "strategy,pair,box,per_cell,median_s,min_s,max_s,mean_s,launches,repeats,"
                     "particles,neighbours,pairs,pairs_per_s,flops_per_s,issue_fraction,"
                     "memory_fraction,precision,backend,revision,device,isa,compiler\n");
        status = measure_all(&t, cube, only);
    }
    free(t.seconds);
    sluice_backend_close(&t.backend);
    return status;
}
