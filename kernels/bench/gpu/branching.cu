/* The loop of pair_branching.h for `sluice bench claims`: the strategy par-part-noloop, with which
 * it is compared. As there (pass_dispatch_pair of pass.h), only the usual case has a kernel without
 * energies. */
#include "kernels/bench/gpu/bench_loops.h"
#include "kernels/gpu/cells/particle_pass.h"
/* after particle_pass.h */
#include "kernels/bench/pair_branching.h"

namespace SLUICE_GPU::GPU_PRECISION
{

PAIR_TYPE(branching, branching, WENDLAND, "")

enum { BRANCHING_BLOCK = 128 };

template <int energy, int usual>
static __global__ void __launch_bounds__(BRANCHING_BLOCK)
    branching_kernel(const GPU_CONSTANT struct cell_args<pair_branching> args)
{
    gpu_begin();
    const branching_constants k = usual ? pair_branching::usual(args.pass.k) : args.pass.k;
    const int64_t n = (int64_t)blockIdx.x * BRANCHING_BLOCK + threadIdx.x;
    double out[SLUICE_SUM_COUNT] = {};
    if (n < alive_in(args.pass.target))
        sum_particle<pair_branching, 3, energy, usual>(args, k, (uint32_t)n, out);
    pass_sum<pair_branching, usual>(args.pass, out);
}

sluice_status launch_branching(struct gpu_backend *gpu, const struct sluice_grid *g,
                               struct sluice_pass *pass)
{
    auto kernel = branching_kernel<1, 0>;
#ifndef SLUICE_DOUBLE
    const branching_constants k = pair_branching::prepare(pass);
    if (pair_branching::is_usual(k))
        kernel = branching_kernel<0, 1>;
#endif
    return launch_particles<pair_branching, 3>(
        gpu, g, pass, gpu_blocks(pass->target->count, BRANCHING_BLOCK), BRANCHING_BLOCK, kernel);
}

} // namespace SLUICE_GPU::GPU_PRECISION
