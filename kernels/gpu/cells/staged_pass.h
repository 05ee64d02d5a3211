/* The kernel of par-cell-sm, x-pencil and x-pencil-reg. A block stages the rows around its box in
 * shared memory, shift by shift: for a shift (dz, dy) it stages row (z + dz, y + dy) for every row
 * (z, y) of the box, so that each target meets one row. The strategies differ in their boxes, and
 * in where a block's own particles come from. */
#ifndef SLUICE_KERNELS_GPU_CELLS_STAGED_PASS_H
#define SLUICE_KERNELS_GPU_CELLS_STAGED_PASS_H
#include "kernels/gpu/cells/box_pass.h"

namespace SLUICE_GPU::GPU_PRECISION
{

/* FROM_MEMORY: all candidates are loaded from global memory. FROM_REGISTERS: the block's own
 * targets come from their threads' registers instead. */
enum staged_from { FROM_MEMORY, FROM_REGISTERS };

/* In shared memory. */
struct staged_rows {
    struct box_rows targets;
    uint32_t first[3 * BOX_ROWS], offset[3 * BOX_ROWS];
};

/* The block now works on targets begin .. begin + its threads - 1 of `count`. */
struct staged_block {
    struct cell_box box;
    uint32_t begin, count;
    const struct box_rows *rows;
};

/* Whether entry `at` of segment s is one of the block's current targets: its thread stages it. */
static __device__ __forceinline__ int is_owned(const struct staged_block &b,
                                               const struct row_table &t, int s, uint32_t at)
{
    const int y = t.y0 + s / 3 % t.ny - b.box.y0, z = t.z0 + s / 3 / t.ny - b.box.z0,
              r = z * b.box.ny + y;
    if (s % 3 != 1 || (unsigned)y >= (unsigned)b.box.ny || (unsigned)z >= (unsigned)b.box.nz)
        return 0;
    const uint32_t end = r + 1 < b.box.ny * b.box.nz ? b.rows->offset[r + 1] : b.count,
                   n = t.first[s] + (at - t.offset[s]) - b.rows->first[r], /* in its row */
        target = b.rows->offset[r] + n;
    return n < end - b.rows->offset[r] && target - b.begin < blockDim.x;
}

/* Copies the entry of a target from its thread's registers to the tile, if the tile covers it. */
template <class Pair>
static __device__ __forceinline__ void
stage_own(const struct cell_target<Pair> &i, const struct cell_staged<Pair> &own,
          const struct row_table &t, uint32_t first, uint32_t count, struct cell_staged<Pair> *tile)
{
    const int y = i.row_y - t.y0, z = i.row_z - t.z0, s = 3 * (z * t.ny + y) + 1;
    if ((unsigned)y >= (unsigned)t.ny || (unsigned)z >= (unsigned)t.nz)
        return;
    const uint32_t at = t.offset[s] + (i.index - t.first[s]) - first;
    if (at < count)
        tile[at] = own;
}

template <class Pair, int dim, int source>
static __device__ __forceinline__ void
stage_others(const struct cell_args<Pair> &args, const typename Pair::constants &k,
             const struct staged_block &b, const struct row_table &t, uint32_t first,
             uint32_t count, struct cell_staged<Pair> *tile)
{
    for (uint32_t n = threadIdx.x; n < count; n += blockDim.x) {
        const int s = find_range(t.offset, 3 * t.ny * t.nz, first + n);
        if (!is_owned(b, t, s, first + n))
            tile[n] = load_entry<Pair, dim, source>(args, k, b.box, t, s, first + n);
    }
}

/* Adds all rows of one source to the thread's target. All threads call it; here = 0: the thread has
 * no target. */
template <class Pair, int dim, int energy, int usual, int source, enum staged_from from>
static __device__ __forceinline__ void
meet_source(const struct box_args<Pair> &args, const typename Pair::constants &k,
            const struct staged_block &b, struct staged_rows *shared,
            struct cell_staged<Pair> *tile, int here, struct cell_target<Pair> *i)
{
    const struct cell_source &s = args.cell.source[source];
    const struct cell_grid &c = args.cell.space.cells;
    const int same = args.cell.pass.same[source], registers = from == FROM_REGISTERS && same;
    struct cell_staged<Pair> own = {
    };
    if (!s.slot)
        return;
    if (registers && here)
        own = load_staged<Pair, dim, source>(args.cell, k, i->index);
#pragma unroll 1
    for (int dz = -c.reach[2]; dz <= c.reach[2]; dz++)
#pragma unroll 1
        for (int dy = -c.reach[1]; dy <= c.reach[1]; dy++) {
            if (!is_row_near(args.cell.space, dy, dz, Pair::support(k)))
                continue;
            const struct row_table t = {b.box.y0 + dy, b.box.z0 + dz, b.box.ny,
                                        b.box.nz,      shared->first, shared->offset};
            const uint32_t length = fill_rows<dim>(args.cell.space, s, b.box, t);
            struct row_part part = {0, 0, 0};
            if (here && length)
                part = find_part<Pair, dim>(args.cell, s, same, *i, t, dy, dz);
            for (uint32_t first = 0; first < length; first += args.tile) {
                const uint32_t count = min(args.tile, length - first);
                if (registers && here)
                    stage_own(*i, own, t, first, count, tile);
                if (registers)
                    stage_others<Pair, dim, source>(args.cell, k, b, t, first, count, tile);
                else
                    stage_rows<Pair, dim, source>(args.cell, k, b.box, t, first, count, tile);
                __syncthreads();
                if (here)
                    meet_part<Pair, dim, energy, usual, source>(args.cell, k, i, part, tile, first,
                                                                count);
                __syncthreads();
            }
        }
}

template <class Pair, int dim, int energy, int usual, int threads, enum staged_from from>
__global__ void __launch_bounds__(threads)
    staged_kernel(const GPU_CONSTANT struct box_args<Pair> args)
{
    gpu_begin();
    GPU_SHARED(struct staged_rows, shared);
    GPU_DYNAMIC_SHARED(struct cell_staged<Pair>, tile);
    const typename Pair::constants k = usual ? Pair::usual(args.cell.pass.k) : args.cell.pass.k;
    struct staged_block b;
    b.count = open_box<Pair, dim>(args, &b.box, &shared.targets);
    b.rows = &shared.targets;
    for (b.begin = 0; b.begin < b.count; b.begin += blockDim.x) {
        const uint32_t n = b.begin + threadIdx.x;
        const int here = n < b.count;
        double out[SLUICE_SUM_COUNT] = {};
        struct cell_target<Pair> i = {
        };
        if (here)
            place_target<Pair, dim>(args.cell, k, find_target(b.box, *b.rows, n), &i);
        meet_source<Pair, dim, energy, usual, 0, from>(args, k, b, &shared, tile, here, &i);
        meet_source<Pair, dim, energy, usual, 1, from>(args, k, b, &shared, tile, here, &i);
        if (here)
            store_target<Pair, dim, energy>(args.cell, k, i, out);
        pass_sum<Pair, usual>(args.cell.pass, out);
    }
}

/* --- On the host ---- */

/* The candidates of a tile: as many as fit into shared memory, `most` at most. */
template <class Pair> static uint32_t tile_of(uint64_t most)
{
    const uint64_t fit = (SHARED_BYTES - SHARED_TABLES) / sizeof(struct cell_staged<Pair>);
    return (uint32_t)(most == 0 ? 1 : most < fit ? most : fit);
}

/* Sizes the tile of a plan for `candidates`, or for as many as fit. */
template <class Pair> static void plan_tile(struct box_plan *plan, uint64_t candidates)
{
    plan->tile = tile_of<Pair>(candidates);
    plan->shared_bytes = plan->tile * sizeof(struct cell_staged<Pair>);
}

} // namespace SLUICE_GPU::GPU_PRECISION
#endif
