/* Prefix sums by the threads of one block, in shared memory; places in a list by those of a warp.
 */
#ifndef SLUICE_KERNELS_GPU_PREFIX_H
#define SLUICE_KERNELS_GPU_PREFIX_H
#include <stdint.h>

#include "kernels/gpu/platform.h"

namespace SLUICE_GPU
{

/* sum[0] becomes 0, and sum[n], of n numbers that follow it, sum[1] + ... + sum[n]. By the first
 * warp; all threads call it. Barriers stand at both ends. */
static inline __device__ void block_prefix(uint32_t *sum, int n)
{
    const int lane = (int)threadIdx.x;
    __syncthreads();
    if (lane < GPU_WARP) {
        uint32_t carry = 0;
        for (int first = 1; first <= n; first += GPU_WARP) {
            const int at = first + lane;
            uint32_t v = at <= n ? sum[at] : 0;
            for (int d = 1; d < GPU_WARP; d *= 2) {
                const uint32_t before = gpu_shuffle_up(v, d);
                v += lane >= d ? before : 0;
            }
            if (at <= n)
                sum[at] = carry + v;
            carry += gpu_shuffle(v, GPU_WARP - 1);
        }
        if (lane == 0)
            sum[0] = 0;
    }
    __syncthreads();
}

/* Appends to a list of `count` entries: returns the place of this lane's, if it has one. All lanes
 * of the warp call it; the warp takes its places at once. */
static inline __device__ uint32_t warp_append(uint32_t *count, int has)
{
    const int lane = (int)threadIdx.x % GPU_WARP;
    const gpu_lanes having = gpu_ballot(has);
    uint32_t first = 0;
    if (lane == 0 && having)
        first = atomicAdd(count, (uint32_t)gpu_count_lanes(having));
    return gpu_shuffle(first, 0) + (uint32_t)gpu_count_lanes(having & gpu_lanes_before(lane));
}

} // namespace SLUICE_GPU
#endif
