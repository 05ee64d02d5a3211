/* Ranks by MPI (a build with MPI=1). */
#define _GNU_SOURCE
#include "domain/comm.h"

#ifdef SLUICE_WITH_MPI
#include <mpi.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifdef OPEN_MPI
#include <mpi-ext.h>
#endif

#include "core/allocate.h"
#include "core/timer.h"

sluice_status sluice_comm_open_mpi(struct sluice_comm *comm, struct sluice_comm *output);
int sluice_comm_mpi_reaches(const char *gpu);

/* The most bytes of one message of MPI, whose counts are of type int. */
enum { PIECE = 1 << 30 };

static sluice_status check(int result, const char *what)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    if (result == MPI_SUCCESS)
        return SLUICE_OK;
    MPI_Error_string(result, text, &length);
    return SLUICE_FAIL(SLUICE_DEVICE, "MPI: %s: %s", what, text);
}

/* The time of a wait for others: launch.c watches it. */
static void wait_begins(struct sluice_comm *comm)
{
    sluice_comm_waits(comm, sluice_seconds());
    comm->idle -= sluice_processor_seconds();
}

static sluice_status wait_ends(struct sluice_comm *comm, int result, const char *what)
{
    sluice_comm_waits(comm, 0);
    comm->idle += sluice_processor_seconds();
    return check(result, what);
}

static MPI_Comm channel(const struct sluice_comm *comm)
{
    return *(MPI_Comm *)comm->channel;
}

/* Waits for requests. MPI spins while it waits; the output sleeps instead. */
static int finish(const struct sluice_comm *comm, int count, MPI_Request *request)
{
    enum { PAUSE_MOST = 200000 };
    struct timespec pause = {.tv_nsec = 1000};
    int done = 0;
    if (!comm->is_output)
        return MPI_Waitall(count, request, MPI_STATUSES_IGNORE);
    for (;;) {
        const int result = MPI_Testall(count, request, &done, MPI_STATUSES_IGNORE);
        if (done || result != MPI_SUCCESS)
            return result;
        nanosleep(&pause, NULL);
        pause.tv_nsec = pause.tv_nsec < PAUSE_MOST ? 2 * pause.tv_nsec : PAUSE_MOST;
    }
}

static int reduce(const struct sluice_comm *comm, void *x, int n, MPI_Datatype type, MPI_Op op)
{
    MPI_Request request;
    if (!comm->is_output)
        return MPI_Allreduce(MPI_IN_PLACE, x, n, type, op, channel(comm));
    const int result = MPI_Iallreduce(MPI_IN_PLACE, x, n, type, op, channel(comm), &request);
    return result == MPI_SUCCESS ? finish(comm, 1, &request) : result;
}

/* Combines n numbers of 8 bytes over all ranks, in place. */
static sluice_status combine(struct sluice_comm *comm, void *x, int64_t n, MPI_Datatype type,
                             MPI_Op op, const char *what)
{
    enum { MOST = PIECE / 8 };
    int result = MPI_SUCCESS;
    wait_begins(comm);
    for (int64_t i = 0; i < n && result == MPI_SUCCESS; i += MOST)
        result = reduce(comm, (char *)x + 8 * i, n - i < MOST ? (int)(n - i) : MOST, type, op);
    return wait_ends(comm, result, what);
}

static sluice_status mpi_sum(struct sluice_comm *comm, int64_t *x, int64_t n)
{
    return combine(comm, x, n, MPI_INT64_T, MPI_SUM, "a sum over the ranks");
}

static sluice_status mpi_max(struct sluice_comm *comm, double *x, int64_t n)
{
    return combine(comm, x, n, MPI_DOUBLE, MPI_MAX, "a maximum over the ranks");
}

static sluice_status mpi_counts(struct sluice_comm *comm, const int64_t *to, int64_t *from)
{
    MPI_Request request;
    int result;
    wait_begins(comm);
    if (comm->is_output) {
        result = MPI_Ialltoall(to, 1, MPI_INT64_T, from, 1, MPI_INT64_T, channel(comm), &request);
        result = result == MPI_SUCCESS ? finish(comm, 1, &request) : result;
    } else {
        result = MPI_Alltoall(to, 1, MPI_INT64_T, from, 1, MPI_INT64_T, channel(comm));
    }
    return wait_ends(comm, result, "counts of messages");
}

static int pieces_of(const struct sluice_message *m, int n)
{
    int64_t pieces = 0;
    for (int k = 0; k < n; k++)
        pieces += (int64_t)((m[k].bytes + PIECE - 1) / PIECE);
    return (int)pieces;
}

/* Begins the pieces of one message. */
static int begin(const struct sluice_comm *comm, const struct sluice_message *m, int receives,
                 MPI_Request *request, int *count)
{
    for (size_t at = 0; at < m->bytes; at += PIECE) {
        char *data = (char *)m->data + at;
        const int bytes = m->bytes - at < PIECE ? (int)(m->bytes - at) : PIECE;
        const int result = receives ? MPI_Irecv(data, bytes, MPI_BYTE, m->rank, 0, channel(comm),
                                                &request[*count])
                                    : MPI_Isend(data, bytes, MPI_BYTE, m->rank, 0, channel(comm),
                                                &request[*count]);
        if (result != MPI_SUCCESS)
            return result;
        ++*count;
    }
    return MPI_SUCCESS;
}

static sluice_status mpi_exchange(struct sluice_comm *comm, const struct sluice_message *send,
                                  int sends, const struct sluice_message *receive, int receives)
{
    MPI_Request *request;
    int count = 0, result = MPI_SUCCESS;
    SLUICE_ALLOCATE(request, pieces_of(send, sends) + pieces_of(receive, receives), "messages");
    wait_begins(comm);
    for (int k = 0; k < receives && result == MPI_SUCCESS; k++)
        result = begin(comm, &receive[k], 1, request, &count);
    for (int k = 0; k < sends && result == MPI_SUCCESS; k++)
        result = begin(comm, &send[k], 0, request, &count);
    if (result == MPI_SUCCESS)
        result = finish(comm, count, request);
    free(request);
    return wait_ends(comm, result, "messages between ranks");
}

static void mpi_end_all(struct sluice_comm *comm, int status)
{
    (void)comm;
    MPI_Abort(MPI_COMM_WORLD, status);
    exit(status);
}

static void mpi_close(struct sluice_comm *comm)
{
    wait_begins(comm);
    if (comm->is_output)
        MPI_Comm_free(comm->channel);
    else
        MPI_Finalize();
    free(comm->channel);
    sluice_comm_waits(comm, 0);
}

static const struct sluice_comm_ops mpi_ops = {mpi_sum,      mpi_max,     mpi_counts,
                                               mpi_exchange, mpi_end_all, mpi_close};

/* The library's version when it runs: its headers may be those of another build. */
int sluice_comm_mpi_reaches(const char *gpu)
{
    int reaches = 0;
    (void)gpu;
#ifdef MPIX_CUDA_AWARE_SUPPORT
    if (strcmp(gpu, "cuda") == 0)
        reaches = MPIX_Query_cuda_support();
#endif
#ifdef MPIX_ROCM_AWARE_SUPPORT
    if (strcmp(gpu, "hip") == 0)
        reaches = MPIX_Query_rocm_support();
#endif
#ifdef MPIX_GPU_SUPPORT_CUDA /* MPICH */
    if (strcmp(gpu, "cuda") == 0)
        MPIX_GPU_query_support(MPIX_GPU_SUPPORT_CUDA, &reaches);
    if (strcmp(gpu, "hip") == 0)
        MPIX_GPU_query_support(MPIX_GPU_SUPPORT_HIP, &reaches);
#endif
    return reaches;
}

/* Finds the ranks of this host, and counts those whose processors are some of this one's. */
static sluice_status find_host(struct sluice_comm *comm)
{
    MPI_Comm host;
    cpu_set_t own, *all;
    int size;
    SLUICE_TRY(check(
        MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, comm->rank, MPI_INFO_NULL, &host),
        "the ranks of a host"));
    MPI_Comm_size(host, &size);
    MPI_Comm_rank(host, &comm->local);
    comm->host = comm->rank;
    MPI_Bcast(&comm->host, 1, MPI_INT, 0, host);
    SLUICE_ALLOCATE(all, size, "sets of processors");
    CPU_ZERO(&own);
    (void)sched_getaffinity(0, sizeof own, &own);
    const int result = MPI_Allgather(&own, sizeof own, MPI_BYTE, all, sizeof own, MPI_BYTE, host);
    comm->sharing = 0;
    for (int r = 0; r < size; r++) {
        cpu_set_t both;
        CPU_AND(&both, &own, &all[r]);
        comm->sharing += CPU_COUNT(&both) > 0;
    }
    comm->sharing = comm->sharing > 0 ? comm->sharing : size; /* more processors than a set holds */
    free(all);
    MPI_Comm_free(&host);
    return check(result, "the processors of ranks");
}

/* A communicator of its own for the output, so that two threads of a rank can send at once. */
static sluice_status open_output(const struct sluice_comm *comm, struct sluice_comm *output)
{
    MPI_Comm *second;
    SLUICE_ALLOCATE(second, 1, "communicator");
    *output = *comm;
    output->is_output = 1;
    output->channel = second;
    SLUICE_TRY(check(MPI_Comm_dup(channel(comm), second), "a second communicator"));
    return check(MPI_Comm_set_errhandler(*second, MPI_ERRORS_RETURN), "its errors");
}

sluice_status sluice_comm_open_mpi(struct sluice_comm *comm, struct sluice_comm *output)
{
    MPI_Comm *first;
    int provided;
    SLUICE_TRY(check(MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &provided), "the start"));
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    comm->ops = &mpi_ops;
    MPI_Comm_rank(MPI_COMM_WORLD, &comm->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &comm->size);
    SLUICE_CHECK(provided == MPI_THREAD_MULTIPLE, SLUICE_DEVICE,
                 "MPI: this library does not let two threads send at once (MPI_THREAD_MULTIPLE), "
                 "which files written beside the steps need; build with an MPI that does");
    SLUICE_ALLOCATE(first, 1, "communicator");
    *first = MPI_COMM_WORLD;
    comm->channel = first;
    SLUICE_TRY(find_host(comm));
    return open_output(comm, output);
}
#endif
