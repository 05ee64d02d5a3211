/* par-cell: a block for each cell that holds particles, a thread for each of them, which meets the
 * 27 cells around from global memory: all threads of a block read the same candidates (Algis,
 * Bramas, Darles & Aveneau, "Par-Cell"). */
#include "kernels/gpu/cells/particle_pass.h"
/* after particle_pass.h */
#include "kernels/gpu/cells/box_pass.h"

namespace SLUICE_GPU
{
namespace GPU_PRECISION
{

enum { PAR_CELL_BLOCK = 256 }; /* at most: fuller cells are taken in turns */

template <class Pair, int dim, int energy, int usual>
__global__ void __launch_bounds__(PAR_CELL_BLOCK)
    par_cell_kernel(const GPU_CONSTANT struct box_args<Pair> args)
{
    gpu_begin();
    GPU_SHARED(struct box_rows, rows);
    const typename Pair::constants k = usual ? Pair::usual(args.cell.pass.k) : args.cell.pass.k;
    double out[SLUICE_SUM_COUNT] = {};
    struct cell_box box;
    const uint32_t targets = open_box<Pair, dim>(args, &box, &rows);
    for (uint32_t n = threadIdx.x; n < targets; n += blockDim.x)
        sum_particle<Pair, dim, energy, usual>(args.cell, k, find_target(box, rows, n), out);
    pass_sum(args.cell.pass, out);
}

struct par_cell_launch {
    template <class Pair, int dim, int energy, int usual>
    static sluice_status run(struct gpu_backend *gpu, const struct sluice_grid *g,
                             struct sluice_pass *pass)
    {
        struct cell_grid cells;
        struct cell_counts counts;
        struct box_args<Pair> args;
        unsigned blocks;
        SLUICE_TRY(cell_grid_of(g, &cells));
        SLUICE_TRY(gpu_count_cells(gpu, pass, &cells, &counts));
        const struct box_plan plan = {
            {0, 0, 0}, whole_warps(gpu, counts.target, PAR_CELL_BLOCK), 0};
        SLUICE_TRY((box_args_open<Pair, dim>(gpu, g, pass, &plan, &args, &blocks)));
        if (blocks == 0)
            return SLUICE_OK;
        auto kernel = par_cell_kernel<Pair, dim, energy, usual>;
        GPU_LAUNCH(kernel, blocks, plan.threads, 0, gpu->stream, args);
        GPU_LAUNCHED("par-cell");
        cell_pass_done(pass);
        return SLUICE_OK;
    }
};

sluice_status interact_par_cell(struct gpu_backend *gpu, const struct sluice_grid *g,
                                struct sluice_pass *pass)
{
    return pass_dispatch<par_cell_launch>(gpu, g, pass);
}

} // namespace GPU_PRECISION
} // namespace SLUICE_GPU
