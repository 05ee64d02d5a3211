/* The CPU backend's own data, shared by the files of kernels/cpu. */
#ifndef SLUICE_KERNELS_CPU_BACKEND_H
#define SLUICE_KERNELS_CPU_BACKEND_H
#include "kernels/cpu/variant.h"

/* The Makefile gives those that it compiles the loops for, from the least to the best. */
#ifndef CPU_VARIANTS
#ifdef __x86_64__
#define CPU_VARIANTS(X) X(x86_64, "x86-64")
#else
#define CPU_VARIANTS(X) X(native, "native")
#endif
#endif

struct bin_job;

struct cpu_backend {
    const struct cpu_variant *variant; /* functions for the precision and instruction set in use */
    struct sluice_threads *team;
    struct cpu_scratch work;  /* work memory of interact, reduce and fetch */
    struct cpu_scratch sort;  /* work memory of bin */
    struct cpu_scratch asked; /* sluice_pass.asked */
    double begun, seconds;    /* of the processor: cpu_clock_begins */
};

/* sort.c: the operation `bin` of backend.h. */
sluice_status cpu_bin(struct sluice_backend *b, struct sluice_grid *g,
                      struct sluice_set *const *sets, int n,
                      const struct sluice_particle_list *born, struct sluice_particle_list *gone);

/* births.c: puts those in this rank's region behind the last particle of the fluid. */
sluice_status cpu_take_births(struct sluice_backend *b, struct sluice_grid *g,
                              struct sluice_set *const *sets, int n,
                              const struct sluice_particle_list *born);

/* ranks.c, where there are several: adds up the seconds that a rank works on its particles, without
 * waits for others, from the sort of a step to its last reduction; so files do not count, which the
 * first rank writes. */
void cpu_clock_begins(struct sluice_backend *b);
void cpu_clock_ends(struct sluice_backend *b);

/* Divides the sets before the sort; adds the particles of the frames of all ranks; sends halos the
 * fields of its sources that a pass reads, if no pass has done so before, and those of its target
 * that it has written. Collective. */
sluice_status cpu_share(struct sluice_backend *b, const struct sluice_grid *g,
                        struct sluice_set *const *sets, int n);
sluice_status cpu_add_frames(struct sluice_domain *d, const struct sluice_grid *g,
                             const struct bin_job *job, int n, uint8_t *used);
sluice_status cpu_refresh_sources(struct sluice_backend *b, const struct sluice_grid *g,
                                  const struct sluice_pass *pass);
sluice_status cpu_refresh(struct sluice_backend *b, const struct sluice_grid *g,
                          const struct sluice_pass *pass);

/* sum_labels.c: the operation of this name in backend.h. */
sluice_status cpu_sum_labels(struct sluice_backend *b, const struct sluice_grid *g,
                             struct sluice_label_sums *s);

/* occupancy.c: the operation `occupancy` of backend.h. */
sluice_status cpu_occupancy(struct sluice_backend *b, const struct sluice_grid *g,
                            const struct sluice_set *set, struct sluice_occupancy *out);

/* fetch.c: the operations `fetch` and `foremost` of backend.h. */
sluice_status cpu_fetch(struct sluice_backend *b, const struct sluice_grid *g,
                        struct sluice_fetch *fetch);
sluice_status cpu_foremost(struct sluice_backend *b, const struct sluice_grid *g,
                           const struct sluice_set *set, struct sluice_foremost *of, int n);

/* free_bins.c: the operation `bins_free` of backend.h. */
void cpu_bins_destroy(struct sluice_bins **bins);
/* sort.c: the operation `scratch_columns` of backend.h. */
int cpu_scratch_columns(const struct sluice_set *set);

/* backend.c: the variants of this build, two (float, double) for each instruction set, the least
 * capable set first; NULL at the end. */
extern const struct cpu_variant *const cpu_variants[];
/* 1 if this machine can execute the variant's instruction set, otherwise 0. */
int cpu_variant_runs_here(const struct cpu_variant *variant);
#endif
