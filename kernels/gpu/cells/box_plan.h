/* How a strategy divides the space into boxes of cells, a block for each, by how full the cells
 * are.
 */
#ifndef SLUICE_KERNELS_GPU_CELLS_BOX_PLAN_H
#define SLUICE_KERNELS_GPU_CELLS_BOX_PLAN_H
#include "kernels/gpu/cells/cells.h"

namespace SLUICE_GPU
{

enum { SHARED_BYTES = 48 * 1024 }; /* shared memory that every device gives a block */

/* How a strategy divides the space. */
struct box_plan {
    int size[3];      /* of a box: bins of its frame along x, rows along y and z */
    unsigned threads; /* of a block */
    int at_once;      /* rows in shared memory at once, at most */
    uint32_t tile;    /* candidates in shared memory, at most */
};

HD size_t box_table_bytes(const int size[3], const int reach[3])
{
    const size_t rows = (size_t)(size[1] + 2 * reach[1]) * (size_t)(size[2] + 2 * reach[2]),
                 bytes = rows * (3 * sizeof(struct cell_segment) +
                                 (size_t)size[0] * sizeof(struct cell_span) + sizeof(uint32_t)) +
                         (2 * (size_t)(size[1] * size[2]) + 2) * sizeof(uint32_t);
    return (bytes + 15) / 16 * 16;
}

/* The threads of a block: whole warps, at least one. */
static inline unsigned whole_warps(const struct gpu_backend *gpu, uint64_t threads, unsigned most)
{
    const unsigned warp = (unsigned)gpu->warp;
    const uint64_t n = threads < most ? threads : most;
    return n == 0 ? warp : ((unsigned)n + warp - 1) / warp * warp;
}

/* The arguments of a plan. */
struct box_demand {
    struct cell_grid cells;
    uint32_t fullest, occupied;           /* of all sets of the pass; of the targets */
    double mean;                          /* targets of a cell that holds some */
    size_t candidate_bytes, shared_bytes; /* of one in shared memory; that a block may have */
};

static inline uint64_t volume_of(const int size[3])
{
    return (uint64_t)size[0] * (uint64_t)size[1] * (uint64_t)size[2];
}

/* The candidates that fit beside the tables of a box. */
static inline uint64_t capacity_of(const struct box_demand &d, const int size[3])
{
    const size_t tables = box_table_bytes(size, d.cells.reach);
    return tables < d.shared_bytes ? (d.shared_bytes - tables) / d.candidate_bytes : 0;
}

/* Candidates around a box if all cells are as full as the fullest. */
static inline uint64_t candidates_around(const struct box_demand &d, const int size[3])
{
    uint64_t n = d.fullest;
    for (int c = 0; c < 3; c++)
        n *= (uint64_t)(size[c] + 2 * d.cells.reach[c]);
    return n;
}

static inline uint64_t candidates_of_row(const struct box_demand &d, int length)
{
    return (uint64_t)d.fullest * (uint64_t)(length + 2 * d.cells.reach[0]);
}

/* Whether boxes of this size leave one for each multiprocessor. */
static inline int are_enough(const struct gpu_backend *gpu, const struct box_demand &d,
                             const int size[3])
{
    return d.occupied >= volume_of(size) * (uint64_t)gpu->multiprocessors;
}

static inline void halve(int size[3])
{
    size[size[2] > 1 ? 2 : size[1] > 1 ? 1 : 0] /= 2;
}

/* Gives the plan a tile for the most of `candidates` that fits. */
static inline void plan_tile(const struct box_demand &d, uint64_t candidates, struct box_plan *plan)
{
    const uint64_t capacity = capacity_of(d, plan->size),
                   n = candidates < capacity ? candidates : capacity;
    plan->tile = n > 0 ? (uint32_t)n : 1;
}

/* Published: one pencil at a time in shared memory, and the paper's threads. Else as many pencils
 * as fit, and a thread for each target: about 224 in a box, if a cell has fewer, and three standard
 * deviations more threads, so that few boxes need a second turn. */
static inline void plan_pencils(const struct gpu_backend *gpu, const struct box_demand &d,
                                uint64_t published_threads, unsigned most, struct box_plan *plan)
{
    enum { WANTED = 224, MOST = 512 };
    const auto targets = [&] { return d.mean * (double)volume_of(plan->size); };
    if (gpu->backend->published) {
        plan->at_once = 1;
        plan->threads = whole_warps(gpu, published_threads, most);
        plan_tile(d, candidates_of_row(d, plan->size[0]), plan);
        return;
    }
    while (volume_of(plan->size) > 1 && targets() > WANTED)
        halve(plan->size);
    plan->at_once = INT32_MAX;
    plan->threads = whole_warps(gpu, (uint64_t)(targets() + 3 * sqrt(targets())), MOST);
    plan_tile(d, candidates_around(d, plan->size), plan);
}

static inline sluice_status box_demand_of(struct gpu_backend *gpu, const struct sluice_grid *g,
                                          const struct sluice_pass *pass, struct box_demand *d)
{
    struct cell_counts counts;
    d->cells = cell_grid_of(g);
    const int kib = gpu->backend->shared_kib;
    d->shared_bytes = kib > 0 ? (size_t)kib * 1024 : kib < 0 ? gpu->shared_most : SHARED_BYTES;
    SLUICE_CHECK(d->shared_bytes <= gpu->shared_most, SLUICE_BAD_INPUT,
                 "--shared %d: this device gives a block %d KiB of shared memory at most", kib,
                 (int)(gpu->shared_most / 1024));
    SLUICE_TRY(gpu_count_cells(gpu, g, pass->target, 0, &counts));
    d->fullest = counts.fullest;
    d->occupied = counts.occupied;
    d->mean = counts.occupied ? (double)pass->target->count / counts.occupied : 0;
    for (int s = 0; s < SLUICE_PASS_SOURCES; s++)
        if (pass->source[s] && pass->source[s] != pass->target) {
            SLUICE_TRY(gpu_count_cells(gpu, g, pass->source[s], 0, &counts));
            d->fullest = counts.fullest > d->fullest ? counts.fullest : d->fullest;
        }
    return SLUICE_OK;
}

} // namespace SLUICE_GPU
#endif
