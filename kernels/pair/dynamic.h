/* Continuity of dynamic wall particles (Crespo, Gomez-Gesteira & Dalrymple 2007). A template, as
 * wcsph.h is.
 *
 *   dr_w/dt = 1/rho0 sum_f m_f F (u_w - v_f).d
 *
 * Their pressure comes from the equation of state, as the fluid's does.
 *
 * What the fluid does to a wall particle is stored in it as elastic energy, so that nothing is
 * booked as a source. */
#include "kernels/pair/wcsph_terms.h"

#ifndef SLUICE_PAIR_DYNAMIC_TERMS
#define SLUICE_PAIR_DYNAMIC_TERMS
#define DYNAMIC_READS  (SLUICE_BIT(POSITION) | SLUICE_BIT(PREDICTED) | SLUICE_BIT(EOS))
#define DYNAMIC_WRITES SLUICE_BIT(RATE)
#define DYNAMIC_SRC(X) X(vx) X(vy) X(vz) X(mass) X(p)
#define DYNAMIC_ACC(X) X(rate)
struct dynamic_constants {
    struct sph_kernel kernel;
    real support, rho0;
};
struct dynamic_src {
#define X(name) real name;
    DYNAMIC_SRC(X)
#undef X
};
struct dynamic_acc {
    real rate;
};
LANES_DEFINE(dynamic_src, DYNAMIC_SRC)
LANES_DEFINE(dynamic_acc, DYNAMIC_ACC)
#endif

typedef struct wcsph_params SPH_NAME(params);
typedef struct dynamic_constants SPH_NAME(constants);
typedef struct dynamic_src SPH_NAME(src);
typedef struct dynamic_acc SPH_NAME(acc);
typedef LANES_OF(dynamic_src) SPH_NAME(src_lanes);
typedef LANES_OF(dynamic_acc) SPH_NAME(acc_lanes);

static inline struct dynamic_constants SPH_NAME(prepare)(const struct wcsph_params *p, double mass)
{
    struct dynamic_constants k;
    (void)mass;
    k.kernel = sph_kernel_prepare(p->kernel, p->h, p->dimension);
    k.support = k.kernel.support;
    k.rho0 = (real)p->rho0;
    return k;
}

/* Every case is the usual one. */
HD int SPH_NAME(is_usual)(const struct dynamic_constants *k)
{
    return k->support > 0;
}
HD struct dynamic_constants SPH_NAME(usual)(struct dynamic_constants k)
{
    return k;
}

HD real SPH_NAME(support)(const struct dynamic_constants *k)
{
    return k->support;
}

/* The mass. */
HD real SPH_NAME(pack)(const struct sluice_view *v, int64_t i, const int dim, const int source)
{
    (void)source;
    return VIEW(v, POSITION, i, dim + 1, dim);
}

HD struct dynamic_src SPH_NAME(load)(const struct dynamic_constants *k, const struct sluice_view *v,
                                     int64_t i, const int dim, const int source, real packed)
{
    const int wall = source == SLUICE_TARGET;
    const struct real4 u = wall ? wcsph_wall_velocity(v, i, dim) : view_predicted(v, i, dim);
    struct dynamic_src s;
    (void)k;
    s.vx = u.x;
    s.vy = u.y;
    s.vz = u.z;
    s.mass = packed;
    s.p = wall ? VIEW(v, EOS, i, 2, 0) : 0; /* for the power alone */
    return s;
}

HD void SPH_NAME(eval)(const struct dynamic_constants *k, const int source, const int dim,
                       const int energy, const lane d[3], const lane r2, const lane r,
                       const LANES_OF(dynamic_src) * i, const struct dynamic_src *j,
                       LANES_OF(dynamic_acc) * sum)
{
    (void)source, (void)energy, (void)r2;
    lane vd = (i->vx - j->vx) * d[0] + (i->vy - j->vy) * d[1];
    if (dim == 3)
        vd += (i->vz - j->vz) * d[2];
    sum->rate += j->mass * SPH_KERNEL(f_shape)(&k->kernel, r) * vd;
}

HD void SPH_NAME(store)(const struct dynamic_constants *k, const struct sluice_view *v, int64_t n,
                        const int dim, const int energy, const struct dynamic_src *i,
                        const struct dynamic_acc *sum, double out[SLUICE_SUM_COUNT])
{
    (void)dim;
    const real rate = k->kernel.f * sum->rate / k->rho0;
    VIEW(v, RATE, n, 1, 0) = rate;
    if (energy) {
        const double internal = (double)i->mass * (double)i->p * (double)k->rho0 * (double)rate;
        out[SLUICE_SUM_IDENTITY] += internal;
        out[SLUICE_SUM_IDENTITY_ABS] += fabs(internal);
    }
}
