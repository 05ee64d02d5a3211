/* par-cell: a block for each cell that holds particles, and a thread for each of them, which reads
 * the 27 cells around it from global memory. All threads of a block read the same candidates
 * (Algis, Bramas, Darles & Aveneau, "Par-Cell"). */
#include "kernels/gpu/cells/particle_pass.h"
/* after particle_pass.h */
#include "kernels/gpu/cells/box_pass.h"

namespace SLUICE_GPU::GPU_PRECISION
{

enum { PAR_CELL_BLOCK = 256 }; /* threads at most; particles of a fuller cell are served in turns */

template <class Pair, int dim, int energy, int usual>
__global__ void __launch_bounds__(PAR_CELL_BLOCK)
    par_cell_kernel(const GPU_CONSTANT struct box_args<Pair> args)
{
    gpu_begin();
    GPU_SHARED(struct box_rows, rows);
    const typename Pair::constants k = usual ? Pair::usual(args.cell.pass.k) : args.cell.pass.k;
    struct cell_box box;
    const uint32_t targets = open_box<Pair, dim>(args, &box, &rows);
    for (uint32_t begin = 0; begin < targets; begin += blockDim.x) {
        const uint32_t n = begin + threadIdx.x;
        double out[SLUICE_SUM_COUNT] = {};
        if (n < targets)
            sum_particle<Pair, dim, energy, usual>(args.cell, k, find_target(box, rows, n), out);
        pass_sum<Pair, usual>(args.cell.pass, out);
    }
}

static sluice_status plan_par_cell(const struct gpu_backend *gpu, const struct cell_grid &,
                                   const struct cell_counts &counts, struct box_plan *plan)
{
    plan->threads = whole_warps(gpu, counts.target, PAR_CELL_BLOCK);
    return SLUICE_OK;
}

CELL_STRATEGY(par_cell, launch_boxes<Pair, dim>(gpu, g, pass, plan_par_cell,
                                                par_cell_kernel<Pair, dim, energy, usual>))

} // namespace SLUICE_GPU::GPU_PRECISION
