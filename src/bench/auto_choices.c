/* sluice bench auto: times the choice that strategy `auto` makes and every choice one change away
 * from the fixed rule's: a sort and the forces of a step, for the cases of `bench step` and the
 * cubes of `bench strategies`. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/benchmark.h"
#include "kernels/registry.h"
#include "sim/tune.h"

enum { CHOICES = SLUICE_TUNE_CHOICES + 4 };

static void add_bins(const struct sluice_choice *from, int x, int yz, int dimension,
                     struct sluice_choice *choice, int *count)
{
    struct sluice_choice *c = &choice[*count];
    *c = *from;
    c->bins_log2[0] += x;
    c->bins_log2[1] += yz;
    c->bins_log2[2] += dimension == 3 ? yz : 0;
    *count += c->bins_log2[0] >= 0 && c->bins_log2[1] >= 0 && c->bins_log2[2] >= 0;
}

/* Every strategy, and `window` with finer and coarser bins. */
static int list_choices(const struct sluice_sim *sim, struct sluice_choice choice[CHOICES])
{
    const int dimension = sim->grid.dimension;
    int count = sluice_tune_choices(sim, choice);
    for (int finer = -1; finer <= 1 && !sluice_tune_bins_are_given(sim); finer += 2) {
        add_bins(&choice[0], 0, finer, dimension, choice, &count);
        add_bins(&choice[0], finer, 0, dimension, choice, &count);
    }
    return count;
}

struct timed {
    struct sluice_choice choice;
    int is_auto;  /* the choice that auto made */
    int left_out; /* it does not fit the device */
    double *seconds;
};

/* One measurement of each choice, number `round`: a device's clock changes in the course of a run,
 * and so affects all choices alike. A choice that does not fit is left out, with a message. */
static sluice_status measure(struct sluice_sim *sim, struct timed *timed, int count, int round,
                             const char *name)
{
    for (int k = 0; k < count; k++) {
        struct timed *t = &timed[k];
        if (t->left_out)
            continue;
        const sluice_status status = sluice_tune_time(sim, &t->choice, &t->seconds[round]);
        if (status != SLUICE_OK && t->is_auto)
            return status;
        if (status != SLUICE_OK) {
            fprintf(stderr, "%s, %s: left out: %s\n", name,
                    sluice_strategies[t->choice.strategy].name, sluice_message());
            t->left_out = 1;
        }
    }
    return SLUICE_OK;
}

/* The variant is window-64x4x4, or auto-64x4x4 for the choice that auto made. */
static void print(struct sluice_bench *bench, struct sluice_sim *sim, const struct timed *t,
                  const struct sluice_bench_loop *row)
{
    const int *bins = t->choice.bins_log2;
    struct sluice_bench_loop one = *row;
    char variant[64];
    snprintf(variant, sizeof variant, "%s-%dx%dx%d",
             t->is_auto ? "auto" : sluice_strategies[t->choice.strategy].name, 1 << bins[0],
             1 << bins[1], 1 << bins[2]);
    one.variant = variant;
    one.times.seconds = t->seconds;
    sluice_tune_use(sim, &t->choice);
    sluice_bench_print_loop(bench, &one);
}

/* seconds: [CHOICES + 1][repeats] */
static sluice_status measure_all(struct sluice_bench *bench, struct sluice_sim *sim,
                                 const char *name, double *seconds)
{
    const int repeats = bench->settings->repeats;
    struct sluice_choice choice[CHOICES];
    struct timed timed[CHOICES + 1] = {{.choice = sim->tuning.last, .is_auto = 1}};
    struct sluice_bench_loop row = {
        .name = name, .backend = &sim->backend, .times = {NULL, repeats, 1}};
    double look = sim->tuning.seconds, flops;
    const int count = 1 + list_choices(sim, choice);
    for (int k = 0; k < count; k++) {
        timed[k].seconds = seconds + k * repeats;
        if (k > 0)
            timed[k].choice = choice[k - 1];
    }
    row.particles = (double)(sim->count[SLUICE_FLUID] + sim->count[SLUICE_WALL]);
    row.held = (double)sluice_sim_memory(sim) / row.particles;
    SLUICE_TRY(sluice_sim_count_pairs(sim, &row.pairs, &flops));
    row.flops = row.pairs > 0 ? flops / row.pairs : 0;
    for (int round = 0; round < repeats; round++)
        SLUICE_TRY(measure(sim, timed, count, round, name));
    for (int k = 0; k < count; k++)
        if (!timed[k].left_out)
            print(bench, sim, &timed[k], &row);
    /* The time that auto took to choose, once. */
    row.variant = "look";
    row.times = (struct sluice_bench_times){&look, 1, 1};
    sluice_tune_use(sim, &timed[0].choice);
    sluice_bench_print_loop(bench, &row);
    return SLUICE_OK;
}

/* pair: replaces the config's pair, unless negative; bins stay those of Lennard-Jones, as the other
 * pairs know no spacing. */
static sluice_status measure_case(struct sluice_bench *bench, const char *text, const char *name,
                                  int pair)
{
    struct sluice_log log = {.terminal = stderr};
    struct sluice_bench_case c;
    struct sluice_sim sim;
    SLUICE_TRY(sluice_bench_case_create(&c, bench, text, name));
    c.config.backend.auto_cache = 0; /* the time of its measurements is measured here */
    if (pair >= 0)
        c.config.pair.index = pair;
    double *seconds = malloc((CHOICES + 1) * (size_t)bench->settings->repeats * sizeof *seconds);
    sluice_status status = sluice_sim_create(&sim, &c.config, &c.setup, &log);
    if (status == SLUICE_OK && !sim.tuning.is_auto)
        status = SLUICE_FAIL(SLUICE_BAD_INPUT, "bench auto compares all strategies with auto: "
                                               "without --strategy");
    if (status == SLUICE_OK && !seconds)
        status = SLUICE_FAIL(SLUICE_DEVICE, "no memory for the measurements");
    if (status == SLUICE_OK) {
        sluice_tune_begin(&sim, 1);
        status = sluice_sim_start(&sim);
    }
    if (status == SLUICE_OK)
        status = measure_all(bench, &sim, name, seconds);
    sluice_sim_destroy(&sim);
    free(seconds);
    sluice_bench_case_destroy(&c);
    return status;
}

/* --- Cubes of random atoms, as a config that starts from a temporary particle file --- */

static const char cube_text[] =
    "title = \"bench: random atoms\"; model = \"lj\"; units = \"lj\"; dimension = 3;\n"
    "domain = { min = [0.0, 0.0, 0.0]; max = [%d.0, %d.0, %d.0]; };\n"
    "particles = \"%s\"; pair = { name = \"lj\"; cutoff = 1.0; sigma = %.6f; };\n"
    "time = { step = 0.001; end = 1000.0; }; output = { every = 0.0; };\n";

static sluice_status write_atoms(const char *path, const struct sluice_bench_cube *cube)
{
    FILE *out = fopen(path, "we");
    SLUICE_CHECK(out, SLUICE_IO, "%s cannot be written: %s", path, strerror(errno));
    fputs("x,y,z\n", out);
    for (int64_t i = 0; i < cube->atoms; i++)
        fprintf(out, "%.17g,%.17g,%.17g\n", sluice_bench_random_place(i, 0, cube->edge),
                sluice_bench_random_place(i, 1, cube->edge),
                sluice_bench_random_place(i, 2, cube->edge));
    const int failed = ferror(out);
    SLUICE_CHECK(fclose(out) == 0 && !failed, SLUICE_IO, "%s could not be written in full", path);
    return SLUICE_OK;
}

static sluice_status run_cube(struct sluice_bench *bench, int k, const char *cube_name)
{
    const struct sluice_bench_cube cube = sluice_bench_cube_at(k);
    const char *temporary = getenv("TMPDIR");
    char text[SLUICE_BENCH_TEXT], name[64], folder[512], path[600];
    snprintf(folder, sizeof folder, "%s/sluice-bench-XXXXXX",
             temporary && *temporary ? temporary : "/tmp");
    SLUICE_CHECK(mkdtemp(folder), SLUICE_IO, "%s: the folder cannot be made: %s", folder,
                 strerror(errno));
    snprintf(path, sizeof path, "%s/atoms.csv", folder);
    snprintf(text, sizeof text, cube_text, cube.edge, cube.edge, cube.edge, path,
             1 / cbrt(cube.filling));
    sluice_status status = write_atoms(path, &cube);
    for (int p = 0; p < SLUICE_BENCH_CUBE_PAIRS && status == SLUICE_OK; p++) {
        const int pair = sluice_bench_cube_pairs[p];
        snprintf(name, sizeof name, "%s-%s", cube_name, sluice_pairs[pair].name);
        status = measure_case(bench, text, name, pair);
    }
    unlink(path);
    rmdir(folder);
    return status;
}

/* --- The cases: cubes, then configs --- */

static const char *case_name(const struct sluice_bench_settings *settings, int k, char text[32],
                             int *large)
{
    (void)settings;
    if (k < SLUICE_BENCH_CUBES)
        return sluice_bench_cube_name(k, text);
    *large = sluice_bench_configs[k - SLUICE_BENCH_CUBES].large;
    return sluice_bench_configs[k - SLUICE_BENCH_CUBES].name;
}

static sluice_status run(struct sluice_bench *bench, int k, const char *name)
{
    return k < SLUICE_BENCH_CUBES
               ? run_cube(bench, k, name)
               : measure_case(bench, sluice_bench_configs[k - SLUICE_BENCH_CUBES].text, name, -1);
}

const struct sluice_benchmark sluice_bench_auto = {"auto", 1, case_name, run};
