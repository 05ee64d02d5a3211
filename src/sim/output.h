/* The output of a run: decides what is due after a step, and writes it. An output is written at the
 * first step at or after its time, with the time of that step; the checkpoint is the last output of
 * its step. A thread writes snapshots while the steps go on; a checkpoint waits for it, and the
 * steps wait for the checkpoint. */
#ifndef SLUICE_SIM_OUTPUT_H
#define SLUICE_SIM_OUTPUT_H
#include "sim/output_state.h"

/* Whether a run on so many ranks can write what the config asks for. */
sluice_status sluice_output_check(const struct sluice_config *config, int ranks);

/* Makes the probes and the counters; sluice_state_restore may then set the counters. Errors:
 * memory. */
sluice_status sluice_output_create(struct sluice_output *o, const struct sluice_sim *sim);

/* Opens the files, for a new run or for one that was restored at sim->step. */
sluice_status sluice_output_open(struct sluice_output *o, struct sluice_sim *sim,
                                 const char *folder, int restarted);

/* Writes what is due after the step that has just been booked, or at the start; no checkpoint. */
sluice_status sluice_output_write(struct sluice_output *o, struct sluice_sim *sim);

/* The larger size of two residuals; one that is not a number is the largest. */
double sluice_larger_residual(double most, double residual);

/* For sim->queue_limit: the first step not yet booked whose particles an output needs, or the last
 * step; at most one more than can be under way. Before the outputs of the booked step are written
 * it is right only if none is due. */
int64_t sluice_output_queue_limit(const struct sluice_output *o, const struct sluice_sim *sim);

/* Whether the next call of sluice_output_write needs the particles of the booked step, or it is the
 * last step. */
int sluice_output_needs_particles(const struct sluice_output *o, const struct sluice_sim *sim);

/* Whether the wall time between checkpoints has passed. */
int sluice_output_checkpoint_due(const struct sluice_output *o, const struct sluice_sim *sim);

/* Flushes everything else, writes a checkpoint and prunes older ones. No step may be under way. A
 * checkpoint of this step is kept: after a restart, before the first step, the scratch fields of
 * walls are not known. */
sluice_status sluice_output_checkpoint(struct sluice_output *o, struct sluice_sim *sim);

/* Writes the particles as they are now into one snapshot, beside any run's output. Errors: those of
 * sluice_snapshot_write. */
sluice_status sluice_output_write_particles(struct sluice_sim *sim, const char *path);

/* Waits for the last snapshot, flushes and closes; logs how long the run has waited for the disk.
 * Errors: those of writing; rows of a table are lost. */
sluice_status sluice_output_close(struct sluice_output *o);
#endif
