/* A rank's memory; after a sort, the lists of own particles that other ranks have copies of, and of
 * copies: the order is the same on both ranks, so the lists agree; after a pass, its results for
 * the copies, by these lists. */
#include "kernels/gpu/ranks.h"
#include "kernels/gpu/variant.h"
#include "kernels/registry.h"

namespace SLUICE_GPU
{

/* --- Memory ---- */

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

/* Which way messages go, for the log. */
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

/* Whether messages by MPI stay out of host memory. By all, so the ranks are asked first. */
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
        SLUICE_TRY(create_lists(&ranks->set[t].copy_of, size));
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
        destroy_lists(gpu, ranks->set[t].copy_of, size);
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

static int is_by_mpi(const struct gpu_ranks *ranks)
{
    return !ranks->peers && !ranks->direct;
}

/* --- Regions ---- */

sluice_status gpu_find_inner(struct gpu_backend *gpu, const struct sluice_grid *g)
{
    struct gpu_ranks *ranks = gpu->ranks;
    struct sluice_domain *d = ranks->domain;
    if (ranks->inner_version == g->version && ranks->inner_reach == d->regions.reach && !d->moved)
        return SLUICE_OK;
    ranks->inner_version = g->version;
    ranks->inner_reach = d->regions.reach;
    SLUICE_TRY(sluice_domain_find_inner(d, g));
    SLUICE_TRY(gpu_scratch_reserve(gpu, &ranks->frame_inner, (size_t)g->frame_count));
    return gpu_send(gpu, ranks->frame_inner.memory, d->frame_inner, (size_t)g->frame_count);
}

/* --- After a sort ---- */

static __global__ void mark(const uint32_t *list, int64_t most, const uint32_t *count,
                            enum gpu_whose whose, uint8_t *own)
{
    gpu_begin();
    const int64_t k = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (k < most && k < *count)
        own[list[k]] = (uint8_t)whose;
}

static sluice_status add_marking(struct gpu_listing *l, enum gpu_question what, int rank,
                                 struct gpu_list *list, enum gpu_whose whose, uint8_t *own)
{
    const int64_t most = l->question.n;
    SLUICE_TRY(gpu_listing_add(l, what, rank, list));
    if (most > 0)
        GPU_LAUNCH_EACH(l->gpu, "mark", mark, most, numbers_of(*list), most,
                        l->counts + l->count - 1, whose, own);
    return SLUICE_OK;
}

static sluice_status list_edge(struct gpu_listing *l, struct gpu_shared *shared)
{
    shared->edge_most = l->question.n;
    shared->edge_count = l->counts + l->count;
    SLUICE_TRY(gpu_listing_add_marked(l, GPU_EDGE, &shared->edge));
    shared->inner_count = l->counts + l->count;
    return gpu_listing_add_marked(l, GPU_INNER, &shared->inner);
}

sluice_status gpu_list_shared(struct gpu_backend *gpu, const struct sluice_grid *g,
                              struct sluice_set *set)
{
    struct gpu_ranks *ranks = gpu->ranks;
    struct gpu_shared *shared = &ranks->set[set->type];
    const int64_t most = shared->border_after < set->count ? shared->border_after : set->count;
    struct gpu_listing l;
    SLUICE_TRY(gpu_scratch_reserve(gpu, &shared->own, (size_t)set->count + 1));
    uint8_t *own = (uint8_t *)shared->own.memory;
    SLUICE_TRY(gpu_check(gpuMemsetAsync(own, GPU_INNER, (size_t)set->count + 1, gpu->stream),
                         "marking own particles"));
    set->own = NULL; /* of the order before */
    SLUICE_TRY(gpu_listing_open(gpu, g, set, most, &l));
    for (int r = 0; r < ranks->size; r++) {
        if (r == ranks->domain->comm->rank)
            continue;
        SLUICE_TRY(add_marking(&l, GPU_IS_OWN_FOR, r, &shared->own_for[r], GPU_EDGE, own));
        SLUICE_TRY(add_marking(&l, GPU_IS_COPY_OF, r, &shared->copy_of[r], GPU_COPY, own));
    }
    set->own = own;
    if (is_by_mpi(ranks))
        SLUICE_TRY(list_edge(&l, shared));
    shared->pending = 1;
    SLUICE_TRY(gpu_check(gpuMemcpyAsync(shared->counted, l.counts,
                                        (size_t)l.count * sizeof *shared->counted,
                                        gpuMemcpyDeviceToHost, gpu->stream),
                         "the lengths of lists"));
    return gpu_check(gpuEventRecord(shared->counting, gpu->stream), "the lengths of lists");
}

/* Whether each rank has as many copies as their owner thinks. */
static sluice_status compare_lists(struct gpu_backend *gpu, const struct sluice_set *set)
{
    struct gpu_ranks *ranks = gpu->ranks;
    const struct gpu_shared *shared = &ranks->set[set->type];
    struct sluice_comm *comm = ranks->domain->comm;
    for (int r = 0; r < comm->size; r++)
        ranks->sent[r] = shared->own_for[r].count;
    SLUICE_TRY(comm->ops->counts(comm, ranks->sent, ranks->got));
    for (int r = 0; r < comm->size; r++)
        SLUICE_CHECK(ranks->got[r] == shared->copy_of[r].count, SLUICE_DEVICE,
                     "internal: rank %d has %lld copies of particles of rank %d, which counts "
                     "%lld; please report it",
                     comm->rank, (long long)shared->copy_of[r].count, r, (long long)ranks->got[r]);
    return SLUICE_OK;
}

sluice_status gpu_read_lists(struct gpu_backend *gpu, const struct sluice_set *set)
{
    struct gpu_ranks *ranks = gpu->ranks;
    struct gpu_shared *shared = &ranks->set[set->type];
    const uint32_t *count = shared->counted;
    if (!shared->pending)
        return SLUICE_OK;
    shared->pending = 0;
    SLUICE_TRY(gpu_check(gpuEventSynchronize(shared->counting), "the lengths of lists"));
    SLUICE_CHECK((int64_t)*count <= shared->border_after, SLUICE_DEVICE,
                 "internal: %u particles at the border of rank %d, at most %lld were expected; "
                 "please report it",
                 *count, ranks->domain->comm->rank, (long long)shared->border_after);
    count++;
    for (int r = 0; r < ranks->size; r++) {
        const int self = r == ranks->domain->comm->rank;
        shared->own_for[r].count = self ? 0 : *count++;
        shared->copy_of[r].count = self ? 0 : *count++;
    }
    return compare_lists(gpu, set);
}

/* --- A pass ---- */

/* The clock of passes: around a rank's own work. */
static sluice_status clock_begins(struct gpu_ranks *ranks, gpuStream_t stream)
{
    struct gpu_clock *clock = &ranks->clock;
    clock->measured |= clock->passes == GPU_TIMED_PASSES; /* until the next sort */
    return clock->measured ? SLUICE_OK
                           : gpu_check(gpuEventRecord(clock->begun[clock->passes], stream),
                                       "the time of a pass");
}

static sluice_status clock_ends(struct gpu_ranks *ranks, gpuStream_t stream)
{
    struct gpu_clock *clock = &ranks->clock;
    return clock->measured ? SLUICE_OK
                           : gpu_check(gpuEventRecord(clock->ended[clock->passes++], stream),
                                       "the time of a pass");
}

/* The stream of messages goes on after all that the step's stream has now. */
static sluice_status mail_follows(struct gpu_backend *gpu)
{
    struct gpu_ranks *ranks = gpu->ranks;
    SLUICE_TRY(gpu_check(gpuEventRecord(ranks->forked, gpu->stream), "messages between ranks"));
    return gpu_check(gpuStreamWaitEvent(ranks->mail, ranks->forked, 0), "messages between ranks");
}

sluice_status gpu_join(struct gpu_backend *gpu)
{
    struct gpu_ranks *ranks = gpu->ranks;
    if (!ranks || !ranks->pending)
        return SLUICE_OK;
    ranks->pending = 0;
    return gpu_check(gpuStreamWaitEvent(gpu->stream, ranks->arrived, 0), "messages between ranks");
}

sluice_status gpu_divide_targets(struct gpu_backend *gpu, const struct sluice_set *set,
                                 struct gpu_targets targets[2], int *launches)
{
    struct gpu_ranks *ranks = gpu->ranks;
    *launches = 1;
    targets[0] = {NULL, NULL, set->count, gpu->stream};
    if (!ranks || !ranks->divided)
        return SLUICE_OK;
    const struct gpu_shared *shared = &ranks->set[set->type];
    targets[0] = {numbers_of(shared->edge), shared->edge_count, shared->edge_most, ranks->mail};
    targets[1] = {numbers_of(shared->inner), shared->inner_count, set->count, gpu->stream};
    *launches = 2;
    return mail_follows(gpu);
}

/* --- After a pass ---- */

static __global__ void rows_of_ids(const sluice_id *id, int64_t n, sluice_id least, uint32_t *row)
{
    gpu_begin();
    const int64_t k = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (k < n)
        row[k] = (uint32_t)(id[k] - least);
}

/* The results of ghost nodes lie in the order of ids; each rank needs those of its walls' nodes,
 * and gets all. */
static sluice_status refresh_ghosts(struct gpu_backend *gpu, const struct sluice_set *set,
                                    sluice_fields fields)
{
    struct gpu_ranks *ranks = gpu->ranks;
    struct sluice_comm *comm = ranks->domain->comm;
    const size_t rows = ((size_t)set->count * sizeof(uint32_t) + 15) / 16 * 16;
    const size_t bytes = rows + gpu_packed_bytes(set, fields, set->count);
    SLUICE_TRY(gpu_scratch_reserve(gpu, &ranks->out.device, bytes));
    uint32_t *row = (uint32_t *)ranks->out.device.memory;
    if (set->count > 0)
        GPU_LAUNCH_EACH(gpu, "rows_of_ids", rows_of_ids, set->count,
                        (const sluice_id *)set->field[SLUICE_FIELD_ID], set->count,
                        ranks->set[set->type].least_id, row);
    SLUICE_TRY(gpu_copy_fields(gpu->stream, gpu_fields_of(set, fields), row,
                               gpu_packed_fields(set, fields, set->count, (char *)row + rows), NULL,
                               set->count, NULL));
    const struct gpu_host_array<char> mine(bytes);
    SLUICE_CHECK(mine.at, SLUICE_DEVICE, GPU_NAME ": no memory for results of ghost nodes");
    SLUICE_TRY(gpu_download(gpu, mine.at, row, bytes));
    for (int r = 0; r < comm->size; r++)
        ranks->sent[r] = set->count;
    SLUICE_TRY(comm->ops->counts(comm, ranks->sent, ranks->got));
    void *all = NULL;
    size_t total = 0;
    SLUICE_TRY(sluice_comm_gather(comm, mine.at, bytes, 1, &all, &total));
    sluice_status status = gpu_scratch_reserve(gpu, &ranks->in.device, total);
    if (status == SLUICE_OK)
        status = gpu_send(gpu, ranks->in.device.memory, all, total);
    free(all);
    char *at = (char *)ranks->in.device.memory;
    for (int r = 0; r < comm->size && status == SLUICE_OK; r++) {
        const size_t of_rows = ((size_t)ranks->got[r] * sizeof(uint32_t) + 15) / 16 * 16;
        status = gpu_copy_fields(
            gpu->stream, gpu_packed_fields(set, fields, ranks->got[r], at + of_rows), NULL,
            gpu_fields_of(set, fields), (const uint32_t *)at, ranks->got[r], NULL);
        at += of_rows + gpu_packed_bytes(set, fields, ranks->got[r]);
    }
    return status;
}

/* Sends the results of own particles to their copies on other ranks. */
static sluice_status refresh(struct gpu_backend *gpu, struct sluice_set *set, sluice_fields fields)
{
    struct gpu_ranks *ranks = gpu->ranks;
    const struct gpu_shared *shared = &ranks->set[set->type];
    const int size = ranks->domain->comm->size;
    const gpuStream_t stream = ranks->divided ? ranks->mail : gpu->stream;
    const struct gpu_fields all = gpu_fields_of(set, fields);
    SLUICE_TRY(gpu_read_lists(gpu, set));
    if (set->type == SLUICE_GHOST)
        return refresh_ghosts(gpu, set, fields);
    for (int r = 0; r < size; r++) {
        ranks->out.bytes[r] = gpu_packed_bytes(set, fields, shared->own_for[r].count);
        ranks->in.bytes[r] = gpu_packed_bytes(set, fields, shared->copy_of[r].count);
    }
    SLUICE_TRY(gpu_mail_open(gpu));
    for (int r = 0; r < size; r++)
        SLUICE_TRY(gpu_copy_fields(
            stream, all, numbers_of(shared->own_for[r]),
            gpu_packed_fields(set, fields, shared->own_for[r].count, ranks->out.at[r]), NULL,
            shared->own_for[r].count, NULL));
    SLUICE_TRY(gpu_mail_travel(gpu, stream));
    for (int r = 0; r < size; r++)
        SLUICE_TRY(gpu_copy_fields(
            stream, gpu_packed_fields(set, fields, shared->copy_of[r].count, ranks->in.at[r]), NULL,
            all, numbers_of(shared->copy_of[r]), shared->copy_of[r].count, NULL));
    for (int r = 0; r < size && fields & SLUICE_BIT(EOS); r++)
        SLUICE_TRY(gpu->variant->refresh_records(gpu, set, numbers_of(shared->copy_of[r]),
                                                 shared->copy_of[r].count, stream));
    return SLUICE_OK;
}

/* The window strategy divides its targets. All that the step's stream has deferred must be queued
 * first, and that may need copies. */
static int divides(const struct gpu_backend *gpu, int strategy, const struct sluice_pass *pass)
{
    int deferred = gpu->drift.set != NULL;
    for (int t = 0; t < SLUICE_TYPE_COUNT; t++)
        deferred |= gpu->kick[t].set != NULL;
    return is_by_mpi(gpu->ranks) && strategy == SLUICE_STRATEGY_window && pass->target->own &&
           pass->target->count > 0 && pass->target->type != SLUICE_GHOST && !deferred;
}

/* Before a pass. An inner target needs no message, but it may reach the edge, so a divided pass
 * waits for the edge of the one before. */
static sluice_status wait_for_last(struct gpu_backend *gpu)
{
    struct gpu_ranks *ranks = gpu->ranks;
    if (!ranks->divided)
        return gpu_settle(gpu);
    return ranks->pending ? gpu_check(gpuStreamWaitEvent(gpu->stream, ranks->computed, 0),
                                      "the edge of a rank")
                          : SLUICE_OK;
}

sluice_status gpu_rank_pass(struct gpu_backend *gpu, const struct sluice_grid *g, int strategy,
                            struct sluice_pass *pass)
{
    struct gpu_ranks *ranks = gpu->ranks;
    const sluice_fields fields = sluice_pass_refreshes(pass, 0);
    ranks->divided = divides(gpu, strategy, pass);
    SLUICE_TRY(wait_for_last(gpu));
    SLUICE_TRY(clock_begins(ranks, gpu->stream));
    SLUICE_TRY(gpu->variant->interact[strategy](gpu, g, pass));
    SLUICE_TRY(clock_ends(ranks, gpu->stream));
    if (ranks->divided)
        SLUICE_TRY(gpu_check(gpuEventRecord(ranks->computed, ranks->mail), "the edge of a rank"));
    if (fields)
        SLUICE_TRY(refresh(gpu, pass->target, fields));
    ranks->pending = ranks->divided;
    ranks->divided = 0;
    return ranks->pending
               ? gpu_check(gpuEventRecord(ranks->arrived, ranks->mail), "messages between ranks")
               : SLUICE_OK;
}

} // namespace SLUICE_GPU
