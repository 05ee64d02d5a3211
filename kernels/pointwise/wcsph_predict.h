/* Predicts the velocity and the relative density at the end of the step; from the density, the
 * equation of state and the head, which the pair loop reads.
 *
 *   vp = v + dt/2 a(n) + beta dt^2 (a(n) - a(n-1))/dt_old,   v at n + 1/2
 *      (docs/theory.md, "The time step")
 *
 * and rp the same with R = dr/dt. dt = 0 gives the present state. Walls at rest have vp = 0; driven
 * walls have their velocity of n + 1 already.
 *
 * The head is e(rp) (eos.h) or, piezometric, e - g.x/c0^2, x from params.origin.
 *
 * a(n-1) is not needed afterwards: its array may receive the body forces, with which a(n+1) starts.
 */
#ifndef SLUICE_POINTWISE_WCSPH_PREDICT_H
#define SLUICE_POINTWISE_WCSPH_PREDICT_H
#include "kernels/pointwise/body_force.h"
#include "kernels/pair/eos.h"
#include "kernels/pointwise/gravity_head.h"
#include "kernels/types/view.h"

#define wcsph_predict_READS                                                                        \
    (SLUICE_BIT(VELOCITY) | SLUICE_BIT(ACCELERATION) | SLUICE_BIT(ACCELERATION_OLD) |              \
     SLUICE_BIT(SCALAR) | SLUICE_BIT(RATE) | SLUICE_BIT(RATE_OLD) | SLUICE_BIT(PHASE) |            \
     body_force_READS)
#define wcsph_predict_WRITES                                                                       \
    (SLUICE_BIT(PREDICTED) | SLUICE_BIT(EOS) | SLUICE_BIT(ACCELERATION_OLD))

struct wcsph_predict_constants {
    struct eos_constants eos, eos_of_second; /* of the second fluid */
    int two;
    real half, second; /* dt/2, beta dt^2/dt_old */
    int clamp, starts; /* clamp: r >= least; starts: stores the body forces */
    real least;
    int piezometric;
    struct gravity_head gravity;
    struct body_force_constants body;
};

static inline struct wcsph_predict_constants
wcsph_predict_prepare(const struct wcsph_predict_params *p)
{
    struct wcsph_predict_constants k;
    k.eos = eos_prepare(&p->wcsph);
    k.two = p->wcsph.second != NULL;
    k.eos_of_second = eos_prepare(k.two ? p->wcsph.second : &p->wcsph);
    k.half = (real)(p->dt / 2);
    k.second = (real)(p->dt > 0 ? p->beta * p->dt * p->dt / p->dt_old : 0);
    k.clamp = p->clamp || p->wcsph.limits_tension;
    k.least = (real)(p->clamp ? 0 : -p->wcsph.tension);
    k.starts = p->body != NULL;
    k.piezometric = p->wcsph.piezometric;
    k.gravity = gravity_head_prepare(&p->wcsph, &p->origin);
    k.body.count = 0;
    if (p->body)
        k.body = body_force_prepare(p->body);
    return k;
}

/* A value at the end of the step, from its rates now and a step ago. */
HD real wcsph_predicted(const struct wcsph_predict_constants *k, real value, real rate,
                        real rate_old)
{
    return value + k->half * rate + k->second * (rate - rate_old);
}

/* Stores PREDICTED and EOS of particle i, at x in its frame, from the predicted u and r; returns
 * p/rho^2. */
HD real wcsph_predict_store(const struct wcsph_predict_constants *k, const struct sluice_view *v,
                            const struct sluice_frames_view *frames, int64_t i, const int dim,
                            uint32_t slot, const real *x, const real u[3], real r)
{
    const struct eos_constants *eos = k->two && view_phase(v, i) ? &k->eos_of_second : &k->eos;
    real record[2];
    if (k->clamp && r < k->least)
        r = k->least;
    eos_record(eos, r, eos_pressure(eos, r), record);
    real head = eos_head(eos, r);
    if (k->piezometric)
        head = (real)((double)head - gravity_head_at(&k->gravity, frames, slot, x, dim));
    view_put_predicted(v, i, dim, u, head);
    view_store2(&VIEW(v, EOS, i, 2, 0), record[0], record[1]);
    return record[0];
}

HD void wcsph_predict_point(const struct wcsph_predict_constants *k, const struct sluice_view *v,
                            const struct sluice_frames_view *frames, int64_t i, const int dim)
{
    const int driven = v->field[SLUICE_FIELD_VELOCITY] != NULL,
              moves = driven && v->field[SLUICE_FIELD_ACCELERATION_OLD];
    const uint32_t slot = ((const uint32_t *)(const void *)v->field[SLUICE_FIELD_FRAME])[i];
    real u[3] = {0, 0, 0}; /* read all, then write: a GPU waits for memory once */
    for (int c = 0; c < dim; c++)
        u[c] = wcsph_predicted(k, driven ? VIEW(v, VELOCITY, i, dim, c) : 0,
                               moves ? VIEW(v, ACCELERATION, i, dim, c) : 0,
                               moves ? VIEW(v, ACCELERATION_OLD, i, dim, c) : 0);
    const real r = wcsph_predicted(k, VIEW(v, SCALAR, i, 1, 0), VIEW(v, RATE, i, 1, 0),
                                   VIEW(v, RATE_OLD, i, 1, 0));
    wcsph_predict_store(k, v, frames, i, dim, slot, &VIEW(v, POSITION, i, dim + 1, 0), u, r);
    for (int c = 0; c < dim && k->starts; c++)
        /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): a set that starts has the field */
        VIEW(v, ACCELERATION_OLD, i, dim, c) = body_force_at(&k->body, v, frames, i, dim, c);
}
#endif
