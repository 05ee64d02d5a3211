/* Ranks: the programs that compute a case together. Every rank runs the same code, and a function
 * that is collective below must be called by all of them, in the same order.
 *
 * One program alone is a comm of size 1 (sluice_comm_self), which needs no library. comm_mpi.c has
 * the other kind, in a build with MPI=1. */
#ifndef SLUICE_DOMAIN_COMM_H
#define SLUICE_DOMAIN_COMM_H
#include <stddef.h>
#include <stdint.h>

#include "core/status.h"

struct sluice_comm;

/* Bytes from or to another rank. */
struct sluice_message {
    int rank;
    void *data;
    size_t bytes; /* the same on both sides */
};

struct sluice_comm_ops {
    /* Collective: x[i] becomes its sum, or its largest value, over all ranks. */
    sluice_status (*sum)(struct sluice_comm *comm, int64_t *x, int64_t n);
    sluice_status (*max)(struct sluice_comm *comm, double *x, int64_t n);
    /* Collective: rank r gets to[r] of each rank, as from[rank]. */
    sluice_status (*counts)(struct sluice_comm *comm, const int64_t *to, int64_t *from);
    /* Sends and receives at once. Each message sent is one that its rank receives. */
    sluice_status (*exchange)(struct sluice_comm *comm, const struct sluice_message *send,
                              int sends, const struct sluice_message *receive, int receives);
    /* Ends the programs of all ranks with this exit status. Does not return. */
    void (*end_all)(struct sluice_comm *comm, int status);
    /* Collective, at the end. */
    void (*close)(struct sluice_comm *comm);
};

struct sluice_comm {
    const struct sluice_comm_ops *ops;
    int rank, size;  /* from 0 */
    int host, local; /* the least rank on this one's host; this one's number among those there,
                               from 0 */
    int sharing;     /* ranks, with this one, that may use some of its processors */
    double idle;     /* seconds of the processor spent in waits for others */
    int is_output;   /* sluice_output_world: waits leave the processor to the steps */
    int failed;      /* all ranks know that one has failed: sluice_comm_first_failure */
    void *channel;   /* of MPI: its communicator */
    double waiting; /* sluice_seconds() at which this rank began to wait for others; 0: it does not.
                       Another thread reads it: by sluice_comm_waits and sluice_comm_waiting */
};

/* This rank alone. */
struct sluice_comm sluice_comm_self(void);

/* The ranks of this program; size 1 until sluice_comm_open. */
struct sluice_comm *sluice_world(void);

/* The same ranks, for files that they write together: one thread of each rank may use it while
 * another one uses sluice_world. */
struct sluice_comm *sluice_output_world(void);

/* Joins the other programs that mpirun or srun started, if this program has MPI. Errors: MPI cannot
 * be used, or not by two threads at once. */
sluice_status sluice_comm_open(void);
void sluice_comm_close(void);

/* Whether this build has MPI. */
int sluice_comm_has_mpi(void);

/* Collective: whether messages may lie in the memory of GPUs of this kind, "cuda" or "hip", on
 * every rank: whether MPI says that it reads and writes it. */
int sluice_comm_reaches(struct sluice_comm *comm, const char *gpu);

/* All ranks share n things evenly: the number of the first one of this rank. `rank` may be `size`,
 * for the end of the last one's. */
static inline int64_t sluice_comm_share(const struct sluice_comm *comm, int64_t n, int rank)
{
    return n / comm->size * rank + n % comm->size * rank / comm->size;
}

static inline void sluice_comm_waits(struct sluice_comm *comm, double since)
{
    __atomic_store(&comm->waiting, &since, __ATOMIC_RELAXED);
}
static inline double sluice_comm_waiting(const struct sluice_comm *comm)
{
    double since;
    __atomic_load(&comm->waiting, &since, __ATOMIC_RELAXED);
    return since;
}

/* Collective: each rank's `bytes` bytes, one after the other by rank, come to rank 0 (or to all, if
 * `everywhere`); elsewhere *all is NULL. The caller frees. */
sluice_status sluice_comm_gather(struct sluice_comm *comm, void *mine, size_t bytes, int everywhere,
                                 void **all, size_t *total);

/* Collective: whether all ranks have the same number. */
int sluice_comm_same(struct sluice_comm *comm, uint64_t number);

/* Collective: whether any rank says so. */
int sluice_comm_any(struct sluice_comm *comm, int yes);

/* Collective: SLUICE_OK if it is each rank's status; otherwise, on all ranks, the status and
 * message of the first one that failed, and comm->failed. So all go on, or none. A rank that fails
 * elsewhere has failed alone: it returns to main, which ends all (launch.h), and meets the others
 * no more. */
sluice_status sluice_comm_first_failure(struct sluice_comm *comm, sluice_status status);
#endif
