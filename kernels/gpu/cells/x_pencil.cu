/* x-pencil: a block for each pencil of L cells along x. The pencils around it are staged in shared
 * memory one at a time, a particle by each thread (Algis, Bramas, Darles & Aveneau, "X-Pencil").
 *
 * M particles in the fullest cell make M (L + 2) threads. L is the largest power of two with at
 * most 1,024 threads, halved while there are fewer blocks than multiprocessors. If the threads are
 * too many even with L = 1 (M > 341), the block serves its particles in turns. */
#include "kernels/gpu/cells/staged_pass.h"

namespace SLUICE_GPU::GPU_PRECISION
{

enum { X_PENCIL_BLOCK = 1024, X_PENCIL_CELLS = 4 }; /* 2^4 cells at most */

template <class Pair>
static sluice_status plan_x_pencil(const struct gpu_backend *gpu, const struct cell_grid &cells,
                                   const struct cell_counts &counts, struct box_plan *plan)
{
    const uint64_t fullest = counts.target > counts.source ? counts.target : counts.source;
    int length = cells.bins[0] - cells.cell[0]; /* log2 */
    length = length < X_PENCIL_CELLS ? length : (int)X_PENCIL_CELLS;
    while (length > 0 && fullest * ((1u << length) + 2) > X_PENCIL_BLOCK)
        length--;
    while (length > 0 && counts.occupied >> length < (unsigned)gpu->multiprocessors)
        length--;
    plan->cells[0] = length;
    plan->threads = whole_warps(gpu, fullest * ((1u << length) + 2), X_PENCIL_BLOCK);
    plan_tile<Pair>(plan, plan->threads);
    return SLUICE_OK;
}

CELL_STRATEGY(x_pencil, launch_boxes<Pair, dim>(
                            gpu, g, pass, plan_x_pencil<Pair>,
                            staged_kernel<Pair, dim, energy, usual, X_PENCIL_BLOCK, FROM_MEMORY>))

} // namespace SLUICE_GPU::GPU_PRECISION
