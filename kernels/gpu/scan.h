/* Exclusive prefix sums of uint32 in device memory, of any length: CUB's, rocPRIM's, or plain loops
 * in the emulator. Included by the files that scan, for the libraries' headers are long. */
#ifndef SLUICE_KERNELS_GPU_SCAN_H
#define SLUICE_KERNELS_GPU_SCAN_H
#include "kernels/gpu/gpu_backend.h"

#if defined(SLUICE_EMULATED)
#elif defined(__HIPCC__)
#include <iostream> /* rocPRIM 5.2 uses it without including it */
#include <rocprim/device/device_scan.hpp>
#else
#include <cub/device/device_scan.cuh>
#endif

namespace SLUICE_GPU
{

#ifdef SLUICE_EMULATED
static __global__ void emulated_scan(const uint32_t *from, uint32_t *to, int64_t n)
{
    gpu_begin();
    uint32_t sum = 0;
    for (int64_t i = 0; i < n; i++) {
        const uint32_t v = from[i];
        to[i] = sum;
        sum += v;
    }
}
#endif

/* The library's call: with temporary NULL it only says how many bytes it wants there. */
static inline gpuError_t scan_call(void *temporary, size_t *bytes, const uint32_t *from,
                                   uint32_t *to, int64_t n, gpuStream_t stream)
{
#if defined(SLUICE_EMULATED)
    (void)stream;
    *bytes = 1;
    if (temporary)
        GPU_LAUNCH(emulated_scan, 1, 1, 0, stream, from, to, n);
    return gpuGetLastError();
#elif defined(__HIPCC__)
    return rocprim::exclusive_scan(temporary, *bytes, from, to, 0u, (size_t)n,
                                   rocprim::plus<uint32_t>(), stream);
#else
    return ::cub::DeviceScan::ExclusiveSum(temporary, *bytes, from, to, n, stream);
#endif
}

/* to[i] = from[0] + ... + from[i - 1], modulo 2^32; `from` and `to` may be the same. Memory that
 * the library works in comes from gpu->scan: the first scan of a length may allocate. */
static inline sluice_status gpu_scan_exclusive_into(struct gpu_backend *gpu, uint32_t *to,
                                                    const uint32_t *from, int64_t n)
{
    size_t bytes = 0;
    if (n <= 0)
        return SLUICE_OK;
    SLUICE_TRY(gpu_check(scan_call(NULL, &bytes, from, to, n, gpu->stream), "measuring a scan"));
    SLUICE_TRY(gpu_scratch_reserve(gpu, &gpu->scan, bytes ? bytes : 1));
    gpu_queued("scan");
    return gpu_check(scan_call(gpu->scan.memory, &bytes, from, to, n, gpu->stream),
                     "launch of a scan");
}

static inline sluice_status gpu_scan_exclusive(struct gpu_backend *gpu, uint32_t *inout, int64_t n)
{
    return gpu_scan_exclusive_into(gpu, inout, inout, n);
}

} // namespace SLUICE_GPU
#endif
