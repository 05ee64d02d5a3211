/* Smoothing kernels W(r; h) of support 2h, normalised in 2-D and 3-D, and F = W'(r)/r (negative),
 * so that grad W = F d.
 *
 * Both mask themselves: beyond 2h they are exactly zero, and F is finite at r = 0.
 *   Wendland C2 (Wendland 1995; Dehnen & Aly 2012, table 1):
 *       W = a (1 - q/2)^4 (1 + 2q),  F = -5 a (1 - q/2)^3/h^2
 *   cubic spline M4 (Monaghan 1992, section 7):
 *       W = s (1 - 3/2 q^2 + 3/4 q^3) for q < 1, s/4 (2 - q)^3 for q < 2 */
#ifndef SLUICE_PAIR_SPH_KERNEL_H
#define SLUICE_PAIR_SPH_KERNEL_H
#include "kernels/lanes.h"

#define SPH_PI 3.14159265358979323846

/* Constants of one kernel at one h: w and f scale W and F. What the pair loop sums is their shapes,
 * W/w and F/f; the sums are scaled at the end. */
struct sph_kernel {
    real inverse_h, half; /* 1/h, 1/(2h) */
    real w, f;
};

static inline struct sph_kernel wendland_prepare(double h, int dim)
{
    const double a = dim == 2 ? 7 / (4 * SPH_PI * h * h) : 21 / (16 * SPH_PI * h * h * h);
    struct sph_kernel k;
    k.inverse_h = (real)(1 / h);
    k.half = (real)(0.5 / h);
    k.w = (real)a;
    k.f = (real)(-5 * a / (h * h));
    return k;
}

HD lane wendland_w_shape(const struct sph_kernel *k, lane r)
{
    const lane t = lane_ramp(r, k->half), t2 = t * t;
    return (t2 * t2) * (1 + r * (4 * k->half));
}

HD lane wendland_f_shape(const struct sph_kernel *k, lane r)
{
    const lane t = lane_ramp(r, k->half);
    return t * t * t;
}

static inline struct sph_kernel cubic_prepare(double h, int dim)
{
    const double s = dim == 2 ? 10 / (7 * SPH_PI * h * h) : 1 / (SPH_PI * h * h * h);
    struct sph_kernel k;
    k.inverse_h = (real)(1 / h);
    k.half = (real)(0.5 / h);
    k.w = (real)s;
    k.f = (real)(-s / (h * h));
    return k;
}

HD lane cubic_w_shape(const struct sph_kernel *k, lane r)
{
    const lane q = r * k->inverse_h;
    const lane outer = lane_max(2 - q, lane_of(0)), inner = lane_max(1 - q, lane_of(0));
    return (real)0.25 * outer * outer * outer - inner * inner * inner;
}

HD lane cubic_f_shape(const struct sph_kernel *k, lane r)
{
    const lane q = r * k->inverse_h;
    const lane outer = lane_max(2 - q, lane_of(0));
    const lane far = (real)0.75 * outer * outer /
                     lane_max(q, lane_of(1)); /* the divisor is q wherever this one is taken */
    return lane_select(q < 1, 3 - (real)2.25 * q, far);
}

#ifndef SLUICE_LANE_BYTES
/* W and F themselves, for one distance. */
HD real wendland_w(const struct sph_kernel *k, real r)
{
    return k->w * wendland_w_shape(k, r);
}
HD real wendland_f(const struct sph_kernel *k, real r)
{
    return k->f * wendland_f_shape(k, r);
}
HD real cubic_w(const struct sph_kernel *k, real r)
{
    return k->w * cubic_w_shape(k, r);
}
HD real cubic_f(const struct sph_kernel *k, real r)
{
    return k->f * cubic_f_shape(k, r);
}
#endif
#endif
