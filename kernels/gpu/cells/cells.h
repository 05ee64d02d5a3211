/* Cells, and boxes of cells, for the strategies that give a block one of them.
 *
 *   cell   bins of one frame that are together at least a cutoff wide on each axis: one bin, where
 *          backend.bins are 1, which these strategies ask for; a power of two of finer ones
 *   box    a power of two of cells on each axis, of one frame
 *   rows   of bins that a box has across, ny nz of them; in each its particles follow one another
 *
 * In frames that hold few particles the bins along x may be wider than a cell: a box is as wide as
 * such a bin then. Only boxes that hold particles are listed, in the order of the bins. */
#ifndef SLUICE_KERNELS_GPU_CELLS_CELLS_H
#define SLUICE_KERNELS_GPU_CELLS_CELLS_H
#include "kernels/gpu/gpu_backend.h"

namespace SLUICE_GPU
{

/* Rows of a box at most; bytes of shared memory that every device gives a block, and those of them
 * that a kernel has besides its candidates. */
enum { BOX_ROWS = 64, SHARED_BYTES = 48 * 1024, SHARED_TABLES = 3 * 1024 };

/* How frames are cut: powers of two, in the finest bins. */
struct cell_grid {
    int bins[3];  /* of a frame */
    int cell[3];  /* of a cell */
    int reach[3]; /* bins (a number, no power) that a cutoff reaches beyond one */
};

/* Errors (SLUICE_BAD_INPUT): a cell has more than BOX_ROWS rows. */
sluice_status cell_grid_of(const struct sluice_grid *g, struct cell_grid *cells);

/* The bins of a box: x0 .. x1 of the finest along x, ny by nz rows from (y0, z0) on. */
struct cell_box {
    uint32_t slot; /* of the frame */
    int x0, x1, y0, z0, ny, nz;
};

/* Boxes of a frame along x as a power of two. */
static inline __device__ int boxes_along_x(const struct cell_grid &cells, const int log2[3],
                                           const struct gpu_slot &s)
{
    return cells.bins[0] - max(log2[0], (int)s.shift);
}

static inline __device__ struct cell_box box_at(const struct cell_grid &cells, const int log2[3],
                                                const struct gpu_slot &s, struct gpu_box_code code)
{
    const int along_x = boxes_along_x(cells, log2, s), width = cells.bins[0] - along_x,
              along_y = cells.bins[1] - log2[1];
    const int x = (int)code.place & ((1 << along_x) - 1), rest = (int)(code.place >> along_x);
    struct cell_box b;
    b.slot = code.slot;
    b.x0 = x << width;
    b.x1 = ((x + 1) << width) - 1;
    b.y0 = (rest & ((1 << along_y) - 1)) << log2[1];
    b.z0 = rest >> along_y << log2[2];
    b.ny = 1 << log2[1];
    b.nz = 1 << log2[2];
    return b;
}

/* How full cells are: the fullest of the target and of the sources, and how many of the target hold
 * any. */
struct cell_counts {
    uint32_t target, source, occupied;
};

/* list_boxes.cu. The boxes of a set that hold particles, for boxes of 2^log2 bins; found once a
 * sort, which waits for the device. `*boxes` is the set's until it asks for others. */
sluice_status gpu_list_boxes(struct gpu_backend *gpu, const struct sluice_set *set,
                             const struct cell_grid *cells, const int log2[3],
                             const struct gpu_boxes **boxes);
/* The same for cells, of all that a pass meets. */
sluice_status gpu_count_cells(struct gpu_backend *gpu, const struct sluice_pass *pass,
                              const struct cell_grid *cells, struct cell_counts *counts);

} // namespace SLUICE_GPU
#endif
