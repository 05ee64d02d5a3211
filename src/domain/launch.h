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

/* By all: whether all have succeeded so far, and have the same number, that of `what`. Errors: own
 * failure; another rank's; another number. */
sluice_status sluice_ranks_agree(sluice_status status, uint64_t number, const char *what);

/* From now on a rank that waits for others for `patience` seconds ends all of them, with a message.
 */
sluice_status sluice_ranks_watch(double patience);

/* Call it when the verb has ended. Success, a stop and a blow-up are of all ranks; after any other
 * failure it ends all of them, and does not return if there are several. */
void sluice_ranks_leave(sluice_status status);
#endif
