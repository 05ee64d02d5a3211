/* The report at the end of a run: seconds by section, the energy verdict, where the results are and
 * the next steps; as text or as JSON. */
#ifndef SLUICE_APP_RUN_REPORT_H
#define SLUICE_APP_RUN_REPORT_H
#include <stdio.h>

#include "sim/run.h"

struct sluice_run_report {
    const char *verb, *folder;
    const struct sluice_config *config;
    const struct sluice_run_result *result;
    sluice_status status; /* of the run */
};

void sluice_run_report_text(const struct sluice_run_report *report, FILE *out);
void sluice_run_report_json(const struct sluice_run_report *report, FILE *out);
/* The verdict alone: one line that names the folder. */
void sluice_run_report_verdict(const struct sluice_run_report *report, FILE *out);
#endif
