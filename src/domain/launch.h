/* The program as one of several that mpirun or srun started. */
#ifndef SLUICE_DOMAIN_LAUNCH_H
#define SLUICE_DOMAIN_LAUNCH_H
#include "core/status.h"

/* Joins the other programs, and silences all but the first one. Errors: there are others, and this
 * build has no MPI, or another MPI started them. */
sluice_status sluice_ranks_join(void);

/* Call it when the verb has ended. Success, a stop and a blow-up are of all ranks; after any other
 * failure it ends all of them, and does not return if there are several. */
void sluice_ranks_leave(sluice_status status);
#endif
