/* The end of the fixed tree: what the blocks of passes and reductions left becomes a batch's
 * results, in one launch, which writes them into the host's memory: a copy would take longer. */
#include "kernels/gpu/fold.h"

namespace SLUICE_GPU
{

/* Numbers of one kind, one of each block: number k is at [k * blocks]. */
struct fold_input {
    const double *of_block;
    int64_t blocks;
};

struct fold_job {
    struct fold_input pass[GPU_PASSES], set[SLUICE_TYPE_COUNT];
    const struct gpu_counts *counts;
    struct gpu_results *results; /* pinned */
};

enum {
    PASS_NUMBERS = GPU_PASSES * SLUICE_SUM_COUNT,
    SET_NUMBERS = SLUICE_TYPE_COUNT * SUMMARY_COUNT
};

static __device__ void put_number(struct sluice_summary *s, int number, double v)
{
    int n = 0;
#define X(name, op)                                                                                \
    if (number == n++)                                                                             \
        s->name = (decltype(s->name + 0))v;
    SUMMARY_NUMBERS(X)
#undef X
    if (number == SUMMARY_COUNT - 1 && v == INFINITY)
        s->first_not_finite = -1;
}

/* Many loads under way: a pass leaves a number a warp. ThreadSanitizer's time to order threads
 * grows with the square of their number, and was nine tenths of that of the tests. */
#ifdef __SANITIZE_THREAD__
enum { FOLD_BLOCK = 256, FOLD_AT_ONCE = 16 };
#else
enum { FOLD_BLOCK = 1024, FOLD_AT_ONCE = 16 };
#endif

/* One block a number. */
__global__ void __launch_bounds__(FOLD_BLOCK) fold_kernel(const struct fold_job job)
{
    gpu_begin();
    GPU_SHARED(double, part, [FOLD_BLOCK / 32]);
    const int number = (int)blockIdx.x, of_set = number - PASS_NUMBERS;
    const struct fold_input *from = of_set < 0 ? &job.pass[number / SLUICE_SUM_COUNT]
                                               : &job.set[of_set / SUMMARY_COUNT];
    const int k = of_set < 0 ? number % SLUICE_SUM_COUNT : of_set % SUMMARY_COUNT;
    const enum fold_op op = of_set < 0 ? FOLD_SUM : fold_of_number(k);
    double v = fold_nothing(op);
    const double *of_block = from->of_block + k * from->blocks;
    for (int64_t b = (int64_t)threadIdx.x; b < from->blocks; b += FOLD_AT_ONCE * FOLD_BLOCK) {
        double some[FOLD_AT_ONCE];
#pragma unroll
        for (int n = 0; n < FOLD_AT_ONCE; n++)
            some[n] = b + n * FOLD_BLOCK < from->blocks ? of_block[b + n * FOLD_BLOCK]
                                                        : fold_nothing(op);
#pragma unroll
        for (int n = 0; n < FOLD_AT_ONCE; n++)
            v = fold_two(op, v, some[n]);
    }
    fold_lanes(op, v, part);
    __syncthreads();
    if (threadIdx.x != 0)
        return;
    v = fold_warps(op, part);
    if (number == 0)
        job.results->counts = *job.counts;
    if (of_set < 0)
        job.results->sum[number / SLUICE_SUM_COUNT][k] = v;
    else
        put_number(&job.results->summary[of_set / SUMMARY_COUNT], k, v);
}

sluice_status gpu_fold(struct gpu_backend *gpu, struct gpu_results *results)
{
    struct fold_job job;
    memset(&job, 0, sizeof job);
    for (int k = 0; k < gpu->pass_count; k++)
        job.pass[k] = fold_input{(const double *)gpu->sums[k].memory, gpu->sum_blocks[k]};
    for (int t = 0; t < SLUICE_TYPE_COUNT; t++)
        if (gpu->reduce[t])
            job.set[t] = fold_input{(const double *)gpu->partial[t].memory, gpu->partial_blocks[t]};
    job.counts = gpu->counts;
    job.results = results;
    GPU_LAUNCH(fold_kernel, PASS_NUMBERS + SET_NUMBERS, FOLD_BLOCK, 0, gpu->stream, job);
    GPU_LAUNCHED("fold");
    return SLUICE_OK;
}

int gpu_pass_place(struct gpu_backend *gpu, struct sluice_pass *pass)
{
    for (int k = 0; k < gpu->pass_count; k++)
        if (gpu->pass[k] == pass)
            return k;
    if (gpu->pass_count == GPU_PASSES)
        return -1;
    gpu->pass[gpu->pass_count] = pass;
    return gpu->pass_count++;
}

} // namespace SLUICE_GPU
