/* The report of `sluice check` about the probes. */
#ifndef SLUICE_PROBES_PROBE_REPORT_H
#define SLUICE_PROBES_PROBE_REPORT_H
#include "case/case.h"

/* Warns of probes that can never find water. Adds to c->warning_count. Errors: memory. */
sluice_status sluice_probes_check(struct sluice_case *c, FILE *warnings);

/* Prints the place of each probe, and the bed under it at t = 0. Errors: memory. */
sluice_status sluice_probes_print(const struct sluice_case *c, FILE *out);
#endif
