/* The list of benchmarks; runs the cases of one. */
#include "bench/bench.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "bench/benchmark.h"

static const struct sluice_benchmark *const benchmarks[] = {
    &sluice_bench_pair,   &sluice_bench_step,    &sluice_bench_scaling,
    &sluice_bench_split,  &sluice_bench_auto,    &sluice_bench_strategies,
    &sluice_bench_blocks, &sluice_bench_layouts, &sluice_bench_lists};
enum { BENCHMARKS = sizeof benchmarks / sizeof benchmarks[0] };

static const struct sluice_benchmark *find_benchmark(const char *name)
{
    for (int k = 0; k < BENCHMARKS; k++)
        if (strcmp(name, benchmarks[k]->name) == 0)
            return benchmarks[k];
    return NULL;
}

/* Lists the case names; returns whether `settings->only` is one of them, or NULL. */
static int list_cases(const struct sluice_benchmark *benchmark,
                      const struct sluice_bench_settings *settings, char names[SLUICE_BENCH_NAMES])
{
    char text[32];
    const char *name;
    int large, found = !settings->only;
    size_t used = 0;
    names[0] = '\0';
    for (int k = 0; (name = benchmark->case_name(settings, k, text, &large)); k++) {
        found |= settings->only && strcmp(settings->only, name) == 0;
        if (used < SLUICE_BENCH_NAMES)
            used += (size_t)snprintf(names + used, SLUICE_BENCH_NAMES - used, "%s%s",
                                     used ? ", " : "", name);
    }
    return found;
}

void sluice_bench_case_names(const char *name, char names[SLUICE_BENCH_NAMES])
{
    const struct sluice_bench_settings all = {.benchmark = name};
    const struct sluice_benchmark *benchmark = find_benchmark(name);
    names[0] = '\0';
    if (benchmark)
        list_cases(benchmark, &all, names);
}

static sluice_status check(const struct sluice_benchmark *benchmark,
                           const struct sluice_bench_settings *s)
{
    char names[SLUICE_BENCH_NAMES];
    SLUICE_CHECK(benchmark, SLUICE_BAD_INPUT,
                 "bench %s: it measures 'pair', 'step', 'scaling', 'split', 'strategies', 'auto', "
                 "'blocks', 'layouts' or 'lists'",
                 s->benchmark);
    SLUICE_CHECK(list_cases(benchmark, s, names), SLUICE_BAD_INPUT, "bench %s has no case '%s': %s",
                 s->benchmark, s->only, names);
    SLUICE_CHECK(benchmark->has_config || s->set_count == 0, SLUICE_BAD_INPUT,
                 "bench %s has no config that --set could change", s->benchmark);
    return SLUICE_OK;
}

static sluice_status run_cases(struct sluice_bench *bench, const struct sluice_benchmark *benchmark)
{
    const char *only = bench->settings->only, *name;
    char text[32];
    int large = 0;
    for (int k = 0; (name = benchmark->case_name(bench->settings, k, text, &large)); k++) {
        if (only ? strcmp(only, name) == 0 : !large)
            SLUICE_TRY(benchmark->run(bench, k, name));
        large = 0;
    }
    return SLUICE_OK;
}

sluice_status sluice_bench_run(const struct sluice_bench_settings *settings)
{
    const struct sluice_benchmark *benchmark = find_benchmark(settings->benchmark);
    const char *csv = settings->csv;
    struct sluice_bench bench = {.settings = settings, .out = stdout};
    SLUICE_TRY(check(benchmark, settings));
    bench.seconds = malloc((size_t)settings->repeats * sizeof *bench.seconds);
    SLUICE_CHECK(bench.seconds, SLUICE_DEVICE, "no memory for %d measurements", settings->repeats);
    sluice_status status = SLUICE_OK;
    if (csv && !(bench.out = fopen(csv, "we")))
        status = SLUICE_FAIL(SLUICE_IO, "%s cannot be written: %s", csv, strerror(errno));
    if (bench.out) {
        status = run_cases(&bench, benchmark);
        const int failed = ferror(bench.out);
        if (csv && (fclose(bench.out) != 0 || failed) && status == SLUICE_OK)
            status = SLUICE_FAIL(SLUICE_IO, "%s could not be written in full", csv);
    }
    free(bench.seconds);
    return status;
}
