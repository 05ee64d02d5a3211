/* sluice bench: the pair loop alone, whole time steps, or all strategies; one CSV row a case. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "app/bench.h"
#include "app/read_config.h"
#include "kernels/registry.h"

enum { WARM_UP = 3, REPEATS_LEAST = 10 };

struct bench {
    const struct sluice_arguments *arguments;
    FILE *out;
    long long repeats, particles, after;
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
static sluice_status run_pairs(struct sluice_sim *sim)
{
    struct sluice_pass pass = {.name = "pair loop",
                               .pair = SLUICE_PAIR_wcsph_wendland,
                               .params = &sim->setup->wcsph,
                               .target = &sim->set[SLUICE_FLUID],
                               .source = {&sim->set[SLUICE_FLUID], NULL},
                               .energy = sim->model.energy};
    SLUICE_TRY(sim->backend.ops->interact(&sim->backend, &sim->grid, &pass));
    return sim->backend.ops->sync(&sim->backend);
}

/* Repeats `work`, first without looking at the clock. */
static sluice_status repeat(struct bench *bench, struct sluice_sim *sim,
                            sluice_status (*work)(struct sluice_sim *sim))
{
    double cpu_begun = 0.0;
    for (long long i = -bench->after; i < bench->repeats; i++) {
        if (i == 0)
            cpu_begun = processor_seconds();
        const double begun = sluice_seconds();
        SLUICE_TRY(work(sim));
        if (i >= 0)
            bench->seconds[i] = sluice_seconds() - begun;
    }
    bench->cpu_seconds = (processor_seconds() - cpu_begun) / (double)bench->repeats;
    return SLUICE_OK;
}

static sluice_status measure(struct bench *bench, const struct sluice_case *setup, const char *name,
                             int pairs_only)
{
    struct sluice_log log = {.terminal = stderr};
    struct sluice_sim sim;
    struct sluice_bench_row row = {.verb = pairs_only ? "pair" : "step",
                                   .name = name,
                                   .sim = &sim,
                                   .seconds = bench->seconds,
                                   .repeats = (int)bench->repeats};
    sluice_status status = sluice_sim_create(&sim, setup->config, setup, &log);
    if (status == SLUICE_OK)
        status = sluice_sim_start(&sim);
    if (status == SLUICE_OK)
        status = repeat(bench, &sim, pairs_only ? run_pairs : sluice_sim_step);
    if (status == SLUICE_OK)
        status = sluice_bench_count_pairs(&sim, &row.pairs);
    row.cpu_seconds = bench->cpu_seconds;
    if (status == SLUICE_OK)
        sluice_bench_print_row(bench->out, &row);
    sluice_sim_destroy(&sim);
    return status;
}

/* What is measured of a case. */
enum what { STEP, STEP_DISORDERED, PAIRS_DISORDERED };

static sluice_status run_case(struct bench *bench, const char *text, const char *name,
                              enum what what)
{
    struct sluice_overrides overrides;
    struct sluice_error_text errors;
    struct sluice_config config;
    struct sluice_case setup;
    SLUICE_TRY(sluice_overrides_make(&overrides, bench->arguments));
    SLUICE_TRY(sluice_error_text_open(&errors));
    sluice_status status = sluice_config_parse(&config, text, name, overrides.set, overrides.count,
                                               errors.stream);
    status = sluice_error_text_close(&errors, name, status);
    if (status != SLUICE_OK)
        return status;
    status = sluice_case_create(&setup, &config, NULL);
    if (status == SLUICE_OK) {
        if (what != STEP)
            status = sluice_bench_disorder(&setup);
        if (status == SLUICE_OK)
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

static sluice_status check_names(const struct bench *bench)
{
    const char *what = bench->arguments->positional[0];
    const int pairs = strcmp(what, "pair") == 0;
    if (strcmp(what, "strategies") == 0)
        return SLUICE_OK; /* its own cases */
    char known[256] = "";
    int found = 0;
    SLUICE_CHECK(pairs || strcmp(what, "step") == 0, SLUICE_BAD_INPUT,
                 "bench %s: it measures 'pair', 'step' or 'strategies'", what);
    for (size_t i = 0;
         pairs ? i < sizeof pair_cases / sizeof pair_cases[0] : sluice_bench_steps[i].name != NULL;
         i++) {
        const char *name = pairs ? pair_cases[i].name : sluice_bench_steps[i].name;
        found |= is_wanted(bench, name);
        const size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, "%s%s", used ? ", " : "", name);
    }
    if (!pairs) {
        found |= is_wanted(bench, cube_name);
        snprintf(known + strlen(known), sizeof known - strlen(known), ", %s", cube_name);
    }
    SLUICE_CHECK(found, SLUICE_BAD_INPUT, "bench %s has no case '%s': %s", what,
                 bench->arguments->positional[1], known);
    return SLUICE_OK;
}

static sluice_status run_bench(struct bench *bench)
{
    if (strcmp(bench->arguments->positional[0], "strategies") == 0)
        return sluice_bench_strategies(bench->arguments, bench->out, (int)bench->repeats);
    sluice_bench_print_header(bench->out);
    return strcmp(bench->arguments->positional[0], "pair") == 0 ? bench_pairs(bench)
                                                                : bench_steps(bench);
}

sluice_status sluice_verb_bench(const struct sluice_arguments *arguments)
{
    const char *path = arguments->value[SLUICE_OPTION_CSV];
    struct bench bench = {.arguments = arguments, .out = stdout};
    SLUICE_TRY(sluice_arguments_int(arguments, SLUICE_OPTION_REPEATS, REPEATS_LEAST, REPEATS_LEAST,
                                    &bench.repeats));
    SLUICE_TRY(
        sluice_arguments_int(arguments, SLUICE_OPTION_PARTICLES, 512, 216000, &bench.particles));
    SLUICE_TRY(
        sluice_arguments_int(arguments, SLUICE_OPTION_AFTER, WARM_UP, WARM_UP, &bench.after));
    SLUICE_TRY(check_names(&bench));
    bench.seconds = malloc((size_t)bench.repeats * sizeof *bench.seconds);
    SLUICE_CHECK(bench.seconds, SLUICE_DEVICE, "no memory for %lld measurements", bench.repeats);
    sluice_status status = SLUICE_OK;
    if (path && !(bench.out = fopen(path, "we")))
        status = SLUICE_FAIL(SLUICE_IO, "%s cannot be written: %s", path, strerror(errno));
    if (status == SLUICE_OK) {
        status = run_bench(&bench);
        const int lost = ferror(bench.out);
        if (path && (fclose(bench.out) != 0 || lost) && status == SLUICE_OK)
            status = SLUICE_FAIL(SLUICE_IO, "%s could not be written in full", path);
    }
    free(bench.seconds);
    return status;
}
