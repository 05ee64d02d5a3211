/* sluice bench: the command line of the benchmarks (src/bench). */
#include <stdlib.h>
#include <string.h>

#include "app/config_from_options.h"
#include "app/verbs.h"
#include "bench/bench.h"
#include "plan/plan.h"

static sluice_status parse(const void *arguments, const char *text, const char *name,
                           struct sluice_config *config)
{
    struct sluice_config_options o;
    SLUICE_TRY(sluice_config_options_begin(&o, arguments));
    const sluice_status status = sluice_config_parse(config, text, name, o.set, o.count,
                                                     o.messages);
    return sluice_config_options_end(&o, status, name, NULL);
}

/* On the machine of the plan that is of the simulation's kind. */
static sluice_status predict(const struct sluice_sim *sim, int ranks, const char **machine,
                             double *seconds)
{
    const int m = sluice_machine_of_kind(!sim->backend.ops->on_host);
    const struct sluice_plan_options options = {.machine = &sluice_machines[m], .ranks = ranks};
    struct sluice_plan plan;
    *machine = options.machine->name;
    const sluice_status status = sluice_plan_create(&plan, sim, &options);
    if (status == SLUICE_OK)
        *seconds = sluice_plan_summarise(&plan).seconds;
    sluice_plan_destroy(&plan);
    return status;
}

static const char *benchmark_of(const struct sluice_arguments *arguments)
{
    return arguments->positional_count > 0 ? arguments->positional[0] : "machine";
}

/* Only `bench scaling --ranks` measures ranks. */
static sluice_status check_ranks(const struct sluice_arguments *arguments, int count)
{
    SLUICE_CHECK(count == 0 || strcmp(benchmark_of(arguments), "scaling") == 0, SLUICE_BAD_INPUT,
                 "bench %s: only `bench scaling` has --ranks", benchmark_of(arguments));
    SLUICE_CHECK(count > 0 || !arguments->given[SLUICE_OPTION_WEAK], SLUICE_BAD_INPUT,
                 "--weak is for `bench scaling --ranks N,...`");
    return SLUICE_OK;
}

enum { SHARED_MOST = 1024 }; /* KiB: more than any GPU gives a block */

/* Only `bench strategies` compares with the published times. *softening: 0 if none is given. */
static sluice_status check_strategies(const struct sluice_arguments *arguments, double *softening)
{
    const char *text = arguments->value[SLUICE_OPTION_SOFTENING];
    SLUICE_CHECK(strcmp(benchmark_of(arguments), "strategies") == 0 ||
                     !(arguments->given[SLUICE_OPTION_ALL_CANDIDATES] ||
                       arguments->given[SLUICE_OPTION_SHARED] || text),
                 SLUICE_BAD_INPUT,
                 "--all-candidates, --softening and --shared are for `bench strategies`");
    SLUICE_CHECK(!arguments->given[SLUICE_OPTION_GHOST_THREADS] ||
                     arguments->given[SLUICE_OPTION_ALL_CANDIDATES],
                 SLUICE_BAD_INPUT, "--ghost-threads is for `bench strategies --all-candidates`");
    *softening = 0;
    if (text) {
        char *end;
        *softening = strtod(text, &end);
        SLUICE_CHECK(end != text && !*end && *softening >= 0 && *softening <= 1, SLUICE_BAD_INPUT,
                     "--softening %s: a number from 0 to 1, in cutoffs", text);
    }
    return SLUICE_OK;
}

sluice_status sluice_verb_bench(const struct sluice_arguments *arguments)
{
    const char *precision = arguments->value[SLUICE_OPTION_PRECISION];
    long long repeats, warm_up, threads, particles, shared;
    double softening;
    int ranks[SLUICE_LIST_MAX], rank_count;
    SLUICE_TRY(sluice_arguments_ints(arguments, SLUICE_OPTION_RANKS, 1, SLUICE_PLAN_RANKS_MOST,
                                     ranks, &rank_count));
    SLUICE_TRY(check_ranks(arguments, rank_count));
    SLUICE_TRY(sluice_arguments_int(arguments, SLUICE_OPTION_REPEATS, rank_count ? 1 : 10,
                                    rank_count ? 3 : 10, &repeats));
    SLUICE_TRY(sluice_arguments_int(arguments, SLUICE_OPTION_PARTICLES, 512, 0, &particles));
    SLUICE_TRY(sluice_arguments_int(arguments, SLUICE_OPTION_AFTER, 3, 3, &warm_up));
    SLUICE_TRY(sluice_arguments_int(arguments, SLUICE_OPTION_THREADS, 0, 0, &threads));
    SLUICE_TRY(sluice_arguments_int(arguments, SLUICE_OPTION_SHARED, 0, 48, &shared));
    SLUICE_CHECK(shared <= SHARED_MOST, SLUICE_BAD_INPUT, "--shared %lld: at most %d KiB", shared,
                 (int)SHARED_MOST);
    SLUICE_TRY(check_strategies(arguments, &softening));
    SLUICE_CHECK(!precision || strcmp(precision, "float") == 0 || strcmp(precision, "double") == 0,
                 SLUICE_BAD_INPUT, "--precision %s: float or double", precision);
    const struct sluice_bench_settings settings = {
        .benchmark = benchmark_of(arguments),
        .only = arguments->positional[1],
        .csv = arguments->value[SLUICE_OPTION_CSV],
        .repeats = (int)repeats,
        .warm_up = (int)warm_up,
        .particles = particles,
        .parse = parse,
        .parse_data = arguments,
        .backend = {.name = arguments->value[SLUICE_OPTION_BACKEND],
                    .strategy = arguments->value[SLUICE_OPTION_STRATEGY],
                    .real_bytes = precision && strcmp(precision, "double") == 0 ? 8 : 4,
                    .threads = (int)threads,
                    .published = arguments->given[SLUICE_OPTION_GHOST_THREADS]
                                     ? SLUICE_PUBLISHED_GHOST_THREADS
                                 : arguments->given[SLUICE_OPTION_ALL_CANDIDATES]
                                     ? SLUICE_PUBLISHED_SIZES
                                     : SLUICE_OWN_SIZES,
                    .shared_kib = shared ? (int)shared : -1},
        .all_candidates = arguments->given[SLUICE_OPTION_ALL_CANDIDATES],
        .softening = softening,
        .set_count = arguments->set_count,
        .ranks = ranks,
        .rank_count = rank_count,
        .weak = arguments->given[SLUICE_OPTION_WEAK],
        .predict = predict,
        .json = arguments->given[SLUICE_OPTION_JSON],
    };
    const sluice_status status = rank_count > 0 ? sluice_bench_run_scaling(&settings)
                                                : sluice_bench_run(&settings);
    if (status == SLUICE_FAILED_CHECK) /* main says nothing of failed checks */
        fprintf(stderr, "sluice: error: %s\n", sluice_message());
    return status;
}
