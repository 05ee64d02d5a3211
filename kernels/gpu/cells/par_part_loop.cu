/* par-part-loop: as par-part-noloop, but of as many threads as the device holds at once, each of
 * which takes one particle after another (Algis, Bramas, Darles & Aveneau, "Par-Part-Loop"). */
#include "kernels/gpu/cells/particle_pass.h"

namespace SLUICE_GPU
{
namespace GPU_PRECISION
{

/* Blocks of a multiprocessor: 1,024 threads there, of 64 registers. */
enum { LOOP_BLOCK = 128, LOOP_BLOCKS = 8 };

template <class Pair, int dim, int energy, int usual>
__global__ void __launch_bounds__(LOOP_BLOCK)
    par_part_loop_kernel(const GPU_CONSTANT struct cell_args<Pair> args)
{
    gpu_begin();
    const typename Pair::constants k = usual ? Pair::usual(args.pass.k) : args.pass.k;
    const int64_t alive = alive_in(args.pass.target);
    double out[SLUICE_SUM_COUNT] = {};
    for (int64_t n = (int64_t)blockIdx.x * LOOP_BLOCK + threadIdx.x; n < alive;
         n += (int64_t)gridDim.x * LOOP_BLOCK)
        sum_particle<Pair, dim, energy, usual>(args, k, (uint32_t)n, out);
    pass_sum(args.pass, out);
}

struct par_part_loop_launch {
    template <class Pair, int dim, int energy, int usual>
    static sluice_status run(struct gpu_backend *gpu, const struct sluice_grid *g,
                             struct sluice_pass *pass)
    {
        const unsigned most = (unsigned)gpu->multiprocessors * LOOP_BLOCKS,
                       needed = gpu_blocks(pass->target->count, LOOP_BLOCK),
                       blocks = needed < most ? needed : most;
        struct cell_args<Pair> args;
        SLUICE_TRY(pass_open(gpu, pass, (int64_t)blocks * LOOP_BLOCK, &args.pass));
        SLUICE_TRY((cell_args_open<Pair, dim>(gpu, g, pass, &args)));
        if (blocks == 0)
            return SLUICE_OK;
        auto kernel = par_part_loop_kernel<Pair, dim, energy, usual>;
        GPU_LAUNCH(kernel, blocks, LOOP_BLOCK, 0, gpu->stream, args);
        GPU_LAUNCHED("par-part-loop");
        cell_pass_done(pass);
        return SLUICE_OK;
    }
};

sluice_status interact_par_part_loop(struct gpu_backend *gpu, const struct sluice_grid *g,
                                     struct sluice_pass *pass)
{
    return pass_dispatch<par_part_loop_launch>(gpu, g, pass);
}

} // namespace GPU_PRECISION
} // namespace SLUICE_GPU
