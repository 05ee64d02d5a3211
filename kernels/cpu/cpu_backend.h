/* The CPU backend's own data, shared by the files of kernels/cpu. */
#ifndef SLUICE_KERNELS_CPU_BACKEND_H
#define SLUICE_KERNELS_CPU_BACKEND_H
#include "kernels/cpu/variant.h"

struct cpu_backend {
    const struct cpu_variant *variant; /* of the precision and instruction set in use */
    struct sluice_threads *team;
    struct cpu_scratch work; /* of interact, reduce and fetch */
    struct cpu_scratch sort; /* of bin */
};

/* backend.h's operation `bin`; sort.c. */
sluice_status cpu_bin(struct sluice_backend *b, struct sluice_grid *g,
                      struct sluice_set *const *sets, int n, struct sluice_removed *removed);

/* backend.h's operation `occupancy`; occupancy.c. */
sluice_status cpu_occupancy(struct sluice_backend *b, const struct sluice_grid *g,
                            const struct sluice_set *set, struct sluice_occupancy *out);

/* backend.h's operations of these names; fetch.c. */
sluice_status cpu_fetch(struct sluice_backend *b, const struct sluice_grid *g,
                        struct sluice_fetch *fetch);
sluice_status cpu_foremost(struct sluice_backend *b, const struct sluice_grid *g,
                           const struct sluice_set *set, struct sluice_foremost *of, int n);

/* backend.h's operations `bins_free` and `room`; sort.c. */
void cpu_bins_destroy(struct sluice_bins **bins);
int cpu_room(const struct sluice_set *set);

/* The variants of the build, from the least to the most capable instruction set, in both
 * precisions; NULL at the end. */
extern const struct cpu_variant *const cpu_variants[];
/* Whether this machine runs the variant's instructions. */
int cpu_variant_runs_here(const struct cpu_variant *variant);
#endif
