/* The largest supports around each place, for pairs whose particles have supports of their own and
 * meet within the larger one of the two: how far a target must look. A cell is a part of a row of
 * bins in one frame, a quarter of the frame long. Two tables, by cell:
 *
 *   in_row   the largest support of those particles of the row that may reach the cell along x
 *   nearby   the largest support of all particles that may reach the cell: bounds the rows to visit
 *
 * Each particle raises its cell to its own support; then the supports spread along x, y, z in turn,
 * each as far as it reaches. That is exact for boxes: where two supports reach the same cell along
 * x, the larger one reaches farther along y and z, too. */
#ifndef SLUICE_KERNELS_GPU_WINDOW_SUPPORT_CELLS_H
#define SLUICE_KERNELS_GPU_WINDOW_SUPPORT_CELLS_H
#include "kernels/types/reach.h"
#include "kernels/gpu/window/window_pass.h"

namespace SLUICE_GPU::GPU_PRECISION
{

enum { SUPPORT_CELLS_LOG2 = 2 }; /* of a row in a frame */

struct support_cells {
    struct bin_axis axis[3]; /* x: cells; y, z: rows */
    real width[3];           /* of a cell */
    int log2[3];             /* cells of a frame */
    int64_t count;
    const int32_t (*neighbour)[27];
    real *in_row, *nearby; /* [count] with all slack */
    real *work;            /* [count] */
    real *most;            /* [1] the largest support of all */
};

/* Cell x of a row of a frame. */
HD int64_t support_cell(const struct support_cells &c, int64_t slot, int z, int y, int x)
{
    return ((slot << c.log2[2] | z) << c.log2[1] | y) << c.log2[0] | x;
}

/* Raises *to to x > 0: such numbers are in the order of their bits. */
static __device__ __forceinline__ void raise(real *to, real x)
{
#ifdef SLUICE_DOUBLE
    typedef unsigned long long word;
#else
    typedef uint32_t word;
#endif
    word bits;
    memcpy(&bits, &x, sizeof bits);
    if (bits > GPU_LOAD_SAME((word *)(void *)to))
        atomicMax((word *)(void *)to, bits);
}

/* slack: of reach_of() */
template <class Pair, int dim>
__global__ void find_supports(const typename Pair::constants k, const struct gpu_set set,
                              const GPU_CONSTANT struct support_cells c, const real slack)
{
    gpu_begin();
    const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    real reach = 0;
    if (i < alive_in(set)) {
        const real *x = &VIEW(&set.v, POSITION, i, dim + 1, 0);
        const real support = Pair::support_of(k, set.v, i, dim);
        const uint32_t slot = ((const uint32_t *)set.v.field[SLUICE_FIELD_FRAME])[i];
        const int z = dim == 3 ? bin_index(&c.axis[2], x[2]) : 0;
        if (support > 0) {
            reach = reach_of(support, slack);
            raise(&c.work[support_cell(c, slot, z, bin_index(&c.axis[1], x[1]),
                                       bin_index(&c.axis[0], x[0]))],
                  reach);
        }
    }
    for (int d = GPU_WARP / 2; d > 0; d /= 2)
        reach = real_max(reach, gpu_shuffle_xor(reach, d));
    if (threadIdx.x % GPU_WARP == 0 && reach > 0)
        raise(c.most, reach);
}

/* Spreads supports along an axis. A thread for each cell takes the largest one that reaches it. No
 * support is wider than a frame. */
static __global__ void spread_supports(const GPU_CONSTANT struct support_cells c, const int axis,
                                       const real *from, real *to)
{
    gpu_begin();
    const int64_t n = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (n >= c.count)
        return;
    const int before = axis == 0   ? 0
                       : axis == 1 ? c.log2[0]
                                   : c.log2[0] + c.log2[1],
              cells = 1 << c.log2[axis], own = (int)(n >> before) & (cells - 1),
              in_frame = c.log2[0] + c.log2[1] + c.log2[2],
              beside = axis == 0   ? 1
                       : axis == 1 ? 3
                                   : 9;
    const int64_t stride = (int64_t)1 << before, slot = n >> in_frame,
                  line = (n & (((int64_t)1 << in_frame) - 1)) - own * stride;
    const real most = *c.most;
    real widest = from[n];
    for (int side = -1; side <= 1; side += 2) {
        const int32_t next = c.neighbour[slot][13 + side * beside];
        for (int d = 1; d <= cells && (real)(d - 1) * c.width[axis] < most; d++) {
            const int at = own + side * d, aside = at < 0 || at >= cells;
            if (aside && next < 0)
                break;
            const real support = from[((int64_t)(aside ? next : slot) << in_frame) + line +
                                      (at & (cells - 1)) * stride];
            if (support > (real)(d - 1) * c.width[axis])
                widest = real_max(widest, support);
        }
    }
    to[n] = widest;
}

/* Makes the tables of a source of a pass. Their memory is used again by the next pass. */
template <class Pair, int dim>
static sluice_status find_support_cells(struct gpu_backend *gpu, const struct sluice_grid *g,
                                        const struct sluice_set *source,
                                        const typename Pair::constants &k, real slack, int number,
                                        struct support_cells *c)
{
    struct gpu_scratch *scratch = &gpu->supports[number];
    *c = support_cells();
    c->count = g->frame_count;
    for (int a = 0; a < 3; a++) {
        c->log2[a] = a == 0 ? (int)SUPPORT_CELLS_LOG2 : a < dim ? g->bins_log2[a] : 0;
        c->axis[a] = bin_axis_of(g->width[a], c->log2[a]);
        c->width[a] = (real)(g->width[a] / (1 << c->log2[a]) * (1 - 1e-5)); /* and rounding */
        c->count <<= c->log2[a];
    }
    c->neighbour = gpu->frames.neighbour;
    SLUICE_TRY(gpu_scratch_reserve(gpu, scratch, ((size_t)dim * c->count + 1) * sizeof(real)));
    c->most = (real *)scratch->memory;
    c->work = c->most + 1;
    c->in_row = c->work + c->count;
    SLUICE_TRY(gpu_clear(gpu, c->most, ((size_t)c->count + 1) * sizeof(real)));
    auto find = find_supports<Pair, dim>;
    GPU_LAUNCH_EACH(gpu, "find_supports", find, source->count, k, set_of(gpu, source), *c, slack);
    const auto spread = [&](int axis, const real *from, real *to) {
        GPU_LAUNCH_EACH(gpu, "spread_supports", spread_supports, c->count, *c, axis, from, to);
        return SLUICE_OK;
    };
    SLUICE_TRY(spread(0, c->work, c->in_row));
    SLUICE_TRY(spread(1, c->in_row, c->work));
    c->nearby = dim == 3 ? c->in_row + c->count : c->work;
    return dim == 3 ? spread(2, c->work, c->nearby) : SLUICE_OK;
}

} // namespace SLUICE_GPU::GPU_PRECISION
#endif
