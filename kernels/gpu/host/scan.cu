/* Prefix sums in device memory, by the platform's library: CUB or rocPRIM. The emulator brings its
 * own gpu_scan_call. */
#include "kernels/gpu/gpu_backend.h"

#if defined(__HIPCC__)
#include <iostream> /* rocPRIM 5.2 uses it without including it */
#include <rocprim/device/device_scan.hpp>
#elif defined(__CUDACC__)
#include <cub/device/device_scan.cuh>
#endif

namespace SLUICE_GPU
{

/* With temporary NULL the call only tells how many bytes it needs there. */
#if defined(__HIPCC__)
static gpuError_t gpu_scan_call(void *temporary, size_t *bytes, uint32_t *inout, int64_t n,
                                gpuStream_t stream)
{
    return rocprim::exclusive_scan(temporary, *bytes, inout, inout, 0u, (size_t)n,
                                   rocprim::plus<uint32_t>(), stream);
}
#elif defined(__CUDACC__)
static gpuError_t gpu_scan_call(void *temporary, size_t *bytes, uint32_t *inout, int64_t n,
                                gpuStream_t stream)
{
    return ::cub::DeviceScan::ExclusiveSum(temporary, *bytes, inout, inout, n, stream);
}
#endif

sluice_status gpu_scan_exclusive(struct gpu_backend *gpu, uint32_t *inout, int64_t n)
{
    size_t bytes = 0;
    if (n <= 0)
        return SLUICE_OK;
    SLUICE_TRY(gpu_check(gpu_scan_call(NULL, &bytes, inout, n, gpu->stream), "measuring a scan"));
    SLUICE_TRY(gpu_scratch_reserve(gpu, &gpu->scan, bytes ? bytes : 1));
    gpu_queued("scan");
    return gpu_check(gpu_scan_call(gpu->scan.memory, &bytes, inout, n, gpu->stream),
                     "launch of a scan");
}

} // namespace SLUICE_GPU
