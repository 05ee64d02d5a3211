/* Loops that only `sluice bench` runs, to compare ways of doing them, and the layouts of particles
 * that it compares (kernels/gpu/bench/bench_loops.cu).
 *
 * The particles fill an open cube of box^3 cells and stand in the order of the cells, x fastest;
 * positions are from the cube's corner. Cells are `reach` wide, at least the cutoff. All arrays are
 * the device's, of the backend's precision. */
#ifndef SLUICE_BACKEND_TRIAL_H
#define SLUICE_BACKEND_TRIAL_H
#include <stdint.h>

enum sluice_trial_kind {
    SLUICE_TRIAL_TILED,      /* Lennard-Jones, all pairs through shared memory */
    SLUICE_TRIAL_LAYOUT,     /* a soft force and drag, candidates of the 27 cells around */
    SLUICE_TRIAL_LIST_BUILD, /* neighbours nearer than `reach`, listed and counted */
    SLUICE_TRIAL_LIST_FORCE  /* Lennard-Jones of what the list has within the cutoff */
};

/* How the seven numbers of a particle stand in memory: x, y, z, three of velocity, mass. */
enum sluice_layout {
    SLUICE_LAYOUT_STRUCTURES, /* one particle after the other */
    SLUICE_LAYOUT_PADDED,     /* the same, eight numbers apart */
    SLUICE_LAYOUT_PACKED,     /* as two loads of four: x, y, z, mass; velocity */
    SLUICE_LAYOUT_ARRAYS,     /* an array for each number */
    SLUICE_LAYOUT_CHUNKS_2,   /* such arrays for 2 particles, then for the next 2 */
    SLUICE_LAYOUT_CHUNKS_4,
    SLUICE_LAYOUT_CHUNKS_8,
    SLUICE_LAYOUT_CHUNKS_16,
    SLUICE_LAYOUT_COUNT
};
enum { SLUICE_LAYOUT_NUMBERS = 7, SLUICE_LAYOUT_WIDEST = 8 };

struct sluice_trial {
    enum sluice_trial_kind kind;
    int threads; /* of a block */
    enum sluice_layout layout;
    const void *params; /* struct lj_params, double, host memory; of it the cutoff */
    int64_t count;
    int box;
    double reach;     /* in units of the positions */
    void *at;         /* [count][4]: x, y, z, mass; LAYOUT: as it says */
    uint32_t *start;  /* [box^3 + 1] first particle of each cell */
    uint32_t *list;   /* [capacity][count]: the k-th neighbour of all, then the next */
    uint32_t *length; /* [count] neighbours there are, listed or not */
    int capacity;     /* neighbours of a particle that are listed at most */
    void *out;        /* [count][3] accelerations */
};

/* Where number c of particle i stands, of n, a multiple of 16. */
static inline int64_t sluice_layout_place(enum sluice_layout layout, int64_t n, int64_t i, int c)
{
    static const int packed[SLUICE_LAYOUT_NUMBERS] = {0, 1, 2, 4, 5, 6, 3};
    const int64_t chunk = layout < SLUICE_LAYOUT_CHUNKS_2
                              ? 1
                              : (int64_t)2 << (layout - SLUICE_LAYOUT_CHUNKS_2);
    switch (layout) {
    case SLUICE_LAYOUT_STRUCTURES:
        return i * SLUICE_LAYOUT_NUMBERS + c;
    case SLUICE_LAYOUT_PADDED:
        return i * SLUICE_LAYOUT_WIDEST + c;
    case SLUICE_LAYOUT_PACKED:
        return i * SLUICE_LAYOUT_WIDEST + packed[c];
    case SLUICE_LAYOUT_ARRAYS:
        return c * n + i;
    default:
        return (i / chunk * SLUICE_LAYOUT_NUMBERS + c) * chunk + i % chunk;
    }
}
#endif
