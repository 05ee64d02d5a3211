/* The parts of the GPU backend that are compiled once for each precision, in namespace f32 or f64:
 * a table of functions each, from which open chooses. */
#ifndef SLUICE_KERNELS_GPU_VARIANT_H
#define SLUICE_KERNELS_GPU_VARIANT_H
#include "kernels/gpu/gpu_backend.h"
#include "kernels/types/real.h"
#include "kernels/types/view.h"

namespace SLUICE_GPU
{

/* Arguments and meaning as in backend.h's operations of these names; all queue and return. reduce
 * kicks the set first where gpu->kick[] has that left, and pointwise makes the drift of gpu->drift.
 */
struct gpu_variant {
    int real_bytes;
    sluice_status (*kick_drift)(struct gpu_backend *gpu, const struct sluice_grid *g,
                                struct sluice_set *set, double dt);
    sluice_status (*kick)(struct gpu_backend *gpu, struct sluice_set *set, double dt);
    sluice_status (*pointwise)(struct gpu_backend *gpu, const struct sluice_grid *g,
                               const struct sluice_point *point);
    sluice_status (*reduce)(struct gpu_backend *gpu, const struct sluice_grid *g,
                            struct sluice_reduce *r);
    /* sort.cu. sort: one set whose frames are laid out. count_frames: adds the particles of each
     * slot to count[] (device) and marks frames->wanted where the set moves. */
    sluice_status (*sort)(struct gpu_backend *gpu, const struct sluice_grid *g,
                          struct sluice_set *set);
    sluice_status (*count_frames)(struct gpu_backend *gpu, const struct sluice_grid *g,
                                  const struct sluice_set *set, uint32_t *count);
    /* reuse_order.cu, of a set that was not sorted in this step. */
    sluice_status (*stand_records)(struct gpu_backend *gpu, const struct sluice_grid *g,
                                   struct sluice_set *set);
    sluice_status (*sort_as)(struct gpu_backend *gpu, const struct sluice_grid *g,
                             struct sluice_set *set, const int32_t (*bin)[3]);
    sluice_status (*interact[SLUICE_STRATEGY_COUNT])(struct gpu_backend *gpu,
                                                     const struct sluice_grid *g,
                                                     struct sluice_pass *pass);
    sluice_status (*fetch)(struct gpu_backend *gpu, const struct sluice_grid *g,
                           struct sluice_fetch *fetch);
    sluice_status (*foremost)(struct gpu_backend *gpu, const struct sluice_grid *g,
                              const struct sluice_set *set, struct sluice_foremost *of, int n);
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

/* What variant.cu lists in the table. */
sluice_status kick_drift(struct gpu_backend *gpu, const struct sluice_grid *g,
                         struct sluice_set *set, double dt);
sluice_status kick(struct gpu_backend *gpu, struct sluice_set *set, double dt);
sluice_status pointwise(struct gpu_backend *gpu, const struct sluice_grid *g,
                        const struct sluice_point *point);
sluice_status reduce(struct gpu_backend *gpu, const struct sluice_grid *g, struct sluice_reduce *r);
sluice_status sort(struct gpu_backend *gpu, const struct sluice_grid *g, struct sluice_set *set);
sluice_status count_frames(struct gpu_backend *gpu, const struct sluice_grid *g,
                           const struct sluice_set *set, uint32_t *count);
sluice_status stand_records(struct gpu_backend *gpu, const struct sluice_grid *g,
                            struct sluice_set *set);
sluice_status sort_as(struct gpu_backend *gpu, const struct sluice_grid *g, struct sluice_set *set,
                      const int32_t (*bin)[3]);
void sort_done(struct sluice_set *set); /* sort.cu: a set's table is made, its memory known */
sluice_status fetch(struct gpu_backend *gpu, const struct sluice_grid *g,
                    struct sluice_fetch *fetch);
sluice_status foremost(struct gpu_backend *gpu, const struct sluice_grid *g,
                       const struct sluice_set *set, struct sluice_foremost *of, int n);
/* near_masks.cu: fills the bins' near masks of a set; and gives those of a source for looking at targets,
 * where there are any (else NULL). */
sluice_status mark_near_blocks(struct gpu_backend *gpu, const struct sluice_grid *g,
                               struct sluice_set *set);
sluice_status near_masks(struct gpu_backend *gpu, const struct sluice_grid *g,
                         struct sluice_set *source, const struct sluice_set *target,
                         const uint64_t **near);
#define X(name, option, kind, what)                                                                \
    sluice_status interact_##name(struct gpu_backend *gpu, const struct sluice_grid *g,            \
                                  struct sluice_pass *pass);
SLUICE_STRATEGIES(X)
#undef X

/* A position record of 3-D, moved at once. */
struct alignas(16) four_reals {
    real x[4];
};

/* The set as kernels see it. */
static inline struct sluice_view view_of(const struct sluice_set *set)
{
    struct sluice_view v;
    for (int f = 0; f < SLUICE_FIELD_COUNT; f++)
        v.field[f] = (real *)set->field[f];
    v.id = (const uint32_t *)set->field[SLUICE_FIELD_ID];
    v.count = set->count;
    return v;
}

/* The same in a kernel, with how many of the particles are still there: what left the domain stands
 * behind them. Before the first bin() all are. */
struct gpu_set {
    struct sluice_view v;
    const uint32_t *alive;
};

static inline struct gpu_set set_of(struct gpu_backend *gpu, const struct sluice_set *set)
{
    struct gpu_set s;
    s.v = view_of(set);
    s.alive = set->bins ? &gpu->counts->alive[set->type] : NULL;
    return s;
}

static inline __device__ int64_t alive_in(const struct gpu_set &s)
{
    const int64_t alive = s.alive ? (int64_t)*s.alive : s.v.count;
    return alive < s.v.count ? alive : s.v.count;
}

} // namespace GPU_PRECISION
} // namespace SLUICE_GPU
#endif
