/* Continuity of dynamic wall particles (Crespo, Gomez-Gesteira & Dalrymple 2007).
 *
 *   dr_w/dt = 1/rho0 sum_f m_f F (u_w - v_f).d
 *
 * Their pressure comes from the equation of state, as the fluid's does. The work of the fluid on a
 * wall particle becomes the particle's elastic energy, so the budget has no source for it. */
#ifndef SLUICE_PAIR_DYNAMIC_H
#define SLUICE_PAIR_DYNAMIC_H
#include "kernels/pair/sph_kernel.h"
#include "kernels/types/wcsph_params.h"

#define dynamic_PARAMS(X)     /* derived by the model: kernels/types/wcsph_params.h */
#define dynamic_READS         (SLUICE_BIT(POSITION) | SLUICE_BIT(PREDICTED) | SLUICE_BIT(EOS))
#define dynamic_WRITES        SLUICE_BIT(RATE)
#define dynamic_PACKS         SLUICE_FIELD_POSITION
#define dynamic_SUMS          (SLUICE_SUM_BIT(IDENTITY) | SLUICE_SUM_BIT(IDENTITY_ABS))
#define dynamic_FLOPS(kernel) 22
#define dynamic_MASKS_ITSELF  1
#define dynamic_USES_R        1
#define dynamic_SRC(X)        X(vx) X(vy) X(vz) X(mass) X(p)
#define dynamic_ACC(X)        X(rate)
PAIR_STRUCT(dynamic_src, dynamic_SRC)
PAIR_STRUCT(dynamic_acc, dynamic_ACC)

typedef struct wcsph_params dynamic_params;
typedef struct {
    struct sph_kernel kernel;
    real support, rho0;
} dynamic_constants;

static inline dynamic_constants dynamic_prepare(const struct wcsph_params *p, double mass)
{
    dynamic_constants k;
    (void)mass;
    k.kernel = sph_kernel_prepare(p->kernel, p->h, p->dimension);
    k.support = k.kernel.support;
    k.rho0 = (real)p->rho0;
    return k;
}
PAIR_ALWAYS_USUAL(dynamic)

HD dynamic_src dynamic_load(const dynamic_constants *k, const struct sluice_view *v, int64_t i,
                            const int dim, const int source, real packed)
{
    const int wall = source == SLUICE_TARGET;
    const struct real4 u = wall ? pair_wall_velocity(v, i, dim) : view_predicted(v, i, dim);
    const real p = wall ? VIEW(v, EOS, i, 2, 0) : 0; /* for the power alone */
    const dynamic_src s = {u.x, u.y, u.z, packed, p};
    (void)k;
    return s;
}

HD void dynamic_eval(const dynamic_constants *k, const struct pair_loop loop,
                     const struct pair_distance *at, const dynamic_src_lanes *i,
                     const dynamic_src *j, dynamic_acc_lanes *sum)
{
    lane vd = (i->vx - j->vx) * at->d[0] + (i->vy - j->vy) * at->d[1];
    if (loop.dim == 3)
        vd += (i->vz - j->vz) * at->d[2];
    sum->rate += j->mass * sph_f_shape(&k->kernel, loop.kernel, at->r) * vd;
}

HD void dynamic_store(const dynamic_constants *k, const struct sluice_view *v, int64_t n,
                      const struct pair_loop loop, const dynamic_src *i, const dynamic_acc *sum,
                      double out[SLUICE_SUM_COUNT])
{
    const real rate = k->kernel.f * sum->rate / k->rho0;
    VIEW(v, RATE, n, 1, 0) = rate;
    if (loop.energy) {
        const double internal = (double)i->mass * (double)i->p * (double)k->rho0 * (double)rate;
        out[SLUICE_SUM_IDENTITY] += internal;
        out[SLUICE_SUM_IDENTITY_ABS] += fabs(internal);
    }
}
#endif
