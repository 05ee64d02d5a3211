/* par-cell-sm: one block of threads for each cell that holds particles. The block loads the
 * particles of this cell and the cells around it into shared memory, row by row, at most 512 at a
 * time (Algis, Bramas, Darles & Aveneau, "Par-Cell-SM"). */
#include "kernels/gpu/cells/staged_pass.h"

namespace SLUICE_GPU::GPU_PRECISION
{

enum { PAR_CELL_SM_BLOCK = 512, PAR_CELL_SM_TILE = 512 };

template <class Pair>
static sluice_status plan_par_cell_sm(const struct gpu_backend *gpu, const struct cell_grid &,
                                      const struct cell_counts &counts, struct box_plan *plan)
{
    plan->threads = whole_warps(gpu, counts.target, PAR_CELL_SM_BLOCK);
    plan_tile<Pair>(plan, PAR_CELL_SM_TILE);
    return SLUICE_OK;
}

CELL_STRATEGY(par_cell_sm,
              launch_boxes<Pair, dim>(
                  gpu, g, pass, plan_par_cell_sm<Pair>,
                  staged_kernel<Pair, dim, energy, usual, PAR_CELL_SM_BLOCK, FROM_MEMORY>))

} // namespace SLUICE_GPU::GPU_PRECISION
