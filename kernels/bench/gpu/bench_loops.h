/* The loops of `sluice bench`, compiled for each precision. */
#ifndef SLUICE_KERNELS_BENCH_GPU_BENCH_LOOPS_H
#define SLUICE_KERNELS_BENCH_GPU_BENCH_LOOPS_H
#include "kernels/gpu/variant.h"
/* after variant.h, which gives the host's headers C linkage */
#include "kernels/bench/bench_ops.h"

/* Declared here, as the definitions are constants with C linkage. */
extern "C" const struct sluice_bench_ops sluice_cuda_bench_ops, sluice_hip_bench_ops,
    sluice_emulated_bench_ops;

/* X(name, arguments after the backend): each queues one launch, as the operations of these names in
 * kernels/bench/bench_ops.h. */
#define GPU_BENCH(X)                                                                               \
    X(trial, const struct sluice_trial *t)                                                         \
    X(swarm, const struct sluice_swarm *s)                                                         \
    X(list_build, const struct sluice_grid *g, struct sluice_pass *pass,                           \
      const struct sluice_stored_list *list)                                                       \
    X(list_pass, const struct sluice_grid *g, struct sluice_pass *pass,                            \
      const struct sluice_stored_list *list)                                                       \
    X(branching, const struct sluice_grid *g, struct sluice_pass *pass)

#define X(name, ...) sluice_status launch_##name(struct gpu_backend *gpu, __VA_ARGS__);
namespace SLUICE_GPU
{
namespace f32
{
GPU_BENCH(X)
}
namespace f64
{
GPU_BENCH(X)
}
} // namespace SLUICE_GPU
#undef X
#endif
