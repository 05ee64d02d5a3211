/* Measures fields of a finished run at places: sum V f W/sum V W (Shepard 1968), with the run's own
 * kernel and smoothing length, as its probes do. A place is valid where the fluid's sum V W reaches
 * a least weight. */
#ifndef SLUICE_MEASURE_MEASURE_H
#define SLUICE_MEASURE_MEASURE_H
#include "core/threads.h"
#include "measure/finished_run.h"
#include "measure/output.h"

#define SLUICE_MEASURE_LEAST_WEIGHT 0.05 /* as of a probe of a point */

/* A column over the places that have a number in it. Without any all three are NAN. */
struct sluice_measure_range {
    int64_t count;
    double least, mean, most;
};

/* At one time: how many places are valid, and the columns of the fields there. */
struct sluice_measure_found {
    struct sluice_measure_moment moment;
    int64_t valid, lost; /* places; particles left out, as they are not finite */
    struct sluice_measure_range range[SLUICE_MEASURE_COLUMNS];
};

/* A measurement; all of it is borrowed. */
struct sluice_measurement {
    struct sluice_finished_run *run;
    const struct sluice_places *places;
    const struct sluice_measure_fields *fields;
    struct sluice_measure_choice choice;
    struct sluice_reduction_choice reduction;
    double least_weight;
    struct sluice_threads *team;
    struct sluice_measure_output *output;
    /* Called after each snapshot. */
    sluice_status (*report)(void *data, const struct sluice_measure_found *found);
    void *report_data;
    struct sluice_measure_range *reduced; /* filled: the columns of the reductions */
};

/* Fills values[count][fields->columns + 2] of the places first ...: a time's layout (reduce.h). */
struct sluice_measure_block {
    const struct sluice_search *search;
    const struct sluice_places *places;
    const struct sluice_measure_fields *fields;
    double least_weight, number;
    int64_t first, count;
    double *values;
};
void sluice_measure_fill(const struct sluice_measure_block *block, struct sluice_threads *team);

/* Measures at `count` snapshots, indices of the series, into an open output. */
sluice_status sluice_measure(const struct sluice_measurement *m, const int64_t *number,
                             int64_t count);
#endif
