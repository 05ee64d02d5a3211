/* par-cell-sm: a block for each cell that holds particles; the particles of the cells around go
 * through shared memory, row by row, at most 512 at a time (Algis, Bramas, Darles & Aveneau,
 * "Par-Cell-SM"). */
#include "kernels/gpu/cells/staged_pass.h"

namespace SLUICE_GPU
{
namespace GPU_PRECISION
{

enum { PAR_CELL_SM_BLOCK = 512, PAR_CELL_SM_TILE = 512 };

template <class Pair, int dim, int energy, int usual>
__global__ void __launch_bounds__(PAR_CELL_SM_BLOCK)
    par_cell_sm_kernel(const GPU_CONSTANT struct box_args<Pair> args)
{
    gpu_begin();
    GPU_SHARED(struct staged_rows, shared);
    GPU_DYNAMIC_SHARED(struct cell_staged<Pair>, tile);
    sum_box<Pair, dim, energy, usual, FROM_MEMORY>(args, &shared, tile);
}

template <class Pair>
static struct box_plan plan_par_cell_sm(const struct gpu_backend *gpu,
                                        const struct cell_grid &cells,
                                        const struct cell_counts &counts)
{
    (void)cells;
    const struct box_plan plan = {{0, 0, 0},
                                  whole_warps(gpu, counts.target, PAR_CELL_SM_BLOCK),
                                  tile_of<Pair>(PAR_CELL_SM_TILE)};
    return plan;
}

struct par_cell_sm_launch {
    template <class Pair, int dim, int energy, int usual>
    static sluice_status run(struct gpu_backend *gpu, const struct sluice_grid *g,
                             struct sluice_pass *pass)
    {
        return launch_staged<Pair, dim>(gpu, g, pass, plan_par_cell_sm<Pair>,
                                        par_cell_sm_kernel<Pair, dim, energy, usual>);
    }
};

sluice_status interact_par_cell_sm(struct gpu_backend *gpu, const struct sluice_grid *g,
                                   struct sluice_pass *pass)
{
    return pass_dispatch<par_cell_sm_launch>(gpu, g, pass);
}

} // namespace GPU_PRECISION
} // namespace SLUICE_GPU
