/* A block that stages the rows around its box in shared memory, one shift of the box's rows after
 * the other: for (dz, dy) the rows (z + dz, y + dy) of all rows (z, y) of the box at once, so that
 * every target has one row to meet. The text of par-cell-sm, x-pencil and x-pencil-reg, which
 * differ in their boxes, and in where a block's own particles come from. */
#ifndef SLUICE_KERNELS_GPU_CELLS_STAGED_PASS_H
#define SLUICE_KERNELS_GPU_CELLS_STAGED_PASS_H
#include "kernels/gpu/cells/box_pass.h"

namespace SLUICE_GPU
{
namespace GPU_PRECISION
{

/* Where candidates come from: all from global memory, or those that are targets of the block from
 * their threads' registers. */
enum staged_from { FROM_MEMORY, FROM_REGISTERS };

/* In shared memory. */
struct staged_rows {
    struct box_rows targets;
    uint32_t first[3 * BOX_ROWS], offset[3 * BOX_ROWS];
};

/* What the block works at: targets begin .. begin + its threads - 1 of `count`. */
struct staged_block {
    struct cell_box box;
    uint32_t begin, count;
    const struct box_rows *rows;
};

/* Whether entry `at`, of segment s, is a target of the block at this time: its thread stages it. */
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

/* A target stages itself, where the rows of the table have it. */
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

/* All rows of one source, by all threads; `here`: the thread has a target. */
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

/* The kernel's text. */
template <class Pair, int dim, int energy, int usual, enum staged_from from>
static __device__ __forceinline__ void sum_box(const struct box_args<Pair> &args,
                                               struct staged_rows *shared,
                                               struct cell_staged<Pair> *tile)
{
    const typename Pair::constants k = usual ? Pair::usual(args.cell.pass.k) : args.cell.pass.k;
    double out[SLUICE_SUM_COUNT] = {};
    struct staged_block b;
    b.count = open_box<Pair, dim>(args, &b.box, &shared->targets);
    b.rows = &shared->targets;
    for (b.begin = 0; b.begin < b.count; b.begin += blockDim.x) {
        const uint32_t n = b.begin + threadIdx.x;
        const int here = n < b.count;
        struct cell_target<Pair> i = {
        };
        if (here)
            place_target<Pair, dim>(args.cell, k, find_target(b.box, *b.rows, n), &i);
        meet_source<Pair, dim, energy, usual, 0, from>(args, k, b, shared, tile, here, &i);
        meet_source<Pair, dim, energy, usual, 1, from>(args, k, b, shared, tile, here, &i);
        if (here)
            store_target<Pair, dim, energy>(args.cell, k, i, out);
    }
    pass_sum(args.cell.pass, out);
}

/* --- On the host ---- */

/* Candidates that fit into shared memory, at most so many. */
template <class Pair> static uint32_t tile_of(uint64_t most)
{
    const uint64_t fit = (SHARED_BYTES - SHARED_TABLES) / sizeof(struct cell_staged<Pair>);
    return (uint32_t)(most == 0 ? 1 : most < fit ? most : fit);
}

/* Launches `kernel`, of this text, as plan_of(gpu, cells, counts) has it. */
template <class Pair, int dim, class Plan, class Kernel>
static sluice_status launch_staged(struct gpu_backend *gpu, const struct sluice_grid *g,
                                   struct sluice_pass *pass, Plan plan_of, Kernel kernel)
{
    struct cell_grid cells;
    struct cell_counts counts;
    struct box_args<Pair> args;
    unsigned blocks;
    SLUICE_TRY(cell_grid_of(g, &cells));
    SLUICE_TRY(gpu_count_cells(gpu, pass, &cells, &counts));
    const struct box_plan plan = plan_of(gpu, cells, counts);
    SLUICE_TRY((box_args_open<Pair, dim>(gpu, g, pass, &plan, &args, &blocks)));
    if (blocks == 0)
        return SLUICE_OK;
    GPU_LAUNCH(kernel, blocks, plan.threads, plan.tile * sizeof(struct cell_staged<Pair>),
               gpu->stream, args);
    GPU_LAUNCHED("a strategy of staged cells");
    cell_pass_done(pass);
    return SLUICE_OK;
}

} // namespace GPU_PRECISION
} // namespace SLUICE_GPU
#endif
