/* After a sort, the lists of own particles in the halos of other ranks, and of halo particles: the
 * order is the same on both ranks, so the lists agree; after a pass, its results for the halos, by
 * these lists. */
#include "kernels/gpu/ranks.h"
#include "kernels/gpu/variant.h"
#include "kernels/registry.h"

namespace SLUICE_GPU
{

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
        SLUICE_TRY(add_marking(&l, GPU_IS_HALO_OF, r, &shared->halo_of[r], GPU_HALO, own));
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

/* Whether each rank has as many halo particles as their owner thinks. */
static sluice_status compare_lists(struct gpu_backend *gpu, const struct sluice_set *set)
{
    struct gpu_ranks *ranks = gpu->ranks;
    const struct gpu_shared *shared = &ranks->set[set->type];
    struct sluice_comm *comm = ranks->domain->comm;
    for (int r = 0; r < comm->size; r++)
        ranks->sent[r] = shared->own_for[r].count;
    SLUICE_TRY(comm->ops->counts(comm, ranks->sent, ranks->got));
    for (int r = 0; r < comm->size; r++)
        SLUICE_CHECK(ranks->got[r] == shared->halo_of[r].count, SLUICE_DEVICE,
                     "internal: rank %d has %lld halo particles of rank %d, which counts "
                     "%lld; please report it",
                     comm->rank, (long long)shared->halo_of[r].count, r, (long long)ranks->got[r]);
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
        shared->halo_of[r].count = self ? 0 : *count++;
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

sluice_status gpu_read_clock(struct gpu_clock *clock)
{
    for (int k = 0; k < clock->passes; k++) {
        float milliseconds = 0;
        SLUICE_TRY(
            gpu_check(gpuEventSynchronize(clock->ended[k]), "waiting for the device's clock"));
        SLUICE_TRY(gpu_check(gpuEventElapsedTime(&milliseconds, clock->begun[k], clock->ended[k]),
                             "reading the device's clock"));
        clock->seconds += 1e-3 * (double)milliseconds;
    }
    clock->passes = clock->measured = 0;
    return SLUICE_OK;
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

/* The results of ghost nodes lie in the order of their numbers; each rank needs those of its walls'
 * nodes, and gets all. */
static sluice_status refresh_ghosts(struct gpu_backend *gpu, const struct sluice_set *set,
                                    sluice_fields fields)
{
    struct gpu_ranks *ranks = gpu->ranks;
    struct sluice_comm *comm = ranks->domain->comm;
    const size_t rows = ((size_t)set->count * sizeof(uint32_t) + 15) / 16 * 16;
    const size_t bytes = rows + gpu_packed_bytes(set, fields, set->count);
    SLUICE_TRY(gpu_scratch_reserve(gpu, &ranks->out.device, bytes));
    uint32_t *row = (uint32_t *)ranks->out.device.memory;
    SLUICE_TRY(gpu_copy_fields(gpu->stream, gpu_fields_of(set, SLUICE_BIT(NODE)), NULL,
                               gpu_packed_fields(set, SLUICE_BIT(NODE), set->count, (char *)row),
                               NULL, set->count, NULL));
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

/* Sends the results of own particles to the halos of other ranks. */
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
        ranks->in.bytes[r] = gpu_packed_bytes(set, fields, shared->halo_of[r].count);
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
            stream, gpu_packed_fields(set, fields, shared->halo_of[r].count, ranks->in.at[r]), NULL,
            all, numbers_of(shared->halo_of[r]), shared->halo_of[r].count, NULL));
    for (int r = 0; r < size && fields & SLUICE_BIT(EOS); r++)
        SLUICE_TRY(gpu->variant->refresh_records(gpu, set, numbers_of(shared->halo_of[r]),
                                                 shared->halo_of[r].count, stream));
    return SLUICE_OK;
}

/* The window strategy divides its targets. All that the step's stream has deferred must be queued
 * first, and that may need halo particles. */
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
