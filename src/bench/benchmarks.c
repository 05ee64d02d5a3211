/* The list of benchmarks; runs the cases of one. */
#include "bench/bench.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "bench/benchmark.h"
#include "core/free_memory.h"
#include "core/processors.h"
#include "core/version.h"

static const struct sluice_benchmark *const benchmarks[] = {
    &sluice_bench_machine,  &sluice_bench_pair,  &sluice_bench_step,       &sluice_bench_scaling,
    &sluice_bench_split,    &sluice_bench_auto,  &sluice_bench_strategies, &sluice_bench_blocks,
    &sluice_bench_layouts,  &sluice_bench_lists, &sluice_bench_claims,     &sluice_bench_scans,
    &sluice_bench_contrast, &sluice_bench_sph};
enum { BENCHMARKS = sizeof benchmarks / sizeof benchmarks[0] };

static const struct sluice_benchmark *find_benchmark(const char *name)
{
    for (int k = 0; k < BENCHMARKS; k++)
        if (strcmp(name, benchmarks[k]->name) == 0)
            return benchmarks[k];
    return NULL;
}

static int find_case(const struct sluice_benchmark *benchmark,
                     const struct sluice_bench_settings *settings, int k,
                     struct sluice_bench_case *found)
{
    memset(found, 0, sizeof *found);
    return benchmark->find_case(settings, k, found);
}

/* Lists the case names; returns whether `settings->only` is one of them, or NULL. */
static int list_cases(const struct sluice_benchmark *benchmark,
                      const struct sluice_bench_settings *settings, char names[SLUICE_BENCH_NAMES])
{
    struct sluice_bench_case c;
    int found = !settings->only;
    size_t used = 0;
    names[0] = '\0';
    for (int k = 0; find_case(benchmark, settings, k, &c); k++) {
        found |= settings->only && strcmp(settings->only, c.name) == 0;
        if (used < SLUICE_BENCH_NAMES)
            used += (size_t)snprintf(names + used, SLUICE_BENCH_NAMES - used, "%s%s",
                                     used ? ", " : "", c.name);
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

static int is_run(const struct sluice_bench_settings *s, const struct sluice_bench_case *c)
{
    return s->only ? strcmp(s->only, c->name) == 0 : !c->large;
}

static sluice_status check(const struct sluice_benchmark *benchmark,
                           const struct sluice_bench_settings *s)
{
    char names[SLUICE_BENCH_NAMES];
    struct sluice_bench_case c;
    SLUICE_CHECK(benchmark, SLUICE_BAD_INPUT,
                 "bench %s: it measures 'machine', 'pair', 'step', 'scaling', 'split', "
                 "'strategies', 'sph', 'auto', "
                 "'blocks', 'layouts', 'lists', 'claims', 'scans' or 'contrast'",
                 s->benchmark);
    SLUICE_CHECK(list_cases(benchmark, s, names), SLUICE_BAD_INPUT, "bench %s has no case '%s': %s",
                 s->benchmark, s->only, names);
    for (int k = 0; s->set_count > 0 && find_case(benchmark, s, k, &c); k++)
        SLUICE_CHECK(c.config || !is_run(s, &c), SLUICE_BAD_INPUT,
                     "bench %s %s has no config that --set could change", s->benchmark, c.name);
    return SLUICE_OK;
}

static sluice_status run_config(struct sluice_bench *bench,
                                const struct sluice_benchmark *benchmark, int k,
                                const struct sluice_bench_case *c)
{
    const struct sluice_bench_settings *settings = bench->settings;
    SLUICE_TRY(settings->parse(settings->parse_data, c->config, c->name, &bench->config));
    sluice_status status = sluice_case_create(&bench->setup, &bench->config, NULL);
    if (status == SLUICE_OK)
        status = benchmark->run(bench, k, c->name);
    sluice_sim_destroy(&bench->sim);
    sluice_case_destroy(&bench->setup);
    sluice_config_destroy(&bench->config);
    return status;
}

static sluice_status run_case(struct sluice_bench *bench, const struct sluice_benchmark *benchmark,
                              int k, const struct sluice_bench_case *c)
{
    if (c->config)
        return run_config(bench, benchmark, k, c);
    SLUICE_TRY(sluice_backend_open(&bench->backend, &bench->settings->backend));
    const sluice_status status = benchmark->run(bench, k, c->name);
    sluice_backend_close(&bench->backend);
    return status;
}

static sluice_status run_cases(struct sluice_bench *bench, const struct sluice_benchmark *benchmark)
{
    struct sluice_bench_case c;
    for (int k = 0; find_case(benchmark, bench->settings, k, &c); k++)
        if (is_run(bench->settings, &c))
            SLUICE_TRY(run_case(bench, benchmark, k, &c));
    return SLUICE_OK;
}

/* Runs the cases; their rows also become a JSON object on standard output, if that was asked for.
 */
static sluice_status run_with_json(struct sluice_bench *bench,
                                   const struct sluice_benchmark *benchmark)
{
    if (!bench->settings->json)
        return run_cases(bench, benchmark);
    sluice_json_begin(&bench->json, NULL, '{');
    sluice_json_text(&bench->json, "verb", "bench");
    sluice_json_text(&bench->json, "bench", benchmark->name);
    sluice_json_text(&bench->json, "version", sluice_version.version);
    sluice_json_int(&bench->json, "processors", sluice_processors_usable());
    sluice_json_real(&bench->json, "free_memory_bytes", sluice_free_memory());
    sluice_json_begin(&bench->json, "rows", '[');
    const sluice_status status = run_cases(bench, benchmark);
    sluice_json_end(&bench->json, '[');
    sluice_json_end(&bench->json, '{');
    return status;
}

sluice_status sluice_bench_run(const struct sluice_bench_settings *settings)
{
    const struct sluice_benchmark *benchmark = find_benchmark(settings->benchmark);
    const char *csv = settings->csv;
    struct sluice_bench bench = {.settings = settings,
                                 .out = settings->json ? NULL : stdout,
                                 .json = {.out = stdout},
                                 .log = {.terminal = stderr}};
    SLUICE_TRY(check(benchmark, settings));
    if (csv)
        SLUICE_CHECK(bench.out = fopen(csv, "we"), SLUICE_IO, "%s cannot be written: %s", csv,
                     strerror(errno));
    bench.seconds = malloc((size_t)settings->repeats * sizeof *bench.seconds);
    sluice_status status = bench.seconds
                               ? run_with_json(&bench, benchmark)
                               : SLUICE_FAIL(SLUICE_DEVICE, "no memory for %d measurements",
                                             settings->repeats);
    free(bench.seconds);
    const int failed = bench.out && ferror(bench.out);
    if (csv && (fclose(bench.out) != 0 || failed) && status == SLUICE_OK)
        status = SLUICE_FAIL(SLUICE_IO, "%s could not be written in full", csv);
    return status;
}
