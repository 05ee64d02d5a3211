/* Predicts the velocity and the internal energy of a gas at the end of the step, and guesses its
 * smoothing length there:
 *
 *   vp = v + dt/2 a(n),   up = u + dt/2 du/dt(n),   v and u at n + 1/2
 *   h  = h exp(dt d(ln h)/dt)
 *
 * dt = 0 gives the present state. An up below 0 stays: the density pass counts it, and takes 0. */
#ifndef SLUICE_POINTWISE_GAS_PREDICT_H
#define SLUICE_POINTWISE_GAS_PREDICT_H
#include "kernels/pair/gas_terms.h"

#define gas_predict_READS                                                                          \
    (SLUICE_BIT(VELOCITY) | SLUICE_BIT(ACCELERATION) | SLUICE_BIT(SCALAR) | SLUICE_BIT(RATE) |     \
     SLUICE_BIT(SMOOTHING))
#define gas_predict_WRITES (SLUICE_BIT(PREDICTED) | SLUICE_BIT(GAS) | SLUICE_BIT(SMOOTHING))

struct gas_predict_constants {
    real dt, half;
};

static inline struct gas_predict_constants gas_predict_prepare(const struct gas_params *p)
{
    const struct gas_predict_constants k = {(real)p->dt, (real)(p->dt / 2)};
    return k;
}

HD void gas_predict_point(const struct gas_predict_constants *k, const struct sluice_view *v,
                          const struct sluice_frames_view *frames, int64_t i, const int dim)
{
    const real most = (real)0.25; /* a larger change of ln h is no prediction */
    real u[3] = {0, 0, 0};
    (void)frames;
    for (int c = 0; c < dim; c++)
        u[c] = VIEW(v, VELOCITY, i, dim, c) + k->half * VIEW(v, ACCELERATION, i, dim, c);
    const real energy = VIEW(v, SCALAR, i, 1, 0) + k->half * VIEW(v, RATE, i, 1, 0),
               change = k->dt * VIEW(v, SMOOTHING, i, 4, 1);
    VIEW(v, SMOOTHING, i, 4, 0) *= gas_exp(real_max(real_min(change, most), -most));
    view_put_predicted(v, i, dim, u, energy);
    view_store4(&VIEW(v, GAS, i, 4, 0), 0, 0, 0, 0);
}
#endif
