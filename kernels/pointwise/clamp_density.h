/* Dynamic wall particles do not pull: r >= 0 (docs/theory.md, "Walls"). The clamp does no work. */
#ifndef SLUICE_POINTWISE_CLAMP_DENSITY_H
#define SLUICE_POINTWISE_CLAMP_DENSITY_H
#include "kernels/types/view.h"

#define clamp_density_READS  SLUICE_BIT(SCALAR)
#define clamp_density_WRITES (SLUICE_BIT(SCALAR) | SLUICE_BIT(SCALAR_LOW))

struct clamp_density_constants {
    real least;
};

static inline struct clamp_density_constants clamp_density_prepare(const void *none)
{
    struct clamp_density_constants k;
    (void)none;
    k.least = 0;
    return k;
}

HD void clamp_density_point(const struct clamp_density_constants *k, const struct sluice_view *v,
                            const struct sluice_frames_view *frames, int64_t i, const int dim)
{
    (void)frames, (void)dim;
    if (VIEW(v, SCALAR, i, 1, 0) < k->least) {
        VIEW(v, SCALAR, i, 1, 0) = k->least;
        view_low(v, SLUICE_FIELD_SCALAR_LOW)[i] = 0;
    }
}
#endif
