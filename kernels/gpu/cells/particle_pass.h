/* One thread for each target particle, which reads the 27 cells around the target from global
 * memory. par-part-noloop, par-part-loop and par-cell share this file; they differ in how threads
 * get their targets. */
#ifndef SLUICE_KERNELS_GPU_CELLS_PARTICLE_PASS_H
#define SLUICE_KERNELS_GPU_CELLS_PARTICLE_PASS_H
#include "kernels/gpu/cells/cell_pass.h"

namespace SLUICE_GPU::GPU_PRECISION
{

/* Sums the pairs of the target with all particles of one source within the cutoff, row by row. */
template <class Pair, int dim, int energy, int usual, int source>
static __device__ __forceinline__ void search_cells(const struct cell_args<Pair> &args,
                                                    const typename Pair::constants &k,
                                                    struct cell_target<Pair> *i)
{
    const struct cell_space &space = args.space;
    const struct cell_grid &c = space.cells;
    const int first = i->low < 0 ? -1 : 0, last = i->high >> c.bins[0] != 0;
    if (!args.source[source].slot)
        return;
    const struct cell_home home = home_in(args.source[source], i->slot);
    struct row_offset row = {0, 0};
#pragma unroll 1
    for (int more = 1; more; more = next_row(c, &row)) {
        const int own = row.y == 0 && row.z == 0;
        const int y = i->row_y + row.y, z = i->row_z + row.z;
        if (!is_row_near(space, row.y, row.z, Pair::support(k)))
            continue;
        const real at[2] = {i->y - (real)frame_of(y, c.bins[1]) * space.width[1],
                            i->z - (real)frame_of(z, c.bins[2]) * space.width[2]};
#pragma unroll 1
        for (int dx = first; dx <= last; dx++)
            meet_segment<Pair, dim, energy, usual, source>(
                args, k, i,
                find_segment<dim>(space, args.source[source], home, y, z, dx, i->low, i->high),
                own && args.pass.same[source] ? i->index : UINT32_MAX, at,
                seam_shift(space, i->slot, dx));
    }
}

template <class Pair, int dim, int energy, int usual>
static __device__ __forceinline__ void sum_particle(const struct cell_args<Pair> &args,
                                                    const typename Pair::constants &k, uint32_t n,
                                                    double out[SLUICE_SUM_COUNT])
{
    struct cell_target<Pair> i;
    place_target<Pair, dim>(args, k, n, &i);
    search_cells<Pair, dim, energy, usual, 0>(args, k, &i);
    search_cells<Pair, dim, energy, usual, 1>(args, k, &i);
    store_target<Pair, dim, energy>(args, k, i, out);
}

/* Launches `kernel`, whose argument is a struct cell_args; no launch if there are no blocks. */
template <class Pair, int dim, class Kernel>
static sluice_status launch_particles(struct gpu_backend *gpu, const struct sluice_grid *g,
                                      struct sluice_pass *pass, unsigned blocks, int threads,
                                      Kernel kernel)
{
    struct cell_args<Pair> args;
    SLUICE_TRY(pass_open(gpu, pass, &args.pass));
    SLUICE_TRY((cell_args_open<Pair, dim>(gpu, g, pass, &args)));
    if (blocks == 0)
        return SLUICE_OK;
    GPU_LAUNCH(kernel, blocks, threads, 0, gpu->stream, args);
    GPU_LAUNCHED(gpu->strategy);
    cell_pass_done(pass);
    return SLUICE_OK;
}

} // namespace SLUICE_GPU::GPU_PRECISION
#endif
