/* Signals of a run. The first SIGINT, SIGTERM or SIGHUP asks for a stop with a checkpoint. A second
 * SIGINT or SIGTERM ends at once (exit status 128 and the signal's number). SIGUSR1 asks for a
 * checkpoint, and the run goes on. */
#ifndef SLUICE_APP_SIGNALS_H
#define SLUICE_APP_SIGNALS_H

/* First of all: from then on SIGUSR1 ends nothing, and neither do a pipe without a reader and a
 * file at the limit on its size. */
void sluice_signals_begin(void);

/* From now on a stop is asked for, as above. A SIGHUP that is ignored (nohup) stays so. `quiet`
 * says nothing on standard error when asked to stop. */
void sluice_signals_catch(int quiet);

/* Nonzero since a stop was asked for; hooks of a run, `data` is not used. */
int sluice_signals_stop(void *data);
/* Nonzero once for each SIGUSR1 (several between two calls count as one). */
int sluice_signals_checkpoint(void *data);
#endif
