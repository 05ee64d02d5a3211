/* Takes what is steady from the head, so that density diffusion does not act on it.
 *
 *   q = e - g.x/c0^2,   dm/dt = (q - m)/T
 *
 * The last of PREDICTED, e, becomes q - m. m, the running mean over T, is the low-pass filter of
 * selective frequency damping (Akervik et al. 2006, Phys. Fluids 18, 068102). At the start m = q,
 * and for a particle that comes, whose m is not a number, at its first step. c0 is that of the
 * particle's own fluid. */
#ifndef SLUICE_POINTWISE_FILTER_HEAD_H
#define SLUICE_POINTWISE_FILTER_HEAD_H
#include "kernels/pointwise/gravity_head.h"
#include "kernels/types/compensated.h"

#define filter_head_READS                                                                          \
    (SLUICE_BIT(POSITION) | SLUICE_BIT(FRAME) | SLUICE_BIT(PREDICTED) | SLUICE_BIT(HEAD_MEAN) |    \
     SLUICE_BIT(HEAD_MEAN_LOW) | SLUICE_BIT(PHASE))
#define filter_head_WRITES                                                                         \
    (SLUICE_BIT(PREDICTED) | SLUICE_BIT(HEAD_MEAN) | SLUICE_BIT(HEAD_MEAN_LOW))

struct filter_head_constants {
    struct gravity_head gravity;
    int starts;            /* m = q for all */
    real weight;           /* dt/T, at most 1 */
    int two;               /* there is a second fluid: */
    double second_gravity; /* c0^2 of the first over c0^2 of the second */
};

static inline struct filter_head_constants filter_head_prepare(const struct wcsph_filter_params *p)
{
    struct filter_head_constants k;
    k.gravity = gravity_head_prepare(&p->wcsph, &p->origin);
    k.starts = p->starts;
    k.weight = (real)(p->dt < p->wcsph.filter ? p->dt / p->wcsph.filter : 1);
    k.two = p->wcsph.second != NULL;
    const double speed = k.two ? p->wcsph.sound_speed / p->wcsph.second->sound_speed : 1;
    k.second_gravity = speed * speed;
    return k;
}

HD void filter_head_point(const struct filter_head_constants *k, const struct sluice_view *v,
                          const struct sluice_frames_view *frames, int64_t i, const int dim)
{
    const uint32_t slot = ((const uint32_t *)(const void *)v->field[SLUICE_FIELD_FRAME])[i];
    double head = gravity_head_at(&k->gravity, frames, slot, &VIEW(v, POSITION, i, dim + 1, 0),
                                  dim);
    if (k->two && view_phase(v, i))
        head *= k->second_gravity;
    const real q = (real)((double)VIEW(v, PREDICTED, i, dim + 1, dim) - head);
    real *const mean = &VIEW(v, HEAD_MEAN, i, 1, 0);
    real_low *const low = &view_low(v, SLUICE_FIELD_HEAD_MEAN_LOW)[i];
    /* A measurement, dt = 0, gives a newcomer the same mean: its rates are 0. */
    if (k->starts || *mean != *mean) {
        *mean = q;
        *low = kept_of(q, 0);
    } else if (k->weight > 0) /* a measurement, dt = 0, must not round it */
        compensated_add(mean, low, k->weight * (q - *mean));
    VIEW(v, PREDICTED, i, dim + 1, dim) = q - *mean;
}
#endif
