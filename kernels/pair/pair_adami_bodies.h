/* The state of wall particles where bodies move: pair_adami.h, and for the particles of bodies what
 * their acceleration follows from. Adami's wall pressure contains the wall's acceleration a_w,
 *
 *   p_w = max(0, p0 - L.a_w)                                        (Adami et al. 2012, eq. 27)
 *   p0  = [sum_f p_f W + g . sum_f rho_f (x_w - x_f) W]/sum_f W
 *   L   = sum_f rho_f (x_w - x_f) W/sum_f W
 *
 * and a_w of a body follows from the force on it, so both are found together. With d = x_w - x_f
 * the force of pressure on the particle (pair_reaction.h) is
 *
 *   F_w = F_f + S p_w/rho_w^2,   F_f = -m_w sum_f m_f (p_f/rho_f^2) F d,   S = -m_w sum_f m_f F d
 *
 * and of two fluids, by volumes (wcsph_two_fluids.h),
 *
 *   F_w = (F_f + S p_w/rho0^2) rho0/rho_w,   F_f = -m_w sum_f (V_f p_f/rho0) F d,
 *                                            S = -m_w sum_f V_f rho0 F d,   rho0 the first fluid's
 *
 * Stored: (p0, L) as EXTRAPOLATED, S as SHARE, F_f as REACTION, until that gets the whole force.
 * Particles that are not of a body have their state at once, as in pair_adami.h. */
#ifndef SLUICE_PAIR_ADAMI_BODIES_H
#define SLUICE_PAIR_ADAMI_BODIES_H
#include "kernels/pair/pair_adami.h"

#define adami_bodies_PARAMS(X) /* derived by the model: kernels/types/wcsph_params.h */
#define adami_bodies_READS     (SLUICE_BIT(POSITION) | SLUICE_BIT(PREDICTED) | SLUICE_BIT(EOS))
#define adami_bodies_WRITES                                                                        \
    (SLUICE_BIT(EOS) | SLUICE_BIT(PREDICTED) | SLUICE_BIT(EXTRAPOLATED) | SLUICE_BIT(SHARE) |      \
     SLUICE_BIT(REACTION))
#define adami_bodies_PACKS         SLUICE_FIELD_EOS
#define adami_bodies_SUMS          0
#define adami_bodies_FLOPS(kernel) 45
#define adami_bodies_MASKS_ITSELF  1
#define adami_bodies_USES_R        1
/* as adami_SRC; the mass, and that times p/rho^2; of two fluids V rho0, and that times p/rho0^2 */
#define adami_bodies_SRC(X) X(vx) X(vy) X(vz) X(p) X(rho) X(mass) X(push)
/* as adami_ACC; sums of m p/rho^2 F d, and of m F d */
#define adami_bodies_ACC(X)                                                                        \
    X(w) X(p) X(x) X(y) X(z) X(vx) X(vy) X(vz) X(mx) X(my) X(mz) X(fx) X(fy) X(fz) X(sx) X(sy) X(sz)

PAIR_STRUCT(adami_bodies_src, adami_bodies_SRC)
PAIR_STRUCT(adami_bodies_acc, adami_bodies_ACC)

typedef struct wcsph_params adami_bodies_params;
typedef adami_constants adami_bodies_constants;

static inline adami_bodies_constants adami_bodies_prepare(const adami_bodies_params *p, double mass)
{
    return adami_prepare(p, mass);
}
HD int adami_bodies_is_usual(const adami_bodies_constants *k)
{
    return adami_is_usual(k);
}
HD adami_bodies_constants adami_bodies_usual(adami_bodies_constants k)
{
    return adami_usual(k);
}

HD adami_bodies_src adami_bodies_load(const adami_bodies_constants *k, const struct sluice_view *v,
                                      int64_t i, const int dim, const int source, real packed)
{
    const adami_src of = adami_load(k, v, i, dim, source, packed);
    const int by_volume = k->two && source != SLUICE_TARGET;
    const real own = VIEW(v, POSITION, i, dim + 1, dim), mass = by_volume ? own / of.rho : own;
    const adami_bodies_src s = {
        of.vx, of.vy, of.vz, of.p, of.rho, mass, mass * (by_volume ? of.p : packed)};
    return s;
}

HD void adami_bodies_eval(const adami_bodies_constants *k, const struct pair_loop loop,
                          const struct pair_distance *at, const adami_bodies_src_lanes *i,
                          const adami_bodies_src *j, adami_bodies_acc_lanes *sum)
{
    (void)i;
    const lane w = sph_w_shape(&k->kernel, loop.kernel, at->r), rho_w = j->rho * w,
               f = sph_f_shape(&k->kernel, loop.kernel, at->r);
    sum->w += w;
    sum->p += j->p * w;
    pair_add(loop.dim, rho_w, at->d, &sum->x, &sum->y, &sum->z);
    pair_add(loop.dim, j->push * f, at->d, &sum->fx, &sum->fy, &sum->fz);
    pair_add(loop.dim, j->mass * f, at->d, &sum->sx, &sum->sy, &sum->sz);
    if (k->no_slip) { /* the same for all pairs */
        sum->vx += j->vx * w;
        sum->vy += j->vy * w;
        if (loop.dim == 3)
            sum->vz += j->vz * w;
        if (k->spin.used)
            pair_add(loop.dim, w, at->d, &sum->mx, &sum->my, &sum->mz);
    }
}

HD void adami_bodies_store(const adami_bodies_constants *k, const struct sluice_view *v, int64_t n,
                           const struct pair_loop loop, const adami_bodies_src *i,
                           const adami_bodies_acc *sum, double out[SLUICE_SUM_COUNT])
{
    const adami_src none = {0, 0, 0, 0, 0};
    const adami_acc state = {sum->w,  sum->p,  sum->x,  sum->y,  sum->z, sum->vx,
                             sum->vy, sum->vz, sum->mx, sum->my, sum->mz};
    const int dim = loop.dim;
    const real rho0 = k->eos.rho0, inverse = sum->w > k->tiny ? rho0 / sum->w : 0,
               force = -i->mass * k->kernel.f;
    const real x[3] = {sum->x, sum->y, sum->z}, f[3] = {sum->fx, sum->fy, sum->fz},
               s[3] = {sum->sx, sum->sy, sum->sz};
    real p = rho0 * sum->p;
    adami_store(k, v, n, loop, &none, &state, out);
    for (int c = 0; c < dim; c++) {
        p += k->gravity[c] * x[c];
        VIEW(v, EXTRAPOLATED, n, dim + 1, 1 + c) = inverse * x[c];
        VIEW(v, SHARE, n, dim, c) = force * s[c];
        VIEW(v, REACTION, n, dim, c) = force * f[c];
    }
    VIEW(v, EXTRAPOLATED, n, dim + 1, 0) = inverse * p;
}
#endif
