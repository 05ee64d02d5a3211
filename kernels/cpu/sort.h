/* The steps of the CPU backend's `bin`: the frames in use (frames.c), then the order of the
 * particles (sort.c). */
#ifndef SLUICE_KERNELS_CPU_SORT_H
#define SLUICE_KERNELS_CPU_SORT_H
#include "kernels/cpu/cpu_backend.h"

/* One set in one call of bin. */
struct bin_job {
    struct sluice_set *set;
    int sorts;             /* 0: a set at rest that was sorted before */
    uint32_t *key, *order; /* [count]: the bin; the particle at a place */
};

/* Counts the particles of each frame of each set that sorts (bins->frame[].count; jobs' keys as
 * `locate` leaves them). Where the frames in use changed, rebuilds the grid's table and renumbers
 * the slots of every set. d: NULL, or the counts are those of all ranks. */
sluice_status cpu_bin_frames(struct cpu_backend *cpu, struct sluice_domain *d,
                             struct sluice_grid *g, struct bin_job *job, int n);

/* Gives each particle of a set the new slot of its frame. */
void cpu_renumber_particles(struct sluice_threads *team, struct sluice_set *set,
                            const int32_t *new_slot);
#endif
