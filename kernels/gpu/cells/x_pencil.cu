/* x-pencil: a block for each pencil of L cells along x. The pencils around it are copied to shared
 * memory one at a time, its own first, a particle by each thread (Algis, Bramas, Darles & Aveneau
 * 2024, 5.2). M particles in the fullest cell make M (L + 2) threads, at most 1,024, and as many
 * candidates, which are to fit into shared memory. L shrinks while there are fewer blocks than
 * multiprocessors.
 *
 * Beyond the paper: the block has a thread for each of its own particles, about, and several
 * pencils are copied at once if they fit. A pencil too full even with L = 1 is copied in pieces. */
#include "kernels/gpu/cells/box_pass.h"

namespace SLUICE_GPU::GPU_PRECISION
{

enum { X_PENCIL_BLOCK = 1024 };

static void plan_x_pencil(const struct gpu_backend *gpu, const struct box_demand &d,
                          struct box_plan *plan)
{
    int *size = plan->size;
    const auto fits = [&] {
        const uint64_t row = candidates_of_row(d, size[0]);
        return row <= X_PENCIL_BLOCK && row <= capacity_of(d, size) && are_enough(gpu, d, size);
    };
    size[0] = 1 << d.cells.bins[0];
    size[1] = size[2] = 1;
    while (size[0] > 1 && !fits())
        size[0]--;
    plan_pencils(gpu, d, candidates_of_row(d, size[0]), X_PENCIL_BLOCK, plan);
}

CELL_STRATEGY(x_pencil, launch_boxes<Pair, dim>(
                            gpu, g, pass, plan_x_pencil,
                            box_kernel<Pair, dim, energy, usual, X_PENCIL_BLOCK, FROM_MEMORY>))

} // namespace SLUICE_GPU::GPU_PRECISION
