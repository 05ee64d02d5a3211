/* sluice bench auto: times the choice that strategy `auto` makes and every choice one change away
 * from the fixed rule's: a sort and the forces of a step, for the cases of `bench step` and the
 * cubes of `bench strategies`. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/benchmark.h"
#include "core/allocate.h"
#include "kernels/registry.h"
#include "sim/tune.h"

enum { CHOICES = SLUICE_TUNE_CHOICES + 4 };

/* Every strategy, and `window` with bins coarser or finer across the rows, or along them. */
static int list_choices(const struct sluice_sim *sim, struct sluice_choice choice[CHOICES])
{
    int count = sluice_tune_choices(sim, choice);
    for (int finer = -1; finer <= 1; finer += 2)
        for (int x = 0; x <= 1; x++) {
            choice[count] = choice[0];
            count += sluice_tune_refine(sim, &choice[count], x ? finer : 0, x ? 0 : finer);
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
static sluice_status print(struct sluice_bench *bench, struct sluice_sim *sim,
                           const struct timed *t, const struct sluice_bench_loop *row)
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
    return sluice_bench_print_loop(bench, &one);
}

/* seconds: [CHOICES + 1][repeats] */
static sluice_status measure_all(struct sluice_bench *bench, const char *name, double *seconds)
{
    struct sluice_sim *sim = &bench->sim;
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
            SLUICE_TRY(print(bench, sim, &timed[k], &row));
    /* The time that auto took to choose, once. */
    row.variant = "look";
    row.times = (struct sluice_bench_times){&look, 1, 1};
    sluice_tune_use(sim, &timed[0].choice);
    return sluice_bench_print_loop(bench, &row);
}

static sluice_status measure_case(struct sluice_bench *bench, const char *name)
{
    const char *strategy = bench->config.backend.strategy;
    double *seconds;
    bench->config.backend.auto_cache = 0; /* the time of its measurements is measured here */
    SLUICE_CHECK(!*strategy || strcmp(strategy, "auto") == 0, SLUICE_BAD_INPUT,
                 "bench auto compares all strategies with auto: without --strategy");
    SLUICE_TRY(sluice_bench_start(bench, 1));
    SLUICE_ALLOCATE(seconds, (CHOICES + 1) * bench->settings->repeats, "measurements");
    const sluice_status status = measure_all(bench, name, seconds);
    free(seconds);
    return status;
}

/* --- Cubes of random atoms --- */

/* A lattice gives the number of atoms; place_atoms gives their places and the cube, of cells a
 * cutoff wide. Some are very near to each other: with a cutoff of 1 their forces would exceed a
 * float. */
static const double cutoff = 4;
static const char cube_text[] =
    "title = \"bench: random atoms\"; model = \"lj\"; units = \"lj\"; dimension = 3;\n"
    "lattice = { kind = \"cubic\"; cells = [%d, %d, %d]; density = 0.001; };\n"
    "thermal = { temperature = 0.0; }; pair = { name = \"lj\"; cutoff = %g; sigma = %.6f; };\n"
    "domain = { periodic = [false, false, false]; };\n"
    "time = { step = 0.001; end = 1000.0; }; output = { every = 0.0; }; energy = { every = 0; };\n";

static sluice_status place_atoms(const struct sluice_config *config, struct sluice_case *setup,
                                 double edge)
{
    struct sluice_start *atoms = &setup->start[SLUICE_FLUID];
    struct sluice_grid grid;
    double x[3];
    for (int c = 0; c < 3; c++) {
        setup->grid.high[c] = edge;
        setup->grid.periodic[c] = config->domain.periodic[c]; /* lattices are always periodic */
    }
    SLUICE_TRY(sluice_grid_create(&grid, &setup->grid));
    for (int64_t i = 0; i < atoms->count; i++) {
        sluice_bench_random_place(i, edge, x);
        sluice_grid_place(&grid, x, &atoms->place[i]);
    }
    sluice_grid_destroy(&grid);
    return SLUICE_OK;
}

/* The bins stay those of Lennard-Jones, as the other pairs know no spacing. */
static sluice_status run_cube(struct sluice_bench *bench, int k, const char *cube_name)
{
    char name[64];
    SLUICE_TRY(place_atoms(&bench->config, &bench->setup, cutoff * sluice_bench_cube_at(k).edge));
    for (int p = 0; p < SLUICE_BENCH_CUBE_PAIRS; p++) {
        bench->config.pair.index = sluice_bench_cube_pairs[p];
        snprintf(name, sizeof name, "%s-%s", cube_name,
                 sluice_pairs[sluice_bench_cube_pairs[p]].name);
        SLUICE_TRY(measure_case(bench, name));
    }
    return SLUICE_OK;
}

/* --- The cases: cubes, then configs --- */

static int find_case(const struct sluice_bench_settings *settings, int k,
                     struct sluice_bench_case *found)
{
    (void)settings;
    if (!sluice_bench_name_cube(k, found))
        return sluice_bench_find_config(k - SLUICE_BENCH_CUBES, found) && found->config;
    const struct sluice_bench_cube cube = sluice_bench_cube_at(k);
    snprintf(found->made_config, sizeof found->made_config, cube_text, cube.edge, cube.edge,
             cube.edge * cube.filling, cutoff, cutoff / cbrt(cube.filling));
    found->config = found->made_config;
    return 1;
}

static sluice_status run(struct sluice_bench *bench, int k, const char *name)
{
    return k < SLUICE_BENCH_CUBES ? run_cube(bench, k, name) : measure_case(bench, name);
}

const struct sluice_benchmark sluice_bench_auto = {"auto", find_case, run};
