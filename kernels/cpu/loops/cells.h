/* The strategies of cells (Algis, Bramas, Darles & Aveneau 2024) on the CPU. A cell is a bin, one
 * cutoff wide; of finer bins those are searched that a cutoff reaches.
 *
 *   unit       a box of cells of one frame, which a thread takes
 *   clusters   the unit's particles, row by row: vectors of consecutive ones
 *   stage      rows of candidates around them, so many that they stay in the processor's cache:
 *              the unit's clusters, 32 at a time, meet one stage after the other
 *
 * A GPU copies a stage to shared memory. A processor does that itself: the first cluster that meets
 * a candidate brings it to the cache, the others find it there. A particle meets all candidates of
 * the 27 cells around it, source by source, in the order of frames, rows and places; so units and
 * stages change no bit. cells.c has the loop, cell_strategies.c the strategies' differences. */
#ifndef SLUICE_KERNELS_CPU_LOOPS_CELLS_H
#define SLUICE_KERNELS_CPU_LOOPS_CELLS_H
#include "kernels/cpu/variant.h"

/* The particles and cells for which a unit's size is chosen. */
struct cell_demand {
    int dimension;
    int bins[3], reach[3]; /* of a frame at most; how many a cutoff reaches beyond a bin */
    int64_t fullest;       /* particles in the fullest bin of the pass's sets */
    int64_t capacity;      /* candidates of a stage */
};

/* The differences of strategies. */
struct cell_strategy {
    /* Sets the size of units in bins, at most those of a frame. NULL: one bin. */
    void (*plan)(const struct cell_demand *demand, int size[3]);
    int alone;   /* 1: each cluster looks for its own candidates; 0: all of a unit together */
    int strided; /* 1: of n threads each has every n-th unit; 0: threads take one after another */
    int most;    /* candidates of a stage at most; 0: as many as fit */
};

/* The loop of all of them. */
sluice_status VARIANT(interact_cells)(const struct sluice_backend *b, const struct sluice_grid *g,
                                      struct sluice_pass *pass, struct cpu_scratch *work,
                                      const struct cell_strategy *strategy);

/* Defines the strategy `name` of the registry. */
#define CELL_STRATEGY(name, ...)                                                                   \
    sluice_status VARIANT(interact_##name)(const struct sluice_backend *b,                         \
                                           const struct sluice_grid *g, struct sluice_pass *pass,  \
                                           struct cpu_scratch *work)                               \
    {                                                                                              \
        static const struct cell_strategy strategy = {__VA_ARGS__};                                \
        return VARIANT(interact_cells)(b, g, pass, work, &strategy);                               \
    }
#endif
