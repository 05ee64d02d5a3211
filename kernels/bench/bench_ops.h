/* Operations of a backend that only `sluice bench` uses: the loops of `bench claims`; trial loops
 * of GPUs, which it compares with the program's own (kernels/bench/gpu/bench_loops.cu); and the
 * device's peak.
 *
 * The particles of a trial fill an open cube of box^3 cells, sorted by cell, x fastest; positions
 * are relative to the cube's corner. Cells are `reach` wide, at least the cutoff. All arrays are in
 * device memory, in the backend's precision. */
#ifndef SLUICE_KERNELS_BENCH_OPS_H
#define SLUICE_KERNELS_BENCH_OPS_H
#include <stdint.h>

#include "core/status.h"

enum sluice_trial_kind {
    SLUICE_TRIAL_TILED,      /* Lennard-Jones, all pairs through shared memory */
    SLUICE_TRIAL_LAYOUT,     /* a soft force and drag, candidates from the 27 cells around */
    SLUICE_TRIAL_LIST_BUILD, /* lists and counts the neighbours nearer than `reach` */
    SLUICE_TRIAL_LIST_FORCE, /* Lennard-Jones, candidates from the list */
    SLUICE_TRIAL_SCAN        /* SLUICE_TRIAL_SCANS prefix sums a block, one after another */
};

/* Prefix sums of a block (kernels/bench/gpu/scans.h). */
enum sluice_scan {
    SLUICE_SCAN_WARPS,    /* the program's: shuffles of the first warp */
    SLUICE_SCAN_CODE,     /* Code 1 of Algis et al. 2024 */
    SLUICE_SCAN_PRINTED,  /* their Algorithm 6, which is wrong for some lengths */
    SLUICE_SCAN_BLELLOCH, /* Blelloch 1990; of a power of two */
    SLUICE_SCAN_COUNT
};
enum { SLUICE_TRIAL_SCANS = 100, SLUICE_TRIAL_SCAN_MOST = 1024 };

/* The order in memory of a particle's seven numbers: x, y, z, three of velocity, mass. */
enum sluice_layout {
    SLUICE_LAYOUT_STRUCTURES, /* a structure of 7 numbers a particle */
    SLUICE_LAYOUT_PADDED,     /* a structure of 8 numbers, the last unused */
    SLUICE_LAYOUT_PACKED,     /* two loads of 4 numbers: x, y, z, mass; velocity, unused */
    SLUICE_LAYOUT_ARRAYS,     /* an array of each number */
    SLUICE_LAYOUT_CHUNKS_2,   /* arrays of 2 particles, then of the next 2 */
    SLUICE_LAYOUT_CHUNKS_4,
    SLUICE_LAYOUT_CHUNKS_8,
    SLUICE_LAYOUT_CHUNKS_16,
    SLUICE_LAYOUT_COUNT
};
enum { SLUICE_LAYOUT_NUMBERS = 7, SLUICE_LAYOUT_WIDEST = 8 };

struct sluice_trial {
    enum sluice_trial_kind kind;
    int threads;               /* a block; SLUICE_TRIAL_TILED, SLUICE_TRIAL_SCAN */
    enum sluice_layout layout; /* SLUICE_TRIAL_LAYOUT */
    /* SLUICE_TRIAL_SCAN: of `capacity` numbers, at most SLUICE_TRIAL_SCAN_MOST, by `count` blocks
     * of `threads`. It reads nothing and writes `length`. */
    enum sluice_scan scan;
    const void *params; /* struct lj_params, double, host memory; LAYOUT uses its cutoff alone */
    int64_t count;
    int box;
    double reach;    /* in units of the positions */
    void *at;        /* [count][4]: x, y, z, mass; SLUICE_TRIAL_LAYOUT: in that layout */
    uint32_t *start; /* [box^3 + 1] first particle of each cell */
    uint32_t *list;  /* [capacity][count]: the first neighbour of every particle, then the second */
    uint32_t *length; /* [count] neighbours found, may exceed `capacity` */
    int capacity;     /* neighbours listed a particle */
    void *out;        /* [count][3] accelerations */
};

/* Index in memory of number c of particle i among n, a multiple of 16. */
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

struct sluice_backend;
struct sluice_grid;
struct sluice_pass;
struct sluice_swarm;
struct sluice_sums;
struct sluice_typed_lists;

/* The stored neighbours of a pass's targets: all that are nearer than `reach`. They serve until two
 * particles can have come nearer to each other by the reach less the cutoff.
 *
 *   cpu   for each cluster of a vector's width its list of candidates, as the window strategy finds
 *         it: `entries`; `index` has where each cluster's begins
 *   GPUs  entries [longest][count]: the first neighbour of every particle, then the second, with
 *         the frame that it is in; index [count]: how many */
struct sluice_stored_list {
    double reach;                     /* m, at least the cutoff and at most a frame's width */
    void *entries, *index;            /* device memory; NULL: none yet */
    int64_t entry_bytes, index_bytes; /* of them, exactly what the list needs */
    int64_t listed;                   /* entries for particles */
    int longest;                      /* GPUs: entries of one particle, at most */
    int block_cache; /* GPUs: 1: a pass takes particles of its own block from shared memory */
};

struct sluice_bench_ops {
    const char *name; /* of the backend, as in sluice_backend_ops */
    /* Queues one launch of a swarm's work (kernels/bench/swarm.h). */
    sluice_status (*swarm)(struct sluice_backend *b, const struct sluice_swarm *s);
    /* Queues the building of a list: on the CPU with the search of the pass, on GPUs with a search
     * of the cells around each particle. The first call counts, waits, and allocates; later ones
     * are for the same particles. */
    sluice_status (*list_build)(struct sluice_backend *b, const struct sluice_grid *g,
                                struct sluice_pass *pass, struct sluice_stored_list *list);
    /* Queues the pass, whose pairs come from the list: on the CPU the bits are those of the search;
     * on GPUs it is a plain loop of a thread for each particle, with another order of sums. */
    sluice_status (*list_pass)(struct sluice_backend *b, const struct sluice_grid *g,
                               struct sluice_pass *pass, const struct sluice_stored_list *list);
    /* Queues a pass over a set of fluid and dynamic walls, whose loop looks at the type of each
     * particle (kernels/bench/pair_branching.h): 3-D, Wendland C2, without energies. */
    sluice_status (*branching)(struct sluice_backend *b, const struct sluice_grid *g,
                               struct sluice_pass *pass);
    /* Queues one launch of a trial loop. NULL: the backend has none (cpu). */
    sluice_status (*trial)(struct sluice_backend *b, const struct sluice_trial *trial);
    /* The device's peak: operations a second in the backend's precision and bytes a second; 0 where
     * unknown. NULL: unknown (cpu). */
    void (*peak)(const struct sluice_backend *b, double *flops, double *bytes);
    /* Those that GPUs lack stand last: their tables end before. The updates of sums
     * (kernels/bench/sums.h); NULL: the backend has none. */
    sluice_status (*sums)(struct sluice_backend *b, const struct sluice_sums *s);
    /* A force by lists of two types (kernels/bench/typed_lists.h); NULL: the backend has none. */
    sluice_status (*typed_lists)(struct sluice_backend *b, const struct sluice_typed_lists *l);
};

/* Those of an open backend. */
const struct sluice_bench_ops *sluice_bench_ops_find(const struct sluice_backend *b);
#endif
