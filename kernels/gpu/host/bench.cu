/* What the GPU backend does for `sluice bench` (backend/bench_ops.h): runs a trial loop in float or
 * double, and gives the device's peak rates. */
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

static void op_peak(const struct sluice_backend *b, double *flops, double *bytes)
{
    gpu_peak(gpu_of(b)->device, b->real_bytes, flops, bytes);
}

} // namespace SLUICE_GPU

#ifndef __HIP_DEVICE_COMPILE__ /* clang would put a constant table into device memory */
extern "C" const struct sluice_bench_ops GPU_SYMBOL(bench_ops) = {
    GPU_NAME,
    SLUICE_GPU::op_trial,
    SLUICE_GPU::op_peak,
};
#endif
