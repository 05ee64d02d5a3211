/* The state of wall particles, extrapolated from the fluid (Adami, Hu & Adams 2012).
 *
 *   p_w = max(0, [sum_f p_f W + (g - a_w) . sum_f rho_f (x_w - x_f) W]/sum_f W)     eq. 27
 *   rho_w from the equation of state                                               eq. 28
 *   no slip: v_w = 2 u_w - sum_f v_f W/sum_f W, for the viscous term only           eq. 22-23
 *            of walls that turn + w x (x_m - x_w), x_m the place of that mean: the rigid velocities
 *            at both places, so water that turns with its walls has no friction
 *
 * rho_f is the density of f's own fluid. A wall has the first fluid's rho0 and equation of state;
 * the second fluid sees its volume V = m/rho alone. p_w = 0 where no fluid is near. The lower limit
 * 0 keeps walls from pulling at a free surface. It holds for the whole pressure: with a background
 * pressure p_w itself may be as low as minus that. */
#ifndef SLUICE_PAIR_ADAMI_H
#define SLUICE_PAIR_ADAMI_H
#include "kernels/pair/sph_kernel.h"
#include "kernels/pair/wall_spin.h"
#include "kernels/pair/eos.h"
#include "kernels/types/wcsph_params.h"

#define adami_PARAMS(X) /* derived by the model: kernels/types/wcsph_params.h */
#define adami_READS                                                                                \
    (SLUICE_BIT(POSITION) | SLUICE_BIT(PREDICTED) | SLUICE_BIT(EOS) | SLUICE_BIT(PHASE))
#define adami_WRITES        (SLUICE_BIT(EOS) | SLUICE_BIT(PREDICTED))
#define adami_PACKS         SLUICE_FIELD_EOS
#define adami_SUMS          0
#define adami_FLOPS(kernel) 24
#define adami_MASKS_ITSELF  1
#define adami_USES_R        1
/* predicted velocity; p/rho0^2; rho/rho0 */
#define adami_SRC(X) X(vx) X(vy) X(vz) X(p) X(rho)
/* sums of W, of p W/rho0^2, of (rho/rho0) d W, of v W, of d W where walls turn */
#define adami_ACC(X) X(w) X(p) X(x) X(y) X(z) X(vx) X(vy) X(vz) X(mx) X(my) X(mz)

PAIR_STRUCT(adami_src, adami_SRC)
PAIR_STRUCT(adami_acc, adami_ACC)

typedef struct wcsph_params adami_params;
typedef struct {
    struct sph_kernel kernel;
    struct eos_constants eos;
    real support, gravity[3];
    real tiny; /* 1e-6 of the peak of the kernel's shape: below it the wall sees no fluid */
    int no_slip;
    struct wall_spin spin;
    int two;          /* there is a second fluid: */
    real second_rho0; /* its reference density over the first one's */
} adami_constants;

static inline adami_constants adami_prepare(const adami_params *p, double mass)
{
    adami_constants k;
    (void)mass;
    k.kernel = sph_kernel_prepare(p->kernel, p->h, p->dimension);
    k.eos = eos_prepare(p);
    k.support = k.kernel.support;
    for (int c = 0; c < 3; c++)
        k.gravity[c] = (real)p->gravity[c];
    k.tiny = (real)1e-6 * k.kernel.peak;
    k.no_slip = !p->slip && wcsph_is_viscous(p);
    k.spin = wall_spin_prepare(k.no_slip ? p->motions : NULL);
    k.two = p->second != NULL;
    k.second_rho0 = (real)(k.two ? p->second->rho0 / p->rho0 : 1);
    return k;
}

/* Free slip needs no velocities, and one fluid no phases: code of its own. */
HD int adami_is_usual(const adami_constants *k)
{
    return !k->no_slip && !k->two;
}
HD adami_constants adami_usual(adami_constants k)
{
    k.no_slip = 0;
    k.spin.used = 0;
    k.two = 0;
    return k;
}

HD adami_src adami_load(const adami_constants *k, const struct sluice_view *v, int64_t i,
                        const int dim, const int source, real packed)
{
    adami_src s = {0, 0, 0, 0, 0};
    if (source == SLUICE_TARGET)
        return s;
    s.rho = 1 / VIEW(v, EOS, i, 2, 1);
    if (k->two && view_phase(v, i))
        s.rho *= k->second_rho0;
    s.p = packed * (s.rho * s.rho); /* p/rho0^2, rho0 the first fluid's */
    if (k->no_slip) {
        const struct real4 u = view_predicted(v, i, dim);
        s.vx = u.x;
        s.vy = u.y;
        s.vz = u.z;
    }
    return s;
}

HD void adami_eval(const adami_constants *k, const struct pair_loop loop,
                   const struct pair_distance *at, const adami_src_lanes *i, const adami_src *j,
                   adami_acc_lanes *sum)
{
    (void)i;
    const lane w = sph_w_shape(&k->kernel, loop.kernel, at->r), rho_w = j->rho * w;
    sum->w += w;
    sum->p += j->p * w;
    pair_add(loop.dim, rho_w, at->d, &sum->x, &sum->y, &sum->z);
    if (k->no_slip) { /* the same for all pairs */
        sum->vx += j->vx * w;
        sum->vy += j->vy * w;
        if (loop.dim == 3)
            sum->vz += j->vz * w;
        if (k->spin.used)
            pair_add(loop.dim, w, at->d, &sum->mx, &sum->my, &sum->mz);
    }
}

/* w x (x_m - x_w) of wall particle n, where some walls turn. */
HD void adami_turned(const adami_constants *k, const struct sluice_view *v, int64_t n,
                     const adami_acc *sum, real turned[3])
{
    const real inverse = -1 / sum->w,
               mean[3] = {inverse * sum->mx, inverse * sum->my, inverse * sum->mz};
    real spin[3];
    wall_spin_of(&k->spin, v, n, spin);
    for (int c = 0; c < 3; c++)
        turned[c] = wall_spin_cross(spin, mean, c);
}

HD void adami_store(const adami_constants *k, const struct sluice_view *v, int64_t n,
                    const struct pair_loop loop, const adami_src *i, const adami_acc *sum,
                    double out[SLUICE_SUM_COUNT])
{
    (void)i, (void)out;
    const int near = sum->w > k->tiny;
    const real inverse = near ? 1 / sum->w : 0;
    const real x[3] = {sum->x, sum->y, sum->z}, vf[3] = {sum->vx, sum->vy, sum->vz};
    const real *velocity = v->field[SLUICE_FIELD_VELOCITY],
               *acceleration = v->field[SLUICE_FIELD_ACCELERATION];
    real lifted = 0;
    for (int c = 0; c < loop.dim; c++)
        lifted += (k->gravity[c] - (acceleration ? acceleration[loop.dim * n + c] : 0)) * x[c];
    const real rho0 = k->eos.rho0;
    const real p = real_max((rho0 * rho0 * sum->p + rho0 * lifted) * inverse, 0) -
                   k->eos.background;
    const real r = p != 0 ? eos_relative_density(&k->eos, p) : 0;
    eos_record(&k->eos, r, p, &VIEW(v, EOS, n, 2, 0));
    if (v->field[SLUICE_FIELD_PREDICTED]) {
        real turned[3] = {0, 0, 0};
        if (k->spin.used && near)
            adami_turned(k, v, n, sum, turned);
        for (int c = 0; c < loop.dim; c++) {
            const real wall = velocity ? velocity[loop.dim * n + c] : 0;
            real u = near ? 2 * wall - vf[c] * inverse : wall;
            if (k->spin.used)
                u += turned[c];
            VIEW(v, PREDICTED, n, loop.dim + 1, c) = u;
        }
        VIEW(v, PREDICTED, n, loop.dim + 1, loop.dim) = eos_head(&k->eos, r);
    }
}
#endif
