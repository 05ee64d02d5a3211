/* Walls with a prescribed motion: place, velocity and acceleration of every particle from the
 * motion at this time and the particle's reference X, its place at the start relative to the
 * motion's centre. Nothing is integrated, so nothing drifts.
 *
 *   x = C + y,   y = R X                       C: the centre, R: the rotation about e by an angle
 *   u = C' + w e x y                           w = angle'
 *   a = C'' + w' e x y - w^2 (y - (y.e) e)
 *
 * All in double, also for particles in float. Particles of motion 0 are at rest. */
#ifndef SLUICE_POINTWISE_RIGID_MOTION_H
#define SLUICE_POINTWISE_RIGID_MOTION_H
#include "kernels/types/rigid_motion_params.h"
#include "kernels/types/view.h"

#define rigid_motion_READS                                                                         \
    (SLUICE_BIT(FRAME) | SLUICE_BIT(REFERENCE) | SLUICE_BIT(REFERENCE_LOW) | SLUICE_BIT(MOTION))
#define rigid_motion_WRITES                                                                        \
    (SLUICE_BIT(POSITION) | SLUICE_BIT(FRAME) | SLUICE_BIT(VELOCITY) | SLUICE_BIT(ACCELERATION))

struct rigid_motion_constants {
    struct rigid_motion_params at;
};

static inline struct rigid_motion_constants
rigid_motion_prepare(const struct rigid_motion_params *p)
{
    struct rigid_motion_constants k;
    k.at = *p;
    return k;
}

/* Marks the frame of this slot, which needs bins. */
HD void rigid_motion_want(const struct sluice_frames_view *frames, int32_t slot)
{
#ifdef GPU_STORE_SAME
    if (slot >= 0)
        GPU_STORE_SAME(&frames->wanted[slot], 1u);
#else
    (void)frames, (void)slot;
#endif
}

/* Puts particle i at `d` from the centre of the frame that it was in. If it crossed more than one
 * frame it stays in its old one, with an offset beyond the border. Marks the new frame, and those
 * whose border is nearer than an eighth of the width, which it may soon enter. */
HD void rigid_motion_place(const struct sluice_view *v, const struct sluice_frames_view *frames,
                           int64_t i, const int dim, const double d[3])
{
    uint32_t *frame = (uint32_t *)(void *)v->field[SLUICE_FIELD_FRAME] + i;
    int k = 13, far = 0, low[3] = {0, 0, 0}, high[3] = {0, 0, 0};
    double side[3];
    const int stride[3] = {1, 3, 9};
    for (int c = 0; c < dim; c++) {
        side[c] = floor(d[c] / frames->exact_width[c] + 0.5);
        far |= !(fabs(side[c]) <= 1);
        k += far ? 0 : (int)side[c] * stride[c];
    }
    const int32_t slot = far ? -1 : frames->neighbour[*frame][k];
    for (int c = 0; c < dim; c++) {
        const double x = slot < 0 ? d[c] : d[c] - side[c] * frames->exact_width[c],
                     border = 0.375 * frames->exact_width[c];
        VIEW(v, POSITION, i, dim + 1, c) = (real)x;
        low[c] = x < -border ? -1 : 0;
        high[c] = x > border ? 1 : 0;
    }
    if (slot >= 0)
        *frame = (uint32_t)slot;
    if (!frames->wanted)
        return;
    for (int z = low[2]; z <= high[2]; z++)
        for (int y = low[1]; y <= high[1]; y++)
            for (int x = low[0]; x <= high[0]; x++)
                rigid_motion_want(frames, frames->neighbour[*frame][13 + 9 * z + 3 * y + x]);
}

HD void rigid_motion_point(const struct rigid_motion_constants *k, const struct sluice_view *v,
                           const struct sluice_frames_view *frames, int64_t i, const int dim)
{
    const uint32_t motion = ((const uint32_t *)(const void *)v->field[SLUICE_FIELD_MOTION])[i];
    const uint32_t slot = ((const uint32_t *)(const void *)v->field[SLUICE_FIELD_FRAME])[i];
    if (motion == 0 || motion > (uint32_t)k->at.count)
        return;
    const struct sluice_rigid *b = &k->at.body[motion - 1];
    const int p = (b->axis + 1) % 3, q = (b->axis + 2) % 3; /* e_p x e_q = e */
    double y[3] = {0, 0, 0}, cross[3] = {0, 0, 0}, across[3] = {0, 0, 0}, d[3] = {0, 0, 0};
    for (int c = 0; c < dim; c++)
        y[c] = (double)VIEW(v, REFERENCE, i, dim, c) + (double)VIEW(v, REFERENCE_LOW, i, dim, c);
    const double xp = y[p], xq = y[q];
    y[p] = b->cosine * xp - b->sine * xq;
    y[q] = b->sine * xp + b->cosine * xq;
    across[p] = y[p], across[q] = y[q];
    cross[p] = -y[q], cross[q] = y[p];
    for (int c = 0; c < dim; c++) {
        VIEW(v, VELOCITY, i, dim, c) = (real)(b->velocity[c] + b->spin * cross[c]);
        VIEW(v, ACCELERATION, i, dim, c) = (real)(b->acceleration[c] + b->spin_rate * cross[c] -
                                                  b->spin * b->spin * across[c]);
        d[c] = (double)(b->centre.frame[c] - frames->index[slot][c]) * frames->exact_width[c] +
               (b->centre.offset[c] + y[c]);
        if (frames->period[c] > 0)
            d[c] -= frames->period[c] * rint(d[c] / frames->period[c]);
    }
    if (k->at.place)
        rigid_motion_place(v, frames, i, dim, d);
}
#endif
