/* The parts of the CPU backend that are compiled once for each precision and instruction set: the
 * files of kernels/cpu/loops. Their functions are named VARIANT(name), name_f32_x86_64_v3 for
 * example. variant.c gathers them into one table a variant; backend.c chooses a table when the
 * backend is opened. */
#ifndef SLUICE_KERNELS_CPU_VARIANT_H
#define SLUICE_KERNELS_CPU_VARIANT_H
#include "backend/backend.h"
#include "core/threads.h"
#include "domain/domain.h"
#include "kernels/cpu/bins.h"
#include "kernels/cpu/scratch.h"
#include "kernels/registry.h"
#include "kernels/types/view.h"

#define VARIANT_PASTE(name, suffix)  name##_##suffix
#define VARIANT_EXPAND(name, suffix) VARIANT_PASTE(name, suffix)
#define VARIANT(name)                VARIANT_EXPAND(name, SLUICE_SUFFIX)

#define CPU_KEY_GONE SLUICE_LEFT

/* The functions of a variant. All share their work among the team.
 *
 *   kick_drift, kick   integrate.c: backend.h's operations of these names
 *   locate             bin_numbers.c: key[i] = slot of particle i's frame, or CPU_KEY_GONE for
 *                      fluid beyond the domain on an open axis, or whose RETIRES is not 0
 *   keys               bin_numbers.c: key[i] = bin of particle i in the whole table of `bins`; the
 *                      frames are laid out. Leaving particles get bin_count
 *   pointwise, reduce  files of these names: backend.h's operations
 *   sum_labels         sum_labels.c: [labels][exact_pieces_of()] of the totals, zeroed before */
#define CPU_VARIANT_FUNCTIONS(X)                                                                   \
    X(void, kick_drift,                                                                            \
      (struct sluice_threads * team, const struct sluice_grid *g, struct sluice_set *set,          \
       double dt))                                                                                 \
    X(void, kick, (struct sluice_threads * team, struct sluice_set * set, double dt))              \
    X(void, locate,                                                                                \
      (struct sluice_threads * team, const struct sluice_grid *g, const struct sluice_set *set,    \
       uint32_t *key))                                                                             \
    X(void, keys,                                                                                  \
      (struct sluice_threads * team, const struct sluice_grid *g, const struct sluice_set *set,    \
       const struct sluice_bins *bins, uint32_t *key))                                             \
    X(void, pointwise,                                                                             \
      (struct sluice_threads * team, const struct sluice_grid *g,                                  \
       const struct sluice_point *point))                                                          \
    X(sluice_status, reduce,                                                                       \
      (struct sluice_threads * team, const struct sluice_grid *g, struct sluice_reduce *r,         \
       struct cpu_scratch *work))                                                                  \
    X(void, sum_labels,                                                                            \
      (struct sluice_threads * team, const struct sluice_grid *g,                                  \
       const struct sluice_label_sums *s, uint64_t *pieces))

/* A strategy: window.c, bucket.c, tiled.c, cell_strategies.c. It writes the fields that the pair
 * writes, and pass->sum. */
typedef sluice_status cpu_strategy(const struct sluice_backend *b, const struct sluice_grid *g,
                                   struct sluice_pass *pass, struct cpu_scratch *work);

struct cpu_variant {
    const char *isa;  /* "x86-64-v3" */
    int real_bytes;   /* 4 or 8 */
    const int *lanes; /* particles in a cluster of the window strategy */
#define X(type, name, arguments) type(*name) arguments;
    CPU_VARIANT_FUNCTIONS(X)
#undef X
    cpu_strategy *interact[SLUICE_STRATEGY_COUNT];
};

/* The functions as the files of kernels/cpu/loops define them; variant.c lists them. */
#ifdef SLUICE_SUFFIX
#define X(type, name, arguments) type VARIANT(name) arguments;
CPU_VARIANT_FUNCTIONS(X)
#undef X
#define X(name, option, bins, what) cpu_strategy VARIANT(interact_##name);
SLUICE_STRATEGIES(X)
#undef X
extern const int VARIANT(window_lanes);
extern const struct cpu_variant VARIANT(cpu_variant);

/* The frames as a formula sees them. */
static inline struct sluice_frames_view cpu_frames_of(const struct sluice_grid *g)
{
    struct sluice_frames_view frames = {.index = (const int32_t(*)[3])g->frame,
                                        .neighbour = (const int32_t(*)[27])g->neighbour};
    view_set_widths(&frames, g->width, g->wrap);
    return frames;
}
#endif
#endif
