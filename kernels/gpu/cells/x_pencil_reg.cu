/* x-pencil-reg: the pencil's idea on a box of cells: the rows of the box, shifted by a row at a
 * time, go to shared memory; the block's own particles from the registers of their threads, only
 * those at its border from global memory (Algis, Bramas, Darles & Aveneau, "X-Pencil-Reg").
 *
 * The box is 4 x 2 x 2 cells, halved along its longest axis while it has more than 512 particles by
 * the fullest cell, while its shifted rows do not fit into shared memory, or while there are fewer
 * blocks than multiprocessors. What does not fit even then is taken in turns. */
#include "kernels/gpu/cells/staged_pass.h"

namespace SLUICE_GPU
{
namespace GPU_PRECISION
{

enum { X_PENCIL_REG_BLOCK = 512 };

template <class Pair, int dim, int energy, int usual>
__global__ void __launch_bounds__(X_PENCIL_REG_BLOCK)
    x_pencil_reg_kernel(const GPU_CONSTANT struct box_args<Pair> args)
{
    gpu_begin();
    GPU_SHARED(struct staged_rows, shared);
    GPU_DYNAMIC_SHARED(struct cell_staged<Pair>, tile);
    sum_box<Pair, dim, energy, usual, FROM_REGISTERS>(args, &shared, tile);
}

/* Whether a box of 2^cells fits, and makes blocks enough. */
template <class Pair>
static int reg_box_fits(const struct gpu_backend *gpu, const struct cell_grid &cells,
                        const struct cell_counts &counts, const int box[3])
{
    const int all = box[0] + box[1] + box[2];
    const uint64_t staged = (uint64_t)counts.source * (((1u << box[0]) + 2) << (box[1] + box[2]));
    return ((uint64_t)counts.target << all) <= X_PENCIL_REG_BLOCK &&
           tile_of<Pair>(staged) == staged &&
           counts.occupied >> all >= (unsigned)gpu->multiprocessors &&
           cells.cell[1] + box[1] + cells.cell[2] + box[2] <= 6; /* BOX_ROWS */
}

template <class Pair>
static struct box_plan plan_x_pencil_reg(const struct gpu_backend *gpu,
                                         const struct cell_grid &cells,
                                         const struct cell_counts &counts)
{
    int box[3] = {2, 1, 1};
    for (int c = 0; c < 3; c++)
        while (box[c] > cells.bins[c] - cells.cell[c])
            box[c]--;
    while (box[0] + box[1] + box[2] > 0 && !reg_box_fits<Pair>(gpu, cells, counts, box)) {
        const int longest = box[0] > box[1] ? 0 : box[1] > box[2] ? 1 : box[2] > 0 ? 2 : 0;
        box[longest]--;
    }
    const uint64_t targets = (uint64_t)counts.target << (box[0] + box[1] + box[2]),
                   staged = (uint64_t)counts.source * (((1u << box[0]) + 2) << (box[1] + box[2]));
    const struct box_plan plan = {{box[0], box[1], box[2]},
                                  whole_warps(gpu, targets, X_PENCIL_REG_BLOCK),
                                  tile_of<Pair>(staged)};
    return plan;
}

struct x_pencil_reg_launch {
    template <class Pair, int dim, int energy, int usual>
    static sluice_status run(struct gpu_backend *gpu, const struct sluice_grid *g,
                             struct sluice_pass *pass)
    {
        return launch_staged<Pair, dim>(gpu, g, pass, plan_x_pencil_reg<Pair>,
                                        x_pencil_reg_kernel<Pair, dim, energy, usual>);
    }
};

sluice_status interact_x_pencil_reg(struct gpu_backend *gpu, const struct sluice_grid *g,
                                    struct sluice_pass *pass)
{
    return pass_dispatch<x_pencil_reg_launch>(gpu, g, pass);
}

} // namespace GPU_PRECISION
} // namespace SLUICE_GPU
