/* x-pencil-reg: like x-pencil, for a box of cells. Own particles come from their threads'
 * registers, only those around from global memory (Algis, Bramas, Darles & Aveneau 2024, 5.3).
 *
 * The paper gives no size; the box is 8 x 2 x 2 cells. It is halved along z, y and then x while it
 * would hold more than 512 particles or a row more candidates than shared memory, if all cells were
 * as full as the fullest, or while there are fewer blocks than multiprocessors. Beyond the paper:
 * as in x_pencil.cu. */
#include "kernels/gpu/cells/box_pass.h"

namespace SLUICE_GPU::GPU_PRECISION
{

enum { X_PENCIL_REG_BLOCK = 512 };

static void plan_x_pencil_reg(const struct gpu_backend *gpu, const struct box_demand &d,
                              struct box_plan *plan)
{
    static const int wanted[3] = {8, 2, 2};
    int *size = plan->size;
    const auto fits = [&] {
        return d.fullest * volume_of(size) <= X_PENCIL_REG_BLOCK && are_enough(gpu, d, size) &&
               candidates_of_row(d, size[0]) <= capacity_of(d, size);
    };
    for (int c = 0; c < 3; c++)
        size[c] = wanted[c] < 1 << d.cells.bins[c] ? wanted[c] : 1 << d.cells.bins[c];
    while (volume_of(size) > 1 && !fits())
        halve(size);
    plan_pencils(gpu, d, d.fullest * volume_of(size), X_PENCIL_REG_BLOCK, plan);
}

CELL_STRATEGY(x_pencil_reg,
              launch_boxes<Pair, dim>(
                  gpu, g, pass, plan_x_pencil_reg,
                  box_kernel<Pair, dim, energy, usual, X_PENCIL_REG_BLOCK, FROM_REGISTERS>))

} // namespace SLUICE_GPU::GPU_PRECISION
