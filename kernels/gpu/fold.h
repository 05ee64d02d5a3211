/* Folds many doubles to one (sum, maximum or minimum), always by the same tree, so that the bits
 * are the same in every run: the lanes of a warp, the warps of a block, and at the end of a step
 * the blocks of each launch (host/fold_results.cu). Without atomics. */
#ifndef SLUICE_KERNELS_GPU_FOLD_H
#define SLUICE_KERNELS_GPU_FOLD_H
#include "kernels/gpu/gpu_backend.h"

namespace SLUICE_GPU
{

enum fold_op { FOLD_SUM, FOLD_MAX, FOLD_MIN };
enum { FOLD_WARPS_MOST = GPU_BLOCK / 32 }; /* in a block of at most GPU_BLOCK threads */

static inline __device__ double fold_two(enum fold_op op, double a, double b)
{
    return op == FOLD_SUM ? a + b : op == FOLD_MAX ? fmax(a, b) : fmin(a, b);
}

/* The neutral element. */
static inline __device__ double fold_nothing(enum fold_op op)
{
    return op == FOLD_SUM ? 0.0 : op == FOLD_MAX ? -INFINITY : INFINITY;
}

/* Stores the value of each warp to part[warp], in shared memory. All lanes of whole warps call
 * it. */
static inline __device__ void fold_lanes(enum fold_op op, double v, double *part)
{
    for (int d = GPU_WARP / 2; d > 0; d /= 2)
        v = fold_two(op, v, gpu_shuffle_down(v, d));
    if ((int)threadIdx.x % GPU_WARP == 0)
        part[(int)threadIdx.x / GPU_WARP] = v;
}

/* Folds 2 `half` numbers at once: a pair of lanes d apart divides them, each lane folds its half,
 * and lanes d/2 apart go on. The lane's number ends in v[0]; returns which of the numbers it is. */
template <int half>
static __device__ __forceinline__ int fold_share(enum fold_op op, double *v, int *d)
{
    const int upper = (int)threadIdx.x & *d;
#pragma unroll
    for (int k = 0; k < half; k++) {
        const double give = upper ? v[k] : v[k + half], keep = upper ? v[k + half] : v[k];
        v[k] = fold_two(op, keep, gpu_shuffle_xor(give, *d));
    }
    *d /= 2;
    if constexpr (half > 1)
        return (upper ? half : 0) + fold_share<half / 2>(op, v, d);
    return upper ? half : 0;
}

/* Like fold_lanes for `slots` numbers (2, 4, 8 or 16) at once, with fewer shuffles. Overwrites
 * v. */
template <int slots>
static __device__ __forceinline__ void fold_lanes_of(enum fold_op op, double *v,
                                                     double (*part)[FOLD_WARPS_MOST])
{
    int d = GPU_WARP / 2;
    const int slot = fold_share<slots / 2>(op, v, &d);
    const int first = ((int)threadIdx.x & (2 * d - 1)) ==
                      0; /* the first of the lanes that share this number */
    for (; d > 0; d /= 2)
        v[0] = fold_two(op, v[0], gpu_shuffle_xor(v[0], d));
    if (first)
        part[slot][(int)threadIdx.x / GPU_WARP] = v[0];
}

/* The block's value, for any thread, after a barrier. */
static inline __device__ double fold_warps(enum fold_op op, const double *part)
{
    double v = part[0];
    for (int w = 1; w < (int)blockDim.x / GPU_WARP; w++)
        v = fold_two(op, v, part[w]);
    return v;
}

/* The numbers that each block of reduce.cu leaves, in this order: 12 sums, then extremes. The last
 * is the id of a particle. */
/* clang-format off */
#define SUMMARY_NUMBERS(X)                                                                         \
    X(mass, FOLD_SUM)                                                                              \
    X(kinetic, FOLD_SUM)                                                                           \
    X(elastic, FOLD_SUM)                                                                           \
    X(potential, FOLD_SUM)                                                                         \
    X(momentum[0], FOLD_SUM)                                                                       \
    X(momentum[1], FOLD_SUM)                                                                       \
    X(momentum[2], FOLD_SUM)                                                                       \
    X(angular[0], FOLD_SUM)                                                                        \
    X(angular[1], FOLD_SUM)                                                                        \
    X(angular[2], FOLD_SUM)                                                                        \
    X(gravity_power, FOLD_SUM)                                                                     \
    X(not_finite, FOLD_SUM)                                                                        \
    X(max_speed2, FOLD_MAX)                                                                        \
    X(max_acceleration2, FOLD_MAX)                                                                 \
    X(min_density, FOLD_MIN)                                                                       \
    X(max_density, FOLD_MAX)                                                                       \
    X(first_not_finite, FOLD_MIN)
/* clang-format on */
#define X(number, op) +1
enum { SUMMARY_COUNT = 0 SUMMARY_NUMBERS(X), SUMMARY_SUMS = 12 };
#undef X

/* GPU_FOLD_PARTS blocks at most fold one number; the last of them to end folds what the others left
 * here. Zero before the first launch. */
enum {
    GPU_FOLD_PARTS = 32,
    GPU_FOLD_BLOCKS = GPU_FOLD_PARTS *
                      (GPU_PASSES * SLUICE_SUM_COUNT + SLUICE_TYPE_COUNT * SUMMARY_COUNT)
};
struct gpu_fold_parts {
    double part[GPU_FOLD_BLOCKS];
    uint32_t done[GPU_FOLD_BLOCKS]; /* [first block of a number]: blocks of this number that have
                                       ended */
};

static inline __device__ enum fold_op fold_of_number(int number)
{
#define X(name, op) op,
    const enum fold_op ops[SUMMARY_COUNT] = {SUMMARY_NUMBERS(X)};
#undef X
    return ops[number];
}

/* fold_results.cu. Queues the kernel that fills the results (pinned host memory): the sums of the
 * passes in gpu->queue, the summaries of its reductions (zero without sums), and
 * gpu->counts. */
sluice_status gpu_fold(struct gpu_backend *gpu, struct gpu_results *results);

/* The index of a pass in gpu->queue, where it is added if needed; -1: full. */
int gpu_pass_place(struct gpu_backend *gpu, struct sluice_pass *pass);

} // namespace SLUICE_GPU
#endif
