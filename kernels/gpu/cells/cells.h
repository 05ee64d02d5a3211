/* Cells and boxes of cells, for the strategies that give each block a cell or a box.
 *
 *   cell   a box of bins of one frame, at least a cutoff wide on each axis. With backend.bins = 1,
 *          which these strategies ask for, it is one bin; with finer bins, a power of two of them
 *   box    a box of cells of one frame, a power of two on each axis
 *   rows   the ny nz rows of bins that cross a box; the particles of a row are contiguous
 *
 * In frames with few particles a bin along x may be wider than a cell; a box is then as wide as
 * that bin. Only boxes that hold particles are listed, in the order of the bins. */
#ifndef SLUICE_KERNELS_GPU_CELLS_CELLS_H
#define SLUICE_KERNELS_GPU_CELLS_CELLS_H
#include "kernels/gpu/gpu_backend.h"

namespace SLUICE_GPU
{

/* Rows of a box at most. */
enum { BOX_ROWS_LOG2 = 6, BOX_ROWS = 1 << BOX_ROWS_LOG2 };
/* SHARED_BYTES: shared memory that every device gives a block. SHARED_TABLES: the part of it that a
 * kernel needs besides its candidates. */
enum { SHARED_BYTES = 48 * 1024, SHARED_TABLES = 3 * 1024 };

/* How frames are cut: powers of two, in the finest bins. */
struct cell_grid {
    int bins[3];  /* of a frame */
    int cell[3];  /* of a cell */
    int reach[3]; /* bins that a cutoff reaches beyond a bin (a number, not a power) */
};

/* Errors (SLUICE_BAD_INPUT): a cell has more than BOX_ROWS rows; the message names `strategy`. */
sluice_status cell_grid_of(const struct sluice_grid *g, const char *strategy,
                           struct cell_grid *cells);

/* The bins of a box: the finest bins x0 .. x1 along x, and ny by nz rows from (y0, z0) on. */
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

/* Particles of the target's and of the sources' fullest cell; cells that hold targets. */
struct cell_counts {
    uint32_t target, source, occupied;
};

/* list_boxes.cu. Lists the boxes of 2^log2 bins that hold particles of a set. They are found once
 * after each sort, which waits for the device. The set owns `*boxes`, valid until the next call
 * with another size. */
sluice_status gpu_list_boxes(struct gpu_backend *gpu, const struct sluice_set *set,
                             const struct cell_grid *cells, const int log2[3],
                             const struct gpu_boxes **boxes);
/* Counts the cells of all sets of a pass. */
sluice_status gpu_count_cells(struct gpu_backend *gpu, const struct sluice_pass *pass,
                              const struct cell_grid *cells, struct cell_counts *counts);

} // namespace SLUICE_GPU
#endif
