/* The output of `sluice measure`: as text a line a time, for reductions a line a column; or all at
 * the end as JSON. */
#ifndef SLUICE_MEASURE_REPORT_H
#define SLUICE_MEASURE_REPORT_H
#include <stdio.h>

#include "core/json.h"
#include "measure/request.h"

struct sluice_measure_report {
    const struct sluice_measure_request *request;
    int quiet, is_json;
    FILE *out;               /* of the JSON */
    struct sluice_json json; /* into `text`, which is printed at the end: an error prints its own */
    char *text;
    size_t bytes;
    int64_t times, lost, most_valid; /* lost: particles that are not finite, at any time */
    struct sluice_measure_range reduced[SLUICE_LAYOUT_COLUMNS];
};

/* After each snapshot; `data` is the report. The first one prints the heading, too: by then all
 * names are known to be right. Errors: memory. */
sluice_status sluice_measure_report_found(void *data, const struct sluice_measure_found *found);
sluice_status sluice_measure_report_row(struct sluice_measure_report *report,
                                        const struct sluice_totals_row *row);

/* At the end: the file that was written, and warnings. Takes the status of all before, and returns
 * it; after an error it prints nothing. */
sluice_status sluice_measure_report_end(struct sluice_measure_report *report, sluice_status status);
#endif
