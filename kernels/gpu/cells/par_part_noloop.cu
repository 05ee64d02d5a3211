/* par-part-noloop: a thread for each particle, which reads the 27 cells around it from global
 * memory (Algis, Bramas, Darles & Aveneau, "Par-Part-NoLoop"). The three cells of a row follow one
 * another in memory and are read as one range. */
#include "kernels/gpu/cells/particle_pass.h"

namespace SLUICE_GPU::GPU_PRECISION
{

enum { NOLOOP_BLOCK = 128, NOLOOP_BLOCKS = sizeof(real) == 4 ? 8 : 4 }; /* on a multiprocessor */

template <class Pair, int dim, int energy, int usual>
__global__ void __launch_bounds__(NOLOOP_BLOCK, NOLOOP_BLOCKS)
    par_part_noloop_kernel(const GPU_CONSTANT struct cell_args<Pair> args)
{
    gpu_begin();
    const typename Pair::constants k = usual ? Pair::usual(args.pass.k) : args.pass.k;
    const int64_t n = (int64_t)blockIdx.x * NOLOOP_BLOCK + threadIdx.x;
    double out[SLUICE_SUM_COUNT] = {};
    if (n < alive_in(args.pass.target))
        sum_particle<Pair, dim, energy, usual>(args, k, (uint32_t)n, out);
    pass_sum<Pair, usual>(args.pass, out);
}

CELL_STRATEGY(par_part_noloop, launch_particles<Pair, dim>(
                                   gpu, g, pass, gpu_blocks(pass->target->count, NOLOOP_BLOCK),
                                   NOLOOP_BLOCK, par_part_noloop_kernel<Pair, dim, energy, usual>))

} // namespace SLUICE_GPU::GPU_PRECISION
