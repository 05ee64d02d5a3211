/* Messages from one GPU to another of the same host: a rank packs them straight into the other
 * one's memory, and then raises a number there, for which the other one's stream waits. The hosts
 * take no part, and no library is needed.
 *
 * The ranks number their messages: all of them send and take message k before message k + 1. A
 * rank's inbox has capacity for two messages of each other rank. Who has seen number k of a rank
 * knows that this rank has read message k - 1, so that message k + 1 may take its place. */
#include "kernels/gpu/ranks.h"

namespace SLUICE_GPU
{

enum { INBOX_LEAST = 1 << 21 };

/* A message of one rank to another one: two halves of `capacity` bytes. */
struct gpu_inbox {
    char *memory;
    size_t capacity;
};

struct gpu_peers {
    uint32_t number;                /* of the last messages */
    struct gpu_inbox *mine, *there; /* [size] from rank r; at rank r, mapped */
    uint32_t *raised;               /* [size] the last number of rank r, in device memory */
    uint32_t **raised_there;        /* [size] those of rank r, mapped */
    uint32_t **raise;               /* [size] the same pointers, in device memory */
};

/* --- The start and the end ---- */

/* Memory that another rank may have mapped must not be freed; it ends with the program. */
static void unmap(void *memory)
{
    if (memory)
        gpuIpcCloseMemHandle(memory);
}

void gpu_peers_destroy(struct gpu_ranks *ranks)
{
    struct gpu_peers *peers = ranks->peers;
    if (!peers)
        return;
    for (int r = 0; r < ranks->size && peers->there && peers->raised_there; r++) {
        unmap(peers->there[r].memory);
        unmap(peers->raised_there[r]);
    }
    gpuFree(peers->raise);
    free(peers->mine);
    free(peers->raised_there);
    free(peers);
    ranks->peers = NULL;
}

static sluice_status create_peers(struct gpu_ranks *ranks)
{
    const size_t size = (size_t)ranks->size;
    struct gpu_peers *peers = (struct gpu_peers *)calloc(1, sizeof *peers);
    SLUICE_CHECK(peers, SLUICE_DEVICE, GPU_NAME ": no memory for messages");
    ranks->peers = peers;
    peers->mine = (struct gpu_inbox *)calloc(2 * size, sizeof *peers->mine);
    peers->raised_there = (uint32_t **)calloc(size, sizeof *peers->raised_there);
    SLUICE_CHECK(peers->mine && peers->raised_there, SLUICE_DEVICE,
                 GPU_NAME ": no memory for messages");
    peers->there = peers->mine + size;
    return SLUICE_OK;
}

/* A rank's message to the others: why it cannot take part, and the memory of its numbers. */
struct offer {
    enum gpu_obstacle obstacle;
    gpuIpcMemHandle_t raised;
};

/* A device that ends kernels which run for seconds, because it shows a screen, cannot wait. */
static int can_wait(int device)
{
    int limited = 1;
    return gpuDeviceGetAttribute(&limited, gpuDevAttrKernelExecTimeout, device) == gpuSuccess &&
           !limited;
}

static enum gpu_obstacle make_offer(struct gpu_backend *gpu, struct offer *mine)
{
    struct gpu_peers *peers = gpu->ranks->peers;
    if (!GPU_PEERS)
        return GPU_OBSTACLE_KIND;
    if (gpu->backend->shares_device)
        return GPU_OBSTACLE_SHARED;
    if (getenv("SLUICE_TEST_MESSAGES"))
        return GPU_OBSTACLE_ASKED;
    if (!can_wait(gpu->device))
        return GPU_OBSTACLE_SCREEN;
    const int can = gpuMallocPeer((void **)&peers->raised, INBOX_LEAST) == gpuSuccess &&
                    gpuMemsetAsync(peers->raised, 0, INBOX_LEAST, gpu->stream) == gpuSuccess &&
                    gpuStreamSynchronize(gpu->stream) == gpuSuccess &&
                    gpuIpcGetMemHandle(&mine->raised, peers->raised) == gpuSuccess;
    gpuGetLastError();
    return can ? GPU_OBSTACLE_NONE : GPU_OBSTACLE_OFFER;
}

/* Maps the others' numbers, if no rank has an obstacle. */
static enum gpu_obstacle take_offers(struct gpu_ranks *ranks, const struct offer *offer)
{
    const int self = ranks->domain->comm->rank;
    int can = 1;
    for (int r = 0; r < ranks->size; r++)
        if (offer[r].obstacle)
            return offer[r].obstacle;
    for (int r = 0; r < ranks->size && can; r++)
        can = r == self ||
              gpuIpcOpenMemHandle((void **)&ranks->peers->raised_there[r], offer[r].raised,
                                  gpuIpcMemLazyEnablePeerAccess) == gpuSuccess;
    gpuGetLastError();
    return can ? GPU_OBSTACLE_NONE : GPU_OBSTACLE_MAP;
}

/* Collective: the obstacle of the rank that has the worst one. */
static sluice_status agree(struct gpu_ranks *ranks, enum gpu_obstacle mine)
{
    struct sluice_comm *comm = ranks->domain->comm;
    double worst = (double)mine;
    SLUICE_TRY(comm->ops->max(comm, &worst, 1));
    ranks->obstacle = (enum gpu_obstacle)worst;
    return SLUICE_OK;
}

sluice_status gpu_peers_create(struct gpu_backend *gpu)
{
    struct gpu_ranks *ranks = gpu->ranks;
    struct sluice_comm *comm = ranks->domain->comm;
    struct offer mine = {};
    void *all = NULL;
    size_t bytes;
    if (!sluice_comm_same(comm, (uint64_t)comm->host)) {
        ranks->obstacle = GPU_OBSTACLE_HOSTS;
        return SLUICE_OK;
    }
    SLUICE_TRY(create_peers(ranks));
    mine.obstacle = make_offer(gpu, &mine);
    SLUICE_TRY(sluice_comm_gather(comm, &mine, sizeof mine, 1, &all, &bytes));
    const enum gpu_obstacle obstacle = take_offers(ranks, (const struct offer *)all);
    free(all);
    SLUICE_TRY(agree(ranks, obstacle));
    if (ranks->obstacle) {
        gpu_peers_destroy(ranks);
        return SLUICE_OK;
    }
    SLUICE_TRY(gpu_allocate_array(gpu, ranks->size, &ranks->peers->raise));
    return gpu_upload(gpu, ranks->peers->raise, ranks->peers->raised_there,
                      (size_t)ranks->size * sizeof *ranks->peers->raise);
}

/* --- Room ---- */

/* Both sides know the bytes of a message, so they agree on when an inbox grows. */
static int grows(const struct gpu_inbox *inbox, size_t bytes)
{
    return bytes > inbox->capacity;
}

size_t gpu_peers_capacity(size_t bytes)
{
    return (bytes + bytes / 16 + INBOX_LEAST) / INBOX_LEAST * INBOX_LEAST;
}

/* Exchanges `bytes` bytes with the ranks whose inboxes grow: from who takes to who sends, or back.
 */
static sluice_status announce(struct gpu_ranks *ranks, int back, char *of, char *from, size_t bytes)
{
    struct sluice_comm *comm = ranks->domain->comm;
    const struct gpu_host_array<struct sluice_message> message(2 * (size_t)ranks->size);
    SLUICE_CHECK(message.at, SLUICE_DEVICE, GPU_NAME ": no memory for messages");
    int sends = 0, takes = 0;
    struct sluice_message *send = message.at, *take = message.at + ranks->size;
    for (int r = 0; r < ranks->size; r++) {
        const int in = grows(&ranks->peers->mine[r], ranks->in.bytes[r]),
                  out = grows(&ranks->peers->there[r], ranks->out.bytes[r]);
        if (back ? out : in)
            send[sends++] = {r, of + bytes * (size_t)r, bytes};
        if (back ? in : out)
            take[takes++] = {r, from + bytes * (size_t)r, bytes};
    }
    return comm->ops->exchange(comm, send, sends, take, takes);
}

static sluice_status make_inbox(struct gpu_inbox *inbox, size_t bytes, gpuIpcMemHandle_t *handle)
{
    const size_t capacity = gpu_peers_capacity(bytes);
    gpuFree(inbox->memory);
    inbox->memory = NULL;
    SLUICE_TRY(gpu_check_memory(gpuMallocPeer((void **)&inbox->memory, 2 * capacity), 2 * capacity,
                                "messages of another rank"));
    return gpu_check(gpuIpcGetMemHandle(handle, inbox->memory), "memory for other ranks");
}

/* Makes inboxes larger. By both sides of each message that is too large. */
static sluice_status grow_inboxes(struct gpu_backend *gpu)
{
    struct gpu_ranks *ranks = gpu->ranks;
    struct gpu_peers *peers = ranks->peers;
    const size_t size = (size_t)ranks->size, bytes = sizeof(gpuIpcMemHandle_t);
    const struct gpu_host_array<gpuIpcMemHandle_t> mine(size), there(size);
    SLUICE_CHECK(mine.at && there.at, SLUICE_DEVICE, GPU_NAME ": no memory for messages");
    char *of = (char *)mine.at, *from = (char *)there.at;
    SLUICE_TRY(gpu_check(gpuStreamSynchronize(gpu->stream), "messages to other ranks"));
    for (int r = 0; r < ranks->size; r++)
        if (grows(&peers->there[r], ranks->out.bytes[r]))
            unmap(peers->there[r].memory), peers->there[r].memory = NULL;
    SLUICE_TRY(announce(ranks, 1, of, from, 1)); /* that it is unmapped */
    for (int r = 0; r < ranks->size; r++)
        if (grows(&peers->mine[r], ranks->in.bytes[r]))
            SLUICE_TRY(make_inbox(&peers->mine[r], ranks->in.bytes[r], &mine.at[r]));
    gpu_note_free(gpu);
    SLUICE_TRY(announce(ranks, 0, of, from, bytes));
    for (int r = 0; r < ranks->size; r++) {
        if (grows(&peers->mine[r], ranks->in.bytes[r]))
            peers->mine[r].capacity = gpu_peers_capacity(ranks->in.bytes[r]);
        if (!grows(&peers->there[r], ranks->out.bytes[r]))
            continue;
        SLUICE_TRY(gpu_check(gpuIpcOpenMemHandle((void **)&peers->there[r].memory, there.at[r],
                                                 gpuIpcMemLazyEnablePeerAccess),
                             "mapping another rank's memory"));
        peers->there[r].capacity = gpu_peers_capacity(ranks->out.bytes[r]);
    }
    return SLUICE_OK;
}

int64_t gpu_peers_bytes(const struct gpu_ranks *ranks)
{
    int64_t bytes = 0;
    for (int r = 0; r < ranks->size; r++)
        bytes += 2 * (int64_t)ranks->peers->mine[r].capacity;
    return bytes;
}

sluice_status gpu_peers_open(struct gpu_backend *gpu)
{
    struct gpu_ranks *ranks = gpu->ranks;
    struct gpu_peers *peers = ranks->peers;
    int any = 0;
    for (int r = 0; r < ranks->size; r++)
        any |= grows(&peers->mine[r], ranks->in.bytes[r]) |
               grows(&peers->there[r], ranks->out.bytes[r]);
    if (any)
        SLUICE_TRY(grow_inboxes(gpu));
    const size_t half = ++peers->number % 2;
    for (int r = 0; r < ranks->size; r++) {
        ranks->out.at[r] = peers->there[r].memory + half * peers->there[r].capacity;
        ranks->in.at[r] = peers->mine[r].memory + half * peers->mine[r].capacity;
    }
    return SLUICE_OK;
}

/* --- The journey ---- */

/* Data packed before the number are there when it is. */
static __global__ void raise_kernel(uint32_t *const *raise, int self, int size, uint32_t number)
{
    gpu_begin();
    const int r = (int)threadIdx.x;
    if (r >= size || r == self)
        return;
    gpu_fence_system();
    *(volatile uint32_t *)(raise[r] + self) = number;
}

static __global__ void await_kernel(const uint32_t *raised, int self, int size, uint32_t number)
{
    gpu_begin();
    const int r = (int)threadIdx.x;
    if (r >= size || r == self)
        return;
    while ((int32_t)(*(const volatile uint32_t *)(raised + r) - number) < 0)
        gpu_pause();
    gpu_fence_system();
}

sluice_status gpu_peers_travel(struct gpu_backend *gpu, gpuStream_t stream)
{
    const struct gpu_ranks *ranks = gpu->ranks;
    const struct gpu_peers *peers = ranks->peers;
    const int self = ranks->domain->comm->rank;
    GPU_LAUNCH(raise_kernel, 1, ranks->size, 0, stream, peers->raise, self, ranks->size,
               peers->number);
    GPU_LAUNCHED("raise");
    GPU_LAUNCH(await_kernel, 1, ranks->size, 0, stream, peers->raised, self, ranks->size,
               peers->number);
    GPU_LAUNCHED("await");
    return SLUICE_OK;
}

} // namespace SLUICE_GPU
