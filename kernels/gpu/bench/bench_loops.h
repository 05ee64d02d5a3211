/* The trial loops of `sluice bench`, compiled for each precision. */
#ifndef SLUICE_KERNELS_GPU_BENCH_BENCH_LOOPS_H
#define SLUICE_KERNELS_GPU_BENCH_BENCH_LOOPS_H
#include "backend/bench_ops.h"
#include "kernels/gpu/variant.h"

/* Declared here, as the definitions are constants with C linkage. */
extern "C" const struct sluice_bench_ops sluice_cuda_bench_ops, sluice_hip_bench_ops,
    sluice_emulated_bench_ops;

namespace SLUICE_GPU
{
namespace f32
{
sluice_status launch_trial(struct gpu_backend *gpu, const struct sluice_trial *t);
}
namespace f64
{
sluice_status launch_trial(struct gpu_backend *gpu, const struct sluice_trial *t);
}
} // namespace SLUICE_GPU
#endif
