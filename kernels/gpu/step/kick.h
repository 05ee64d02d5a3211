/* Half a kick, compensated: docs/theory.md, "The time step". integrate.cu uses it alone and before
 * the drift, reduce.cu before the sums. Compile without fast math. */
#ifndef SLUICE_KERNELS_GPU_STEP_KICK_H
#define SLUICE_KERNELS_GPU_STEP_KICK_H
#include "kernels/gpu/variant.h"
/* after variant.h */
#include "kernels/types/compensated.h"

namespace SLUICE_GPU::GPU_PRECISION
{

/* value += half rate, compensated; nothing if value or rate is NULL. */
struct kick_field {
    real *value;
    real_low *low;
    const real *rate;
};

struct kick_args {
    struct kick_field velocity, density;
    int64_t count;
    const uint32_t *alive;
    real half; /* dt/2 */
};

/* The field from element e on. */
static __device__ __forceinline__ struct kick_field field_from(const struct kick_field &field,
                                                               int64_t e)
{
    return kick_field{field.value + e, field.low + e, field.rate + e};
}

HD int kicks(const struct kick_field &field)
{
    return field.value && field.rate; /* the same for all threads */
}

static inline __device__ int64_t alive_of(const struct kick_args &args)
{
    const int64_t alive = args.alive ? (int64_t)*args.alive : args.count;
    return alive < args.count ? alive : args.count;
}

/* The number of living particles in a block that begins with particle `first`. */
static __device__ __forceinline__ int block_count(int64_t alive, int64_t first)
{
    const int64_t left = alive - first;
    return left < 0 ? 0 : left < GPU_BLOCK ? (int)left : (int)GPU_BLOCK;
}

/* One element of a field, in registers. */
struct kick_element {
    real value, rate;
    real_low low;
};

static __device__ __forceinline__ void read_element(const struct kick_field &field, int64_t e,
                                                    struct kick_element *of)
{
    of->value = field.value[e];
    of->low = field.low[e];
    of->rate = field.rate[e];
}

/* Without the lost low part. */
static __device__ __forceinline__ void read_rate(const struct kick_field &field, int64_t e,
                                                 struct kick_element *of)
{
    of->value = field.value[e];
    of->rate = field.rate[e];
}

static __device__ __forceinline__ void write_element(const struct kick_field &field, int64_t e,
                                                     const struct kick_element &of)
{
    field.value[e] = of.value;
    field.low[e] = of.low;
}

static inline struct kick_args kick_args_of(struct gpu_backend *gpu, const struct sluice_set *set,
                                            double dt)
{
    const struct gpu_set s = set_of(gpu, set);
    real *const *field = s.v.field;
    struct kick_args args = {{NULL, NULL, NULL},
                             {field[SLUICE_FIELD_SCALAR], view_low(&s.v, SLUICE_FIELD_SCALAR_LOW),
                              field[SLUICE_FIELD_RATE]},
                             set->count,
                             s.alive,
                             (real)(dt / 2)};
    if (set->moves == SLUICE_FREE)
        args.velocity = kick_field{field[SLUICE_FIELD_VELOCITY],
                                   view_low(&s.v, SLUICE_FIELD_VELOCITY_LOW),
                                   field[SLUICE_FIELD_ACCELERATION]};
    return args;
}

} // namespace SLUICE_GPU::GPU_PRECISION
#endif
