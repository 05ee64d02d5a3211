/* The functions of CUDA's library: a prefix sum and a sort of the device's memory. */
#include <algorithm>
#include <numeric>
#include <vector>

#include "kernels/gpu/emulator/emulator_counts.h"
#include "kernels/gpu/emulator/emulator_memory.h"

using namespace gpu_emulator;

gpuError_t gpu_scan_call(void *temporary, size_t *bytes, uint32_t *inout, int64_t n, gpuStream_t)
{
    *bytes = 1;
    if (!temporary)
        return gpuGetLastError();
    sluice_emulated_counts.kernels++;
    device_memory_open();
    uint32_t sum = 0;
    for (int64_t i = 0; i < n; i++) {
        const uint32_t v = inout[i];
        inout[i] = sum;
        sum += v;
    }
    device_memory_close("a scan");
    return gpuGetLastError();
}

/* The result is in the second arrays, as it may be. */
gpuError_t gpu_sort_call(void *temporary, size_t *bytes, uint64_t *const key[2],
                         uint32_t *const value[2], int64_t n, int bits, int *last, gpuStream_t)
{
    *bytes = 1;
    if (!temporary)
        return gpuGetLastError();
    sluice_emulated_counts.kernels++;
    device_memory_open();
    const uint64_t mask = bits < 64 ? (UINT64_C(1) << bits) - 1 : UINT64_MAX;
    std::vector<int64_t> order((size_t)n);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](int64_t a, int64_t b) { return (key[0][a] & mask) < (key[0][b] & mask); });
    for (int64_t i = 0; i < n; i++) {
        key[1][i] = key[0][order[(size_t)i]];
        value[1][i] = value[0][order[(size_t)i]];
    }
    *last = 1;
    device_memory_close("a sort");
    return gpuGetLastError();
}
