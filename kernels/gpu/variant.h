/* The part of the GPU backend that is compiled once for each precision, in namespace f32 or f64.
 * Each fills a table of functions, and open() chooses one of the two. */
#ifndef SLUICE_KERNELS_GPU_VARIANT_H
#define SLUICE_KERNELS_GPU_VARIANT_H
#include "kernels/gpu/gpu_backend.h"
#include "kernels/types/real.h"
#include "kernels/types/view.h"

namespace SLUICE_GPU
{

struct gpu_question_args;

/* X(name, arguments after the backend). All of them queue their work and return.
 *
 *   kick_drift, kick, pointwise, reduce, fetch, foremost
 *                   as the operations of these names in backend.h. reduce first makes the deferred
 *                   kick of its set, pointwise the deferred drift (host/deferred.cu)
 *   sum_labels      adds to the pieces of the totals, in device memory (exact_sum.h).
 *                   Nothing, if `change` is there and holds the bits of at most the tolerance
 *   sort            sorts one set, whose frames are laid out (step/sort.cu)
 *   count_frames    adds the particles of each slot to count[] (device memory), and marks
 *                   frames->wanted if the set moves
 *   ask             asks particles a question of ranks.h (step/border.cu)
 *   sample          writes the places of every so many particles, 3 numbers each, to device memory
 *   order_keys      writes a number of each particle that orders like its x, to device memory
 *   reorder         moves the STATE fields of particle i to place n[i], n in the first columns
 *   refresh_records the records of these particles get the EOS that has arrived (step/border.cu)
 *   stand_records   makes the position records of a set that was not sorted in this step
 *                   (step/reuse_order.cu)
 *   sort_as         makes the table of an order that is given (step/reuse_order.cu) */
#define GPU_VARIANT(X)                                                                             \
    X(kick_drift, const struct sluice_grid *g, struct sluice_set *set, double dt)                  \
    X(kick, struct sluice_set *set, double dt)                                                     \
    X(pointwise, const struct sluice_grid *g, const struct sluice_point *point)                    \
    X(reduce, const struct sluice_grid *g, struct sluice_reduce *r)                                \
    X(sum_labels, const struct sluice_grid *g, const struct sluice_label_sums *s,                  \
      uint64_t *pieces, const uint64_t *change)                                                    \
    X(sort, const struct sluice_grid *g, struct sluice_set *set)                                   \
    X(count_frames, const struct sluice_grid *g, const struct sluice_set *set, uint32_t *count)    \
    X(ask, const struct sluice_grid *g, const struct sluice_set *set,                              \
      const struct gpu_question_args *question)                                                    \
    X(sample, const struct sluice_grid *g, const struct sluice_set *set, int64_t every, int64_t n, \
      double *to)                                                                                  \
    X(order_keys, const struct sluice_set *set, void *key)                                         \
    X(refresh_records, struct sluice_set *set, const uint32_t *list, int64_t n,                    \
      gpuStream_t stream)                                                                          \
    X(reorder, struct sluice_set *set)                                                             \
    X(stand_records, const struct sluice_grid *g, struct sluice_set *set)                          \
    X(sort_as, const struct sluice_grid *g, struct sluice_set *set,                                \
      const struct sluice_sorted *bin)                                                             \
    X(fetch, const struct sluice_grid *g, struct sluice_fetch *fetch)                              \
    X(foremost, const struct sluice_grid *g, const struct sluice_set *set,                         \
      struct sluice_foremost *of, int n)

struct gpu_variant {
#define X(name, ...) sluice_status (*name)(struct gpu_backend * gpu, __VA_ARGS__);
    GPU_VARIANT(X)
#undef X
    sluice_status (*interact[SLUICE_STRATEGY_COUNT])(struct gpu_backend *gpu,
                                                     const struct sluice_grid *g,
                                                     struct sluice_pass *pass);
};

#ifdef SLUICE_DOUBLE
#define GPU_PRECISION f64
#else
#define GPU_PRECISION f32
#endif
namespace f32
{
extern const struct gpu_variant variant;
}
namespace f64
{
extern const struct gpu_variant variant;
}

namespace GPU_PRECISION
{

#define X(name, ...) sluice_status name(struct gpu_backend *gpu, __VA_ARGS__);
GPU_VARIANT(X)
#undef X
#define X(name, option, bins, what)                                                                \
    sluice_status interact_##name(struct gpu_backend *gpu, const struct sluice_grid *g,            \
                                  struct sluice_pass *pass);
SLUICE_STRATEGIES(X)
#undef X
/* window/window.cu: interact_window of the pair `name`. */
#define WINDOW_PASTE(name) interact_window_##name
#define WINDOW_OF(name)    WINDOW_PASTE(name)
/* window/adaptive.cu. interact_window for particles with supports of their own. */
sluice_status interact_adaptive(struct gpu_backend *gpu, const struct sluice_grid *g,
                                struct sluice_pass *pass);
/* sort.cu. After a sort: notes where the scratch space for position records is, and the table's
 * bytes. */
void sort_done(struct sluice_set *set);
/* near_masks.cu. mark_near_blocks fills the near masks of a set. near_masks gives the masks of a
 * source for a pass over these targets; NULL if it has none. */
sluice_status mark_near_blocks(struct gpu_backend *gpu, const struct sluice_grid *g,
                               struct sluice_set *set);
sluice_status near_masks(struct gpu_backend *gpu, const struct sluice_grid *g,
                         struct sluice_set *source, const struct sluice_set *target,
                         const uint64_t **near);
/* For each `group` targets at rest: the last look, one after each sort, at which the source was
 * near by its masks `near`. Those with last[] < *since were near at neither of the last two looks,
 * so their stored state is the dry one. NULL: not known. */
sluice_status near_groups(struct gpu_backend *gpu, const struct sluice_grid *g,
                          const struct sluice_set *source, struct sluice_set *target,
                          const uint64_t *near, int group, const uint32_t **last, uint32_t *since);

/* A position record in 3-D, loaded and stored at once. */
struct alignas(16) four_reals {
    real x[4];
};

/* The set as a kernel sees it. Particles that have gone are at the end of the arrays, behind
 * those that are alive. */
struct gpu_set {
    struct sluice_view v;
    const uint32_t *alive; /* number of particles alive; NULL before the first bin(): all are */
    const uint8_t *own;    /* of each particle: 0 for a halo particle; NULL: all are own */
};

static inline struct gpu_set set_of(struct gpu_backend *gpu, const struct sluice_set *set)
{
    struct gpu_set s;
    s.v = view_of(set);
    s.alive = set->bins ? &gpu->counts->alive[set->type] : NULL;
    s.own = set->own;
    return s;
}

static inline __device__ int64_t alive_in(const struct gpu_set &s)
{
    const int64_t alive = s.alive ? (int64_t)*s.alive : s.v.count;
    return alive < s.v.count ? alive : s.v.count;
}

static inline __device__ int is_own(const struct gpu_set &s, int64_t i)
{
    return !s.own || s.own[i];
}

} // namespace GPU_PRECISION
} // namespace SLUICE_GPU
#endif
