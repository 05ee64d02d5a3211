/* The sums of a step in device memory. Threads turn their terms into whole numbers (exact_sum.h),
 * the lanes of a warp add them up, and one lane adds the warp's sum to the total, atomically: whole
 * numbers come to the same total in any order. Copies keep warps from waiting for one another. At
 * the end of a step one kernel adds the copies up and clears them (host/collect_results.cu). */
#ifndef SLUICE_KERNELS_GPU_TOTALS_H
#define SLUICE_KERNELS_GPU_TOTALS_H
#include "kernels/gpu/gpu_backend.h"

namespace SLUICE_GPU
{

/* The extremes of a set: the largest of each number. */
enum gpu_extreme {
    GPU_SPEED2,
    GPU_ACCELERATION2,
    GPU_MINUS_DENSITY,
    GPU_DENSITY,
    GPU_RATE,
    GPU_LENGTH,
    GPU_MINUS_FAULTY_ID, /* of the particles that are not finite */
    GPU_EXTREMES
};
static_assert((int)GPU_EXTREMES == sizeof(gpu_results::extreme[0]) / sizeof(double), "one of each");

enum { GPU_COPIES = 32 };

struct gpu_total {
    unsigned long long piece[EXACT_PIECES][GPU_COPIES];
};

/* Zero before the first launch. An extreme is stored so that larger doubles are larger whole
 * numbers, all above 0. Behind it: [backend->passes][GPU_PASS_NUMBERS]. */
struct gpu_totals {
    struct gpu_total summary[SLUICE_TYPE_COUNT][GPU_SUMMARY_NUMBERS];
    unsigned long long extreme[SLUICE_TYPE_COUNT][GPU_EXTREMES][GPU_COPIES];
};

static inline __host__ __device__ struct gpu_total *gpu_totals_of_pass(struct gpu_totals *totals,
                                                                       int pass)
{
    return (struct gpu_total *)(totals + 1) + pass * GPU_PASS_NUMBERS;
}

/* The copy for this thread's warp. */
static __device__ __forceinline__ int gpu_copy_of_warp()
{
    return (int)((blockIdx.x * (blockDim.x / GPU_WARP) + threadIdx.x / GPU_WARP) % GPU_COPIES);
}

static __device__ __forceinline__ void gpu_total_add(struct gpu_total *to, int copy,
                                                     exact_total total)
{
#pragma unroll
    for (int p = 0; p < EXACT_PIECES; p++) {
        const unsigned long long piece = exact_piece(total, p);
        if (piece)
            atomicAdd(&to->piece[p][copy], piece);
    }
}

static __device__ __forceinline__ void gpu_extreme_raise(unsigned long long *of_copy, int copy,
                                                         double x)
{
    const int64_t bits = exact_bits(x);
    atomicMax(&of_copy[copy], (unsigned long long)(bits < 0 ? ~bits : bits | INT64_MIN));
}

static __device__ __forceinline__ double gpu_extreme_value(unsigned long long stored)
{
    return stored == 0 ? -INFINITY
                       : exact_from_bits((int64_t)stored < 0 ? (int64_t)(stored & INT64_MAX)
                                                             : (int64_t)~stored);
}

/* --- The lanes of a warp --- */

struct fold_sum {
    template <class T> __device__ T operator()(T a, T b) const
    {
        return a + b;
    }
};
struct fold_most {
    template <class T> __device__ T operator()(T a, T b) const
    {
        return a > b ? a : b;
    }
};

/* Folds 2 `half` numbers at once: a pair of lanes d apart divides them, each lane folds its half,
 * and lanes d/2 apart go on. */
template <int half, class Fold, class T>
static __device__ __forceinline__ int fold_share(Fold two, T *v, int *d)
{
    const int upper = (int)threadIdx.x & *d;
#pragma unroll
    for (int k = 0; k < half; k++) {
        const T give = upper ? v[k] : v[k + half], keep = upper ? v[k + half] : v[k];
        v[k] = two(keep, gpu_shuffle_xor(give, *d));
    }
    *d /= 2;
    if constexpr (half > 1)
        return (upper ? half : 0) + fold_share<half / 2>(two, v, d);
    return upper ? half : 0;
}

/* Folds `slots` numbers (2, 4, 8 or 16) of each lane over the warp, whose lanes all call it. v[0]
 * becomes the number whose index is returned; -1: another lane returns it. */
template <int slots, class Fold, class T>
static __device__ __forceinline__ int fold_lanes(Fold two, T (&v)[slots])
{
    int d = GPU_WARP / 2;
    const int slot = fold_share<slots / 2>(two, v, &d),
              first = ((int)threadIdx.x & (2 * d - 1)) == 0;
    for (; d > 0; d /= 2)
        v[0] = two(v[0], gpu_shuffle_xor(v[0], d));
    return first ? slot : -1;
}

/* collect_results.cu. Queues the kernel that fills the batch's results from the passes and
 * reductions in gpu->queue and from gpu->counts, and then says that they are there. */
sluice_status gpu_collect(struct gpu_backend *gpu, struct gpu_batch *batch);

/* Puts the batch's totals and extremes of a set into r. */
void gpu_fill_totals(const struct gpu_results *results, int type, struct sluice_reduce *r);

/* Adds a pass to gpu->queue, and gives its totals, cleared. Errors: more than
 * backend->passes. */
sluice_status gpu_pass_totals(struct gpu_backend *gpu, struct sluice_pass *pass,
                              struct gpu_total **totals);

} // namespace SLUICE_GPU
#endif
