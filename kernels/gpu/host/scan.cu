/* Prefix sums and sorts in device memory, by the platform's library: CUB or rocPRIM. The emulator
 * brings its own gpu_scan_call and gpu_sort_call. */
#include "kernels/gpu/gpu_backend.h"

#if defined(__HIPCC__)
#include <iostream> /* rocPRIM 5.2 uses it without including it */
#include <rocprim/device/device_radix_sort.hpp>
#include <rocprim/device/device_scan.hpp>
#elif defined(__CUDACC__)
#include <cub/device/device_radix_sort.cuh>
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

static gpuError_t gpu_sort_call(void *temporary, size_t *bytes, uint64_t *const key[2],
                                uint32_t *const value[2], int64_t n, int bits, int *last,
                                gpuStream_t stream)
{
    rocprim::double_buffer<uint64_t> keys(key[0], key[1]);
    rocprim::double_buffer<uint32_t> values(value[0], value[1]);
    const gpuError_t error = rocprim::radix_sort_pairs(temporary, *bytes, keys, values, (size_t)n,
                                                       0u, (unsigned)bits, stream);
    *last = values.current() == value[1];
    return error;
}
#elif defined(__CUDACC__)
static gpuError_t gpu_scan_call(void *temporary, size_t *bytes, uint32_t *inout, int64_t n,
                                gpuStream_t stream)
{
    return ::cub::DeviceScan::ExclusiveSum(temporary, *bytes, inout, inout, n, stream);
}

static gpuError_t gpu_sort_call(void *temporary, size_t *bytes, uint64_t *const key[2],
                                uint32_t *const value[2], int64_t n, int bits, int *last,
                                gpuStream_t stream)
{
    ::cub::DoubleBuffer<uint64_t> keys(key[0], key[1]);
    ::cub::DoubleBuffer<uint32_t> values(value[0], value[1]);
    const gpuError_t error = ::cub::DeviceRadixSort::SortPairs(temporary, *bytes, keys, values, n,
                                                               0, bits, stream);
    *last = values.selector;
    return error;
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

sluice_status gpu_sort_pairs(struct gpu_backend *gpu, uint64_t *const key[2],
                             uint32_t *const value[2], int64_t n, int bits, int *last)
{
    size_t bytes = 0;
    *last = 0;
    if (n <= 0)
        return SLUICE_OK;
    SLUICE_TRY(gpu_check(gpu_sort_call(NULL, &bytes, key, value, n, bits, last, gpu->stream),
                         "measuring a sort"));
    SLUICE_TRY(gpu_scratch_reserve(gpu, &gpu->scan, bytes ? bytes : 1));
    gpu_queued("sort by keys");
    return gpu_check(
        gpu_sort_call(gpu->scan.memory, &bytes, key, value, n, bits, last, gpu->stream),
        "launch of a sort by keys");
}

} // namespace SLUICE_GPU
