/* Lists the particles that have gone. bin() puts them behind the others. Where an effect takes
 * particles out, a kernel that follows the sort writes them into pinned host memory, and the host
 * can read them while the device goes on with the step. Else, and where there are more than that
 * memory holds, they are read when the results of the batch tell how many are left. */
#include "kernels/gpu/bins.h"
#include "kernels/gpu/gpu_backend.h"

namespace SLUICE_GPU
{

enum {
    LISTED = SLUICE_BIT(ID) | SLUICE_BIT(FRAME) | SLUICE_BIT(POSITION) | SLUICE_BIT(POSITION_LOW) |
             SLUICE_BIT(VELOCITY) | SLUICE_BIT(VELOCITY_LOW) | SLUICE_BIT(SCALAR) |
             SLUICE_BIT(SCALAR_LOW) | SLUICE_BIT(PHASE) | SLUICE_BIT(GROUP) | SLUICE_BIT(RETIRES)
};

sluice_status gpu_download_fields(struct gpu_backend *gpu, struct sluice_fetch *fetch,
                                  int64_t first)
{
    const struct sluice_set *set = fetch->set;
    SLUICE_TRY(sluice_fetch_reserve(fetch, set->count - first));
    for (int f = 0; f < SLUICE_FIELD_COUNT; f++) {
        const int64_t bytes = sluice_set_field_bytes(set, (enum sluice_field)f);
        if (fetch->field[f])
            SLUICE_TRY(gpu_download(gpu, fetch->field[f],
                                    (const char *)set->field[f] + first * bytes,
                                    (size_t)(fetch->count * bytes)));
    }
    return SLUICE_OK;
}

static sluice_status list_one_set(struct gpu_backend *gpu, struct sluice_set *set, int64_t first,
                                  struct sluice_particle_list *gone)
{
    struct sluice_fetch fetch = {};
    struct sluice_set host = *set;
    fetch.set = set;
    fetch.fields = LISTED;
    sluice_status status = gpu_download_fields(gpu, &fetch, first);
    memcpy(host.field, fetch.field, sizeof host.field);
    if (status == SLUICE_OK)
        status = sluice_particle_list_read(gone, gpu->grid, &host, 0, fetch.count);
    sluice_fetch_destroy(&fetch);
    return status;
}

/* --- Before the step's end --- */

enum { SEND_BLOCKS = 32 };
static_assert(sizeof(struct sluice_listed_particle) % sizeof(uint64_t) == 0, "whole words");

static __global__ void list_gone(const struct listed_arrays arrays, const int32_t (*index)[3],
                                 const uint32_t *alive, int64_t count, int64_t room,
                                 struct sluice_listed_particle *to)
{
    gpu_begin();
    const int64_t k = (int64_t)blockIdx.x * blockDim.x + threadIdx.x, left = *alive;
    if (k < room && left + k < count)
        listed_read(&arrays, index, left + k, &to[k]);
}

/* Copies a list to the host, word after word: particle after particle is 20 times slower. */
static __global__ void send_gone(const uint64_t *from, const uint32_t *alive, int64_t count,
                                 int64_t room, struct gpu_gone_list *to)
{
    gpu_begin();
    const int64_t left = *alive, gone = count - left < room ? count - left : room,
                  words = gone * (int64_t)(sizeof *to->particle / sizeof *from);
    const int64_t threads = (int64_t)gridDim.x * blockDim.x;
    int64_t k = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (k == 0)
        to->alive = left;
    for (; k < words; k += threads)
        ((uint64_t *)to->particle)[k] = from[k];
}

static sluice_status open_list(struct gpu_gone *gone, int64_t room)
{
    if (!gone->done)
        SLUICE_TRY(gpu_check(gpuEventCreateUntimed(&gone->done), "an event for a list"));
    if (room <= gone->room)
        return SLUICE_OK;
    if (gone->list)
        gpuFreeHost(gone->list);
    gone->list = NULL;
    gone->room = 0;
    SLUICE_TRY(gpu_check(
        gpuMallocHost((void **)&gone->list,
                      sizeof *gone->list + (size_t)(2 * room) * sizeof *gone->list->particle),
        "pinned host memory for particles that go"));
    gone->room = 2 * room;
    return SLUICE_OK;
}

sluice_status gpu_queue_gone(struct gpu_backend *gpu, const struct sluice_set *fluid)
{
    struct gpu_gone *gone = &gpu->gone[gpu->gone_next];
    const int64_t share = fluid->count / 512 + 256;
    if (gpu->ranks || !fluid->field[SLUICE_FIELD_RETIRES])
        return SLUICE_OK;
    gpu->gone_next = (gpu->gone_next + 1) % GPU_GONE_LISTS;
    SLUICE_TRY(open_list(gone, share > gpu->gone_most ? share : gpu->gone_most));
    SLUICE_TRY(
        gpu_scratch_reserve(gpu, &gpu->listed, (size_t)gone->room * sizeof *gone->list->particle));
    struct sluice_listed_particle *listed = (struct sluice_listed_particle *)gpu->listed.memory;
    const uint32_t *alive = &gpu->counts->alive[SLUICE_FLUID];
    GPU_LAUNCH_EACH(gpu, "list_gone", list_gone, gone->room, listed_arrays_of(fluid),
                    gpu->frames.index, alive, fluid->count, gone->room, listed);
    GPU_LAUNCH(send_gone, SEND_BLOCKS, GPU_BLOCK, 0, gpu->stream, (const uint64_t *)listed, alive,
               fluid->count, gone->room, gone->list);
    GPU_LAUNCHED("send_gone");
    gpu->queue.listed = gone;
    return gpu_check(gpuEventRecord(gone->done, gpu->stream), "marking a list");
}

/* Takes the list of a batch, when all before it have been completed. Returns whether it could. */
static int take_list(struct gpu_backend *gpu, struct gpu_batch *batch)
{
    struct sluice_set *fluid = gpu->set[SLUICE_FLUID];
    const struct gpu_gone *listed = batch->queue.listed;
    struct sluice_particle_list *gone = batch->queue.gone;
    if (!listed || !gone || gpuEventSynchronize(listed->done) != gpuSuccess)
        return 0;
    const int64_t count = fluid->count - listed->list->alive;
    gpu->gone_most = count > gpu->gone_most ? count : gpu->gone_most;
    if (count > listed->room || sluice_particle_list_reserve(gone, count) != SLUICE_OK)
        return 0;
    if (count > 0)
        memcpy(gone->particle, listed->list->particle, (size_t)count * sizeof *gone->particle);
    gone->count = count;
    fluid->count = listed->list->alive;
    batch->queue.gone = NULL;
    return 1;
}

int gpu_take_gone(struct gpu_backend *gpu, int slot)
{
    for (int k = 0; k < gpu->posted_count && gpu->posted[k] != slot; k++)
        if (!gpu->batch[gpu->posted[k]].completed)
            return 0;
    return take_list(gpu, &gpu->batch[slot]);
}

void gpu_gone_destroy(struct gpu_backend *gpu)
{
    for (int k = 0; k < GPU_GONE_LISTS; k++) {
        if (gpu->gone[k].list)
            gpuFreeHost(gpu->gone[k].list);
        if (gpu->gone[k].done)
            gpuEventDestroy(gpu->gone[k].done);
    }
}

sluice_status gpu_list_gone(struct gpu_backend *gpu, struct gpu_batch *batch)
{
    struct sluice_particle_list *gone = batch->queue.gone;
    if (!gone || take_list(gpu, batch))
        return SLUICE_OK;
    gone->count = 0;
    for (int t = 0; t < SLUICE_TYPE_COUNT; t++) {
        struct sluice_set *set = gpu->set[t];
        const int64_t alive = set ? (int64_t)gpu->results_host->counts.alive[t] : 0;
        if (!set || alive >= set->count)
            continue;
        SLUICE_TRY(list_one_set(gpu, set, alive, gone));
        set->count = alive;
    }
    return SLUICE_OK;
}

} // namespace SLUICE_GPU
