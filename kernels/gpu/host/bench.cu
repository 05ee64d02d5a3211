/* What the GPU backend does for `sluice bench` (backend/bench_ops.h): runs its loops in float or
 * double, and gives the device's peak rates. */
#include "kernels/gpu/bench/bench_loops.h"

namespace SLUICE_GPU
{

/* name(gpu, ...) of the backend's precision, once what was deferred is queued. */
#ifndef SLUICE_FLOAT_ALONE
#define LAUNCH(name, b, ...)                                                                       \
    SLUICE_TRY(gpu_settle(gpu_of(b)));                                                             \
    return (b)->real_bytes == 8 ? f64::name(gpu_of(b), __VA_ARGS__)                                \
                                : f32::name(gpu_of(b), __VA_ARGS__)
#else
#define LAUNCH(name, b, ...)                                                                       \
    SLUICE_TRY(gpu_settle(gpu_of(b)));                                                             \
    return f32::name(gpu_of(b), __VA_ARGS__)
#endif

static sluice_status op_trial(struct sluice_backend *b, const struct sluice_trial *trial)
{
    LAUNCH(launch_trial, b, trial);
}

static sluice_status op_swarm(struct sluice_backend *b, const struct sluice_swarm *s)
{
    LAUNCH(launch_swarm, b, s);
}

static void op_peak(const struct sluice_backend *b, double *flops, double *bytes)
{
    gpu_peak(gpu_of(b)->device, b->real_bytes, flops, bytes);
}

} // namespace SLUICE_GPU

#ifndef __HIP_DEVICE_COMPILE__ /* clang would put a constant table into device memory */
extern "C" const struct sluice_bench_ops GPU_SYMBOL(bench_ops) = {
    GPU_NAME,
    SLUICE_GPU::op_swarm,
    SLUICE_GPU::op_trial,
    SLUICE_GPU::op_peak,
};
#endif
