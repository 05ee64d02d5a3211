/* The state of wall particles, extrapolated from the fluid (Adami, Hu & Adams 2012). A template, as
 * wcsph.h is.
 *
 *   p_w = max(0, [sum_f p_f W + (g - a_w) . sum_f rho_f (x_w - x_f) W]/sum_f W)     eq. 27
 *   rho_w from the equation of state                                               eq. 28
 *   no slip: v_w = 2 u_w - sum_f v_f W/sum_f W, for the viscous term only           eq. 22-23
 *
 * rho_f is the density of the fluid that f is of; a wall has the first fluid's rho0 and equation of
 * state, of which the volume V = m/rho remains. p_w = 0 where no fluid is near. The lower limit 0
 * keeps walls from pulling at a free surface's fluid; it is on the whole pressure: a background
 * pressure leaves room for less than that. */
#include "kernels/pair/adami_terms.h"

typedef struct wcsph_params SPH_NAME(params);
typedef struct adami_constants SPH_NAME(constants);
typedef struct adami_src SPH_NAME(src);
typedef struct adami_acc SPH_NAME(acc);
typedef LANES_OF(adami_src) SPH_NAME(src_lanes);
typedef LANES_OF(adami_acc) SPH_NAME(acc_lanes);

static inline struct adami_constants SPH_NAME(prepare)(const struct wcsph_params *p, double mass)
{
    (void)mass;
    return adami_constants_of(p);
}

/* Free slip needs no velocities, and one fluid no ids: code of its own. */
HD int SPH_NAME(is_usual)(const struct adami_constants *k)
{
    return !k->no_slip && !k->two;
}
HD struct adami_constants SPH_NAME(usual)(struct adami_constants k)
{
    k.no_slip = 0;
    k.two = 0;
    return k;
}

HD real SPH_NAME(support)(const struct adami_constants *k)
{
    return k->support;
}

/* p/rho^2. */
HD real SPH_NAME(pack)(const struct sluice_view *v, int64_t i, const int dim, const int source)
{
    (void)dim;
    return source == SLUICE_TARGET ? 0 : VIEW(v, EOS, i, 2, 0);
}

HD struct adami_src SPH_NAME(load)(const struct adami_constants *k, const struct sluice_view *v,
                                   int64_t i, const int dim, const int source, real packed)
{
    struct adami_src s = {0, 0, 0, 0, 0};
    if (source == SLUICE_TARGET)
        return s;
    s.rho = 1 / VIEW(v, EOS, i, 2, 1);
    if (k->two && v->id[i] >= k->second_from)
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

HD void SPH_NAME(eval)(const struct adami_constants *k, const int source, const int dim,
                       const int energy, const lane d[3], const lane r2, const lane r,
                       const LANES_OF(adami_src) * i, const struct adami_src *j,
                       LANES_OF(adami_acc) * sum)
{
    (void)source, (void)energy, (void)i, (void)r2;
    const lane w = SPH_KERNEL(w_shape)(&k->kernel, r), rho_w = j->rho * w;
    sum->w += w;
    sum->p += j->p * w;
    sum->x += rho_w * d[0];
    sum->y += rho_w * d[1];
    if (dim == 3)
        sum->z += rho_w * d[2];
    if (k->no_slip) { /* the same for all pairs */
        sum->vx += j->vx * w;
        sum->vy += j->vy * w;
        if (dim == 3)
            sum->vz += j->vz * w;
    }
}

HD void SPH_NAME(store)(const struct adami_constants *k, const struct sluice_view *v, int64_t n,
                        const int dim, const int energy, const struct adami_src *i,
                        const struct adami_acc *sum, double out[SLUICE_SUM_COUNT])
{
    (void)energy, (void)i, (void)out;
    const int near = sum->w > k->tiny;
    const real inverse = near ? 1 / sum->w : 0;
    const real x[3] = {sum->x, sum->y, sum->z}, vf[3] = {sum->vx, sum->vy, sum->vz};
    const real *velocity = v->field[SLUICE_FIELD_VELOCITY],
               *acceleration = v->field[SLUICE_FIELD_ACCELERATION];
    real lifted = 0;
    for (int c = 0; c < dim; c++)
        lifted += (k->gravity[c] - (acceleration ? acceleration[dim * n + c] : 0)) * x[c];
    const real rho0 = k->eos.rho0;
    const real p = real_max((rho0 * rho0 * sum->p + rho0 * lifted) * inverse, 0) -
                   k->eos.background;
    const real r = p != 0 ? eos_relative_density(&k->eos, p) : 0;
    eos_record(&k->eos, r, p, &VIEW(v, EOS, n, 2, 0));
    if (v->field[SLUICE_FIELD_PREDICTED]) {
        for (int c = 0; c < dim; c++) {
            const real wall = velocity ? velocity[dim * n + c] : 0;
            VIEW(v, PREDICTED, n, dim + 1, c) = near ? 2 * wall - vf[c] * inverse : wall;
        }
        VIEW(v, PREDICTED, n, dim + 1, dim) = eos_head(&k->eos, r);
    }
}
