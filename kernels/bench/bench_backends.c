/* The operations for `sluice bench` of this build's backends. */
#include <string.h>

#include "backend/backend.h"
#include "kernels/bench/bench_ops.h"

extern const struct sluice_bench_ops sluice_cpu_bench_ops, sluice_cuda_bench_ops,
    sluice_hip_bench_ops, sluice_emulated_bench_ops;

static const struct sluice_bench_ops *const backends[] = {
    &sluice_cpu_bench_ops,
#ifdef SLUICE_WITH_CUDA
    &sluice_cuda_bench_ops,
#endif
#ifdef SLUICE_WITH_HIP
    &sluice_hip_bench_ops,
#endif
#ifdef SLUICE_WITH_EMULATED
    &sluice_emulated_bench_ops,
#endif
    NULL,
};

const struct sluice_bench_ops *sluice_bench_ops_find(const struct sluice_backend *b)
{
    const struct sluice_bench_ops *const *found = backends;
    while (*found && strcmp((*found)->name, b->ops->name) != 0)
        found++;
    return *found;
}
