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

/* A warp for each number: of the passes, then of each type the sums and the extremes. */
__global__ void __launch_bounds__(COLLECT_BLOCK)
    collect_kernel(struct gpu_totals *totals, int passes, const struct gpu_counts *counts,
                   struct gpu_results *results)
{
    gpu_begin();
    const int warp = (int)(blockIdx.x * (COLLECT_BLOCK / GPU_WARP) + threadIdx.x / GPU_WARP),
              lane = (int)threadIdx.x % GPU_WARP, of_passes = passes * GPU_PASS_NUMBERS;
    if (warp == 0 && lane == 0)
        results->counts = *counts;
    if (warp < of_passes) {
        const int pass = warp / GPU_PASS_NUMBERS, k = warp % GPU_PASS_NUMBERS;
        const exact_total v = take_total(gpu_totals_of_pass(totals, pass) + k);
        if (lane == 0)
            gpu_pass_results(results, pass)[k] = v;
        return;
    }
    const int type = (warp - of_passes) / OF_A_TYPE, k = (warp - of_passes) % OF_A_TYPE;
    if (type >= SLUICE_TYPE_COUNT)
        return;
    if (k < GPU_SUMMARY_NUMBERS) {
        const exact_total v = take_total(&totals->summary[type][k]);
        if (lane == 0)
            results->summary[type][k] = v;
        return;
    }
    const double v = take_extreme(totals->extreme[type][k - GPU_SUMMARY_NUMBERS]);
    if (lane == 0)
        results->extreme[type][k - GPU_SUMMARY_NUMBERS] = v;
}

sluice_status gpu_collect(struct gpu_backend *gpu, struct gpu_results *results)
{
    const int64_t numbers = gpu->queue.pass_count * GPU_PASS_NUMBERS +
                            SLUICE_TYPE_COUNT * OF_A_TYPE;
    GPU_LAUNCH(collect_kernel, gpu_blocks(numbers * gpu->warp, COLLECT_BLOCK), COLLECT_BLOCK, 0,
               gpu->stream, gpu->totals, gpu->queue.pass_count, gpu->counts, results);
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
