/* par-cell-sm: a block for each cell. It copies the particles of the cell and of those around it to
 * shared memory, row by row, at most 512 at a time (Algis, Bramas, Darles & Aveneau 2024, 4.4). */
#include "kernels/gpu/cells/box_pass.h"

namespace SLUICE_GPU::GPU_PRECISION
{

enum { PAR_CELL_SM_BLOCK = 512, PAR_CELL_SM_PUBLISHED = 128, PAR_CELL_SM_TILE = 512 };

static void plan_par_cell_sm(const struct gpu_backend *gpu, const struct box_demand &d,
                             struct box_plan *plan)
{
    plan->size[0] = plan->size[1] = plan->size[2] = 1;
    plan->threads = gpu->backend->published ? PAR_CELL_SM_PUBLISHED
                                            : whole_warps(gpu, d.fullest, PAR_CELL_SM_BLOCK);
    plan->at_once = 1;
    plan_tile(d, PAR_CELL_SM_TILE, plan);
}

CELL_STRATEGY(
    par_cell_sm,
    launch_boxes<Pair, dim>(gpu, g, pass, plan_par_cell_sm,
                            box_kernel<Pair, dim, energy, usual, PAR_CELL_SM_BLOCK, FROM_MEMORY>))

} // namespace SLUICE_GPU::GPU_PRECISION
