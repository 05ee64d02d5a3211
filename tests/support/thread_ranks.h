/* Ranks that are threads of one program: the interface of comm.h for unit tests. */
#ifndef SLUICE_TESTS_THREAD_RANKS_H
#define SLUICE_TESTS_THREAD_RANKS_H
#include "domain/comm.h"

typedef sluice_status thread_rank(struct sluice_comm *comm, void *data);

/* Runs `rank` once for each of `size` ranks, and returns when all have ended. A rank that fails, or
 * a message that nobody expects, ends the program. */
void run_ranks(int size, thread_rank *rank, void *data);
#endif
