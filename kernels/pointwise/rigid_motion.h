/* Walls that a motion or a body carries: place, velocity and acceleration of every particle from
 * those of the centre and the particle's reference X, its place at the start relative to the
 * centre. Nothing is integrated here, so nothing drifts.
 *
 *   x = C + y,   y = R X                       C: the centre, R: the rotation since the start
 *   u = C' + w x y                             w: the angular velocity
 *   a = C'' + w' x y + w x (w x y)
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

/* The carrier of particle i; NULL: it is at rest. */
HD const struct sluice_rigid *rigid_motion_of(const struct rigid_motion_params *at,
                                              const struct sluice_view *v, int64_t i)
{
    const uint32_t *motions = (const uint32_t *)(const void *)v->field[SLUICE_FIELD_MOTION];
    const uint32_t motion = motions ? motions[i] : 0, count = (uint32_t)at->count;
    if (motion == 0 || motion > count + (uint32_t)(at->listed + at->bodies))
        return NULL;
    return motion <= count ? &at->motion[motion - 1] : &at->table[motion - 1 - count];
}

/* y of particle i, from the centre, m. */
HD void rigid_motion_arm(const struct sluice_rigid *b, const struct sluice_view *v, int64_t i,
                         const int dim, double y[3])
{
    double x[3] = {0, 0, 0};
    for (int c = 0; c < dim; c++)
        x[c] = (double)VIEW(v, REFERENCE, i, dim, c) + (double)VIEW(v, REFERENCE_LOW, i, dim, c);
    for (int c = 0; c < 3; c++)
        y[c] = b->turn[c][0] * x[0] + b->turn[c][1] * x[1] + b->turn[c][2] * x[2];
}

/* Component c of a x b. */
HD double rigid_motion_cross(const double a[3], const double b[3], int c)
{
    const int p = (c + 1) % 3, q = (c + 2) % 3;
    return a[p] * b[q] - a[q] * b[p];
}

/* The acceleration at y, component c, without the part by the spin's rate. */
HD double rigid_motion_inward(const struct sluice_rigid *b, const double y[3], int c)
{
    return b->inward[c][0] * y[0] + b->inward[c][1] * y[1] + b->inward[c][2] * y[2];
}

HD void rigid_motion_point(const struct rigid_motion_constants *k, const struct sluice_view *v,
                           const struct sluice_frames_view *frames, int64_t i, const int dim)
{
    const struct sluice_rigid *b = rigid_motion_of(&k->at, v, i);
    const uint32_t slot = ((const uint32_t *)(const void *)v->field[SLUICE_FIELD_FRAME])[i];
    if (!b)
        return;
    double y[3], d[3] = {0, 0, 0};
    rigid_motion_arm(b, v, i, dim, y);
    for (int c = 0; c < dim; c++) {
        VIEW(v, VELOCITY, i, dim, c) = (real)(b->velocity[c] + rigid_motion_cross(b->spin, y, c));
        VIEW(v, ACCELERATION, i, dim, c) = (real)(b->acceleration[c] +
                                                  rigid_motion_cross(b->spin_rate, y, c) +
                                                  rigid_motion_inward(b, y, c));
        d[c] = (double)(b->centre.frame[c] - frames->index[slot][c]) * frames->exact_width[c] +
               (b->centre.offset[c] + y[c]);
        if (frames->period[c] > 0)
            d[c] -= frames->period[c] * rint(d[c] / frames->period[c]);
    }
    if (k->at.place)
        rigid_motion_place(v, frames, i, dim, d);
}
#endif
