/* all-in-sm: a block for each box of cells. It loads all particles of the box and of the cells
 * around it into shared memory, and then reads no more global memory (Algis, Bramas, Darles &
 * Aveneau, "All-in-SM"). The row_table says where each row begins, in its set and in the box.
 *
 * The box is 4 x 4 x 4 cells, halved along its longest axis until (L_x + 2)(L_y + 2)(L_z + 2) cells
 * as full as the fullest one fit; it is an error if 3 x 3 x 3 do not. The targets of a box take
 * turns on at most 512 threads. */
#include "kernels/gpu/cells/box_pass.h"

namespace SLUICE_GPU::GPU_PRECISION
{

enum { ALL_IN_SM_BLOCK = 512, ALL_IN_SM_CELLS = 2 }; /* 2^2 cells along each axis */

/* Rows of a box, with the rows around it. */
HD int rows_around(const struct cell_grid &c, const int log2[3])
{
    return ((1 << log2[1]) + 2 * c.reach[1]) * ((1 << log2[2]) + 2 * c.reach[2]);
}

/* Bytes of the tables of that many rows. The candidates stand behind them. */
HD size_t table_bytes(int rows)
{
    return ((size_t)rows * 3 * 2 * sizeof(uint32_t) + 15) / 16 * 16;
}

/* Sums the pairs of the block's targets with the staged particles of one source. All threads call
 * it. */
template <class Pair, int dim, int energy, int usual, int source>
static __device__ __forceinline__ void
meet_all(const struct box_args<Pair> &args, const typename Pair::constants &k,
         const struct cell_box &box, unsigned char *shared, int here, struct cell_target<Pair> *i)
{
    const struct cell_source &s = args.cell.source[source];
    const struct cell_grid &c = args.cell.space.cells;
    const int rows = rows_around(c, args.log2);
    struct cell_staged<Pair> *tile = (struct cell_staged<Pair> *)(void *)(shared +
                                                                          table_bytes(rows));
    struct row_table t = {box.y0 - c.reach[1],        box.z0 - c.reach[2],
                          box.ny + 2 * c.reach[1],    box.nz + 2 * c.reach[2],
                          (uint32_t *)(void *)shared, (uint32_t *)(void *)shared + 3 * rows};
    if (!s.slot)
        return;
    const uint32_t length = fill_rows<dim>(args.cell.space, s, box, t),
                   count = min(length, args.tile); /* length never exceeds the tile: it was sized
                                                      for the fullest cell */
    stage_rows<Pair, dim, source>(args.cell, k, box, t, 0, count, tile);
    __syncthreads();
#pragma unroll 1
    for (int dz = -c.reach[2]; here && dz <= c.reach[2]; dz++)
#pragma unroll 1
        for (int dy = -c.reach[1]; dy <= c.reach[1]; dy++)
            if (is_row_near(args.cell.space, dy, dz, Pair::support(k)))
                meet_part<Pair, dim, energy, usual, source>(
                    args.cell, k, i,
                    find_part<Pair, dim>(args.cell, s, args.cell.pass.same[source], *i, t, dy, dz),
                    tile, 0, count);
    __syncthreads();
}

template <class Pair, int dim, int energy, int usual>
__global__ void __launch_bounds__(ALL_IN_SM_BLOCK)
    all_in_sm_kernel(const GPU_CONSTANT struct box_args<Pair> args)
{
    gpu_begin();
    GPU_SHARED(struct box_rows, targets);
    GPU_DYNAMIC_SHARED(unsigned char, shared);
    const typename Pair::constants k = usual ? Pair::usual(args.cell.pass.k) : args.cell.pass.k;
    struct cell_box box;
    const uint32_t count = open_box<Pair, dim>(args, &box, &targets);
    for (uint32_t begin = 0; begin < count; begin += blockDim.x) {
        const uint32_t n = begin + threadIdx.x;
        const int here = n < count;
        double out[SLUICE_SUM_COUNT] = {};
        struct cell_target<Pair> i = {
        };
        if (here)
            place_target<Pair, dim>(args.cell, k, find_target(box, targets, n), &i);
        meet_all<Pair, dim, energy, usual, 0>(args, k, box, shared, here, &i);
        meet_all<Pair, dim, energy, usual, 1>(args, k, box, shared, here, &i);
        if (here)
            store_target<Pair, dim, energy>(args.cell, k, i, out);
        pass_sum<Pair, usual>(args.cell.pass, out);
    }
}

/* Candidates of a box of 2^cells cells and around it, if all are as full as the fullest. */
template <class Pair, int dim>
static uint64_t candidates_of(const struct cell_counts &counts, const int cells[3])
{
    uint64_t n = counts.source;
    for (int c = 0; c < dim; c++)
        n *= (1u << cells[c]) + 2;
    return n;
}

template <class Pair, int dim>
static uint64_t shared_bytes_of(const struct cell_grid &grid, const struct cell_counts &counts,
                                const int cells[3])
{
    int log2[3];
    for (int c = 0; c < 3; c++)
        log2[c] = grid.cell[c] + cells[c];
    return candidates_of<Pair, dim>(counts, cells) * sizeof(struct cell_staged<Pair>) +
           table_bytes(rows_around(grid, log2));
}

template <class Pair, int dim>
static sluice_status plan_all_in_sm(const struct gpu_backend *gpu, const struct cell_grid &grid,
                                    const struct cell_counts &counts, struct box_plan *plan)
{
    const uint64_t there = SHARED_BYTES - SHARED_TABLES;
    int *cells = plan->cells;
    for (int c = 0; c < 3; c++) {
        const int most = grid.bins[c] - grid.cell[c];
        cells[c] = most < ALL_IN_SM_CELLS ? most : (int)ALL_IN_SM_CELLS;
    }
    while (cells[0] + cells[1] + cells[2] > 0 &&
           (shared_bytes_of<Pair, dim>(grid, counts, cells) > there ||
            grid.cell[1] + cells[1] + grid.cell[2] + cells[2] > BOX_ROWS_LOG2)) {
        const int longest = cells[2] > 0 && cells[2] >= cells[1] && cells[2] >= cells[0] ? 2
                            : cells[1] > 0 && cells[1] >= cells[0]                       ? 1
                                                                                         : 0;
        cells[longest]--;
    }
    const uint64_t needed = shared_bytes_of<Pair, dim>(grid, counts, cells);
    SLUICE_CHECK(needed <= there, SLUICE_DEVICE,
                 "all-in-sm: the fullest cell has %u particles: a cell and those around it need "
                 "%llu bytes of shared memory, of which a block has %llu; take another "
                 "backend.strategy",
                 counts.source, (unsigned long long)needed, (unsigned long long)there);
    plan->tile = (uint32_t)candidates_of<Pair, dim>(counts, cells);
    plan->shared_bytes = (size_t)needed;
    plan->threads = whole_warps(gpu, (uint64_t)counts.target << (cells[0] + cells[1] + cells[2]),
                                ALL_IN_SM_BLOCK);
    return SLUICE_OK;
}

CELL_STRATEGY(all_in_sm, launch_boxes<Pair, dim>(gpu, g, pass, plan_all_in_sm<Pair, dim>,
                                                 all_in_sm_kernel<Pair, dim, energy, usual>))

} // namespace SLUICE_GPU::GPU_PRECISION
