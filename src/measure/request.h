/* The request to `sluice measure`. */
#ifndef SLUICE_MEASURE_REQUEST_H
#define SLUICE_MEASURE_REQUEST_H
#include "measure/measure.h"
#include "measure/totals.h"

struct sluice_measure_request {
    struct sluice_finished_run run;
    int is_sum;       /* --total or --flux */
    const char *what; /* the option that says where: "plane" */
    int64_t *number;  /* [count] snapshots */
    int64_t count;
    struct sluice_measure_choice choice;
    struct sluice_places places;
    int64_t outside; /* places outside the domain */
    struct sluice_measure_fields fields;
    struct sluice_reduction_choice reduction;
    struct sluice_measure_layout layout; /* of the fields, or of the reductions */
    double least_weight;
    struct sluice_totals totals; /* of a sum */
    char suffix[16];             /* of the file's name: "_2" of the second of several lines */
    char path[SLUICE_MEASURE_PATH];
    int replaces; /* an earlier measurement */
};
#endif
