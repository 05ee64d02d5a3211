/* Makes the masks of near_masks.h: once a layout for walls at rest, once a sort for a moving set
 * that other sets search. */
#include "kernels/gpu/variant.h"
/* after variant.h */
#include "kernels/gpu/window/near_masks.h"

namespace SLUICE_GPU::GPU_PRECISION
{

struct near_space {
    struct near_axis axis[3];
    real reach;
    const int32_t (*neighbour)[27];
};

/* The frame (-1, 0 or 1 along the axis) of a block counted from the first one of a frame, and its
 * number there. */
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
    gpu_begin();
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
                const unsigned long long bit = 1ull << near_bit(block, dim);
                if (at >= 0 && !(GPU_LOAD_SAME(&near[at]) & bit))
                    atomicOr((unsigned long long *)&near[at], bit);
            }
}

/* --- Masks of a fluid --- */

/* Made from the set's table of bins, more coarsely. Only in 3-D: in 2-D walls are few. */

enum { BLOCKS = 4 }; /* blocks of a frame along an axis */

/* Finds the blocks that hold particles. One thread for each row of a frame. A bin or row larger
 * than a block marks all blocks that it touches. */
static __global__ void occupied_blocks(const struct gpu_slot *slot, int64_t frames,
                                       const uint32_t *start, const int bits_y, const int bits_z,
                                       uint64_t *held)
{
    gpu_begin();
    const int64_t n = (int64_t)blockIdx.x * blockDim.x + threadIdx.x,
                  frame = n >> (bits_y + bits_z);
    if (frame >= frames || slot[frame].bins == 0)
        return;
    const struct gpu_slot s = slot[frame];
    const int rows_y = 1 << bits_y, rows_z = 1 << bits_z,
              row = (int)(n & ((1 << (bits_y + bits_z)) - 1)), y = row & (rows_y - 1),
              z = row >> bits_y;
    const uint32_t *first = start + s.base + (uint64_t)row * s.stride;
    uint64_t mask = 0;
    for (int x = 0; x < BLOCKS; x++) {
        const int low = x * (int)s.bins / BLOCKS,
                  high = ((x + 1) * (int)s.bins + BLOCKS - 1) / BLOCKS;
        if (first[low] == first[high])
            continue;
        for (int bz = z * BLOCKS / rows_z; bz * rows_z < (z + 1) * BLOCKS; bz++)
            for (int by = y * BLOCKS / rows_y; by * rows_y < (y + 1) * BLOCKS; by++) {
                const int block[3] = {x, by, bz};
                mask |= (uint64_t)1 << near_bit(block, 3);
            }
    }
    if (mask & ~GPU_LOAD_SAME(&held[frame]))
        atomicOr((unsigned long long *)&held[frame], (unsigned long long)mask);
}

/* The blocks of a frame that touch, along one axis, the held blocks of the frame `step` away (0: of
 * the same frame, and the held blocks themselves). Adjacent blocks are `stride` bits apart. `first`
 * has the bits of a frame's first blocks on that axis. */
static __device__ uint64_t spread(uint64_t held, uint64_t first, int stride, int step)
{
    const int across = (BLOCKS - 1) * stride;
    const uint64_t last = first << across;
    if (step != 0)
        return step > 0 ? (held & first) << across : (held & last) >> across;
    return held | (held & ~last) << stride | (held & ~first) >> stride;
}

/* Finds the blocks that touch a block with particles: a block is wider than the cutoff and the
 * drift until the next sort. One thread for each frame. */
static __global__ void blocks_beside(const int32_t (*neighbour)[27], int64_t frames,
                                     const uint64_t *held, uint64_t *near)
{
    gpu_begin();
    const int64_t frame = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    uint64_t found = 0;
    if (frame >= frames)
        return;
#pragma unroll
    for (int k = 0; k < 27; k++) {
        const int32_t of = neighbour[frame][k];
        uint64_t mask = of >= 0 ? held[of] : 0;
        mask = spread(mask, 0x1111111111111111, 1, k % 3 - 1);
        mask = spread(mask, 0x000f000f000f000f, BLOCKS, k / 3 % 3 - 1);
        found |= spread(mask, 0xffff, BLOCKS * BLOCKS, k / 9 - 1);
    }
    near[frame] = found;
}

/* Allocates and clears the masks; a moving set's held blocks stand behind them. */
static sluice_status clear_masks(struct gpu_backend *gpu, const struct sluice_set *set)
{
    struct gpu_bins *bins = bins_of(set);
    const size_t bytes = (size_t)bins->slot_capacity * sizeof *bins->near * (size_t)gpu_masks(set);
    if (!bins->near)
        SLUICE_TRY(gpu_allocate(gpu, bytes, (void **)&bins->near));
    return gpu_clear(gpu, bins->near, bytes);
}

static sluice_status mark_from_bins(struct gpu_backend *gpu, const struct sluice_grid *g,
                                    const struct sluice_set *set)
{
    struct gpu_bins *bins = bins_of(set);
    const int64_t frames = gpu->frames.count;
    const int bits_y = g->bins_log2[1], bits_z = g->bins_log2[2];
    SLUICE_TRY(clear_masks(gpu, set));
    uint64_t *held = bins->near + bins->slot_capacity;
    GPU_LAUNCH_EACH(gpu, "occupied_blocks", occupied_blocks, frames << (bits_y + bits_z),
                    bins->slot, frames, bins->start, bits_y, bits_z, held);
    GPU_LAUNCH(blocks_beside, gpu_blocks(frames, GPU_WARP_MOST), GPU_WARP_MOST, 0, gpu->stream,
               gpu->frames.neighbour, frames, held, bins->near);
    GPU_LAUNCHED("blocks_beside");
    return SLUICE_OK;
}

static int masks_serve(const struct sluice_grid *g, const struct sluice_set *source,
                       const struct sluice_set *target)
{
    int wide = 1;
    for (int c = 0; c < g->dimension; c++)
        wide &= g->width[c] >= BLOCKS * (1.001 + 2 * SLUICE_DRIFT_MOST) * g->cutoff;
    return g->dimension == 3 && wide && source != target && target->count >= GPU_MASKS_WORTH;
}

/* --- Masks of walls --- */

sluice_status mark_near_blocks(struct gpu_backend *gpu, const struct sluice_grid *g,
                               struct sluice_set *set)
{
    struct gpu_bins *bins = bins_of(set);
    struct near_space space;
    SLUICE_TRY(clear_masks(gpu, set));
    space.neighbour = gpu->frames.neighbour;
    /* Targets drift out of their frame; a moving set may be marked at one end of its drift. */
    const int drifts = set->moves ? 3 : 1;
    space.reach = (real)(g->cutoff * (1.001 + drifts * SLUICE_DRIFT_MOST));
    for (int c = 0; c < 3; c++)
        space.axis[c] = near_axis_of(g->width[c], g->dimension);
    if (g->dimension == 3)
        GPU_LAUNCH(mark_blocks<3>, gpu_blocks(set->count, GPU_BLOCK), GPU_BLOCK, 0, gpu->stream,
                   space, set_of(gpu, set), bins->near);
    else
        GPU_LAUNCH_EACH(gpu, "mark_blocks", mark_blocks<2>, set->count, space, set_of(gpu, set),
                        bins->near);
    return SLUICE_OK;
}

/* --- For a pass --- */

sluice_status near_masks(struct gpu_backend *gpu, const struct sluice_grid *g,
                         struct sluice_set *source, const struct sluice_set *target,
                         const uint64_t **near)
{
    struct gpu_bins *bins = bins_of(source);
    *near = NULL;
    if (source->moves) {
        if (!masks_serve(g, source, target))
            return SLUICE_OK;
        if (bins->near_sort != bins->sorts)
            SLUICE_TRY(source->moves == SLUICE_FREE ? mark_from_bins(gpu, g, source)
                                                    : mark_near_blocks(gpu, g, source));
        bins->near_sort = bins->sorts;
    }
    *near = bins->near;
    return SLUICE_OK;
}

/* --- Groups of walls --- */

/* Only in 3-D, as the masks. Threads of one group store the same number. */
static __global__ void look_for_near(const struct near_space space, const struct gpu_set set,
                                     const uint64_t *near, int group, uint32_t look, uint32_t *last)
{
    gpu_begin();
    const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= alive_in(set))
        return;
    const uint32_t slot = ((const uint32_t *)set.v.field[SLUICE_FIELD_FRAME])[i];
    int block[3];
    for (int c = 0; c < 3; c++)
        block[c] = near_block(space.axis[c], VIEW(&set.v, POSITION, i, 4, c));
    if (near[slot] >> near_bit(block, 3) & 1)
        GPU_STORE_SAME(&last[i / group], look);
}

/* Each sort is looked at, or all begins anew: another strategy's passes store at each target. */
sluice_status near_groups(struct gpu_backend *gpu, const struct sluice_grid *g,
                          const struct sluice_set *source, struct sluice_set *target,
                          const uint64_t *near, int group, const uint32_t **last, uint32_t *since)
{
    struct gpu_bins *bins = bins_of(target);
    struct gpu_near_groups *of = &bins->near_groups;
    const size_t bytes = (size_t)gpu_blocks(target->count, group) * sizeof **last;
    const int64_t sort = bins_of(source)->near_sort, uploads = gpu->uploads - gpu->births;
    *last = NULL;
    if (!near || source->moves != SLUICE_FREE || target->moves || gpu->ranks)
        return SLUICE_OK;
    if (of->last.bytes < bytes || of->sorts != bins->sorts || of->uploads != uploads ||
        sort > of->near_sort + 1)
        of->looks = 0;
    if (of->looks == 0 || of->near_sort != sort) {
        struct near_space space = {};
        SLUICE_TRY(gpu_bins_reserve(gpu, target, &of->last, bytes));
        if (of->looks == 0)
            SLUICE_TRY(gpu_clear(gpu, of->last.memory, bytes));
        for (int c = 0; c < 3; c++)
            space.axis[c] = near_axis_of(g->width[c], g->dimension);
        of->looks++;
        of->near_sort = sort;
        of->sorts = bins->sorts;
        of->uploads = uploads;
        GPU_LAUNCH_EACH(gpu, "look_for_near", look_for_near, target->count, space,
                        set_of(gpu, target), near, group, of->looks, (uint32_t *)of->last.memory);
    }
    *last = (const uint32_t *)of->last.memory;
    *since = of->looks - 1;
    return SLUICE_OK;
}

} // namespace SLUICE_GPU::GPU_PRECISION
