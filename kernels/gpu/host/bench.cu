/* The GPU backend's operations for `sluice bench` (backend/bench_ops.h). */
#include "kernels/gpu/bench/bench_loops.h"

namespace SLUICE_GPU
{

static sluice_status op_trial(struct sluice_backend *b, const struct sluice_trial *trial)
{
    struct gpu_backend *gpu = gpu_of(b);
    SLUICE_TRY(gpu_settle(gpu));
#ifndef SLUICE_FLOAT_ALONE
    if (b->real_bytes == 8)
        return f64::launch_trial(gpu, trial);
#endif
    return f32::launch_trial(gpu, trial);
}

/* Each core does a multiply-add, two operations, in each clock. AMD's cards are not known here. */
static void op_peak(const struct sluice_backend *b, double *flops, double *bytes)
{
    *flops = *bytes = 0;
#if !defined(SLUICE_EMULATED) && !defined(__HIPCC__)
    static const struct {
        int architecture, cores, double_cores; /* a multiprocessor */
    } known[] = {{75, 64, 2},  {80, 64, 32},  {86, 128, 2},   {87, 128, 2},
                 {89, 128, 2}, {90, 128, 64}, {100, 128, 64}, {120, 128, 2}};
    const struct gpu_backend *gpu = gpu_of(b);
    gpuDeviceProp_t properties;
    int clock = 0, memory_clock = 0, bus = 0; /* kHz, kHz, bits */
    if (gpuGetDeviceProperties(&properties, gpu->device) != gpuSuccess ||
        cudaDeviceGetAttribute(&clock, cudaDevAttrClockRate, gpu->device) != gpuSuccess ||
        cudaDeviceGetAttribute(&memory_clock, cudaDevAttrMemoryClockRate, gpu->device) !=
            gpuSuccess ||
        cudaDeviceGetAttribute(&bus, cudaDevAttrGlobalMemoryBusWidth, gpu->device) != gpuSuccess) {
        gpuGetLastError();
        return;
    }
    *bytes = 2e3 * memory_clock * bus / 8; /* two transfers a clock */
    for (const auto &k : known)
        if (k.architecture == 10 * properties.major + properties.minor)
            *flops = 2e3 * clock * gpu->multiprocessors *
                     (b->real_bytes == 8 ? k.double_cores : k.cores);
#else
    (void)b;
#endif
}

} // namespace SLUICE_GPU

#ifndef __HIP_DEVICE_COMPILE__ /* clang would make device memory of a constant table */
extern "C" const struct sluice_bench_ops GPU_SYMBOL(bench_ops) = {
    GPU_NAME,
    SLUICE_GPU::op_trial,
    SLUICE_GPU::op_peak,
};
#endif
