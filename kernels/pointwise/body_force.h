/* Sets ACCELERATION to the body forces, before pairs add theirs: gravity, and central forces
 * a = -strength^2 (x - centre). */
#ifndef SLUICE_POINTWISE_BODY_FORCE_H
#define SLUICE_POINTWISE_BODY_FORCE_H
#include "kernels/types/wcsph_params.h"
#include "kernels/types/view.h"

#define body_force_READS  (SLUICE_BIT(POSITION) | SLUICE_BIT(FRAME))
#define body_force_WRITES SLUICE_BIT(ACCELERATION)

struct body_force_constants {
    real gravity[3];
    int count;
    struct {
        int32_t frame[3];
        real offset[3], strength2;
    } central[SLUICE_CENTRAL_MAX];
};

static inline struct body_force_constants body_force_prepare(const struct body_force_params *p)
{
    struct body_force_constants k;
    k.count = p->central_count;
    for (int c = 0; c < 3; c++)
        k.gravity[c] = (real)p->gravity[c];
    for (int n = 0; n < p->central_count; n++) {
        for (int c = 0; c < 3; c++) {
            k.central[n].frame[c] = p->central[n].centre.frame[c];
            k.central[n].offset[c] = (real)p->central[n].centre.offset[c];
        }
        k.central[n].strength2 = (real)(p->central[n].strength * p->central[n].strength);
    }
    return k;
}

/* Component c of the acceleration. */
HD real body_force_at(const struct body_force_constants *k, const struct sluice_view *v,
                      const struct sluice_frames_view *frames, int64_t i, const int dim,
                      const int c)
{
    real a = k->gravity[c];
    for (int n = 0; n < k->count; n++) {
        const uint32_t slot = ((const uint32_t *)(const void *)v->field[SLUICE_FIELD_FRAME])[i];
        const real frame = (real)(frames->index[slot][c] - k->central[n].frame[c]) *
                           frames->width[c];
        a -= k->central[n].strength2 *
             (frame + (VIEW(v, POSITION, i, dim + 1, c) - k->central[n].offset[c]));
    }
    return a;
}

HD void body_force_point(const struct body_force_constants *k, const struct sluice_view *v,
                         const struct sluice_frames_view *frames, int64_t i, const int dim)
{
    for (int c = 0; c < dim; c++)
        VIEW(v, ACCELERATION, i, dim, c) = body_force_at(k, v, frames, i, dim, c);
}
#endif
