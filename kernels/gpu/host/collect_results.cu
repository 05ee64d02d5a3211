/* The end of a step: one launch turns the totals of passes and reductions into a batch's results,
 * and clears them for the next step. It writes into pinned host memory, since a copy would take
 * longer. */
#include "kernels/gpu/totals.h"

namespace SLUICE_GPU
{

enum { COLLECT_BLOCK = 256, OF_A_TYPE = GPU_SUMMARY_NUMBERS + GPU_EXTREMES };

/* The sum of a total's copies, for the first lane. */
static __device__ exact_total take_total(struct gpu_total *from)
{
    const int lane = (int)threadIdx.x % GPU_WARP;
    unsigned long long piece[EXACT_PIECES] = {};
    for (int p = 0; lane < GPU_COPIES && p < EXACT_PIECES; p++) {
        piece[p] = from->piece[p][lane];
        if (piece[p])
            from->piece[p][lane] = 0;
    }
    exact_total v = exact_joined(piece[0], piece[1], piece[2]);
    for (int d = GPU_WARP / 2; d > 0; d /= 2) {
        const unsigned long long low = gpu_shuffle_down((unsigned long long)v, d);
        const long long high = gpu_shuffle_down((long long)(v >> 64), d);
        v += (exact_total)high * ((exact_total)1 << 64) + (exact_total)low;
    }
    return v;
}

/* The largest of an extreme's copies, for the first lane. */
static __device__ double take_extreme(unsigned long long *from)
{
    const int lane = (int)threadIdx.x % GPU_WARP;
    unsigned long long v = 0;
    if (lane < GPU_COPIES) {
        v = from[lane];
        from[lane] = 0;
    }
    for (int d = GPU_WARP / 2; d > 0; d /= 2)
        v = fold_most()(v, gpu_shuffle_down(v, d));
    return gpu_extreme_value(v);
}

/* Takes a number of the results: of the passes, then of each type the sums and the extremes. */
static __device__ void take_number(struct gpu_totals *totals, int passes, int number,
                                   struct gpu_results *results)
{
    const int of_passes = passes * GPU_PASS_NUMBERS, writes = threadIdx.x % GPU_WARP == 0;
    if (number < of_passes) {
        const int pass = number / GPU_PASS_NUMBERS, k = number % GPU_PASS_NUMBERS;
        const exact_total v = take_total(gpu_totals_of_pass(totals, pass) + k);
        if (writes)
            gpu_pass_results(results, pass)[k] = v;
        return;
    }
    const int type = (number - of_passes) / OF_A_TYPE, k = (number - of_passes) % OF_A_TYPE;
    if (k < GPU_SUMMARY_NUMBERS) {
        const exact_total v = take_total(&totals->summary[type][k]);
        if (writes)
            results->summary[type][k] = v;
        return;
    }
    const double v = take_extreme(totals->extreme[type][k - GPU_SUMMARY_NUMBERS]);
    if (writes)
        results->extreme[type][k - GPU_SUMMARY_NUMBERS] = v;
}

/* A warp for each number, or several numbers for a warp. The last thing that a block does is to say
 * that its part is there: the host then goes on, before the kernel has ended. */
__global__ void __launch_bounds__(COLLECT_BLOCK)
    collect_kernel(struct gpu_totals *totals, int passes, const struct gpu_counts *counts,
                   uint32_t post, struct gpu_results *results)
{
    gpu_begin();
    const int warps = (int)(gridDim.x * (COLLECT_BLOCK / GPU_WARP)),
              numbers = passes * GPU_PASS_NUMBERS + SLUICE_TYPE_COUNT * OF_A_TYPE;
    if (blockIdx.x == 0 && threadIdx.x == 0)
        results->counts = *counts;
    for (int n = (int)(blockIdx.x * (COLLECT_BLOCK / GPU_WARP) + threadIdx.x / GPU_WARP);
         n < numbers; n += warps)
        take_number(totals, passes, n, results);
    __syncthreads();
    if (threadIdx.x == 0) {
        gpu_fence_system();
        *(volatile uint32_t *)&results->there[blockIdx.x] = post;
    }
}

sluice_status gpu_collect(struct gpu_backend *gpu, struct gpu_batch *batch)
{
    const int64_t numbers = gpu->queue.pass_count * GPU_PASS_NUMBERS +
                            SLUICE_TYPE_COUNT * OF_A_TYPE;
    const unsigned enough = gpu_blocks(numbers * gpu->warp, COLLECT_BLOCK);
    batch->blocks = enough < GPU_COLLECT_BLOCKS ? (int)enough : (int)GPU_COLLECT_BLOCKS;
    batch->number = ++gpu->posts;
    GPU_LAUNCH(collect_kernel, (unsigned)batch->blocks, COLLECT_BLOCK, 0, gpu->stream, gpu->totals,
               gpu->queue.pass_count, gpu->counts, batch->number, batch->results);
    GPU_LAUNCHED("collect");
    return SLUICE_OK;
}

sluice_status gpu_pass_totals(struct gpu_backend *gpu, struct sluice_pass *pass,
                              struct gpu_total **totals)
{
    struct gpu_queue *queue = &gpu->queue;
    int k = 0;
    while (k < queue->pass_count && queue->pass[k] != pass)
        k++;
    SLUICE_CHECK(k < gpu->backend->passes, SLUICE_BAD_INPUT,
                 "pass %s: more than %d passes between two syncs", pass->name,
                 gpu->backend->passes);
    *totals = gpu_totals_of_pass(gpu->totals, k);
    if (k < queue->pass_count && (pass->sums || pass->count_pairs)) {
        SLUICE_TRY(gpu_join(gpu));
        return gpu_clear(gpu, *totals, GPU_PASS_NUMBERS * sizeof **totals);
    }
    if (k < queue->pass_count)
        return SLUICE_OK;
    queue->pass[queue->pass_count++] = pass;
    return SLUICE_OK;
}

void gpu_fill_totals(const struct gpu_results *results, int type, struct sluice_reduce *r)
{
    const double *extreme = results->extreme[type];
    const int64_t faulty = (int64_t)results->summary[type][SUMMARY_SUMS];
    memcpy(r->total, results->summary[type], sizeof r->total);
    r->extremes = {
        fmax(extreme[GPU_SPEED2], 0), /* -INFINITY: no particles */
        fmax(extreme[GPU_ACCELERATION2], 0),
        -extreme[GPU_MINUS_DENSITY],
        extreme[GPU_DENSITY],
        fmax(extreme[GPU_RATE], 0), /* -INFINITY: the set has none */
        fmax(extreme[GPU_LENGTH], 0),
        faulty,
        faulty ? (int64_t)-extreme[GPU_MINUS_FAULTY_ID] : INT64_MAX, /* INT64_MAX: none */
    };
}

} // namespace SLUICE_GPU
