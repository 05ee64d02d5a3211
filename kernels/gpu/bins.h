/* The search table on a GPU.
 *
 *   rows    bins of one (y, z) of all frames of one (y, z): they run on in x through the frames, so
 *           that a window is one range of particles wherever frames end
 *   order   frames' (z, y), then rows z, y, then x exactly, then id: it does not depend on how fine
 *           the bins are
 *   start   first particle of each bin; the entry after the last bin is the number of particles
 *           alive; bins of a row follow one another in x, frame by frame
 *   slot    where a frame's bins are; a frame has 2^k bins along x, k by how many particles it
 *           holds, or none at all
 *
 *       row (z, y) of frames (., fy, fz):   |bins of frame fx0 |bins of fx1 |none of fx2 |...
 *       index in start of bin b of frame f, row w:   slot[f].base + w * slot[f].stride + b */
#ifndef SLUICE_KERNELS_GPU_BINS_H
#define SLUICE_KERNELS_GPU_BINS_H
#include <stdint.h>

#include "kernels/gpu/c_headers.h"

namespace SLUICE_GPU
{

struct gpu_slot {
    uint32_t base;   /* index in start of this frame's first bin in row 0 */
    uint32_t stride; /* bins of a row, of all frames in x */
    uint32_t shift;  /* bins here are 2^shift of the finest ones wide; 31: the frame has none */
    uint32_t bins;   /* along x; 0: none */
};

/* Mirror of the grid's table of frames in device memory. */
struct gpu_frames {
    int64_t version; /* of the grid's table; -1: nothing yet */
    int count, capacity;
    int32_t (*index)[3];
    int32_t (*neighbour)[27];
    uint8_t *outside; /* [count] 1: part of the frame lies beyond the domain on an open axis */
    uint32_t *wanted; /* [count] 1: holds particles of a set that moves, or soon may */
};

/* Device memory that grows with need and is kept; what it held is lost when it grows. */
struct gpu_scratch {
    void *memory;
    size_t bytes;
};

/* A box of cells (cells.h): its frame, and which of the frame's boxes it is. */
struct gpu_box_code {
    uint32_t slot, place;
};

/* The boxes of one size that hold particles. */
struct gpu_boxes {
    int log2[3];             /* bins of a box on each axis, as powers of two */
    int64_t sort;            /* bins->sorts then; 0 or less: of no sort */
    uint32_t count, fullest; /* boxes; particles of the fullest */
    struct gpu_scratch list; /* [count] struct gpu_box_code */
};

enum { GPU_BOX_LISTS = 3 };
enum { GPU_FRAME_BYTES = 12 + 27 * 4 + 1 + 4 }; /* of one frame in its arrays */

/* A stretch of a table (row_extents.h) is 2^EXTENT_BITS of its bins; how many it has. Emulated short,
 * so that rows of small cases have several. */
#ifdef SLUICE_EMULATED
enum { EXTENT_BITS = 2 };
#else
enum { EXTENT_BITS = 6 };
#endif

static inline int64_t extent_count(int64_t bins)
{
    return (bins >> EXTENT_BITS) + 1;
}

/* A set's table: host memory that points to device memory. It is the set's `bins`. */
struct gpu_bins {
    int64_t version; /* of the grid's table that the slots belong to; -1: not laid out */
    uint32_t bin_count;
    struct gpu_slot *slot; /* [frame_count] */
    uint64_t *near;        /* [frame_count]: near_masks.h; NULL where nobody asked; of a set that moves
                              [2 frame_count], the second half for work */
    uint32_t *start;       /* [bin_count + 2]; the last entry ends what has left the domain */
    int64_t slot_capacity, start_capacity;
    int whole_frames; /* it is laid out with one bin along x a frame */
    int cleared;      /* start is all zeros: the drift has cleared it for the sort */
    void *packed;     /* [capacity] position records of the window strategy, in the set's room */
    int packed_as; /* the field that rides with the records, and their kind (place_records.h); -1:
                      they are not of this state */
    int packed_before; /* what packed_as was before that; -1: nothing was packed yet */
    int rows_known;    /* what is or was packed tells in which row each particle stands */
    int64_t packed_at; /* gpu->uploads then */
    int64_t sorts;     /* so far */
    struct gpu_boxes boxes[GPU_BOX_LISTS];
    int boxes_next;    /* list that the next size asked for takes */
    int64_t near_sort; /* sorts when `near` was made, of a set that moves */
    void *extents;     /* [extents_capacity] row_extents.h; NULL where nobody asked */
    int64_t extents_capacity;
    int64_t bins_seen;               /* sorts, and steps without one, so far, of a set that moves */
    int64_t extents_bin, extents_at; /* bins_seen and gpu->uploads when they were made */
};

static inline struct gpu_bins *bins_of(const struct sluice_set *set)
{
    return (struct gpu_bins *)(void *)set->bins;
}

} // namespace SLUICE_GPU
#endif
