/* par-part-loop: like par-part-noloop, but with only as many threads as the device runs at once.
 * Each takes one particle after another. With the paper's own settings there is a
 * thread for each (Algis, Bramas, Darles & Aveneau, "Par-Part-Loop"). */
#include "kernels/gpu/cells/particle_pass.h"

namespace SLUICE_GPU::GPU_PRECISION
{

/* A multiprocessor holds so many blocks: in float 1,280 threads with 48 registers each. */
enum { LOOP_BLOCK = 128, LOOP_BLOCKS = sizeof(real) == 4 ? 10 : 4 };

template <class Pair, int dim, int energy, int usual>
__global__ void __launch_bounds__(LOOP_BLOCK, LOOP_BLOCKS)
    par_part_loop_kernel(const GPU_CONSTANT struct cell_args<Pair> args)
{
    gpu_begin();
    const typename Pair::constants k = usual ? Pair::usual(args.pass.k) : args.pass.k;
    const int64_t alive = alive_in(args.pass.target);
    for (int64_t begin = (int64_t)blockIdx.x * LOOP_BLOCK; begin < alive;
         begin += (int64_t)gridDim.x * LOOP_BLOCK) {
        const int64_t n = begin + threadIdx.x;
        double out[SLUICE_SUM_COUNT] = {};
        if (n < alive)
            sum_particle<Pair, dim, energy, usual>(args, k, (uint32_t)n, out);
        pass_sum<Pair, usual>(args.pass, out);
    }
}

static unsigned loop_blocks(const struct gpu_backend *gpu, int64_t count)
{
    const unsigned most = (unsigned)gpu->multiprocessors * LOOP_BLOCKS,
                   needed = gpu_blocks(count, LOOP_BLOCK);
    return gpu->backend->published || needed < most ? needed : most;
}

CELL_STRATEGY(par_part_loop,
              launch_particles<Pair, dim>(gpu, g, pass, loop_blocks(gpu, pass->target->count),
                                          LOOP_BLOCK,
                                          par_part_loop_kernel<Pair, dim, energy, usual>))

} // namespace SLUICE_GPU::GPU_PRECISION
