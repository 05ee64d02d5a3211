/* Signals of a run. While it is prepared, a SIGINT, SIGTERM or SIGHUP ends it at once (exit status
 * 128 and the signal's number). After that the first SIGINT, SIGTERM or SIGHUP asks for a stop with
 * a checkpoint. A second SIGINT or SIGTERM ends at once (exit status 128 and the signal's number).
 * SIGUSR1 asks for a checkpoint, and the run goes on. SIGUSR2 asks for a stop, however often:
 * mpirun passes it on to all ranks, where it ends them soon after SIGINT or SIGTERM. */
#ifndef SLUICE_APP_SIGNALS_H
#define SLUICE_APP_SIGNALS_H

/* Call this first in main. From then on SIGUSR1, a pipe without a reader and a file at its size
 * limit no longer end the program. */
void sluice_signals_begin(void);

/* From now on signals ask for a stop, as above. An ignored SIGHUP (nohup) stays ignored. `quiet`
 * prints nothing on standard error at the signal. */
void sluice_signals_catch(int quiet);

/* From now on, until sluice_signals_prepared, a signal ends the program at once and removes `file`
 * (NULL: no file), which is new and has no results. */
void sluice_signals_prepare(const char *file);
void sluice_signals_prepared(void *data);

/* Hooks of a run; `data` is unused. Nonzero after a stop was requested. */
int sluice_signals_stop(void *data);
/* Nonzero once after a SIGUSR1; several between two calls count as one. */
int sluice_signals_checkpoint(void *data);
#endif
