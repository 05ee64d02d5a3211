/* Prefix sums of a block in shared memory, beside kernels/gpu/prefix.h: that of Algis, Bramas,
 * Darles & Aveneau 2024, and Blelloch's (1990) with its exchange. */
#ifndef SLUICE_KERNELS_BENCH_GPU_SCANS_H
#define SLUICE_KERNELS_BENCH_GPU_SCANS_H
#include "kernels/gpu/c_headers.h"
#include "kernels/gpu/prefix.h"
/* after c_headers.h, which gives the host's headers C linkage */
#include "kernels/bench/bench_ops.h"

namespace SLUICE_GPU
{

/* SLUICE_SCAN_CODE: their Code 1, whose way down begins at js / 2. SLUICE_SCAN_PRINTED: their
 * Algorithm 6, at js / 4. It is wrong for n from 3 2^k to 2^(k + 2) - 1, k > 1: 12 to 15, 24 to 31,
 * and so on. */

/* The result of a scan; for tests. */
struct scan_work {
    int nodes, barriers;
};

static inline __device__ void scan_barrier(struct scan_work *work)
{
    __syncthreads();
    if (work && threadIdx.x == 0)
        work->barriers++;
}

/* For entries first, first + step, ... < n: sum[i] += sum[i - back]. */
static inline __device__ void scan_level(uint32_t *sum, int n, int first, int step, int back,
                                         struct scan_work *work)
{
    for (int i = (int)threadIdx.x * step + first; i < n; i += (int)blockDim.x * step) {
        sum[i] += sum[i - back];
        if (work)
            atomicAdd(&work->nodes, 1);
    }
    scan_barrier(work);
}

/* sum[i] becomes sum[0] + ... + sum[i], if `kind` is right for n. */
static inline __device__ void scan_algis(uint32_t *sum, int n, enum sluice_scan kind,
                                         struct scan_work *work)
{
    int js = 2;
    __syncthreads();
    for (; js <= n; js *= 2)
        scan_level(sum, n, js - 1, js, js / 2, work);
    for (js = max(4, kind == SLUICE_SCAN_CODE ? js / 2 : js / 4); js > 1; js /= 2)
        scan_level(sum, n, js + js / 2 - 1, js, js / 2, work);
}

/* sum[i] becomes sum[0] + ... + sum[i - 1]. n is a power of two. */
static inline __device__ void scan_blelloch(uint32_t *sum, int n)
{
    __syncthreads();
    for (int js = 2; js <= n; js *= 2)
        scan_level(sum, n, js - 1, js, js / 2, NULL);
    if (threadIdx.x == 0)
        sum[n - 1] = 0;
    __syncthreads();
    for (int js = n; js > 1; js /= 2) {
        for (int i = (int)threadIdx.x * js + js - 1; i < n; i += (int)blockDim.x * js) {
            const uint32_t left = sum[i - js / 2];
            sum[i - js / 2] = sum[i];
            sum[i] += left;
        }
        __syncthreads();
    }
}

} // namespace SLUICE_GPU
#endif
