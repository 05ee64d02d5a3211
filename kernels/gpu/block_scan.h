/* Prefix sums by the threads of one block, in shared memory. */
#ifndef SLUICE_KERNELS_GPU_BLOCK_SCAN_H
#define SLUICE_KERNELS_GPU_BLOCK_SCAN_H
#include <stdint.h>

#include "kernels/gpu/platform.h"

namespace SLUICE_GPU
{

enum { BLOCK_SCAN_WARPS = 32 }; /* of a block of 1,024 threads */

/* The sum of v over this lane and the lanes before it in its warp. */
static inline __device__ uint32_t warp_scan_inclusive(uint32_t v)
{
    const int lane = (int)threadIdx.x % GPU_WARP;
    for (int d = 1; d < GPU_WARP; d *= 2) {
        const uint32_t before = gpu_shuffle_up(v, d);
        v += lane >= d ? before : 0;
    }
    return v;
}

/* value[i] becomes value[0] + ... + value[i - 1], modulo 2^32, for i < n. Returns the sum of all to
 * every thread. `value` is in shared memory; n may exceed the block. All threads call it with the
 * same n; the block has one dimension and whole warps. Barriers stand at both ends. */
static inline __device__ uint32_t block_scan_exclusive(uint32_t *value, int n)
{
    GPU_SHARED(uint32_t, part, [BLOCK_SCAN_WARPS]);
    const int thread = (int)threadIdx.x, threads = (int)blockDim.x, warp = thread / GPU_WARP;
    uint32_t carry = 0;
    __syncthreads();
    for (int first = 0; first < n; first += threads) {
        const int at = first + thread;
        const uint32_t own = at < n ? value[at] : 0, scanned = warp_scan_inclusive(own);
        uint32_t before = carry, sum = 0;
        if (thread % GPU_WARP == GPU_WARP - 1)
            part[warp] = scanned;
        __syncthreads();
        for (int w = 0; w < threads / GPU_WARP; w++) {
            before += w < warp ? part[w] : 0;
            sum += part[w];
        }
        if (at < n)
            value[at] = before + scanned - own;
        carry += sum;
        __syncthreads();
    }
    return carry;
}

/* The range that x lies in: the last i < n with offset[i] <= x. The n offsets do not decrease, and
 * offset[0] <= x. If x is below the end of the last range, the range found is not empty. */
static inline __device__ int find_range(const uint32_t *offset, int n, uint32_t x)
{
    int low = 0, high = n;
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        if (offset[middle] <= x)
            low = middle;
        else
            high = middle;
    }
    return low;
}

} // namespace SLUICE_GPU
#endif
