/* The data that a block copies for its box of cells: the rows of bins around it, and their
 * candidates (box_pass.h). */
#ifndef SLUICE_KERNELS_GPU_CELLS_BOX_STAGE_H
#define SLUICE_KERNELS_GPU_CELLS_BOX_STAGE_H
#include "kernels/gpu/cells/cell_pass.h"
/* after cell_pass.h */
#include "kernels/gpu/cells/box_plan.h"
#include "kernels/gpu/prefix.h"

namespace SLUICE_GPU::GPU_PRECISION
{

template <class Pair> struct box_args {
    struct cell_args<Pair> cell;
    struct cell_source targets; /* the target's table, without records */
    struct box_plan plan;
    struct gpu_box_size box;
    const uint32_t *list; /* the number of boxes, then their codes */
};

/* A block's box: bins x0 .. x0 + nx - 1 of the frame along x, and the rows from (y0, z0) on. */
struct cell_box {
    uint32_t slot, shift; /* of the frame; its bins are 2^shift of the finest wide */
    int x0, nx, y0, ny, z0, nz;
    int around_y, rows; /* rows along y with those around; all of them */
};

/* Tables in shared memory. */
struct box_tables {
    struct cell_segment *part; /* [rows][3] of a row's candidates */
    struct cell_span *span;    /* [rows][nx] */
    uint32_t *offset;          /* [rows + 1] candidates in the rows before */
    uint32_t *first, *before;  /* [ny nz], [ny nz + 1] a row's first target; targets before it */
};

/* Box n of the list. */
template <class Pair>
static __device__ __forceinline__ struct cell_box box_of(const struct box_args<Pair> &args,
                                                         uint32_t n)
{
    const struct cell_grid &c = args.cell.space.cells;
    const int *size = args.box.size, *boxes = args.box.boxes;
    const uint32_t all = (uint32_t)(boxes[0] * boxes[1] * boxes[2]), code = args.list[1 + n];
    const int place = (int)(code % all), yz = place / boxes[0];
    struct cell_box b;
    b.slot = code / all;
    const struct gpu_slot s = args.targets.slot[b.slot];
    b.shift = s.shift;
    b.x0 = place % boxes[0] * size[0];
    b.nx = min(size[0], (int)s.bins - b.x0);
    b.y0 = yz % boxes[1] * size[1];
    b.ny = min(size[1], (1 << c.bins[1]) - b.y0);
    b.z0 = yz / boxes[1] * size[2];
    b.nz = min(size[2], (1 << c.bins[2]) - b.z0);
    b.around_y = b.ny + 2 * c.reach[1];
    b.rows = b.around_y * (b.nz + 2 * c.reach[2]);
    return b;
}

static __device__ __forceinline__ struct box_tables tables_of(const struct cell_box &b,
                                                              unsigned char *shared)
{
    struct box_tables t;
    t.part = (struct cell_segment *)(void *)shared;
    t.span = (struct cell_span *)(void *)(t.part + 3 * b.rows);
    t.offset = (uint32_t *)(void *)(t.span + b.rows * b.nx);
    t.first = t.offset + b.rows + 1;
    t.before = t.first + b.ny * b.nz;
    return t;
}

/* Finds the box's targets; returns their number. All threads call it. */
template <int dim>
static __device__ __forceinline__ uint32_t find_targets(const struct cell_space &space,
                                                        const struct cell_source &targets,
                                                        const struct cell_box &b,
                                                        const struct box_tables &t)
{
    const int rows = b.ny * b.nz;
    const struct cell_home home = home_in(targets, b.slot);
    __syncthreads(); /* what the tables had has been read */
    for (int r = (int)threadIdx.x; r < rows; r += (int)blockDim.x) {
        const struct cell_segment s = find_segment<dim>(space, targets, home, b.y0 + r % b.ny,
                                                        b.z0 + r / b.ny, 0, b.x0 << b.shift,
                                                        ((b.x0 + b.nx) << b.shift) - 1);
        t.first[r] = s.first;
        t.before[r + 1] = s.count;
    }
    block_prefix(t.before, rows);
    return t.before[rows];
}

/* The row, of the box, of target n. */
static __device__ __forceinline__ int row_of_target(const struct cell_box &b,
                                                    const struct box_tables &t, uint32_t n)
{
    int r = 0;
    while (r + 1 < b.ny * b.nz && t.before[r + 1] <= n)
        r++;
    return r;
}

/* The number, among all around the box, of one of its own rows. */
static __device__ __forceinline__ int row_around(const struct cell_grid &c,
                                                 const struct cell_box &b, int own)
{
    return (own / b.ny + c.reach[2]) * b.around_y + own % b.ny + c.reach[1];
}

/* Row r around the box, as counted from the box's first. */
static __device__ __forceinline__ struct row_offset place_of_row(const struct cell_grid &c,
                                                                 const struct cell_box &b, int r)
{
    const struct row_offset at = {r % b.around_y - c.reach[1], r / b.around_y - c.reach[2]};
    return at;
}

/* Fills the tables of one source. All threads call it. */
template <int dim>
static __device__ __forceinline__ void
find_candidates(const struct cell_space &space, const struct cell_source &source,
                const struct cell_box &b, const struct box_tables &t)
{
    const struct cell_grid &c = space.cells;
    const struct cell_home home = home_in(source, b.slot);
    __syncthreads(); /* what the tables had has been read */
    const auto find = [&](int r, int dx, int x0, int x1) {
        const struct row_offset at = place_of_row(c, b, r);
        return find_segment<dim>(space, source, home, b.y0 + at.y, b.z0 + at.z, dx,
                                 (x0 << b.shift) - c.reach[0], (x1 << b.shift) - 1 + c.reach[0]);
    };
    for (int n = (int)threadIdx.x; n < 3 * b.rows; n += (int)blockDim.x)
        t.part[n] = find(n / 3, n % 3 - 1, b.x0, b.x0 + b.nx);
    __syncthreads();
    for (int n = (int)threadIdx.x; n < b.rows * b.nx; n += (int)blockDim.x) {
        const int r = n / b.nx, x = b.x0 + n % b.nx;
        const struct cell_segment *part = t.part + 3 * r;
        struct cell_span span = {UINT32_MAX, 0};
        uint32_t before = 0;
        for (int p = 0; p < 3; before += part[p++].count) {
            const struct cell_segment s = find(r, p - 1, x, x + 1);
            if (s.count == 0)
                continue;
            span.low = min(span.low, before + (s.first - part[p].first));
            span.high = before + (s.first - part[p].first) + s.count;
        }
        t.span[n] = span;
        if (x == b.x0)
            t.offset[r + 1] = before;
    }
    block_prefix(t.offset, b.rows);
}

/* --- Copying ---- */

/* FROM_MEMORY: all candidates are loaded from global memory. FROM_REGISTERS: the block's own
 * targets come from their threads' registers instead. */
enum staged_from { FROM_MEMORY, FROM_REGISTERS };

/* The targets of a block: begin .. begin + threads - 1 of `count`. */
template <class Pair> struct box_state {
    struct cell_box box;
    struct box_tables tables;
    struct cell_staged<Pair> *tile;
    uint32_t begin, count;
    int from_registers, here; /* here: this thread has a target */
    int column, own_row;      /* of the target; its row among those around the box */
    struct row_offset at;     /* its row as counted from the box's first */
    uint32_t own_at;          /* the target among the candidates of its row, if it is one */
    struct cell_staged<Pair> own;
};

/* Whether candidate `index` of the set is a target of this turn, if it lies in row r of frame 0. */
template <class Pair>
static __device__ __forceinline__ int
is_owned(const struct cell_grid &c, const struct box_state<Pair> &s, int r, uint32_t index)
{
    const struct row_offset at = place_of_row(c, s.box, r);
    if ((unsigned)at.y >= (unsigned)s.box.ny || (unsigned)at.z >= (unsigned)s.box.nz)
        return 0;
    const int own = at.z * s.box.ny + at.y;
    const uint32_t n = index - s.tables.first[own], before = s.tables.before[own];
    return n < s.tables.before[own + 1] - before && before + n - s.begin < blockDim.x;
}

/* Copies candidates first + n, first + n + step, ... < first + length of row r to the tile, in the
 * coordinates of the box's frame, but those that a thread owns. */
template <class Pair, int dim, int source>
static __device__ __forceinline__ void
stage_row(const struct cell_args<Pair> &args, const typename Pair::constants &k,
          const struct box_state<Pair> &s, int r, uint32_t first, uint32_t length, uint32_t n,
          uint32_t step, struct cell_staged<Pair> *to)
{
    const struct cell_space &space = args.space;
    const struct cell_segment *part = s.tables.part + 3 * r;
    const struct row_offset row = place_of_row(space.cells, s.box, r);
    if (n >= length)
        return;
    const uint32_t low = part[0].count, high = low + part[1].count;
    const real y = (real)frame_of(s.box.y0 + row.y, space.cells.bins[1]) * space.width[1],
               z = dim == 3 ? (real)frame_of(s.box.z0 + row.z, space.cells.bins[2]) * space.width[2]
                            : 0;
    for (; n < length; n += step) {
        const uint32_t at = first + n;
        const int p = at < low ? 0 : at < high ? 1 : 2;
        const uint32_t index = part[p].first + (at - (p == 0 ? 0 : p == 1 ? low : high));
        if (s.from_registers && p == 1 && is_owned(space.cells, s, r, index))
            continue;
        struct cell_staged<Pair> found = load_staged<Pair, dim, source>(args, k, index);
        if (p != 1) {
            fixed x;
            memcpy(&x, &found.x, sizeof x);
            x += seam_shift(space, s.box.slot, p - 1);
            memcpy(&found.x, &x, sizeof x);
        }
        found.y += y;
        found.z += z;
        to[n] = found;
    }
}

/* Copies candidates first .. first + count - 1 of rows r0 .. r1 - 1 to the tile, one row after the
 * other. All threads call it. A warp takes a row, or all take the only one. */
template <class Pair, int dim, int source>
static __device__ __forceinline__ void
stage_rows(const struct cell_args<Pair> &args, const typename Pair::constants &k,
           const struct box_state<Pair> &s, int r0, int r1, uint32_t first, uint32_t count)
{
    const uint32_t *offset = s.tables.offset;
    const int alone = r1 == r0 + 1, team = alone ? (int)blockDim.x : GPU_WARP,
              number = (int)threadIdx.x / team, teams = (int)blockDim.x / team;
    for (int r = r0 + number; r < r1; r += teams) {
        struct cell_staged<Pair> *to = s.tile + (offset[r] - offset[r0]);
        const uint32_t length = min(offset[r + 1] - offset[r] - first, count);
        stage_row<Pair, dim, source>(args, k, s, r, first, length,
                                     threadIdx.x - (unsigned)(number * team), (unsigned)team, to);
    }
    if (s.from_registers && s.here && s.own_row >= r0 && s.own_row < r1 && s.own_at - first < count)
        s.tile[offset[s.own_row] - offset[r0] + (s.own_at - first)] = s.own;
}

} // namespace SLUICE_GPU::GPU_PRECISION
#endif
