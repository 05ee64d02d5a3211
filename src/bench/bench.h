/* `sluice bench`: measures the pair loop, whole steps and other ways of doing them. */
#ifndef SLUICE_BENCH_BENCH_H
#define SLUICE_BENCH_BENCH_H
#include "config/config.h"
#include "kernels/backends/backends.h"

struct sluice_sim;

struct sluice_bench_settings {
    const char *benchmark; /* "pair", "step", ... */
    const char *only;      /* the one case to run; NULL: every case but the large ones */
    const char *csv;       /* file for the rows; NULL: standard output */
    int repeats;           /* measurements a row */
    int warm_up;           /* repetitions before the first measurement */
    long long particles;   /* about; 0: the benchmark's own number */

    /* Benchmarks of a whole case: parses its config text, with the user's overrides. */
    sluice_status (*parse)(const void *data, const char *text, const char *name,
                           struct sluice_config *config);
    const void *parse_data;
    struct sluice_backend_choice backend; /* all other benchmarks */
    int all_candidates; /* of `strategies`: the cutoff is larger than any distance */
    double softening;   /* of its Lennard-Jones pairs, in cutoffs */
    int set_count;      /* --set options; an error in all other benchmarks */

    /* Scaling over ranks, if rank_count > 0: each number of ranks, at least 1. */
    const int *ranks;
    int rank_count;
    int weak; /* the case is made as many times as long */
    /* Predicts the seconds of a step of a simulation on so many ranks, and names the machine. */
    sluice_status (*predict)(const struct sluice_sim *sim, int ranks, const char **machine,
                             double *seconds);
    int json; /* a JSON object instead of the table */
};

/* Runs the cases, one CSV row or more each. Errors: no such benchmark or case (with those there
 * are), the backend cannot run it, a trial loop has wrong forces, the file cannot be written. */
sluice_status sluice_bench_run(const struct sluice_bench_settings *settings);

/* Steps of a case on each number of settings->ranks: a table, and rows for `csv`. `only` is a case
 * of whole steps, or a config file; NULL: the cube. Errors: as above; a run fails. */
sluice_status sluice_bench_run_scaling(const struct sluice_bench_settings *settings);

enum { SLUICE_BENCH_NAMES = 256 };
/* The case names of a benchmark as "a, b, c"; "": no such benchmark. */
void sluice_bench_case_names(const char *benchmark, char names[SLUICE_BENCH_NAMES]);
#endif
