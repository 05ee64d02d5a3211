/* The masks of near.h, from the particles of a set at rest, once a layout. */
#include "kernels/gpu/leaf.h"
/* after leaf.h */
#include "kernels/gpu/near.h"

namespace SLUICE_GPU
{
namespace GPU_PRECISION
{

struct near_space {
    struct near_axis axis[3];
    real reach;
    const int32_t (*neighbour)[27];
};

/* The frame beside `slot` on one axis and the block in it, for a block counted from the frame's
 * first. */
static __device__ int beside(int block, const int dim, int *in_frame)
{
    const int blocks = dim == 3 ? 4 : 8;
    const int frame = block < 0 ? -1 : block >= blocks ? 1 : 0;
    *in_frame = block - frame * blocks;
    return frame;
}

template <int dim>
static __global__ void mark_blocks(const struct near_space space, const struct gpu_set set,
                                   uint64_t *near)
{
    const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= alive_in(set))
        return;
    const uint32_t slot = ((const uint32_t *)set.v.field[SLUICE_FIELD_FRAME])[i];
    int low[3] = {0, 0, 0}, high[3] = {0, 0, 0};
    for (int c = 0; c < dim; c++) {
        const real x = VIEW(&set.v, POSITION, i, dim + 1, c);
        low[c] = near_block(space.axis[c], x - space.reach);
        high[c] = near_block(space.axis[c], x + space.reach);
    }
    for (int z = low[2]; z <= high[2]; z++)
        for (int y = low[1]; y <= high[1]; y++)
            for (int x = low[0]; x <= high[0]; x++) {
                int block[3] = {0, 0, 0};
                int frame = beside(x, dim, &block[0]) + 1;
                frame += 3 * (beside(y, dim, &block[1]) + 1);
                frame += 9 * (dim == 3 ? beside(z, dim, &block[2]) + 1 : 1);
                const int32_t at = space.neighbour[slot][frame];
                if (at >= 0)
                    atomicOr((unsigned long long *)&near[at], 1ull << near_bit(block, dim));
            }
}

sluice_status mark_near_blocks(struct gpu_backend *gpu, const struct sluice_grid *g,
                               struct sluice_set *set)
{
    struct gpu_bins *bins = bins_of(set);
    const size_t bytes = (size_t)bins->slot_capacity * sizeof *bins->near;
    struct near_space space;
    if (!bins->near)
        SLUICE_TRY(gpu_allocate(gpu, bytes, (void **)&bins->near));
    SLUICE_TRY(gpu_check(gpuMemsetAsync(bins->near, 0, bytes, gpu->stream), "clearing masks"));
    space.neighbour = gpu->frames.neighbour;
    space.reach = (real)(g->cutoff * 1.001);
    for (int c = 0; c < 3; c++)
        space.axis[c] = near_axis_of(g->width[c], g->dimension);
    if (g->dimension == 3)
        GPU_LAUNCH(mark_blocks<3>, gpu_blocks(set->count, GPU_BLOCK), GPU_BLOCK, 0, gpu->stream,
                   space, set_of(gpu, set), bins->near);
    else
        GPU_LAUNCH(mark_blocks<2>, gpu_blocks(set->count, GPU_BLOCK), GPU_BLOCK, 0, gpu->stream,
                   space, set_of(gpu, set), bins->near);
    GPU_LAUNCHED("mark_blocks");
    return SLUICE_OK;
}

} // namespace GPU_PRECISION
} // namespace SLUICE_GPU
