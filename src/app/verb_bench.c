/* sluice bench: the pair loop alone, whole time steps, and what compares ways of doing it; one CSV
 * row a case. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench/bench.h"
#include "app/read_config.h"
#include "kernels/registry.h"

enum {
    PARTICLES = 216000,
    WARM_UP = 3,
    REPEATS_LEAST = 10,
    STEPS_FOR_SECTIONS = 32,
    SECTIONS_SAMPLES = 8
};
static const double long_enough = 1; /* s: for the sections, once one step is known */

/* Where not every step sorts, what is measured is the mean of so many. */
enum { STEPS_A_REPEAT = 16 };

struct bench {
    const struct sluice_arguments *arguments;
    FILE *out;
    long long repeats, particles, after;
    int pair;           /* of atoms, in the place of the config's; -1: that */
    double *seconds;    /* [repeats] */
    double cpu_seconds; /* of all threads, the mean of the repetitions */
};

static double processor_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* The force of the fluid alone, as a step would run it: energies on. */
static struct sluice_pass fluid_pass(struct sluice_sim *sim)
{
    const struct sluice_pass pass = {.name = "pair loop",
                                     .pair = SLUICE_PAIR_wcsph_wendland,
                                     .params = &sim->setup->physics.wcsph,
                                     .target = &sim->set[SLUICE_FLUID],
                                     .source = {&sim->set[SLUICE_FLUID], NULL},
                                     .energy = sim->model.energy};
    return pass;
}

static sluice_status run_pairs(struct sluice_sim *sim)
{
    struct sluice_pass pass = fluid_pass(sim);
    SLUICE_TRY(sim->backend.ops->interact(&sim->backend, &sim->grid, &pass));
    return sim->backend.ops->sync(&sim->backend);
}

/* Does `work` so often; the mean of the seconds. */
static sluice_status time_work(struct sluice_sim *sim,
                               sluice_status (*work)(struct sluice_sim *sim), long long times,
                               double *seconds)
{
    const double begun = sluice_seconds();
    for (long long k = 0; k < times; k++)
        SLUICE_TRY(work(sim));
    *seconds = (sluice_seconds() - begun) / (double)times;
    return SLUICE_OK;
}

/* Repeats `work`, first without looking at the clock. */
static sluice_status repeat(struct bench *bench, struct sluice_sim *sim,
                            sluice_status (*work)(struct sluice_sim *sim))
{
    double last = 0;
    for (long long i = 0; i < bench->after; i++)
        SLUICE_TRY(time_work(sim, work, 1, &last));
    const long long times = work == sluice_sim_step && sluice_sim_keeps_order(sim) ? STEPS_A_REPEAT
                                                                                   : 1;
    const double cpu_begun = processor_seconds();
    for (long long i = 0; i < bench->repeats; i++)
        SLUICE_TRY(time_work(sim, work, times, &bench->seconds[i]));
    bench->cpu_seconds = (processor_seconds() - cpu_begun) / (double)(times * bench->repeats);
    return SLUICE_OK;
}

/* The seconds of the steps by section, in proportion: on the host's clock of all of them, on a
 * device's of the next ones that it takes the time of, of one where steps are long. */
static sluice_status find_sections(struct sluice_sim *sim, double section[SLUICE_SECTION_COUNT])
{
    const int64_t timed = sim->timed_steps;
    double before[SLUICE_SECTION_COUNT] = {0};
    if (sim->backend.ops->elapsed) {
        memcpy(before, sim->device_seconds, sizeof before);
        const double begun = sluice_seconds();
        for (int k = 0; sim->timed_steps == timed || sluice_seconds() - begun < long_enough; k++) {
            if (k >= STEPS_FOR_SECTIONS * SECTIONS_SAMPLES ||
                sim->timed_steps >= timed + SECTIONS_SAMPLES)
                break;
            SLUICE_TRY(sluice_sim_step(sim));
        }
    }
    for (int s = 0; s < SLUICE_SECTION_COUNT; s++)
        section[s] = (sim->backend.ops->elapsed ? sim->device_seconds : sim->timers.seconds)[s] -
                     before[s];
    return SLUICE_OK;
}

/* What the row says beside the seconds. */
static sluice_status find_work(struct sluice_sim *sim, struct sluice_bench_row *row, int pairs_only)
{
    double all_flops;
    if (pairs_only) {
        const struct sluice_pass pass = fluid_pass(sim);
        row->moved = sluice_bench_moved(&pass);
    } else {
        SLUICE_TRY(find_sections(sim, row->section));
        row->moved = (double)sluice_sim_memory(sim); /* each byte once */
    }
    SLUICE_TRY(sluice_bench_count_pairs(sim, &row->pairs, &all_flops));
    row->flops = all_flops;
    return SLUICE_OK;
}

static sluice_status measure(struct bench *bench, const struct sluice_case *setup, const char *name,
                             int pairs_only)
{
    struct sluice_log log = {.terminal = stderr};
    struct sluice_sim sim;
    struct sluice_bench_row row = {.verb = bench->arguments->positional[0],
                                   .name = name,
                                   .sim = &sim,
                                   .seconds = bench->seconds,
                                   .repeats = (int)bench->repeats};
    const char *strategy = bench->arguments->value[SLUICE_OPTION_STRATEGY];
    sluice_status status = sluice_sim_create(&sim, setup->config, setup, &log);
    if (status == SLUICE_OK && strategy && strcmp(strategy, "auto") == 0)
        sluice_tune_begin(&sim, 1);
    if (status == SLUICE_OK)
        status = sluice_sim_start(&sim);
    if (status == SLUICE_OK)
        status = repeat(bench, &sim, pairs_only ? run_pairs : sluice_sim_step);
    if (status == SLUICE_OK)
        status = find_work(&sim, &row, pairs_only);
    row.cpu_seconds = bench->cpu_seconds;
    if (status == SLUICE_OK)
        sluice_bench_print_row(bench->out, &row);
    sluice_sim_destroy(&sim);
    return status;
}

/* What is measured of a case. */
enum what { STEP, STEP_DISORDERED, PAIRS_DISORDERED, SPLIT, AUTO };

static sluice_status run_case(struct bench *bench, const char *text, const char *name,
                              enum what what)
{
    struct sluice_overrides overrides;
    struct sluice_error_text errors;
    struct sluice_config config;
    struct sluice_case setup;
    SLUICE_TRY(sluice_overrides_make(&overrides, bench->arguments));
    SLUICE_TRY(sluice_error_text_open(&errors, bench->arguments));
    sluice_status status = sluice_config_parse(&config, text, name, overrides.set, overrides.count,
                                               errors.stream);
    status = sluice_error_text_close(&errors, name, status, NULL);
    if (status != SLUICE_OK)
        return status;
    status = sluice_case_create(&setup, &config, NULL);
    if (bench->pair >= 0) /* with bins as Lennard-Jones has them: the others know no spacing */
        config.pair.index = bench->pair;
    config.backend.auto_cache &= what != AUTO; /* its looks are what is measured */
    if (status == SLUICE_OK) {
        if (what == STEP_DISORDERED || what == PAIRS_DISORDERED)
            status = sluice_bench_disorder(&setup);
        if (status == SLUICE_OK && what == SPLIT)
            status = sluice_bench_split(&setup, name, bench->out, bench->seconds,
                                        (int)bench->repeats);
        else if (status == SLUICE_OK && what == AUTO)
            status = sluice_bench_auto(&setup, name, bench->out, (int)bench->repeats);
        else if (status == SLUICE_OK)
            status = measure(bench, &setup, name, what == PAIRS_DISORDERED);
        sluice_case_destroy(&setup);
    }
    sluice_config_destroy(&config);
    return status;
}

/* Neighbours by h over dp: 58, 113 and 267 within 2 h. */
static const struct {
    const char *name;
    double h_over_dp;
} pair_cases[] = {{"h1.2", 1.2}, {"h1.5", 1.5}, {"h2.0", 2.0}};

/* Whether a case was asked for: by its name, or all of them. */
static int is_wanted(const struct bench *bench, const char *name)
{
    return bench->arguments->positional_count < 2 ||
           strcmp(bench->arguments->positional[1], name) == 0;
}

static sluice_status bench_pairs(struct bench *bench)
{
    char text[SLUICE_BENCH_TEXT];
    for (size_t i = 0; i < sizeof pair_cases / sizeof pair_cases[0]; i++) {
        if (!is_wanted(bench, pair_cases[i].name))
            continue;
        sluice_bench_cube(text, bench->particles, pair_cases[i].h_over_dp);
        SLUICE_TRY(run_case(bench, text, pair_cases[i].name, PAIRS_DISORDERED));
    }
    return SLUICE_OK;
}

static const char cube_name[] = "cube"; /* the block of the pair cases, as steps */

static sluice_status bench_steps(struct bench *bench)
{
    const int all = bench->arguments->positional_count < 2;
    char text[SLUICE_BENCH_TEXT];
    for (const struct sluice_bench_case *step = sluice_bench_steps; step->name; step++) {
        if (is_wanted(bench, step->name) && !(all && step->large))
            SLUICE_TRY(run_case(bench, step->text, step->name, STEP));
    }
    if (all || !is_wanted(bench, cube_name))
        return SLUICE_OK;
    sluice_bench_cube(text, bench->particles, 2.0);
    return run_case(bench, text, cube_name, STEP_DISORDERED);
}

/* Steps of the block, four times as many particles each, up to --particles. */
static sluice_status bench_scaling(struct bench *bench)
{
    char text[SLUICE_BENCH_TEXT], name[32];
    for (long long n = 4000; n <= bench->particles + bench->particles / 4; n *= 4) {
        sluice_bench_cube(text, n, 2.0);
        snprintf(name, sizeof name, "n%lld", n);
        if (is_wanted(bench, name))
            SLUICE_TRY(run_case(bench, text, name, STEP_DISORDERED));
    }
    return SLUICE_OK;
}

/* The cases of SPHERIC test 2. */
static sluice_status bench_split(struct bench *bench)
{
    const int all = bench->arguments->positional_count < 2;
    sluice_bench_print_loop_header(bench->out);
    for (const struct sluice_bench_case *step = sluice_bench_steps; step->name; step++)
        if (strncmp(step->name, "spheric-2", 9) == 0 && is_wanted(bench, step->name) &&
            !(all && step->large))
            SLUICE_TRY(run_case(bench, step->text, step->name, SPLIT));
    return SLUICE_OK;
}

/* The pairs in a cube of atoms. */
static sluice_status bench_auto_cube(struct bench *bench, int box, int filling)
{
    struct sluice_bench_atoms_file file;
    char text[SLUICE_BENCH_TEXT], cube[32], name[64];
    sluice_bench_cube_name(box, filling, cube);
    if (!is_wanted(bench, cube))
        return SLUICE_OK;
    sluice_status status = sluice_bench_atoms_write(&file, box, filling);
    if (status == SLUICE_OK)
        sluice_bench_atoms_text(&file, text);
    for (int k = 0; k < SLUICE_BENCH_CUBE_PAIRS && status == SLUICE_OK; k++) {
        bench->pair = sluice_bench_cube_pairs[k];
        snprintf(name, sizeof name, "%s-%s", cube, sluice_pairs[bench->pair].name);
        status = run_case(bench, text, name, AUTO);
    }
    bench->pair = -1;
    sluice_bench_atoms_remove(&file);
    return status;
}

/* The cubes of `strategies`, and the steps' cases. */
static sluice_status bench_auto(struct bench *bench)
{
    const int all = bench->arguments->positional_count < 2;
    sluice_bench_print_loop_header(bench->out);
    for (int f = 0; f < SLUICE_BENCH_FILLINGS; f++)
        for (int b = 0; b < SLUICE_BENCH_BOXES; b++)
            SLUICE_TRY(bench_auto_cube(bench, sluice_bench_boxes[b], sluice_bench_fillings[f]));
    for (const struct sluice_bench_case *step = sluice_bench_steps; step->name; step++)
        if (is_wanted(bench, step->name) && !(all && step->large))
            SLUICE_TRY(run_case(bench, step->text, step->name, AUTO));
    return SLUICE_OK;
}

static sluice_status bench_strategies(struct bench *bench)
{
    return sluice_bench_strategies(bench->arguments, bench->out, (int)bench->repeats);
}

static sluice_status bench_loops(struct bench *bench)
{
    return sluice_bench_loops(bench->arguments, bench->out, (int)bench->repeats);
}

/* Adds a case's name to those known. */
static void know(const struct bench *bench, char known[SLUICE_BENCH_NAMES], const char *name,
                 int *found)
{
    const size_t used = strlen(known);
    snprintf(known + used, SLUICE_BENCH_NAMES - used, "%s%s", used ? ", " : "", name);
    *found |= is_wanted(bench, name);
}

static void know_pairs(const struct bench *bench, char known[SLUICE_BENCH_NAMES], int *found)
{
    for (size_t i = 0; i < sizeof pair_cases / sizeof pair_cases[0]; i++)
        know(bench, known, pair_cases[i].name, found);
}

static void know_steps(const struct bench *bench, char known[SLUICE_BENCH_NAMES], int *found)
{
    for (int i = 0; sluice_bench_steps[i].name; i++)
        know(bench, known, sluice_bench_steps[i].name, found);
    know(bench, known, cube_name, found);
}

static void know_splits(const struct bench *bench, char known[SLUICE_BENCH_NAMES], int *found)
{
    for (int i = 0; sluice_bench_steps[i].name; i++)
        if (strncmp(sluice_bench_steps[i].name, "spheric-2", 9) == 0)
            know(bench, known, sluice_bench_steps[i].name, found);
}

static void know_cubes(const struct bench *bench, char known[SLUICE_BENCH_NAMES], int *found)
{
    char name[32];
    for (int f = 0; f < SLUICE_BENCH_FILLINGS; f++)
        for (int b = 0; b < SLUICE_BENCH_BOXES; b++) {
            sluice_bench_cube_name(sluice_bench_boxes[b], sluice_bench_fillings[f], name);
            know(bench, known, name, found);
        }
}

static void know_auto(const struct bench *bench, char known[SLUICE_BENCH_NAMES], int *found)
{
    know_cubes(bench, known, found);
    for (int i = 0; sluice_bench_steps[i].name; i++)
        know(bench, known, sluice_bench_steps[i].name, found);
}

static void know_loops(const struct bench *bench, char known[SLUICE_BENCH_NAMES], int *found)
{
    for (int i = 0; sluice_bench_loop_name(i); i++)
        know(bench, known, sluice_bench_loop_name(i), found);
}

static void know_scaling(const struct bench *bench, char known[SLUICE_BENCH_NAMES], int *found)
{
    char name[32];
    for (long long n = 4000; n <= bench->particles + bench->particles / 4; n *= 4) {
        snprintf(name, sizeof name, "n%lld", n);
        know(bench, known, name, found);
    }
}

/* The sub-benchmarks; know: lists the cases that there are. */
static const struct sub {
    const char *name;
    sluice_status (*run)(struct bench *bench);
    void (*know)(const struct bench *bench, char known[SLUICE_BENCH_NAMES], int *found);
    int rows; /* rows of steps and of pair loops, whose header comes first */
} subs[] = {
    {"pair", bench_pairs, know_pairs, 1},        {"step", bench_steps, know_steps, 1},
    {"scaling", bench_scaling, know_scaling, 1}, {"split", bench_split, know_splits, 0},
    {"auto", bench_auto, know_auto, 0},          {"strategies", bench_strategies, know_cubes, 0},
    {"blocks", bench_loops, know_loops, 0},      {"layouts", bench_loops, know_loops, 0},
    {"lists", bench_loops, know_loops, 0}};

void sluice_bench_names(const char *what, char known[SLUICE_BENCH_NAMES])
{
    static const struct sluice_arguments none;
    const struct bench bench = {.arguments = &none, .particles = PARTICLES};
    int found;
    known[0] = 0;
    for (size_t k = 0; k < sizeof subs / sizeof subs[0]; k++)
        if (strcmp(what, subs[k].name) == 0)
            subs[k].know(&bench, known, &found);
}

static sluice_status find_sub(const struct bench *bench, const struct sub **sub)
{
    const char *what = bench->arguments->positional[0];
    char known[SLUICE_BENCH_NAMES] = "";
    int found = 0;
    *sub = NULL;
    for (size_t k = 0; k < sizeof subs / sizeof subs[0]; k++)
        if (strcmp(what, subs[k].name) == 0)
            *sub = &subs[k];
    SLUICE_CHECK(*sub, SLUICE_BAD_INPUT,
                 "bench %s: it measures 'pair', 'step', 'scaling', 'split', 'strategies', 'auto', "
                 "'blocks', 'layouts' or 'lists'",
                 what);
    (*sub)->know(bench, known, &found);
    SLUICE_CHECK(found, SLUICE_BAD_INPUT, "bench %s has no case '%s': %s", what,
                 bench->arguments->positional_count > 1 ? bench->arguments->positional[1] : "",
                 known);
    return SLUICE_OK;
}

sluice_status sluice_verb_bench(const struct sluice_arguments *arguments)
{
    const char *path = arguments->value[SLUICE_OPTION_CSV];
    struct bench bench = {.arguments = arguments, .out = stdout, .pair = -1};
    const struct sub *sub;
    SLUICE_TRY(sluice_arguments_int(arguments, SLUICE_OPTION_REPEATS, REPEATS_LEAST, REPEATS_LEAST,
                                    &bench.repeats));
    SLUICE_TRY(
        sluice_arguments_int(arguments, SLUICE_OPTION_PARTICLES, 512, PARTICLES, &bench.particles));
    SLUICE_TRY(
        sluice_arguments_int(arguments, SLUICE_OPTION_AFTER, WARM_UP, WARM_UP, &bench.after));
    SLUICE_TRY(find_sub(&bench, &sub));
    bench.seconds = malloc((size_t)bench.repeats * sizeof *bench.seconds);
    SLUICE_CHECK(bench.seconds, SLUICE_DEVICE, "no memory for %lld measurements", bench.repeats);
    sluice_status status = SLUICE_OK;
    if (path && !(bench.out = fopen(path, "we")))
        status = SLUICE_FAIL(SLUICE_IO, "%s cannot be written: %s", path, strerror(errno));
    if (status == SLUICE_OK) {
        if (sub->rows)
            sluice_bench_print_header(bench.out);
        status = sub->run(&bench);
        const int lost = ferror(bench.out);
        if (path && (fclose(bench.out) != 0 || lost) && status == SLUICE_OK)
            status = SLUICE_FAIL(SLUICE_IO, "%s could not be written in full", path);
    }
    free(bench.seconds);
    return status;
}
