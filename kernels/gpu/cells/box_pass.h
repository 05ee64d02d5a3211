/* Shared by the strategies that give each block a box of cells: the block's targets, and its
 * candidates in shared memory.
 *
 * A table lists the particles of ny nz adjacent rows, in three segments a row: the frames -1, 0 and
 * 1 along x. The prefix sums of the segments' lengths number all particles in one sequence.
 * Candidates are staged in this sequence, and each target finds its part of a row in it. */
#ifndef SLUICE_KERNELS_GPU_CELLS_BOX_PASS_H
#define SLUICE_KERNELS_GPU_CELLS_BOX_PASS_H
#include "kernels/gpu/cells/cell_pass.h"
/* after cell_pass.h */
#include "kernels/gpu/block_scan.h"

namespace SLUICE_GPU::GPU_PRECISION
{

template <class Pair> struct box_args {
    struct cell_args<Pair> cell;
    struct cell_source targets; /* the target's table, without records */
    const struct gpu_box_code *list;
    int log2[3];   /* bins of a box */
    uint32_t tile; /* candidates that fit into shared memory */
};

/* --- Targets ---- */

/* In shared memory: index of the first target of each row of the box, in the set and in the box. */
struct box_rows {
    uint32_t first[BOX_ROWS], offset[BOX_ROWS];
};

/* Finds this block's box and its targets; returns the number of targets. All threads call it. */
template <class Pair, int dim>
static __device__ __forceinline__ uint32_t open_box(const struct box_args<Pair> &args,
                                                    struct cell_box *box, struct box_rows *rows)
{
    const struct cell_space &space = args.cell.space;
    const struct gpu_box_code code = args.list[blockIdx.x];
    *box = box_at(space.cells, args.log2, args.targets.slot[code.slot], code);
    for (int r = (int)threadIdx.x; r < box->ny * box->nz; r += (int)blockDim.x) {
        const struct cell_segment s = find_segment<dim>(space, args.targets, box->slot,
                                                        box->y0 + r % box->ny,
                                                        box->z0 + r / box->ny, 0, box->x0, box->x1);
        rows->first[r] = s.first;
        rows->offset[r] = s.count;
    }
    return block_scan_exclusive(rows->offset, box->ny * box->nz);
}

/* Index in the set of target `at` of the box. */
static __device__ __forceinline__ uint32_t find_target(const struct cell_box &box,
                                                       const struct box_rows &rows, uint32_t at)
{
    const int r = find_range(rows.offset, box.ny * box.nz, at);
    return rows.first[r] + (at - rows.offset[r]);
}

/* --- Candidates ---- */

/* Rows of one source around a box. first and offset, [3 ny nz], are in shared memory. */
struct row_table {
    int y0, z0, ny, nz;
    uint32_t *first, *offset;
};

/* Fills the segments of the table, as far as the box reaches along x. Returns the length of the
 * sequence. All threads call it. */
template <int dim>
static __device__ __forceinline__ uint32_t fill_rows(const struct cell_space &space,
                                                     const struct cell_source &source,
                                                     const struct cell_box &box,
                                                     const struct row_table &t)
{
    const int reach = space.cells.reach[0];
    for (int s = (int)threadIdx.x; s < 3 * t.ny * t.nz; s += (int)blockDim.x) {
        const int r = s / 3;
        const struct cell_segment found = find_segment<dim>(
            space, source, box.slot, t.y0 + r % t.ny, t.z0 + r / t.ny, s % 3 - 1, box.x0 - reach,
            box.x1 + reach);
        t.first[s] = found.first;
        t.offset[s] = found.count;
    }
    return block_scan_exclusive(t.offset, 3 * t.ny * t.nz);
}

/* Loads entry `at` of the sequence, in the coordinates of the box's frame. */
template <class Pair, int dim, int source>
static __device__ __forceinline__ struct cell_staged<Pair>
load_entry(const struct cell_args<Pair> &args, const typename Pair::constants &k,
           const struct cell_box &box, const struct row_table &t, int s, uint32_t at) {
    const struct cell_space &space = args.space;
    const int y = t.y0 + s / 3 % t.ny, z = t.z0 + s / 3 / t.ny;
    struct cell_staged<Pair> c = load_staged<Pair, dim, source>(args, k,
                                                                t.first[s] + (at - t.offset[s]));
    fixed x;
    memcpy(&x, &c.x, sizeof x);
    x += seam_shift(space, box.slot, s % 3 - 1);
    memcpy(&c.x, &x, sizeof x);
    c.y += (real)frame_of(y, space.cells.bins[1]) * space.width[1];
    c.z += dim == 3 ? (real)frame_of(z, space.cells.bins[2]) * space.width[2] : 0;
    return c;
}

/* Copies entries first .. first + count - 1 to the tile. All threads call it, between barriers. */
template <class Pair, int dim, int source>
static __device__ __forceinline__ void
stage_rows(const struct cell_args<Pair> &args, const typename Pair::constants &k,
           const struct cell_box &box, const struct row_table &t, uint32_t first, uint32_t count,
           struct cell_staged<Pair> *tile)
{
    for (uint32_t n = threadIdx.x; n < count; n += blockDim.x)
        tile[n] = load_entry<Pair, dim, source>(
            args, k, box, t, find_range(t.offset, 3 * t.ny * t.nz, first + n), first + n);
}

/* The part of the sequence that a target meets in one row of the table. */
struct row_part {
    uint32_t low, high; /* entries low .. high - 1 */
    uint32_t self;      /* the target itself, if it is in this row */
};

template <class Pair, int dim>
static __device__ __forceinline__ struct row_part
find_part(const struct cell_args<Pair> &args, const struct cell_source &source, int same,
          const struct cell_target<Pair> &i, const struct row_table &t, int dy, int dz)
{
    const struct cell_space &space = args.space;
    const int y = i.row_y + dy, z = i.row_z + dz, row = (z - t.z0) * t.ny + y - t.y0;
    struct row_part part = {UINT32_MAX, 0, UINT32_MAX};
#pragma unroll 1
    for (int dx = -1; dx <= 1; dx++) {
        const struct cell_segment s = find_segment<dim>(space, source, i.slot, y, z, dx, i.low,
                                                        i.high);
        if (s.count == 0)
            continue;
        const int n = 3 * row + dx + 1;
        const uint32_t at = t.offset[n] + (s.first - t.first[n]);
        part.low = min(part.low, at);
        part.high = at + s.count;
        if (same && dx == 0 && dy == 0 && dz == 0)
            part.self = at + (i.index - s.first);
    }
    return part;
}

/* The target meets the part of its row that is in the tile, entries first .. first + count - 1. */
template <class Pair, int dim, int energy, int usual, int source>
static __device__ __forceinline__ void
meet_part(const struct cell_args<Pair> &args, const typename Pair::constants &k,
          struct cell_target<Pair> *i, const struct row_part &part,
          const struct cell_staged<Pair> *tile, uint32_t first, uint32_t count)
{
    const uint32_t low = max(part.low, first), high = min(part.high, first + count);
    if (low < high)
        meet_tile<Pair, dim, energy, usual, source>(args, k, i, tile, low - first, high - first,
                                                    part.self - first);
}

/* --- On the host ---- */

/* How a strategy divides the space. */
struct box_plan {
    int cells[3];     /* cells of a box on each axis, as powers of two */
    unsigned threads; /* of a block */
    uint32_t tile;    /* candidates in shared memory */
    size_t shared_bytes;
};

/* The threads of a block: whole warps, at least one. */
static inline unsigned whole_warps(const struct gpu_backend *gpu, uint64_t threads, unsigned most)
{
    const unsigned warp = (unsigned)gpu->warp;
    const uint64_t n = threads < most ? threads : most;
    return n == 0 ? warp : ((unsigned)n + warp - 1) / warp * warp;
}

/* Fills the arguments of a launch of *blocks blocks; 0: there is nothing to do. */
template <class Pair, int dim>
static sluice_status box_args_open(struct gpu_backend *gpu, const struct sluice_grid *g,
                                   struct sluice_pass *pass, const struct box_plan *plan,
                                   struct box_args<Pair> *args, unsigned *blocks)
{
    const struct gpu_boxes *boxes;
    SLUICE_TRY((cell_args_open<Pair, dim>(gpu, g, pass, &args->cell)));
    for (int c = 0; c < 3; c++)
        args->log2[c] = args->cell.space.cells.cell[c] + plan->cells[c];
    SLUICE_TRY(gpu_list_boxes(gpu, pass->target, &args->cell.space.cells, args->log2, &boxes));
    *blocks = boxes->count;
    args->list = (const struct gpu_box_code *)boxes->list.memory;
    args->tile = plan->tile;
    args->targets = cell_source();
    args->targets.slot = bins_of(pass->target)->slot;
    args->targets.start = bins_of(pass->target)->start;
    return pass_open(gpu, pass, &args->cell.pass);
}

/* Launches `kernel`, which takes a box_args, as plan_of(gpu, cells, counts, &plan) divides it. */
template <class Pair, int dim, class Plan, class Kernel>
static sluice_status launch_boxes(struct gpu_backend *gpu, const struct sluice_grid *g,
                                  struct sluice_pass *pass, Plan plan_of, Kernel kernel)
{
    struct cell_grid cells;
    struct cell_counts counts;
    struct box_plan plan = {};
    struct box_args<Pair> args;
    unsigned blocks;
    if (pass->target->count == 0) /* its table is of an earlier sort */
        return pass_open(gpu, pass, &args.cell.pass);
    SLUICE_TRY(cell_grid_of(g, gpu->strategy, &cells));
    SLUICE_TRY(gpu_count_cells(gpu, pass, &cells, &counts));
    SLUICE_TRY(plan_of(gpu, cells, counts, &plan));
    SLUICE_TRY((box_args_open<Pair, dim>(gpu, g, pass, &plan, &args, &blocks)));
    if (blocks == 0)
        return SLUICE_OK;
    GPU_LAUNCH(kernel, blocks, plan.threads, plan.shared_bytes, gpu->stream, args);
    GPU_LAUNCHED(gpu->strategy);
    cell_pass_done(pass);
    return SLUICE_OK;
}

} // namespace SLUICE_GPU::GPU_PRECISION
#endif
