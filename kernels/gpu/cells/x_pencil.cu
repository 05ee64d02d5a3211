/* x-pencil: a block for each pencil of L cells along x; of the pencils around, one at a time, each
 * thread stages a particle in shared memory (Algis, Bramas, Darles & Aveneau, "X-Pencil").
 *
 * With M particles in the fullest cell there are M (L + 2) threads, and L is the largest power of
 * two with which they are 1,024 at most, halved while there are fewer blocks than multiprocessors.
 * What does not fit even then, M > 341, is taken in turns. */
#include "kernels/gpu/cells/staged_pass.h"

namespace SLUICE_GPU
{
namespace GPU_PRECISION
{

enum { X_PENCIL_BLOCK = 1024, X_PENCIL_CELLS = 4 }; /* 2^4 cells at most */

template <class Pair, int dim, int energy, int usual>
__global__ void __launch_bounds__(X_PENCIL_BLOCK)
    x_pencil_kernel(const GPU_CONSTANT struct box_args<Pair> args)
{
    gpu_begin();
    GPU_SHARED(struct staged_rows, shared);
    GPU_DYNAMIC_SHARED(struct cell_staged<Pair>, tile);
    sum_box<Pair, dim, energy, usual, FROM_MEMORY>(args, &shared, tile);
}

template <class Pair>
static struct box_plan plan_x_pencil(const struct gpu_backend *gpu, const struct cell_grid &cells,
                                     const struct cell_counts &counts)
{
    const uint64_t fullest = counts.target > counts.source ? counts.target : counts.source;
    int length = cells.bins[0] - cells.cell[0]; /* log2 */
    length = length < X_PENCIL_CELLS ? length : (int)X_PENCIL_CELLS;
    while (length > 0 && fullest * ((1u << length) + 2) > X_PENCIL_BLOCK)
        length--;
    while (length > 0 && counts.occupied >> length < (unsigned)gpu->multiprocessors)
        length--;
    const uint64_t particles = fullest * ((1u << length) + 2);
    const unsigned threads = whole_warps(gpu, particles, X_PENCIL_BLOCK);
    const struct box_plan plan = {{length, 0, 0}, threads, tile_of<Pair>(threads)};
    return plan;
}

struct x_pencil_launch {
    template <class Pair, int dim, int energy, int usual>
    static sluice_status run(struct gpu_backend *gpu, const struct sluice_grid *g,
                             struct sluice_pass *pass)
    {
        return launch_staged<Pair, dim>(gpu, g, pass, plan_x_pencil<Pair>,
                                        x_pencil_kernel<Pair, dim, energy, usual>);
    }
};

sluice_status interact_x_pencil(struct gpu_backend *gpu, const struct sluice_grid *g,
                                struct sluice_pass *pass)
{
    return pass_dispatch<x_pencil_launch>(gpu, g, pass);
}

} // namespace GPU_PRECISION
} // namespace SLUICE_GPU
