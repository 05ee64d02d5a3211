/* The memory that a rank of several takes beside its sets: made and freed; an estimate, and the
 * sum. */
#include "kernels/gpu/ranks.h"

namespace SLUICE_GPU
{

/* --- Made and freed --- */

static sluice_status create_lists(struct gpu_list **lists, int size)
{
    *lists = (struct gpu_list *)calloc((size_t)size, sizeof **lists);
    SLUICE_CHECK(*lists, SLUICE_DEVICE, GPU_NAME ": no memory for lists of %d ranks", size);
    return SLUICE_OK;
}

static void destroy_lists(struct gpu_backend *gpu, struct gpu_list *lists, int size)
{
    for (int r = 0; lists && r < size; r++)
        gpu_release(gpu, lists[r].memory.memory);
    free(lists);
}

static sluice_status create_mail(struct gpu_mail *mail, int size)
{
    mail->bytes = (size_t *)calloc((size_t)size, sizeof *mail->bytes);
    mail->at = (char **)calloc((size_t)size, sizeof *mail->at);
    SLUICE_CHECK(mail->bytes && mail->at, SLUICE_DEVICE, GPU_NAME ": no memory for messages");
    return SLUICE_OK;
}

static void destroy_mail(struct gpu_backend *gpu, struct gpu_mail *mail)
{
    gpu_release(gpu, mail->device.memory);
    if (mail->host)
        gpuFreeHost(mail->host);
    free(mail->bytes);
    free(mail->at);
}

/* Messages go before the step's kernels, which may fill the device. */
static sluice_status open_mail_stream(struct gpu_ranks *ranks)
{
    int least = 0, greatest = 0;
    SLUICE_TRY(gpu_check(gpuDeviceGetStreamPriorityRange(&least, &greatest), "asking the device"));
    SLUICE_TRY(
        gpu_check(gpuStreamCreateWithPriority(&ranks->mail, 0, greatest), "a stream for messages"));
    SLUICE_TRY(gpu_check(gpuEventCreateUntimed(&ranks->forked), "an event for messages"));
    SLUICE_TRY(gpu_check(gpuEventCreateUntimed(&ranks->computed), "an event for messages"));
    return gpu_check(gpuEventCreateUntimed(&ranks->arrived), "an event for messages");
}

static void close_mail_stream(struct gpu_ranks *ranks)
{
    if (ranks->mail) {
        gpuStreamSynchronize(ranks->mail);
        gpuStreamDestroy(ranks->mail);
    }
    if (ranks->forked)
        gpuEventDestroy(ranks->forked);
    if (ranks->computed)
        gpuEventDestroy(ranks->computed);
    if (ranks->arrived)
        gpuEventDestroy(ranks->arrived);
}

static const char *obstacle_text(enum gpu_obstacle obstacle)
{
    switch (obstacle) {
    case GPU_OBSTACLE_NONE:
        return "";
    case GPU_OBSTACLE_HOSTS:
        return "the ranks run on several hosts";
    case GPU_OBSTACLE_KIND:
        return "GPUs of this kind do not write into each other's memory";
    case GPU_OBSTACLE_SHARED:
        return "some ranks share a GPU";
    case GPU_OBSTACLE_ASKED:
        return "SLUICE_TEST_MESSAGES is set";
    case GPU_OBSTACLE_SCREEN:
        return "a GPU that shows a screen ends kernels that wait";
    case GPU_OBSTACLE_OFFER:
        return "the driver does not share a GPU's memory with another program";
    case GPU_OBSTACLE_MAP:
        return "a GPU does not reach another one's memory (nvidia-smi topo -p2p w)";
    }
    return "";
}

/* The path of messages, for the log. */
static void describe_messages(struct gpu_backend *gpu)
{
    const struct gpu_ranks *ranks = gpu->ranks;
    char *text = gpu->backend->messages;
    const size_t size = sizeof gpu->backend->messages;
    const char *why = obstacle_text(ranks->obstacle);
    if (ranks->peers)
        snprintf(text, size, "straight into each other's memory");
    else if (ranks->direct)
        snprintf(text, size, "by NCCL: %s", why);
    else if (ranks->mpi_reaches)
        snprintf(text, size, "by MPI from GPU to GPU: %s", why);
    else
        snprintf(text, size, "through host memory: %s%s", why,
                 ranks->obstacle == GPU_OBSTACLE_SHARED || ranks->obstacle == GPU_OBSTACLE_ASKED
                     ? ""
                     : ", this build has no NCCL, and MPI does not reach the memory of GPUs");
}

/* Whether messages by MPI stay out of host memory. Collective, so the ranks are asked first. */
static int mpi_reaches(const struct gpu_backend *gpu)
{
    const char *way = getenv("SLUICE_TEST_MESSAGES");
    return sluice_comm_reaches(gpu->ranks->domain->comm, GPU_NAME) &&
           !gpu->backend->shares_device && !(way && strcmp(way, "host") == 0);
}

sluice_status gpu_ranks_create(struct gpu_backend *gpu, struct sluice_domain *domain)
{
    const int size = domain->comm->size;
    struct gpu_ranks *ranks = (struct gpu_ranks *)calloc(1, sizeof *ranks);
    SLUICE_CHECK(ranks, SLUICE_DEVICE, GPU_NAME ": no memory for a rank");
    gpu->ranks = ranks;
    ranks->domain = domain;
    ranks->size = size;
    for (int t = 0; t < SLUICE_TYPE_COUNT; t++) {
        SLUICE_TRY(create_lists(&ranks->set[t].own_for, size));
        SLUICE_TRY(create_lists(&ranks->set[t].halo_of, size));
        SLUICE_TRY(gpu_check(gpuMallocHost((void **)&ranks->set[t].counted,
                                           (3 + 2 * (size_t)size) * sizeof(uint32_t)),
                             "pinned host memory for the lengths of lists"));
        SLUICE_TRY(gpu_check(gpuEventCreateUntimed(&ranks->set[t].counting),
                             "an event for the lengths of lists"));
    }
    for (int k = 0; k < GPU_TIMED_PASSES; k++) {
        SLUICE_TRY(gpu_check(gpuEventCreate(&ranks->clock.begun[k]), "an event for a pass"));
        SLUICE_TRY(gpu_check(gpuEventCreate(&ranks->clock.ended[k]), "an event for a pass"));
    }
    SLUICE_TRY(open_mail_stream(ranks));
    SLUICE_TRY(create_lists(&ranks->sends, size));
    ranks->made = (struct gpu_list **)calloc(3 + 2 * (size_t)size, sizeof *ranks->made);
    SLUICE_CHECK(ranks->made, SLUICE_DEVICE, GPU_NAME ": no memory for lists of %d ranks", size);
    SLUICE_TRY(create_mail(&ranks->out, size));
    SLUICE_TRY(create_mail(&ranks->in, size));
    ranks->sent = (int64_t *)calloc(2 * (size_t)size, sizeof *ranks->sent);
    SLUICE_CHECK(ranks->sent, SLUICE_DEVICE, GPU_NAME ": no memory for messages");
    ranks->got = ranks->sent + size;
    SLUICE_TRY(gpu_peers_create(gpu));
    SLUICE_TRY(gpu_direct_create(gpu));
    ranks->mpi_reaches = mpi_reaches(gpu);
    describe_messages(gpu);
    return SLUICE_OK;
}

void gpu_ranks_destroy(struct gpu_backend *gpu)
{
    struct gpu_ranks *ranks = gpu->ranks;
    if (!ranks)
        return;
    const int size = ranks->size;
    close_mail_stream(ranks);
    gpu_peers_destroy(ranks);
    gpu_direct_destroy(ranks);
    for (int k = 0; k < GPU_TIMED_PASSES; k++) {
        if (ranks->clock.begun[k])
            gpuEventDestroy(ranks->clock.begun[k]);
        if (ranks->clock.ended[k])
            gpuEventDestroy(ranks->clock.ended[k]);
    }
    for (int t = 0; t < SLUICE_TYPE_COUNT; t++) {
        gpu_release(gpu, ranks->set[t].own.memory);
        gpu_release(gpu, ranks->set[t].key.memory);
        gpu_release(gpu, ranks->set[t].counts.memory);
        gpu_release(gpu, ranks->set[t].inner.memory.memory);
        gpu_release(gpu, ranks->set[t].edge.memory.memory);
        if (ranks->set[t].counted)
            gpuFreeHost(ranks->set[t].counted);
        if (ranks->set[t].counting)
            gpuEventDestroy(ranks->set[t].counting);
        destroy_lists(gpu, ranks->set[t].own_for, size);
        destroy_lists(gpu, ranks->set[t].halo_of, size);
    }
    destroy_lists(gpu, ranks->sends, size);
    destroy_mail(gpu, &ranks->out);
    destroy_mail(gpu, &ranks->in);
    struct gpu_scratch *const scratch[] = {
        &ranks->cut,           &ranks->region,         &ranks->frame_inner,
        &ranks->border.memory, &ranks->dropped.memory, &ranks->place};
    for (struct gpu_scratch *work : scratch)
        gpu_release(gpu, work->memory);
    free(ranks->made);
    free(ranks->sent);
    free(ranks);
    gpu->ranks = NULL;
}

/* --- Estimated and added up --- */

/* Bytes of a list of n indices. */
static int64_t index_bytes(int64_t n)
{
    return (int64_t)gpu_with_spare((size_t)n * sizeof(uint32_t));
}

/* At a sort there are lists of the particles at the border, dropped, and sent to each other rank,
 * long enough for the next sort, and the places of those that arrive; after it two lists for each
 * other rank, and the particles at the edge. */
static int64_t list_bytes(const struct sluice_halo *halo, int by_mpi)
{
    const int64_t border = halo->count + halo->sent, others = halo->ranks - 1;
    return (2 + others) * index_bytes(gpu_border_capacity(border)) +
           (2 * others + by_mpi) * index_bytes(border) + index_bytes(halo->count);
}

/* The messages of a sort are the largest. */
static int64_t message_bytes(const struct sluice_set *set, const struct sluice_halo *halo,
                             int peers)
{
    const unsigned state = sluice_pack_state(set);
    const size_t in = gpu_packed_bytes(set, state, halo->count),
                 out = gpu_packed_bytes(set, state, halo->sent);
    return (int64_t)(peers ? 2 * gpu_peers_capacity(in) : gpu_with_spare(in) + gpu_with_spare(out));
}

int64_t gpu_rank_needs(const struct gpu_backend *gpu, const struct sluice_set *set,
                       const struct sluice_halo *halo)
{
    /* A plan, without ranks, is for GPUs that write into each other's memory. */
    const int peers = !gpu->ranks || gpu->ranks->peers, by_mpi = !peers && !gpu->ranks->direct;
    const size_t n = (size_t)set->count;
    if (set->type == SLUICE_GHOST) /* nodes have no halos */
        return 0;
    int64_t bytes = list_bytes(halo, by_mpi) + message_bytes(set, halo, peers) +
                    (int64_t)gpu_with_spare(n); /* marks of own particles */
    if (set->moves)
        bytes += (int64_t)gpu_with_spare(n * (size_t)set->real_bytes); /* gpu_shared.key */
    return bytes + (by_mpi ? index_bytes(set->count) : 0);             /* the inner particles */
}

static int64_t bytes_of_lists(const struct gpu_list *lists, int size)
{
    int64_t bytes = 0;
    for (int r = 0; r < size; r++)
        bytes += (int64_t)lists[r].memory.bytes;
    return bytes;
}

int64_t gpu_rank_bytes(const struct gpu_backend *gpu)
{
    const struct gpu_ranks *ranks = gpu->ranks;
    const struct gpu_scratch *const scratch[] = {
        &ranks->cut,           &ranks->region,         &ranks->frame_inner,
        &ranks->border.memory, &ranks->dropped.memory, &ranks->place,
        &ranks->out.device,    &ranks->in.device};
    int64_t bytes = bytes_of_lists(ranks->sends, ranks->size);
    for (const struct gpu_scratch *work : scratch)
        bytes += (int64_t)work->bytes;
    for (const struct gpu_shared &set : ranks->set) {
        bytes += (int64_t)(set.own.bytes + set.key.bytes + set.counts.bytes +
                           set.inner.memory.bytes + set.edge.memory.bytes);
        bytes += bytes_of_lists(set.own_for, ranks->size) +
                 bytes_of_lists(set.halo_of, ranks->size);
    }
    return bytes + (ranks->peers ? gpu_peers_bytes(ranks) : 0);
}

} // namespace SLUICE_GPU
