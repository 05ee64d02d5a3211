/* The CPU backend's own data, shared by the files of kernels/cpu. */
#ifndef SLUICE_KERNELS_CPU_BACKEND_H
#define SLUICE_KERNELS_CPU_BACKEND_H
#include "kernels/cpu/variant.h"

struct cpu_backend {
    const struct cpu_variant *variant; /* functions for the precision and instruction set in use */
    struct sluice_threads *team;
    struct cpu_scratch work; /* work memory of interact, reduce and fetch */
    struct cpu_scratch sort; /* work memory of bin */
};

/* sort.c: the operation `bin` of backend.h. */
sluice_status cpu_bin(struct sluice_backend *b, struct sluice_grid *g,
                      struct sluice_set *const *sets, int n, struct sluice_removed *removed);

/* occupancy.c: the operation `occupancy` of backend.h. */
sluice_status cpu_occupancy(struct sluice_backend *b, const struct sluice_grid *g,
                            const struct sluice_set *set, struct sluice_occupancy *out);

/* fetch.c: the operations `fetch` and `foremost` of backend.h. */
sluice_status cpu_fetch(struct sluice_backend *b, const struct sluice_grid *g,
                        struct sluice_fetch *fetch);
sluice_status cpu_foremost(struct sluice_backend *b, const struct sluice_grid *g,
                           const struct sluice_set *set, struct sluice_foremost *of, int n);

/* sort.c: the operations `bins_free` and `room` of backend.h. */
void cpu_bins_destroy(struct sluice_bins **bins);
int cpu_room(const struct sluice_set *set);

/* backend.c: the variants of this build, two (float, double) for each instruction set, the least
 * capable set first; NULL at the end. */
extern const struct cpu_variant *const cpu_variants[];
/* 1 if this machine can execute the variant's instruction set, otherwise 0. */
int cpu_variant_runs_here(const struct cpu_variant *variant);
#endif
