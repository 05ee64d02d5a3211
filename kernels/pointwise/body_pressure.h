/* The pressure at the wall particles of bodies, once the acceleration of each body is known
 * (kernels/pair/pair_adami_bodies.h):
 *
 *   p_w = max(0, p0 - L.a_w),   a_w = A + w' x y + w x (w x y)
 *
 * and from it the record EOS. Also stores a_w as the particle's ACCELERATION. */
#ifndef SLUICE_POINTWISE_BODY_PRESSURE_H
#define SLUICE_POINTWISE_BODY_PRESSURE_H
#include "kernels/pair/eos.h"
#include "kernels/pointwise/rigid_motion.h"
#include "kernels/types/body_params.h"

#define body_pressure_READS                                                                        \
    (SLUICE_BIT(MOTION) | SLUICE_BIT(REFERENCE) | SLUICE_BIT(REFERENCE_LOW) |                      \
     SLUICE_BIT(EXTRAPOLATED))
#define body_pressure_WRITES (SLUICE_BIT(EOS) | SLUICE_BIT(PREDICTED) | SLUICE_BIT(ACCELERATION))

struct body_pressure_constants {
    struct eos_constants eos;
    struct rigid_motion_params at;
};

static inline struct body_pressure_constants body_pressure_prepare(const struct body_params *p)
{
    struct body_pressure_constants k;
    k.eos = eos_prepare(&p->wcsph);
    k.at = *p->motions;
    return k;
}

/* The body that particle i is of; NULL: none. */
HD const struct sluice_rigid *body_of(const struct rigid_motion_params *at,
                                      const struct sluice_view *v, int64_t i, int *number)
{
    const uint32_t motion = ((const uint32_t *)(const void *)v->field[SLUICE_FIELD_MOTION])[i];
    *number = (int)motion - 1 - at->count - at->listed;
    return *number >= 0 && *number < at->bodies ? &at->table[at->listed + *number] : NULL;
}

/* The acceleration of a particle at y, as it is stored. */
HD void body_acceleration(const struct sluice_rigid *b, const double y[3], const int dim, real a[3])
{
    for (int c = 0; c < dim; c++)
        a[c] = (real)(b->acceleration[c] + rigid_motion_cross(b->spin_rate, y, c) +
                      rigid_motion_inward(b, y, c));
}

/* p_w of particle i, without the background pressure; *slopes: it depends on the acceleration. */
HD real body_wall_pressure(const struct eos_constants *eos, const struct sluice_view *v, int64_t i,
                           const int dim, const real a[3], int *slopes)
{
    real p = VIEW(v, EXTRAPOLATED, i, dim + 1, 0);
    for (int c = 0; c < dim; c++)
        p -= VIEW(v, EXTRAPOLATED, i, dim + 1, 1 + c) * a[c];
    *slopes = p > 0;
    return real_max(p, 0) - eos->background;
}

HD void body_pressure_point(const struct body_pressure_constants *k, const struct sluice_view *v,
                            const struct sluice_frames_view *frames, int64_t i, const int dim)
{
    int number, slopes;
    const struct sluice_rigid *b = body_of(&k->at, v, i, &number);
    double y[3];
    real a[3] = {0, 0, 0};
    (void)frames;
    if (!b)
        return;
    rigid_motion_arm(b, v, i, dim, y);
    body_acceleration(b, y, dim, a);
    const real p = body_wall_pressure(&k->eos, v, i, dim, a, &slopes),
               r = p != 0 ? eos_relative_density(&k->eos, p) : 0;
    eos_record(&k->eos, r, p, &VIEW(v, EOS, i, 2, 0));
    for (int c = 0; c < dim; c++)
        VIEW(v, ACCELERATION, i, dim, c) = a[c];
    if (v->field[SLUICE_FIELD_PREDICTED])
        VIEW(v, PREDICTED, i, dim + 1, dim) = eos_head(&k->eos, r);
}
#endif
