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
#include "kernels/gpu/cells/box_stage.h"

namespace SLUICE_GPU::GPU_PRECISION
{

/* --- Meeting ---- */

/* The contents of the tile: candidates from `first` on of rows r0 .. r1 - 1; for the own rows of
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
