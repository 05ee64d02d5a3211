/* The state of the simulation and of its output in a checkpoint, beside the particles' arrays: one
 * table for writing and reading. */
#ifndef SLUICE_SIM_RESTART_STATE_H
#define SLUICE_SIM_RESTART_STATE_H
#include "sim/output_state.h"

/* Writes the checkpoint; o->header and o->host are of this step. */
sluice_status sluice_state_write(const char *path, struct sluice_output *o, struct sluice_sim *sim);

/* Restores a simulation that was created, and the counters of an output that was created, from an
 * open checkpoint. */
sluice_status sluice_state_restore(struct sluice_output *o, struct sluice_sim *sim,
                                   struct sluice_checkpoint *checkpoint);
#endif
