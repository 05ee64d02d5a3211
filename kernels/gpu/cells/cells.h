/* For the strategies that search the cells around a particle. With backend.bins = 1, which they ask
 * for, a cell is a bin. They search any other bins, too: those that a cutoff reaches. A frame with
 * few particles has wider bins along x. */
#ifndef SLUICE_KERNELS_GPU_CELLS_CELLS_H
#define SLUICE_KERNELS_GPU_CELLS_CELLS_H
#include "kernels/gpu/gpu_backend.h"

namespace SLUICE_GPU
{

struct cell_grid {
    int bins[3];  /* of a frame, powers of two: along x the finest */
    int reach[3]; /* bins that a cutoff reaches beyond a bin (a number, not a power) */
};
struct cell_grid cell_grid_of(const struct sluice_grid *g);

/* A range of a set's particles. */
struct cell_segment {
    uint32_t first, count;
};

/* Candidates low .. high - 1 of a row. */
struct cell_span {
    uint32_t low, high;
};

/* The particles of a set's fullest cell (the M_C of Algis et al.), and cells that hold some. These
 * cells are boxes of bins, a cutoff wide on each axis. */
struct cell_counts {
    uint32_t fullest, occupied;
};

/* list_boxes.cu. now = 0: as of the last sort, or of an earlier one: does not wait for the device,
 * but the first time. now = 1: of the last sort. */
sluice_status gpu_count_cells(struct gpu_backend *gpu, const struct sluice_grid *g,
                              const struct sluice_set *set, int now, struct cell_counts *counts);

/* The boxes of this size that hold particles of the set, found after each sort. The device is not
 * waited for: their number is in its memory. The set owns *boxes, valid until lists of
 * GPU_BOX_LISTS other sizes are made. */
sluice_status gpu_list_boxes(struct gpu_backend *gpu, const struct sluice_grid *g,
                             struct sluice_set *set, const int size[3],
                             const struct gpu_boxes **boxes);

} // namespace SLUICE_GPU
#endif
