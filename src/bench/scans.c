/* sluice bench scans: prefix sums of a block in shared memory, SLUICE_TRIAL_SCANS one after
 * another. 8,192 blocks keep a GPU busy; --particles takes fewer. `particles` of a row counts all
 * numbers summed.
 *
 * With a thread for each sum of its largest level, Code 1 needs n / 2 threads and Blelloch's, which
 * takes the next power of two, up to n - 1: "half the number of threads" (Algis et al. 2024, 6).
 * n129 is such a case. */
#include "kernels/bench/bench_ops.h"
#include "bench/benchmark.h"

enum { BLOCKS = 8192, THREADS = 128 };
static const struct sluice_bench_limits limits = {100, 0.05};

static const struct {
    const char *name;
    enum sluice_scan scan;
    int threads;
} ways[] = {{"warps", SLUICE_SCAN_WARPS, THREADS},
            {"code-1", SLUICE_SCAN_CODE, THREADS},
            {"code-1-half", SLUICE_SCAN_CODE, THREADS / 2},
            {"algorithm-6", SLUICE_SCAN_PRINTED, THREADS},
            {"blelloch", SLUICE_SCAN_BLELLOCH, THREADS}};

static const struct {
    const char *name;
    int numbers;
} cases[] = {{"n24", 24}, {"n64", 64}, {"n129", 129}, {"n256", 256}};
enum { CASES = sizeof cases / sizeof *cases };

struct scans {
    struct sluice_backend *backend;
    struct sluice_trial trial;
};

static sluice_status launch(void *data)
{
    struct scans *s = data;
    return sluice_bench_ops_find(s->backend)->trial(s->backend, &s->trial);
}

static sluice_status measure(struct sluice_bench *bench, struct scans *s, int k)
{
    const long long sums = (long long)cases[k].numbers * SLUICE_TRIAL_SCANS,
                    wanted = bench->settings->particles / sums;
    const int64_t blocks = !bench->settings->particles || wanted > BLOCKS ? BLOCKS
                           : wanted < 1                                   ? 1
                                                                          : wanted;
    const struct lj_params unused = {.cutoff = 1};
    struct sluice_bench_loop row = {.name = cases[k].name,
                                    .backend = s->backend,
                                    .particles = (double)(sums * blocks),
                                    .times = {bench->seconds, bench->settings->repeats, 0}};
    s->trial.kind = SLUICE_TRIAL_SCAN;
    s->trial.count = blocks;
    s->trial.params = &unused;
    s->trial.reach = 1;
    for (size_t way = 0; way < sizeof ways / sizeof *ways; way++) {
        s->trial.scan = ways[way].scan;
        s->trial.threads = ways[way].threads;
        s->trial.capacity = cases[k].numbers;
        if (ways[way].scan == SLUICE_SCAN_BLELLOCH) /* the next power of two */
            for (s->trial.capacity = 1; s->trial.capacity < cases[k].numbers;)
                s->trial.capacity *= 2;
        row.variant = ways[way].name;
        SLUICE_TRY(sluice_bench_time(&row.times, s->backend, &limits, launch, s));
        SLUICE_TRY(sluice_bench_print_loop(bench, &row));
    }
    return SLUICE_OK;
}

static sluice_status run(struct sluice_bench *bench, int k, const char *name)
{
    struct sluice_backend *b = &bench->backend;
    struct scans s = {.backend = b};
    void *out;
    (void)name;
    SLUICE_CHECK(sluice_bench_ops_find(b)->trial, SLUICE_BAD_INPUT,
                 "bench scans: its sums are for GPUs, and this runs on %s; --backend names another",
                 b->ops->name);
    SLUICE_TRY(b->ops->alloc(b, BLOCKS * sizeof *s.trial.length, &out));
    s.trial.length = out;
    const sluice_status status = measure(bench, &s, k);
    b->ops->free(b, out);
    return status;
}

static int find_case(const struct sluice_bench_settings *settings, int k,
                     struct sluice_bench_case *found)
{
    (void)settings;
    if (k == CASES)
        return 0;
    found->name = cases[k].name;
    return 1;
}

const struct sluice_benchmark sluice_bench_scans = {"scans", find_case, run};
