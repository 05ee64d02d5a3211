#include "domain/comm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/allocate.h"

static sluice_status keep_whole(struct sluice_comm *comm, int64_t *x, int64_t n)
{
    (void)comm, (void)x, (void)n;
    return SLUICE_OK;
}

static sluice_status keep_real(struct sluice_comm *comm, double *x, int64_t n)
{
    (void)comm, (void)x, (void)n;
    return SLUICE_OK;
}

static sluice_status own_count(struct sluice_comm *comm, const int64_t *to, int64_t *from)
{
    (void)comm;
    from[0] = to[0];
    return SLUICE_OK;
}

static sluice_status copy_own(struct sluice_comm *comm, const struct sluice_message *send,
                              int sends, const struct sluice_message *receive, int receives)
{
    (void)comm;
    for (int k = 0; k < sends && k < receives; k++)
        memcpy(receive[k].data, send[k].data, send[k].bytes);
    return SLUICE_OK;
}

static void end_self(struct sluice_comm *comm, int status)
{
    (void)comm;
    exit(status);
}

static void close_self(struct sluice_comm *comm)
{
    (void)comm;
}

static const struct sluice_comm_ops self_ops = {keep_whole, keep_real, own_count,
                                                copy_own,   end_self,  close_self};

static struct sluice_comm world = {.ops = &self_ops, .size = 1, .sharing = 1},
                          output_world = {.ops = &self_ops, .size = 1, .sharing = 1};

struct sluice_comm sluice_comm_self(void)
{
    return (struct sluice_comm){.ops = &self_ops, .size = 1, .sharing = 1};
}

struct sluice_comm *sluice_world(void)
{
    return &world;
}

struct sluice_comm *sluice_output_world(void)
{
    return &output_world;
}

#ifdef SLUICE_WITH_MPI
/* comm_mpi.c */
sluice_status sluice_comm_open_mpi(struct sluice_comm *comm, struct sluice_comm *output);
int sluice_comm_mpi_reaches(const char *gpu);

int sluice_comm_has_mpi(void)
{
    return 1;
}

int sluice_comm_reaches(struct sluice_comm *comm, const char *gpu)
{
    return !sluice_comm_any(comm, !sluice_comm_mpi_reaches(gpu));
}

sluice_status sluice_comm_open(void)
{
    return sluice_comm_open_mpi(&world, &output_world);
}
#else
int sluice_comm_has_mpi(void)
{
    return 0;
}

int sluice_comm_reaches(struct sluice_comm *comm, const char *gpu)
{
    (void)comm, (void)gpu;
    return 0;
}

sluice_status sluice_comm_open(void)
{
    return SLUICE_OK;
}
#endif

void sluice_comm_close(void)
{
    output_world.ops->close(&output_world);
    world.ops->close(&world);
    world = output_world = sluice_comm_self();
}

static sluice_status gather_into(struct sluice_comm *comm, void *mine, size_t bytes, int everywhere,
                                 const int64_t *count, char *all)
{
    const int wants = everywhere || comm->rank == 0;
    const int sends = everywhere ? comm->size : 1, receives = wants ? comm->size : 0;
    struct sluice_message *send, *receive;
    size_t at = 0;
    SLUICE_ALLOCATE(send, comm->size, "messages");
    receive = calloc((size_t)comm->size, sizeof *receive);
    sluice_status status = SLUICE_OK;
    if (!receive)
        status = SLUICE_FAIL(SLUICE_DEVICE, "no memory for %d messages", comm->size);
    for (int r = 0; r < comm->size && receive; r++) {
        send[r] = (struct sluice_message){r, mine, bytes};
        receive[r] = (struct sluice_message){r, wants ? all + at : NULL, (size_t)count[r]};
        at += (size_t)count[r];
    }
    if (status == SLUICE_OK)
        status = comm->ops->exchange(comm, send, sends, receive, receives);
    free(send);
    free(receive);
    return status;
}

sluice_status sluice_comm_gather(struct sluice_comm *comm, void *mine, size_t bytes, int everywhere,
                                 void **all, size_t *total)
{
    int64_t *to, *count;
    SLUICE_ALLOCATE(to, 2 * comm->size, "counts of messages");
    count = to + comm->size;
    *all = NULL;
    *total = 0;
    for (int r = 0; r < comm->size; r++)
        to[r] = (int64_t)bytes;
    sluice_status status = comm->ops->counts(comm, to, count);
    for (int r = 0; r < comm->size; r++)
        *total += (size_t)count[r];
    if (status == SLUICE_OK && (everywhere || comm->rank == 0)) {
        *all = malloc(*total + 1);
        if (!*all)
            status = SLUICE_FAIL(SLUICE_DEVICE, "no memory for %zu bytes of all ranks", *total);
    }
    if (status == SLUICE_OK)
        status = gather_into(comm, mine, bytes, everywhere, count, *all);
    if (status != SLUICE_OK) {
        free(*all);
        *all = NULL;
    }
    free(to);
    return status;
}

int sluice_comm_any(struct sluice_comm *comm, int yes)
{
    int64_t all = yes != 0;
    return comm->ops->sum(comm, &all, 1) == SLUICE_OK ? all > 0 : yes;
}

int sluice_comm_same(struct sluice_comm *comm, uint64_t number)
{
    const double high = (double)(number >> 32), low = (double)(number & 0xffffffff);
    double most[4] = {high, low, -high, -low};
    return comm->ops->max(comm, most, 4) != SLUICE_OK ||
           (most[0] == -most[2] && most[1] == -most[3]);
}

sluice_status sluice_comm_first_failure(struct sluice_comm *comm, sluice_status status)
{
    struct outcome {
        int64_t status;
        char message[2048];
    } mine = {.status = status}, *first;
    void *all;
    size_t total;
    if (comm->size == 1 || !sluice_comm_any(comm, status != SLUICE_OK))
        return status;
    comm->failed = 1;
    if (status != SLUICE_OK)
        snprintf(mine.message, sizeof mine.message, "%s", sluice_message());
    SLUICE_TRY(sluice_comm_gather(comm, &mine, sizeof mine, 1, &all, &total));
    int rank = 0;
    for (first = all; first->status == SLUICE_OK; first++)
        rank++;
    status = rank > 0
                 ? SLUICE_FAIL((sluice_status)first->status, "rank %d: %s", rank, first->message)
                 : SLUICE_FAIL((sluice_status)first->status, "%s", first->message);
    free(all);
    return status;
}
