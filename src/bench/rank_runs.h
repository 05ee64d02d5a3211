/* Runs of a case on several ranks, for `bench scaling --ranks`: each is a program of its own. */
#ifndef SLUICE_BENCH_RANK_RUNS_H
#define SLUICE_BENCH_RANK_RUNS_H
#include "config/config.h"

/* A folder for runs. Ranks on other hosts must see it: TMPDIR names another one. */
struct sluice_bench_folder {
    char path[512];
};
sluice_status sluice_bench_folder_create(struct sluice_bench_folder *folder);
void sluice_bench_folder_remove(const struct sluice_bench_folder *folder);

/* The report of a run. */
struct sluice_bench_rank_run {
    double seconds;          /* a step */
    double particles, pairs; /* of the case; a step, at its start */
    double busiest;          /* of the ranks over their mean; 0: not measured */
};

/* Runs the text of a config on so many ranks, for so many steps, by `sluice run --ranks`. Errors:
 * the run fails. */
sluice_status sluice_bench_run_ranks(const struct sluice_bench_folder *folder, const char *text,
                                     int ranks, long long steps, struct sluice_bench_rank_run *run);

/* stretch.c: reads a config again, with the case `times` times as long along its longest axis.
 * Errors: a shape that cannot be stretched. */
sluice_status sluice_bench_stretch(const struct sluice_config *config, int times,
                                   struct sluice_config *stretched);
#endif
