/* Half a kick, compensated: docs/theory.md, "The time step". integrate.cu has it alone and before
 * the drift, reduce.cu in front of the sums. Compile without fast math. */
#ifndef SLUICE_KERNELS_GPU_KICK_H
#define SLUICE_KERNELS_GPU_KICK_H
#include "kernels/compensated.h"
#include "kernels/gpu/leaf.h"

namespace SLUICE_GPU
{
namespace GPU_PRECISION
{

/* value += half rate, compensated; nothing where one of them does not exist. */
struct kick_field {
    real *value, *low;
    const real *rate;
};

struct kick_args {
    struct kick_field velocity, density;
    int64_t count;
    const uint32_t *alive;
    real half; /* dt/2 */
};

HD int kicks(const struct kick_field &field)
{
    return field.value && field.rate; /* the same for all threads */
}

static inline __device__ int64_t alive_of(const struct kick_args &args)
{
    const int64_t alive = args.alive ? (int64_t)*args.alive : args.count;
    return alive < args.count ? alive : args.count;
}

/* One element of a field, in registers. */
struct kick_element {
    real value, low, rate;
};

static __device__ __forceinline__ void read_element(const struct kick_field &field, int64_t e,
                                                    struct kick_element *of)
{
    of->value = field.value[e];
    of->low = field.low[e];
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
    struct kick_args args = {
        {NULL, NULL, NULL},
        {field[SLUICE_FIELD_DENSITY], field[SLUICE_FIELD_DENSITY_LOW], field[SLUICE_FIELD_RATE]},
        set->count,
        s.alive,
        (real)(dt / 2)};
    if (set->moves == SLUICE_FREE)
        args.velocity = kick_field{field[SLUICE_FIELD_VELOCITY], field[SLUICE_FIELD_VELOCITY_LOW],
                                   field[SLUICE_FIELD_ACCELERATION]};
    return args;
}

} /* namespace GPU_PRECISION */
} /* namespace SLUICE_GPU */
#endif
