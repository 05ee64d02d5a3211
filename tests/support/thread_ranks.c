#include "thread_ranks.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The data that a rank shows the others between two barriers. */
struct posted {
    const void *data; /* numbers, or messages to send */
    int count;        /* of messages */
};

struct ranks {
    pthread_barrier_t barrier;
    struct posted *posted; /* [size] */
    thread_rank *rank;
    void *data;
};

struct thread {
    pthread_t id;
    struct sluice_comm comm;
};

static void give_up(const struct sluice_comm *comm, const char *why)
{
    printf("Bail out! rank %d of %d: %s\n", comm->rank, comm->size, why);
    fflush(stdout);
    exit(1);
}

/* Shows data to all, and returns what all show. Until `unpost` it must not change. */
static const struct posted *post(struct sluice_comm *comm, const void *data, int count)
{
    struct ranks *ranks = comm->channel;
    ranks->posted[comm->rank] = (struct posted){data, count};
    pthread_barrier_wait(&ranks->barrier);
    return ranks->posted;
}

static void unpost(struct sluice_comm *comm)
{
    struct ranks *ranks = comm->channel;
    pthread_barrier_wait(&ranks->barrier);
}

static sluice_status thread_sum(struct sluice_comm *comm, int64_t *x, int64_t n)
{
    int64_t *all = calloc((size_t)n + 1, sizeof *all);
    if (!all)
        give_up(comm, "no memory");
    const struct posted *posted = post(comm, x, 0);
    for (int r = 0; r < comm->size; r++)
        for (int64_t i = 0; i < n; i++)
            all[i] += ((const int64_t *)posted[r].data)[i];
    unpost(comm);
    memcpy(x, all, (size_t)n * sizeof *x);
    free(all);
    return SLUICE_OK;
}

static sluice_status thread_max(struct sluice_comm *comm, double *x, int64_t n)
{
    double *all = malloc(((size_t)n + 1) * sizeof *all);
    if (!all)
        give_up(comm, "no memory");
    const struct posted *posted = post(comm, x, 0);
    for (int64_t i = 0; i < n; i++) {
        all[i] = x[i];
        for (int r = 0; r < comm->size; r++) {
            const double other = ((const double *)posted[r].data)[i];
            all[i] = other > all[i] ? other : all[i];
        }
    }
    unpost(comm);
    memcpy(x, all, (size_t)n * sizeof *x);
    free(all);
    return SLUICE_OK;
}

static sluice_status thread_counts(struct sluice_comm *comm, const int64_t *to, int64_t *from)
{
    const struct posted *posted = post(comm, to, 0);
    for (int r = 0; r < comm->size; r++)
        from[r] = ((const int64_t *)posted[r].data)[comm->rank];
    unpost(comm);
    return SLUICE_OK;
}

/* The next message to this rank, of one byte or more, after number *k of those sent. */
static const struct sluice_message *next_to(int rank, const struct posted *sent, int *k)
{
    const struct sluice_message *message = sent->data;
    while (*k < sent->count) {
        const struct sluice_message *m = &message[(*k)++];
        if (m->rank == rank && m->bytes > 0)
            return m;
    }
    return NULL;
}

static sluice_status thread_exchange(struct sluice_comm *comm, const struct sluice_message *send,
                                     int sends, const struct sluice_message *receive, int receives)
{
    int *next = calloc((size_t)comm->size, sizeof *next);
    if (!next)
        give_up(comm, "no memory");
    const struct posted *posted = post(comm, send, sends);
    for (int k = 0; k < receives; k++) {
        const int from = receive[k].rank;
        if (receive[k].bytes == 0)
            continue;
        const struct sluice_message *m = next_to(comm->rank, &posted[from], &next[from]);
        if (!m || m->bytes != receive[k].bytes)
            give_up(comm, "a message is not of the length that its rank expects");
        memcpy(receive[k].data, m->data, m->bytes);
    }
    for (int r = 0; r < comm->size; r++)
        if (next_to(comm->rank, &posted[r], &next[r]))
            give_up(comm, "a message that its rank does not expect");
    unpost(comm);
    free(next);
    return SLUICE_OK;
}

static void thread_end_all(struct sluice_comm *comm, int status)
{
    (void)status;
    give_up(comm, sluice_message());
}

static void thread_close(struct sluice_comm *comm)
{
    (void)comm;
}

static const struct sluice_comm_ops thread_ops = {thread_sum,      thread_max,     thread_counts,
                                                  thread_exchange, thread_end_all, thread_close};

static void *run_rank(void *data)
{
    struct thread *thread = data;
    const struct ranks *ranks = thread->comm.channel;
    if (ranks->rank(&thread->comm, ranks->data) != SLUICE_OK)
        give_up(&thread->comm, sluice_message());
    return NULL;
}

void run_ranks(int size, thread_rank *rank, void *data)
{
    struct ranks ranks = {.rank = rank, .data = data};
    struct thread *thread = calloc((size_t)size, sizeof *thread);
    ranks.posted = calloc((size_t)size, sizeof *ranks.posted);
    if (!thread || !ranks.posted || pthread_barrier_init(&ranks.barrier, NULL, (unsigned)size) != 0)
        abort();
    for (int r = 0; r < size; r++) {
        thread[r].comm = (struct sluice_comm){.ops = &thread_ops,
                                              .rank = r,
                                              .size = size,
                                              .local = r,
                                              .sharing = size,
                                              .channel = &ranks};
        if (pthread_create(&thread[r].id, NULL, run_rank, &thread[r]) != 0)
            give_up(&thread[r].comm, "its thread cannot be started");
    }
    for (int r = 0; r < size; r++)
        pthread_join(thread[r].id, NULL);
    pthread_barrier_destroy(&ranks.barrier);
    free(ranks.posted);
    free(thread);
}
