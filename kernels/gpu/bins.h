/* The search table on a GPU.
 *
 *   row     the bins of one (y, z) in all frames of one (y, z). They run on in x through the
 *           frames, so that a window is one range of particles even across frames
 *   order   frames' (z, y), then rows z, y, then x, then id: independent of the bins' width
 *   start   first particle of each bin; the entry after the last bin is the number of particles
 *           alive. The bins of a row follow one another in x, frame by frame
 *   slot    where a frame's bins are. A frame has 2^k bins along x, k by the number of its
 *           particles, or none at all
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
    uint32_t stride; /* bins of a row in all frames */
    uint32_t shift;  /* a bin here is 2^shift of the finest bins wide; 31: the frame has none */
    uint32_t bins;   /* along x; 0: none */
};

/* Mirror of the grid's table of frames in device memory. */
struct gpu_frames {
    int64_t version; /* of the grid's table; -1: not copied yet */
    int count, capacity;
    int32_t (*index)[3];
    int32_t (*neighbour)[27];
    uint8_t *outside; /* [count] 1: part of the frame is outside the domain on an open axis */
    uint32_t *wanted; /* [count] 1: particles of a moving set are in it, or soon may be */
};

/* Device memory that grows when needed. Growing loses its contents. */
struct gpu_scratch {
    void *memory;
    size_t bytes;
};

enum { GPU_FRAME_BYTES = 12 + 27 * 4 + 1 + 4 }; /* bytes that a frame takes in gpu_frames */

/* How many stretches of 2^GPU_EXTENT_BITS bins a table of so many bins has (row_extents.h). */
static inline int64_t extent_count(int64_t bins)
{
    return (bins >> GPU_EXTENT_BITS) + 1;
}

struct cell_counts;

/* Boxes of bins, as frames are divided into them. */
struct gpu_box_size {
    int size[3];  /* of a box: bins of its frame along x, rows along y and z */
    int boxes[3]; /* of a frame */
};

/* The boxes of one size that hold particles. */
struct gpu_boxes {
    struct gpu_box_size box;
    int64_t sort;            /* bins->sorts when they were listed; 0 or less: never */
    uint32_t most;           /* there are at most so many */
    struct gpu_scratch list; /* their number, then a code for each: the slot of its frame times
                                the boxes of a frame, plus its place in the frame */
};

enum { GPU_BOX_LISTS = 3 };

/* Which groups of particles of a set at rest were near another set, and when: near_masks.cu. */
struct gpu_near_groups {
    struct gpu_scratch last; /* [groups] uint32_t: the last look at which the group was near */
    uint32_t looks;          /* so far; 0: the next one is the first */
    int64_t near_sort;       /* of the other set's masks, then */
    int64_t sorts, uploads;  /* of the set itself, and of the backend without births, then */
};

/* A tree of boxes over the particles of each frame (bucket/tree.h), remade after each sort. */
struct gpu_tree {
    int64_t sort;            /* bins->sorts when it was made; -1: it is not complete */
    size_t bytes;            /* that its arrays take in `work`; 0: never made */
    int last;                /* which one of its two arrays of numbers is in order */
    struct gpu_scratch work; /* all its arrays */
};

/* A set's table, in host memory, with arrays in device memory. set->bins points to it. */
struct gpu_bins {
    int64_t version; /* version of the grid's table that the slots belong to; -1: not laid out */
    uint32_t bin_count;
    struct gpu_slot *slot; /* [frame_count] */
    uint64_t *near;  /* [frame_count] near_masks.h; NULL: not used. A fluid has [2 frame_count], the
                        second half for work */
    uint32_t *start; /* [bin_count + 2]; the last entry is the end of what goes */
    uint8_t *laid_out; /* [slot_capacity] host memory, 1: the frame has bins */
    int64_t slot_capacity, start_capacity;
    int whole_frames; /* 1: one bin along x in each frame */
    int cleared;      /* 1: start is all zeros, cleared by the drift for the sort */
    void *packed;     /* [capacity] position records of the pair loop, in the set's spare columns */
    int packed_as; /* what the records hold (records_as() in place_records.h); -1: they are out of
                      date */
    int packed_before; /* the last packed_as that was not -1; -1: none yet */
    int rows_known;    /* 1: the records, even old ones, tell each particle's row */
    int64_t packed_at; /* gpu->uploads when they were packed */
    int64_t sorts;     /* number of sorts */
    struct gpu_boxes boxes[GPU_BOX_LISTS];
    int boxes_next;                           /* the list that the next new size replaces */
    struct gpu_tree tree;                     /* of particles with supports of their own */
    struct gpu_scratch of_bodies;             /* particles body by body: step/sum_labels.cu */
    int64_t of_bodies_sort;                   /* sorts when they were listed; 0: never */
    struct cell_counts *counts, *counts_host; /* cells.h; the second is pinned; NULL: not used */
    int64_t counted;                          /* sorts when they were counted */
    int64_t near_sort;                        /* sorts when a moving set's near masks were made */
    struct gpu_near_groups near_groups;       /* of walls at rest */
    void *extents;                            /* [extents_capacity] row_extents.h; NULL: not used */
    int64_t extents_capacity;
    int64_t bins_seen; /* calls of bin() so far, with or without a sort, for a moving set */
    int64_t extents_bin, extents_at; /* bins_seen and gpu->uploads when the extents were made */
};

static inline struct gpu_bins *bins_of(const struct sluice_set *set)
{
    return (struct gpu_bins *)(void *)set->bins;
}

/* bin_layout.cu. gpu_scratch_reserve for scratch space of the set's table, which the set's
 * bins_bytes counts. */
sluice_status gpu_bins_reserve(struct gpu_backend *gpu, struct sluice_set *set,
                               struct gpu_scratch *work, size_t bytes);

} // namespace SLUICE_GPU
#endif
