/* The search table on a GPU.
 *
 *   rows         bins of one (y, z) of all frames of one (y, z): they run on in x through the frames, so that a
 *                window is one range of particles wherever frames end
 *   order        frames' (z, y), then rows z, y, then x exactly, then id: it does not depend on how fine
 *                the bins are
 *   start        first particle of each bin; the entry after the last is the number of particles alive;
 *                bins of a row follow one another in x, frame by frame
 *   slot         where a frame's bins are; each frame has 2^k bins along x, k by how many particles it holds,
 *                or none at all
 *
 *       row (z, y) of frames (., fy, fz):   |bins of frame fx0 |bins of fx1 |none of fx2 |...
 *       start index of bin b of frame f, row w:   slot[f].base + w * slot[f].stride + b */
#ifndef SLUICE_KERNELS_GPU_BINS_H
#define SLUICE_KERNELS_GPU_BINS_H
#include <stdint.h>

#include "kernels/gpu/rt.h"

struct sluice_set;

namespace SLUICE_GPU {

struct gpu_slot {
    uint32_t base;   /* index in start of this frame's first bin in row 0 */
    uint32_t stride; /* bins of a row, of all frames in x */
    uint32_t shift;  /* bins here are 2^shift of the finest ones wide */
    uint32_t bins;   /* along x, 0: the frame has none */
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

} /* namespace */

/* A set's table; the structs that hold it are host memory. */
struct sluice_bins {
    int64_t version;                    /* of the grid's table that the slots belong to; -1: not laid out */
    uint32_t bin_count;                 /* entries of start but the last two */
    SLUICE_GPU::gpu_slot *slot;         /* [frame_count], device */
    uint32_t *start;                    /* [bin_count + 2], device; the last one ends what left the domain */
    int64_t slot_capacity, start_capacity;
    void *packed;                       /* [capacity] position records of the window strategy, device */
    int packed_as;                      /* the field that rides with them; -1: not packed since the sort */
};
#endif
