/* Smoothing kernels W(r; h) of support 2h, normalised in 2-D and 3-D, and F = W'(r)/r (negative), so that grad W = F d.
 *
 * Both mask themselves: beyond 2h they are exactly zero, and F is finite at r = 0.
 *   Wendland C2 (Wendland 1995; Dehnen & Aly 2012, table 1): W = a (1 - q/2)^4 (1 + 2q),  F = -5 a (1 - q/2)^3/h^2
 *   cubic spline M4 (Monaghan 1992, section 7):               W = s (1 - 3/2 q^2 + 3/4 q^3) for q < 1, s/4 (2 - q)^3 for q < 2 */
#ifndef SLUICE_PAIR_SPH_KERNEL_H
#define SLUICE_PAIR_SPH_KERNEL_H
#include "kernels/real.h"

#define SPH_PI 3.14159265358979323846

/* Constants of one kernel at one h: w and f scale W and F. */
struct sph_kernel {
    real inverse_h, w, f;
};

static inline struct sph_kernel wendland_prepare(double h, int dim)
{
    const double a = dim == 2 ? 7 / (4 * SPH_PI * h * h) : 21 / (16 * SPH_PI * h * h * h);
    struct sph_kernel k;
    k.inverse_h = (real)(1 / h);
    k.w = (real)a;
    k.f = (real)(-5 * a / (h * h));
    return k;
}

HD real wendland_w(const struct sph_kernel *k, real r)
{
    const real q = r * k->inverse_h;
    const real t = real_max(1 - (real)0.5 * q, 0), t2 = t * t;
    return k->w * (t2 * t2) * (1 + 2 * q);
}

HD real wendland_f(const struct sph_kernel *k, real r)
{
    const real t = real_max(1 - (real)0.5 * (r * k->inverse_h), 0);
    return k->f * (t * t * t);
}

static inline struct sph_kernel cubic_prepare(double h, int dim)
{
    const double s = dim == 2 ? 10 / (7 * SPH_PI * h * h) : 1 / (SPH_PI * h * h * h);
    struct sph_kernel k;
    k.inverse_h = (real)(1 / h);
    k.w = (real)s;
    k.f = (real)(-s / (h * h));
    return k;
}

HD real cubic_w(const struct sph_kernel *k, real r)
{
    const real q = r * k->inverse_h;
    const real outer = real_max(2 - q, 0), inner = real_max(1 - q, 0);
    return k->w * ((real)0.25 * outer * outer * outer - inner * inner * inner);
}

HD real cubic_f(const struct sph_kernel *k, real r)
{
    const real q = r * k->inverse_h;
    const real outer = real_max(2 - q, 0);
    const real far = (real)0.75 * outer * outer / real_max(q, 1); /* the divisor is q wherever this one is taken */
    return k->f * (q < 1 ? 3 - (real)2.25 * q : far);
}
#endif
