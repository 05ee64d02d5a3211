/* Lists the particles that have gone. bin() puts them behind the others. Where an effect takes
 * particles out, a kernel that follows the sort writes them into pinned host memory, and the host
 * can read them while the device goes on with the step. Else, and where more go than that memory
 * holds, they are read when the results of the batch give the number of those left. */
#include "kernels/gpu/bins.h"
#include "kernels/gpu/gpu_backend.h"

namespace SLUICE_GPU
{

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
    fetch.fields = LISTED_READS;
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
                                 const uint32_t *alive, int64_t count, int64_t capacity,
                                 struct sluice_listed_particle *to)
{
    gpu_begin();
    const int64_t k = (int64_t)blockIdx.x * blockDim.x + threadIdx.x, left = *alive;
    if (k < capacity && left + k < count)
        listed_read(&arrays, index, left + k, &to[k]);
}

/* Copies a list to the host. Threads side by side copy words side by side, as the bus takes them.
 */
static __global__ void send_gone(const struct sluice_listed_particle *from, const uint32_t *alive,
                                 int64_t count, int64_t capacity, struct gpu_gone_list *to)
{
    gpu_begin();
    const int64_t left = *alive, gone = count - left < capacity ? count - left : capacity,
                  words = gone * (int64_t)(sizeof *from / sizeof(uint64_t));
    const int64_t threads = (int64_t)gridDim.x * blockDim.x;
    int64_t k = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (k == 0)
        to->alive = left;
    for (; k < words; k += threads)
        memcpy((uint64_t *)(void *)to->particle + k, (const uint64_t *)(const void *)from + k,
               sizeof(uint64_t));
}

/* Makes the list long enough on the host and on the device. Returns whether there is memory. */
static int open_list(struct gpu_backend *gpu, int64_t capacity)
{
    struct gpu_gone *gone = &gpu->gone;
    const size_t bytes = (size_t)(2 * capacity) * sizeof *gone->list->particle;
    if (!gone->done &&
        gpu_check(gpuEventCreateUntimed(&gone->done), "an event for a list") != SLUICE_OK)
        return 0;
    if (capacity > gone->capacity) {
        if (gone->list)
            gpuFreeHost(gone->list);
        gone->list = NULL;
        gone->capacity = 0;
        /* gpu_check clears the error, which the next launch would report. */
        if (gpu_check(gpuMallocHost((void **)&gone->list, sizeof *gone->list + bytes),
                      "pinned host memory for particles that go") != SLUICE_OK)
            return 0;
        gone->capacity = 2 * capacity;
    }
    return gpu_scratch_reserve(gpu, &gpu->list_scratch,
                               (size_t)gone->capacity * sizeof *gone->list->particle) == SLUICE_OK;
}

sluice_status gpu_queue_gone(struct gpu_backend *gpu, const struct sluice_set *fluid)
{
    struct gpu_gone *gone = &gpu->gone;
    const int64_t fraction = fluid->count / 512 + 256, most = fluid->count / 64 + 256;
    gone->queued = 0;
    if (gpu->ranks || !fluid->field[SLUICE_FIELD_RETIRES] ||
        !open_list(gpu, fmin(fmax(fraction, gone->most), most)))
        return SLUICE_OK;
    struct sluice_listed_particle *listed = (struct sluice_listed_particle *)
                                                gpu->list_scratch.memory;
    const uint32_t *alive = &gpu->counts->alive[SLUICE_FLUID];
    GPU_LAUNCH_EACH(gpu, "list_gone", list_gone, gone->capacity, listed_arrays_of(fluid),
                    gpu->frames.index, alive, fluid->count, gone->capacity, listed);
    GPU_LAUNCH(send_gone, SEND_BLOCKS, GPU_BLOCK, 0, gpu->stream, listed, alive, fluid->count,
               gone->capacity, gone->list);
    GPU_LAUNCHED("send_gone");
    gone->queued = 1;
    return gpu_check(gpuEventRecord(gone->done, gpu->stream), "marking a list");
}

int gpu_take_gone(struct gpu_backend *gpu, int slot)
{
    struct sluice_set *fluid = gpu->set[SLUICE_FLUID];
    struct gpu_gone *gone = &gpu->gone;
    struct sluice_particle_list *list = gpu->batch[slot].queue.gone;
    if (!gone->queued || !list || gpu->posted_count != 1 || gpu->posted[0] != slot ||
        gpu->batch[slot].completed || gpuEventSynchronize(gone->done) != gpuSuccess)
        return 0;
    const int64_t count = fluid->count - gone->list->alive;
    gone->queued = 0;
    gone->most = count > gone->most ? count : gone->most;
    if (count > gone->capacity || sluice_particle_list_reserve(list, count) != SLUICE_OK)
        return 0;
    if (count > 0)
        memcpy(list->particle, gone->list->particle, (size_t)count * sizeof *list->particle);
    list->count = count;
    fluid->count = gone->list->alive;
    gpu->batch[slot].queue.gone = NULL;
    return 1;
}

void gpu_gone_destroy(struct gpu_backend *gpu)
{
    if (gpu->gone.list)
        gpuFreeHost(gpu->gone.list);
    if (gpu->gone.done)
        gpuEventDestroy(gpu->gone.done);
}

sluice_status gpu_list_gone(struct gpu_backend *gpu, struct gpu_batch *batch)
{
    struct sluice_particle_list *gone = batch->queue.gone;
    if (!gone)
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
    if (!gpu->ranks) /* ranks put their lists together: finish_oldest */
        batch->queue.gone = NULL;
    return SLUICE_OK;
}

} // namespace SLUICE_GPU
