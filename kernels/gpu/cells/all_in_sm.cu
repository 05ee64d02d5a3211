/* all-in-sm: a block for each box of cells, which copies all particles of the box and of the cells
 * around it to shared memory, and then reads no more global memory (Algis, Bramas, Darles & Aveneau
 * 2024, 5.1).
 *
 * With the cells around it the box has p^3, (p + 1) p^2, (p + 2) p^2 or (p + 1)^2 p cells: the most
 * that fit into shared memory if all are as full as the fullest, p the largest whole number whose
 * cube fits. The longest axes are halved while there are fewer blocks than multiprocessors. A
 * thread for each particle that the box can hold, 512 at most; or, if that is asked for, for each
 * that it can hold with the cells around it.
 *
 * Beyond the paper: candidates that do not fit, because even 3^3 cells do not or because cells have
 * filled up since they were counted, are copied row by row. */
#include "kernels/gpu/cells/box_pass.h"

namespace SLUICE_GPU::GPU_PRECISION
{

enum { ALL_IN_SM_BLOCK = 512 };

/* With the cells around: along x, y and z (in 2-D 1 along z). */
static void published_box(uint64_t most, int dimension, int around[3])
{
    int p = 1;
    const auto power = [&](int n) { return dimension == 3 ? n * n * n : n * n; };
    while ((uint64_t)power(p + 1) <= most)
        p++;
    const int more[4][3] = {{p, p, p}, {p, p, p + 1}, {p, p, p + 2}, {p, p + 1, p + 1}};
    uint64_t largest = 0;
    for (int k = 0; k < 4; k++) {
        const int box[3] = {more[k][0], dimension == 3 ? more[k][1] : more[k][2],
                            dimension == 3 ? more[k][2] : 1};
        const uint64_t cells = volume_of(box);
        if (cells <= most && cells > largest) {
            largest = cells;
            memcpy(around, box, sizeof box);
        }
    }
}

static void plan_all_in_sm(const struct gpu_backend *gpu, const struct box_demand &d,
                           struct box_plan *plan)
{
    int *size = plan->size, around[3] = {1, 1, 1};
    const size_t cell_bytes = d.fullest * d.candidate_bytes;
    published_box(cell_bytes ? d.shared_bytes / cell_bytes : 1, d.cells.reach[2] ? 3 : 2, around);
    for (int c = 0; c < 3; c++) {
        const int most = 1 << d.cells.bins[c], least = around[c] - 2 * d.cells.reach[c];
        size[c] = least < 1 ? 1 : least < most ? least : most;
    }
    while (volume_of(size) > 1 &&
           (!are_enough(gpu, d, size) || candidates_around(d, size) > capacity_of(d, size))) {
        int *longest = &size[size[2] >= size[1] && size[2] >= size[0] ? 2
                             : size[1] >= size[0]                     ? 1
                                                                      : 0];
        *longest = are_enough(gpu, d, size) ? *longest - 1 : *longest / 2;
    }
    const uint64_t most = gpu->backend->published == SLUICE_PUBLISHED_GHOST_THREADS
                              ? candidates_around(d, size)
                              : d.fullest * volume_of(size);
    plan->threads = whole_warps(gpu, most, ALL_IN_SM_BLOCK);
    plan->at_once = INT32_MAX;
    plan_tile(d, candidates_around(d, size), plan);
}

CELL_STRATEGY(all_in_sm, launch_boxes<Pair, dim>(
                             gpu, g, pass, plan_all_in_sm,
                             box_kernel<Pair, dim, energy, usual, ALL_IN_SM_BLOCK, FROM_MEMORY>))

} // namespace SLUICE_GPU::GPU_PRECISION
