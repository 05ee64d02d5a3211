/* Moves particles by SHIFT: x += dx, compensated. Offsets may be a little outside of their frames
 * until the next drift. */
#ifndef SLUICE_POINTWISE_MOVE_H
#define SLUICE_POINTWISE_MOVE_H
#include "kernels/types/compensated.h"
#include "kernels/types/view.h"

#define move_READS  (SLUICE_BIT(POSITION) | SLUICE_BIT(SHIFT))
#define move_WRITES (SLUICE_BIT(POSITION) | SLUICE_BIT(POSITION_LOW))

struct move_constants {
    int none;
};

static inline struct move_constants move_prepare(const void *none)
{
    (void)none;
    const struct move_constants k = {0};
    return k;
}

HD void move_point(const struct move_constants *k, const struct sluice_view *v,
                   const struct sluice_frames_view *frames, int64_t i, const int dim)
{
    (void)k, (void)frames;
    real_low *low = view_low(v, SLUICE_FIELD_POSITION_LOW) + (int64_t)dim * i;
    for (int c = 0; c < dim; c++)
        if (!is_marked(low[c]))
            compensated_add(&VIEW(v, POSITION, i, dim + 1, c), &low[c], VIEW(v, SHIFT, i, dim, c));
}
#endif
