/* Shared by the strategies that give each block a box of cells: its targets, the rows of bins
 * around it, and the candidates of these rows in shared memory.
 *
 * A row's candidates are those that any target of the box may meet, in up to three parts: of the
 * frames -1, 0 and 1 along x. A span of them is what the targets of one column of bins meet. With
 * these tables in shared memory, a row is copied and met without a search.
 *
 *   all rows at once    if they fit: one copy, and then no barrier (All-in-SM)
 *   row by row          first the own rows of the box, then all (X-pencil), or several at once
 *
 * A row that does not fit is copied in pieces, and targets beyond the block's threads take turns:
 * the plan of a box holds as of an earlier sort, and cells may have filled up since. */
#ifndef SLUICE_KERNELS_GPU_CELLS_BOX_PASS_H
#define SLUICE_KERNELS_GPU_CELLS_BOX_PASS_H
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

/* What a block works on: targets begin .. begin + threads - 1 of `count`. */
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

/* --- Meeting ---- */

/* What is in the tile: candidates from `first` on of rows r0 .. r1 - 1; for the own rows of
 * targets, for the others, or for both. */
struct box_stage {
    int r0, r1;
    uint32_t first;
    struct row_offset at; /* row r0, as counted from the box's first */
    int for_own, for_others;
};

/* The target meets its rows in the tile. */
template <class Pair, int dim, int energy, int usual, int source>
static __device__ __forceinline__ void
meet_stage(const struct box_args<Pair> &args, const typename Pair::constants &k,
           const struct box_state<Pair> &s, const struct box_stage &stage,
           struct cell_target<Pair> *i)
{
    const struct cell_grid &c = args.cell.space.cells;
    const uint32_t *offset = s.tables.offset, end = stage.first + args.plan.tile;
    const int alone = stage.r1 == stage.r0 + 1;
    struct row_offset row = {0, 0};
    if (alone) {
        row.y = stage.at.y - s.at.y;
        row.z = stage.at.z - s.at.z;
        if (abs(row.y) > c.reach[1] || abs(row.z) > c.reach[2] ||
            (row.y || row.z ? !stage.for_others : !stage.for_own))
            return;
    } else if (!stage.for_own) {
        next_row(c, &row);
    }
#pragma unroll 1
    for (int more = 1; more; more = !alone && next_row(c, &row)) {
        const int r = s.own_row + row.z * s.box.around_y + row.y;
        if (r < stage.r0 || r >= stage.r1)
            continue;
        const struct cell_span all = s.tables.span[r * s.box.nx + s.column],
                               here = {max(all.low, stage.first) - stage.first,
                                       min(all.high, end) - stage.first};
        if (all.high > stage.first)
            meet_tile<Pair, dim, energy, usual, source>(
                args.cell, k, i, s.tile + (offset[r] - offset[stage.r0]), here,
                r == s.own_row ? s.own_at - stage.first : UINT32_MAX);
    }
}

/* Begins with the whole box if it fits, otherwise with its first own row. */
static __device__ __forceinline__ struct box_stage first_stage(const struct box_plan &plan,
                                                               const struct cell_grid &c,
                                                               const struct cell_box &b,
                                                               const uint32_t *offset)
{
    struct box_stage g = {0, b.rows, 0, {-c.reach[1], -c.reach[2]}, 1, 1};
    if (plan.at_once >= b.rows && offset[b.rows] <= plan.tile)
        return g;
    g.at.y = g.at.z = 0;
    g.r0 = row_around(c, b, 0);
    g.r1 = g.r0 + 1;
    g.for_others = 0;
    return g;
}

/* Goes on to the next piece of a row, the next own row, or the next rows. Returns 0 at the end. */
static __device__ __forceinline__ int next_stage(const struct box_plan &plan,
                                                 const struct cell_grid &c,
                                                 const struct cell_box &b, const uint32_t *offset,
                                                 struct box_stage *g)
{
    if (offset[g->r1] - offset[g->r0] - g->first > plan.tile) {
        g->first += plan.tile;
        return 1;
    }
    g->first = 0;
    if (g->for_own && g->for_others)
        return 0;
    g->at.y += g->r1 - g->r0;
    g->r0 = g->r1;
    if (g->for_own) {
        if (g->at.y == b.ny) {
            g->at.y = 0;
            g->at.z++;
            g->r0 += 2 * c.reach[1];
        }
        g->r1 = g->r0 + 1;
        if (g->at.z < b.nz)
            return 1;
        g->at.y = -c.reach[1];
        g->at.z = -c.reach[2];
        g->r0 = 0;
        g->for_own = 0;
        g->for_others = 1;
    }
    const int skips = b.ny * b.nz == 1 &&
                      2 * g->r0 + 1 == b.rows; /* only its own target meets it */
    g->r0 += skips;
    g->at.y += skips;
    while (g->at.y >= b.ny + c.reach[1]) {
        g->at.y -= b.around_y;
        g->at.z++;
    }
    for (g->r1 = g->r0 + 1; g->r1 < b.rows && g->r1 - g->r0 < plan.at_once &&
                            offset[g->r1 + 1] - offset[g->r0] <= plan.tile;)
        g->r1++;
    return g->r0 < b.rows;
}

/* Adds all rows of one source to the thread's target. All threads call it. */
template <class Pair, int dim, int energy, int usual, int source, enum staged_from from>
static __device__ __forceinline__ void
meet_source(const struct box_args<Pair> &args, const typename Pair::constants &k,
            struct box_state<Pair> *s, struct cell_target<Pair> *i)
{
    const struct cell_source &candidates = args.cell.source[source];
    const struct cell_grid &c = args.cell.space.cells;
    const uint32_t *offset = s->tables.offset;
    if (!candidates.slot)
        return;
    find_candidates<dim>(args.cell.space, candidates, s->box, s->tables);
    s->from_registers = from == FROM_REGISTERS && args.cell.pass.same[source];
    s->own_at = UINT32_MAX;
    if (s->here && args.cell.pass.same[source]) {
        const struct cell_segment *part = s->tables.part + 3 * s->own_row;
        s->own_at = part[0].count + (i->index - part[1].first);
        if (s->from_registers)
            s->own = load_staged<Pair, dim, source>(args.cell, k, i->index);
    }
    struct box_stage stage = first_stage(args.plan, c, s->box, offset);
    do {
        if (offset[stage.r0] == offset[stage.r1])
            continue;
        stage_rows<Pair, dim, source>(args.cell, k, *s, stage.r0, stage.r1, stage.first,
                                      args.plan.tile);
        __syncthreads();
        if (s->here)
            meet_stage<Pair, dim, energy, usual, source>(args, k, *s, stage, i);
        __syncthreads();
    } while (next_stage(args.plan, c, s->box, offset, &stage));
}

template <class Pair, int dim, int energy, int usual, int threads, enum staged_from from>
__global__ void __launch_bounds__(threads) box_kernel(const GPU_CONSTANT struct box_args<Pair> args)
{
    gpu_begin();
    GPU_DYNAMIC_SHARED(unsigned char, shared);
    const typename Pair::constants k = usual ? Pair::usual(args.cell.pass.k) : args.cell.pass.k;
    struct box_state<Pair> s;
    s.tile = (struct cell_staged<Pair> *)(void *)(shared +
                                                  box_table_bytes(args.box.size,
                                                                  args.cell.space.cells.reach));
    s.box = cell_box();
    s.own_row = 0;
    s.begin = s.count = 0;
    if (from != FROM_REGISTERS) /* spares registers, but not with FROM_REGISTERS */
        s.tables = box_tables();
    for (uint32_t box = blockIdx.x;; s.begin += blockDim.x) {
        while (s.begin >= s.count) { /* the next box */
            if (box >= *args.list)
                return;
            s.box = box_of(args, box);
            s.tables = tables_of(s.box, shared);
            s.count = find_targets<dim>(args.cell.space, args.targets, s.box, s.tables);
            s.begin = 0;
            box += gridDim.x;
        }
        const uint32_t n = s.begin + threadIdx.x;
        double out[SLUICE_SUM_COUNT] = {};
        struct cell_target<Pair> i = cell_target<Pair>();
        s.here = n < s.count;
        if (s.here) {
            const int row = row_of_target(s.box, s.tables, n);
            s.at.y = row % s.box.ny;
            s.at.z = row / s.box.ny;
            s.own_row = row_around(args.cell.space.cells, s.box, row);
            place_target<Pair, dim>(args.cell, k, s.tables.first[row] + n - s.tables.before[row],
                                    &i);
            s.column = ((i.low + args.cell.space.cells.reach[0]) >> s.box.shift) - s.box.x0;
        }
        meet_source<Pair, dim, energy, usual, 0, from>(args, k, &s, &i);
        meet_source<Pair, dim, energy, usual, 1, from>(args, k, &s, &i);
        if (s.here)
            store_target<Pair, dim, energy>(args.cell, k, i, out);
        pass_sum<Pair, usual>(args.cell.pass, out);
    }
}

/* --- On the host ---- */

/* Launches `kernel`, which takes a box_args, as plan_of(gpu, demand, &plan) divides the space. Only
 * the device knows how many boxes hold targets: there are about as many blocks, and each takes one
 * box after another. */
template <class Pair, int dim, class Plan, class Kernel>
static sluice_status launch_boxes(struct gpu_backend *gpu, const struct sluice_grid *g,
                                  struct sluice_pass *pass, Plan plan_of, Kernel kernel)
{
    struct box_args<Pair> args;
    struct box_demand demand;
    const struct gpu_boxes *boxes;
    SLUICE_TRY(pass_open(gpu, pass, &args.cell.pass));
    if (pass->target->count == 0) /* its table is of an earlier sort */
        return SLUICE_OK;
    SLUICE_TRY((cell_args_open<Pair, dim>(gpu, g, pass, &args.cell)));
    SLUICE_TRY(box_demand_of(gpu, g, pass, &demand));
    demand.candidate_bytes = sizeof(struct cell_staged<Pair>);
    args.plan = box_plan();
    plan_of(gpu, demand, &args.plan);
    SLUICE_TRY(gpu_list_boxes(gpu, g, pass->target, args.plan.size, &boxes));
    args.box = boxes->box;
    args.list = (const uint32_t *)boxes->list.memory;
    const uint64_t about = 2 * (uint64_t)demand.occupied / volume_of(args.plan.size) +
                           (uint64_t)gpu->multiprocessors;
    const unsigned blocks = about < boxes->most ? (unsigned)about : boxes->most;
    args.targets = {bins_of(pass->target)->slot, bins_of(pass->target)->start, NULL};
    const size_t shared = box_table_bytes(args.plan.size, demand.cells.reach) +
                          args.plan.tile * sizeof(struct cell_staged<Pair>);
    SLUICE_CHECK(shared <= demand.shared_bytes, SLUICE_BAD_INPUT,
                 "%s: a block needs more shared memory than --shared %d: %zu bytes", gpu->strategy,
                 gpu->backend->shared_kib, shared);
    if (shared > SHARED_BYTES)
        SLUICE_TRY(
            gpu_check(gpuFuncSetAttribute((const void *)kernel,
                                          gpuFuncAttributeMaxDynamicSharedMemorySize, (int)shared),
                      "shared memory for a block"));
    GPU_LAUNCH(kernel, blocks, args.plan.threads, shared, gpu->stream, args);
    GPU_LAUNCHED(gpu->strategy);
    cell_pass_done(pass);
    return SLUICE_OK;
}

} // namespace SLUICE_GPU::GPU_PRECISION
#endif
