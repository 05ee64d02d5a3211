/* What a checkpoint says of the simulation and of the output, beside the particles' arrays: one
 * table for writing and reading. */
#ifndef SLUICE_SIM_RESTART_STATE_H
#define SLUICE_SIM_RESTART_STATE_H
#include "sim/output.h"

/* Writes the checkpoint; o->header and o->host are of this step. */
sluice_status sluice_state_write(const char *path, struct sluice_output *o, struct sluice_sim *sim);

/* Makes the probes and their counters; repeated calls do nothing. */
sluice_status sluice_output_create_probes(struct sluice_output *o, const struct sluice_sim *sim);
#endif
