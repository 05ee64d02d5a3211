/* The parts of the CPU backend that are compiled once for each precision and instruction set.
 *
 * Every file of kernels/cpu/loops is compiled so: it defines functions named
 * VARIANT(name), name_f32_x86_64_v3 for example, and backend.c gathers them into one table a
 * variant and chooses among the tables when the backend is opened. */
#ifndef SLUICE_KERNELS_CPU_VARIANT_H
#define SLUICE_KERNELS_CPU_VARIANT_H
#include "backend/backend.h"
#include "core/threads.h"
#include "kernels/cpu/bins.h"
#include "kernels/registry.h"

#define VARIANT_PASTE(name, suffix)  name##_##suffix
#define VARIANT_EXPAND(name, suffix) VARIANT_PASTE(name, suffix)
#define VARIANT(name)                VARIANT_EXPAND(name, SLUICE_SUFFIX)

#define CPU_KEY_GONE UINT32_MAX

struct cpu_variant {
    const char *isa;  /* "x86-64-v3" */
    int real_bytes;   /* 4 or 8 */
    const int *lanes; /* particles in a cluster of the window strategy */

    /* integrate.c; k and r as in backend.h's operations of these names. Here and below `team`
     * shares the work. */
    void (*kick_drift)(struct sluice_threads *team, const struct sluice_grid *g,
                       struct sluice_set *set, double dt);
    void (*kick)(struct sluice_threads *team, struct sluice_set *set, double dt);

    /* bin_numbers.c. locate: key[i] = slot of particle i's frame, or CPU_KEY_GONE: beyond the
     * domain on an open axis (fluid). keys: what is not gone gets its bin in the whole table of
     * `bins`, whose frames are laid out; what is gone, bin_count. */
    void (*locate)(struct sluice_threads *team, const struct sluice_grid *g,
                   const struct sluice_set *set, uint32_t *key);
    void (*keys)(struct sluice_threads *team, const struct sluice_grid *g,
                 const struct sluice_set *set, const struct sluice_bins *bins, uint32_t *key);

    /* pointwise.c, reduce.c */
    void (*pointwise)(struct sluice_threads *team, const struct sluice_grid *g,
                      const struct sluice_point *point);
    sluice_status (*reduce)(struct sluice_threads *team, const struct sluice_grid *g,
                            struct sluice_reduce *r, struct cpu_scratch *work);

    /* window.c, tiled.c: adds to nothing, writes what the pair writes, fills pass->sum. `work` is
     * scratch of the backend. NULL: the strategy is for GPUs (sluice_backend_check). */
    sluice_status (*interact[SLUICE_STRATEGY_COUNT])(struct sluice_threads *team,
                                                     const struct sluice_grid *g,
                                                     struct sluice_pass *pass,
                                                     struct cpu_scratch *work);
};

/* What the leaves of one variant define; variant.c lists them. */
#ifdef SLUICE_SUFFIX
void VARIANT(kick_drift)(struct sluice_threads *team, const struct sluice_grid *g,
                         struct sluice_set *set, double dt);
void VARIANT(kick)(struct sluice_threads *team, struct sluice_set *set, double dt);
void VARIANT(locate)(struct sluice_threads *team, const struct sluice_grid *g,
                     const struct sluice_set *set, uint32_t *key);
void VARIANT(keys)(struct sluice_threads *team, const struct sluice_grid *g,
                   const struct sluice_set *set, const struct sluice_bins *bins, uint32_t *key);
void VARIANT(pointwise)(struct sluice_threads *team, const struct sluice_grid *g,
                        const struct sluice_point *point);
sluice_status VARIANT(reduce)(struct sluice_threads *team, const struct sluice_grid *g,
                              struct sluice_reduce *r, struct cpu_scratch *work);
#define X(name, option, kind, what)                                                                \
    sluice_status VARIANT(interact_##name)(struct sluice_threads * team,                           \
                                           const struct sluice_grid *g, struct sluice_pass *pass,  \
                                           struct cpu_scratch *work);
SLUICE_STRATEGIES(X)
#undef X
extern const int VARIANT(window_lanes);
extern const struct cpu_variant VARIANT(cpu_variant);
#endif
#endif
