/* The results of a step. Passes and reductions add to totals; when a batch is posted, one kernel
 * collects them (collect_results.cu) in the batch's pinned memory. The host waits for the device
 * only here, until that kernel says that they are there. */
#include <sched.h>

#include "kernels/gpu/ranks.h"
#include "kernels/gpu/totals.h"

namespace SLUICE_GPU
{

sluice_status gpu_results_create(struct gpu_backend *gpu)
{
    const size_t passes = (size_t)gpu->backend->passes, numbers = passes * GPU_PASS_NUMBERS,
                 bytes = sizeof(struct gpu_results) + numbers * sizeof(exact_total);
    gpu->waited = -1;
    SLUICE_TRY(gpu_allocate_array(gpu, 1, &gpu->counts));
    SLUICE_TRY(gpu_allocate(gpu, sizeof *gpu->totals + numbers * sizeof(struct gpu_total),
                            (void **)&gpu->totals));
    gpu->results_host = (struct gpu_results *)calloc(1, sizeof *gpu->results_host);
    gpu->pass_lists = (struct sluice_pass **)calloc((GPU_BATCHES + 1) * passes,
                                                    sizeof *gpu->pass_lists);
    SLUICE_CHECK(gpu->results_host && gpu->pass_lists, SLUICE_DEVICE,
                 GPU_NAME ": no memory for results");
    gpu->queue.pass = gpu->pass_lists + GPU_BATCHES * passes;
    for (int s = 0; s < GPU_BATCHES; s++) {
        gpu->batch[s].queue.pass = gpu->pass_lists + (size_t)s * passes;
        SLUICE_TRY(gpu_check(gpuMallocHost((void **)&gpu->batch[s].results, bytes),
                             "pinned host memory for results"));
        memset(gpu->batch[s].results, 0, bytes);
    }
    return SLUICE_OK;
}

static void destroy_marks(struct gpu_marks *marks)
{
    for (int m = 0; m < marks->made; m++)
        gpuEventDestroy(marks->at[m]);
}

void gpu_results_destroy(struct gpu_backend *gpu)
{
    for (int s = 0; s < GPU_BATCHES; s++) {
        if (gpu->batch[s].results)
            gpuFreeHost(gpu->batch[s].results);
        destroy_marks(&gpu->batch[s].queue.marks);
    }
    destroy_marks(&gpu->queue.marks);
    gpu_release(gpu, gpu->counts);
    gpu_release(gpu, gpu->totals);
    free(gpu->results_host);
    free(gpu->pass_lists);
}

/* --- Batches ---- */

static int has_queued(const struct gpu_backend *gpu)
{
    const struct gpu_queue *queue = &gpu->queue;
    int reduces = 0;
    for (int t = 0; t < SLUICE_TYPE_COUNT; t++)
        reduces += queue->reduce[t] != NULL;
    return queue->pass_count || reduces || queue->gone || queue->marks.count;
}

/* Moves all that was queued into the batch. */
sluice_status gpu_post(struct gpu_backend *gpu, int slot)
{
    struct gpu_batch *batch = &gpu->batch[slot];
    const struct gpu_queue used = batch->queue; /* its events and its list are kept */
    gpu_mark(gpu, -1);
    SLUICE_TRY(gpu_collect(gpu, batch));
    batch->queue = gpu->queue;
    batch->completed = 0;
    gpu->queue = gpu_queue();
    gpu->queue.pass = used.pass;
    gpu->queue.marks = used.marks;
    gpu->queue.marks.count = 0;
    gpu->posted[gpu->posted_count++] = slot;
    return SLUICE_OK;
}

static int is_there(const struct gpu_batch *batch)
{
    for (int b = 0; b < batch->blocks; b++)
        if (__atomic_load_n(&batch->results->there[b], __ATOMIC_ACQUIRE) != batch->number)
            return 0;
    return 1;
}

/* Waits for the results. Asks now and then whether the device has failed: then they never come. */
static sluice_status await_results(struct gpu_backend *gpu, const struct gpu_batch *batch)
{
    enum { LOOKS = 1 << 14 }; /* some hundred microseconds */
    for (unsigned k = 1; !is_there(batch); k++) {
        if (k % LOOKS)
            continue;
        const gpuError_t state = gpuStreamQuery(gpu->stream);
        if (state == gpuErrorNotReady) {
            gpuGetLastError(); /* or some runtimes give it as that of the next launch */
            sched_yield();
            continue;
        }
        SLUICE_TRY(gpu_check(state, "waiting for a step"));
        SLUICE_CHECK(is_there(batch), SLUICE_DEVICE,
                     GPU_NAME ": the device has ended a step without its results");
    }
    return SLUICE_OK;
}

/* Waits for the batch; takes what has gone off the counts. */
static sluice_status complete(struct gpu_backend *gpu, int slot)
{
    struct gpu_batch *batch = &gpu->batch[slot];
    if (batch->completed)
        return SLUICE_OK;
    /* The device may wait for another rank's. */
    if (gpu->ranks)
        sluice_comm_waits(gpu->ranks->domain->comm, sluice_seconds());
    SLUICE_TRY(await_results(gpu, batch));
    if (gpu->ranks)
        sluice_comm_waits(gpu->ranks->domain->comm, 0);
    *gpu->results_host = *batch->results;
    batch->completed = 1;
    return gpu_list_gone(gpu, batch);
}

sluice_status gpu_complete_posted(struct gpu_backend *gpu)
{
    for (int k = 0; k < gpu->posted_count; k++)
        SLUICE_TRY(complete(gpu, gpu->posted[k]));
    return SLUICE_OK;
}

static sluice_status finish_oldest(struct gpu_backend *gpu)
{
    const int slot = gpu->posted[0];
    struct gpu_results *results = gpu->batch[slot].results;
    const struct gpu_queue *queue = &gpu->batch[slot].queue;
    gpu->posted_count--;
    memmove(gpu->posted, gpu->posted + 1, (size_t)gpu->posted_count * sizeof gpu->posted[0]);
    SLUICE_TRY(complete(gpu, slot));
    gpu->waited = slot;
    for (int k = 0; k < queue->pass_count; k++) {
        const exact_total *of_pass = gpu_pass_results(results, k);
        memcpy(queue->pass[k]->total, of_pass, sizeof queue->pass[k]->total);
        queue->pass[k]->out_of_range = (int64_t)of_pass[SLUICE_SUM_COUNT];
        SLUICE_TRY(sluice_settle_pass(gpu->backend, queue->pass[k]));
    }
    for (int t = 0; t < SLUICE_TYPE_COUNT; t++)
        if (queue->reduce[t]) {
            gpu_fill_totals(results, t, queue->reduce[t]);
            SLUICE_TRY(sluice_settle_reduce(gpu->backend, queue->reduce[t]));
        }
    if (gpu->ranks)
        gpu->backend->pending.gone = queue->gone;
    return sluice_settle(gpu->backend);
}

sluice_status gpu_wait(struct gpu_backend *gpu, int slot, int *early)
{
    int posted = 0;
    if (early) {
        *early = gpu_take_gone(gpu, slot);
        return SLUICE_OK;
    }
    for (int k = 0; k < gpu->posted_count; k++)
        posted |= gpu->posted[k] == slot;
    SLUICE_CHECK(posted, SLUICE_DEVICE, GPU_NAME ": batch %d is waited for, but was not posted",
                 slot);
    do
        SLUICE_TRY(finish_oldest(gpu));
    while (gpu->waited != slot);
    return gpu_finish_sums(gpu);
}

sluice_status gpu_sync(struct gpu_backend *gpu)
{
    if (has_queued(gpu))
        SLUICE_TRY(gpu_post(gpu, GPU_BATCHES - 1));
    while (gpu->posted_count)
        SLUICE_TRY(finish_oldest(gpu));
    SLUICE_TRY(gpu_finish_sums(gpu));
    return gpu_check(gpuStreamSynchronize(gpu->stream), "waiting for the device");
}

/* --- The clock of the sections ---- */

void gpu_mark(struct gpu_backend *gpu, int section)
{
    struct gpu_marks *marks = &gpu->queue.marks;
    if (marks->count == GPU_MARKS || (marks->count == 0 && section < 0))
        return;
    if (marks->count == marks->made) {
        if (gpuEventCreate(&marks->at[marks->made]) != gpuSuccess)
            return;
        marks->made++;
    }
    gpuEventRecord(marks->at[marks->count], gpu->stream);
    marks->section[marks->count++] = section;
}

sluice_status gpu_elapsed(struct gpu_backend *gpu, double seconds[SLUICE_SECTION_COUNT])
{
    struct gpu_marks *marks = gpu->waited < 0 ? NULL : &gpu->batch[gpu->waited].queue.marks;
    if (!marks)
        return SLUICE_OK;
    if (marks->count > 0) /* long over, but nothing has waited for it */
        SLUICE_TRY(gpu_check(gpuEventSynchronize(marks->at[marks->count - 1]),
                             "waiting for the device's clock"));
    for (int m = 0; m + 1 < marks->count; m++) {
        float milliseconds = 0;
        if (marks->section[m] < 0)
            continue;
        SLUICE_TRY(gpu_check(gpuEventElapsedTime(&milliseconds, marks->at[m], marks->at[m + 1]),
                             "reading the device's clock"));
        seconds[marks->section[m]] += 1e-3 * (double)milliseconds;
    }
    marks->count = 0;
    return SLUICE_OK;
}

} // namespace SLUICE_GPU
