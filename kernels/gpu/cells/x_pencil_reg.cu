/* x-pencil-reg: like x-pencil, for a box of cells. The block's own particles come from the
 * registers of their threads, only those at its border from global memory (Algis, Bramas, Darles &
 * Aveneau, "X-Pencil-Reg").
 *
 * The box is 4 x 2 x 2 cells. It is halved along its longest axis while it would hold more than 512
 * particles or more candidates than shared memory, if all cells were as full as the fullest one, or
 * while there are fewer blocks than multiprocessors. If even one cell is too much, the block serves
 * its particles in turns. */
#include "kernels/gpu/cells/staged_pass.h"

namespace SLUICE_GPU::GPU_PRECISION
{

enum { X_PENCIL_REG_BLOCK = 512 };

/* Candidates of one shift of a box of 2^box cells, by the fullest cell. */
static uint64_t staged_candidates(const struct cell_counts &counts, const int box[3])
{
    return (uint64_t)counts.source * (((1u << box[0]) + 2) << (box[1] + box[2]));
}

/* Whether a box of 2^box cells fits, and leaves a block for each multiprocessor. */
template <class Pair>
static int reg_box_fits(const struct gpu_backend *gpu, const struct cell_grid &cells,
                        const struct cell_counts &counts, const int box[3])
{
    const int all = box[0] + box[1] + box[2];
    const uint64_t staged = staged_candidates(counts, box);
    return ((uint64_t)counts.target << all) <= X_PENCIL_REG_BLOCK &&
           tile_of<Pair>(staged) == staged &&
           counts.occupied >> all >= (unsigned)gpu->multiprocessors &&
           cells.cell[1] + box[1] + cells.cell[2] + box[2] <= BOX_ROWS_LOG2;
}

template <class Pair>
static sluice_status plan_x_pencil_reg(const struct gpu_backend *gpu, const struct cell_grid &cells,
                                       const struct cell_counts &counts, struct box_plan *plan)
{
    int *box = plan->cells;
    box[0] = 2;
    box[1] = box[2] = 1;
    for (int c = 0; c < 3; c++)
        while (box[c] > cells.bins[c] - cells.cell[c])
            box[c]--;
    while (box[0] + box[1] + box[2] > 0 && !reg_box_fits<Pair>(gpu, cells, counts, box)) {
        const int longest = box[0] > box[1] ? 0 : box[1] > box[2] ? 1 : box[2] > 0 ? 2 : 0;
        box[longest]--;
    }
    plan->threads = whole_warps(gpu, (uint64_t)counts.target << (box[0] + box[1] + box[2]),
                                X_PENCIL_REG_BLOCK);
    plan_tile<Pair>(plan, staged_candidates(counts, box));
    return SLUICE_OK;
}

CELL_STRATEGY(x_pencil_reg,
              launch_boxes<Pair, dim>(
                  gpu, g, pass, plan_x_pencil_reg<Pair>,
                  staged_kernel<Pair, dim, energy, usual, X_PENCIL_REG_BLOCK, FROM_REGISTERS>))

} // namespace SLUICE_GPU::GPU_PRECISION
