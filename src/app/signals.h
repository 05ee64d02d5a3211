/* What signals ask of a run: the first SIGINT or SIGTERM to stop with a checkpoint, the second to
 * end at once (exit status 128 and the signal's number), SIGUSR1 to write a checkpoint and go on.
 */
#ifndef SLUICE_APP_SIGNALS_H
#define SLUICE_APP_SIGNALS_H

/* From now on; `quiet` says nothing on standard error when asked to stop. */
void sluice_signals_catch(int quiet);

/* Nonzero since a stop was asked for; hooks of a run, `data` is not used. */
int sluice_signals_stop(void *data);
/* Nonzero once for each SIGUSR1 (several between two calls count as one). */
int sluice_signals_checkpoint(void *data);
#endif
