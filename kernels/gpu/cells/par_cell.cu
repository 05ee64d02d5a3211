/* par-cell: a block for each cell, and a thread for each of its particles, which reads the cells
 * around it from global memory. All threads of a block read the same candidates (Algis, Bramas,
 * Darles & Aveneau 2024, 4.3). */
#include "kernels/gpu/cells/box_pass.h"
#include "kernels/gpu/cells/particle_pass.h"

namespace SLUICE_GPU::GPU_PRECISION
{

/* Threads at most; particles of a fuller cell are served in turns. */
enum { PAR_CELL_BLOCK = 256, PAR_CELL_PUBLISHED = 128 };

template <class Pair, int dim, int energy, int usual>
__global__ void __launch_bounds__(PAR_CELL_BLOCK)
    par_cell_kernel(const GPU_CONSTANT struct box_args<Pair> args)
{
    gpu_begin();
    GPU_DYNAMIC_SHARED(unsigned char, shared);
    const typename Pair::constants k = usual ? Pair::usual(args.cell.pass.k) : args.cell.pass.k;
    for (uint32_t b = blockIdx.x; b < *args.list; b += gridDim.x) {
        const struct cell_box box = box_of(args, b);
        const struct box_tables tables = tables_of(box, shared);
        const uint32_t count = find_targets<dim>(args.cell.space, args.targets, box, tables);
        for (uint32_t begin = 0; begin < count; begin += blockDim.x) {
            const uint32_t n = begin + threadIdx.x;
            double out[SLUICE_SUM_COUNT] = {};
            if (n < count)
                sum_particle<Pair, dim, energy, usual>(args.cell, k, tables.first[0] + n, out);
            pass_sum<Pair, usual>(args.cell.pass, out);
        }
    }
}

static void plan_par_cell(const struct gpu_backend *gpu, const struct box_demand &d,
                          struct box_plan *plan)
{
    plan->size[0] = plan->size[1] = plan->size[2] = 1;
    plan->threads = gpu->backend->published ? (unsigned)PAR_CELL_PUBLISHED
                                            : whole_warps(gpu, d.fullest, PAR_CELL_BLOCK);
}

CELL_STRATEGY(par_cell, launch_boxes<Pair, dim>(gpu, g, pass, plan_par_cell,
                                                par_cell_kernel<Pair, dim, energy, usual>))

} // namespace SLUICE_GPU::GPU_PRECISION
