/* The search table of one set on the CPU.
 *
 *   frame slot:   0            1                 2 ...            (grid.h: sorted by z, y, x)
 *   first_bin:    0            64                64     (a slot without particles has no bins)
 *   bins:         |z0y0x0 x1 .. | y1 x0 .. | z1 ..|              x fastest, then y, then z
 *   start:        first particle of each bin, and one more entry: the count
 *
 * A row is log2[0] bins in x; bins [a, b] of a row hold particles start[a] to start[b + 1] - 1. */
#ifndef SLUICE_KERNELS_CPU_BINS_H
#define SLUICE_KERNELS_CPU_BINS_H
#include <stdint.h>

/* Particles (or bins) that a thread takes at once in the cheap loops: some microseconds of work. */
enum { CPU_BLOCK = 512 };

struct cpu_frame_bins {
    uint32_t first_bin; /* in `start` */
    uint32_t count;     /* particles of this set in the frame */
    uint32_t global;    /* particles on all ranks, without halos: they decide the bins */
    int8_t log2[3];     /* bins on each axis, as a power of two; only where count > 0 */
};

struct sluice_bins {
    int frame_count; /* slots laid out */
    int64_t version; /* of the grid's table that the slots belong to */
    uint32_t bin_count;
    struct cpu_frame_bins *frame; /* [frame_count] */
    uint32_t *start;              /* [bin_count + 2]; the last entry is the sort's own */
    int64_t frame_capacity, start_capacity;
};
#endif
