/* The program as one of several that mpirun or srun started. */
#ifndef SLUICE_DOMAIN_LAUNCH_H
#define SLUICE_DOMAIN_LAUNCH_H
#include <stdint.h>

#include "core/status.h"

/* Joins the other programs, and silences all but the first one. ranks > 1 and no others: starts so
 * many by mpirun with the same words (argv, which ends with NULL), and exits as they do. ranks = 0:
 * as many as there are. Errors: there are others, and this build has no MPI, or another MPI started
 * them; their number is not `ranks`. */
sluice_status sluice_ranks_join(long long ranks, char *const *argv);

/* Collective: whether all have succeeded so far, and have the same number, that of `what`. Errors:
 * own failure; another rank's; another number. */
sluice_status sluice_ranks_agree(sluice_status status, uint64_t number, const char *what);

/* From now on a rank that waits for others for `patience` seconds ends all of them, with a message.
 */
sluice_status sluice_ranks_watch(double patience);

/* Whether a status ends all of several ranks at once. Success, a stop, a check that failed and a
 * blow-up do not: they are of all ranks, which end one by one. After other failures this rank must
 * not wait for the others, as they may wait for it. */
int sluice_ranks_end(sluice_status status);

/* Call it after a failure, before it is reported: an error that several ranks have found is
 * reported once. A rank beside the first one gives that one two seconds to report and end all; then
 * it gets its streams back, and its message the rank's number. joins: the failure came before
 * sluice_ranks_join, for which the ranks meet here. */
void sluice_ranks_fail(sluice_status status, int joins);

/* Call it when the verb has ended with `status`, what it found is reported, and the first rank
 * exits with `code`. Ends all ranks if the status does so, and does not return then. */
void sluice_ranks_leave(sluice_status status, int code);
/* Whether mpirun or srun has started this program, or --ranks has. */
int sluice_ranks_started(void);
#endif
