/* The last words of a run: seconds by section, the energy verdict, where the results are and what
 * to do next; or all of it as JSON. */
#ifndef SLUICE_APP_ENDING_H
#define SLUICE_APP_ENDING_H
#include "core/json.h"
#include "sim/run.h"

struct sluice_ending {
    const char *verb, *folder;
    const struct sluice_config *config;
    const struct sluice_run_result *result;
    sluice_status status; /* SLUICE_OK, SLUICE_FAILED_CHECK, SLUICE_STOPPED or what ended it */
};

void sluice_ending_text(const struct sluice_ending *end, FILE *out);
/* The verdict alone, one line that names the folder. */
void sluice_ending_verdict(const struct sluice_ending *end, FILE *out);
void sluice_ending_json(const struct sluice_ending *end, FILE *out);
#endif
