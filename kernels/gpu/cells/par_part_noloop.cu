/* par-part-noloop: a thread for each particle, which meets the 27 cells around it, from global
 * memory (Algis, Bramas, Darles & Aveneau, "Par-Part-NoLoop"). The three cells of a row follow one
 * another in memory, so that they are one range. */
#include "kernels/gpu/cells/particle_pass.h"

namespace SLUICE_GPU
{
namespace GPU_PRECISION
{

enum { NOLOOP_BLOCK = 128 };

template <class Pair, int dim, int energy, int usual>
__global__ void __launch_bounds__(NOLOOP_BLOCK)
    par_part_noloop_kernel(const GPU_CONSTANT struct cell_args<Pair> args)
{
    gpu_begin();
    const typename Pair::constants k = usual ? Pair::usual(args.pass.k) : args.pass.k;
    const int64_t n = (int64_t)blockIdx.x * NOLOOP_BLOCK + threadIdx.x;
    double out[SLUICE_SUM_COUNT] = {};
    if (n < alive_in(args.pass.target))
        sum_particle<Pair, dim, energy, usual>(args, k, (uint32_t)n, out);
    pass_sum(args.pass, out);
}

struct par_part_noloop_launch {
    template <class Pair, int dim, int energy, int usual>
    static sluice_status run(struct gpu_backend *gpu, const struct sluice_grid *g,
                             struct sluice_pass *pass)
    {
        const unsigned blocks = gpu_blocks(pass->target->count, NOLOOP_BLOCK);
        struct cell_args<Pair> args;
        SLUICE_TRY(pass_open(gpu, pass, (int64_t)blocks * NOLOOP_BLOCK, &args.pass));
        SLUICE_TRY((cell_args_open<Pair, dim>(gpu, g, pass, &args)));
        if (blocks == 0)
            return SLUICE_OK;
        auto kernel = par_part_noloop_kernel<Pair, dim, energy, usual>;
        GPU_LAUNCH(kernel, blocks, NOLOOP_BLOCK, 0, gpu->stream, args);
        GPU_LAUNCHED("par-part-noloop");
        cell_pass_done(pass);
        return SLUICE_OK;
    }
};

sluice_status interact_par_part_noloop(struct gpu_backend *gpu, const struct sluice_grid *g,
                                       struct sluice_pass *pass)
{
    return pass_dispatch<par_part_noloop_launch>(gpu, g, pass);
}

} // namespace GPU_PRECISION
} // namespace SLUICE_GPU
