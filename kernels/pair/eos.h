/* Equations of state of a weakly compressible fluid, in the relative density r = rho/rho0 - 1.
 *
 *   Tait (Cole 1948; Monaghan 1994, eq. 3.1):  p = B [(1 + r)^gamma - 1],  B = rho0 c0^2/gamma,
 *                                              c^2 = c0^2 (1 + r)^(gamma - 1)
 *   linear:                                    p = c0^2 rho0 r,            c^2 = c0^2
 *
 * The head is the specific enthalpy, the integral of dp/rho, over c0^2: in water at rest its
 * gradient is g/c0^2 exactly. Dimensionless; r to first order.
 *
 *   Tait:    e = [(1 + r)^(gamma - 1) - 1]/(gamma - 1)
 *   linear:  e = ln(1 + r)
 *
 * p is without the background pressure, which eos_record() adds.
 *
 * For gamma = 7 the bracket is a polynomial in r, in Horner form: exact for small r, where the
 * power form cancels. */
#ifndef SLUICE_PAIR_EOS_H
#define SLUICE_PAIR_EOS_H
#include "kernels/types/wcsph_params.h"
#include "kernels/types/real.h"

struct eos_constants {
    int eos, seventh;                               /* seventh: Tait with gamma = 7 */
    real rho0, per_rho02, c2, b, gamma, background; /* per_rho02: 1/rho0^2 */
};

static inline struct eos_constants eos_prepare(const struct wcsph_params *p)
{
    struct eos_constants k;
    k.eos = p->eos;
    k.seventh = p->gamma == 7;
    k.rho0 = (real)p->rho0;
    k.per_rho02 = (real)(1 / (p->rho0 * p->rho0));
    k.c2 = (real)(p->sound_speed * p->sound_speed);
    k.gamma = (real)p->gamma;
    k.background = (real)p->background;
    k.b = (real)(p->rho0 * p->sound_speed * p->sound_speed / p->gamma);
    return k;
}

/* Pressure, Pa. */
HD real eos_pressure(const struct eos_constants *k, real r)
{
    if (k->eos == SLUICE_EOS_LINEAR)
        return k->c2 * k->rho0 * r;
    if (k->seventh)
        return k->b * r * (7 + r * (21 + r * (35 + r * (35 + r * (21 + r * (7 + r))))));
    return k->b * (real)expm1((double)(k->gamma * (real)log1p((double)r)));
}

/* r of a pressure p > -B. Newton's iteration from the Pade approximant of (1 + p/B)^(1/gamma) - 1:
 * the same operations on every machine, as expm1 and log1p are not; 5 steps reach double precision
 * for p/B < 10. */
HD real eos_relative_density(const struct eos_constants *k, real p)
{
    if (k->eos == SLUICE_EOS_LINEAR)
        return p / (k->c2 * k->rho0);
    const real x = p / k->b;
    if (!k->seventh)
        return (real)expm1(log1p((double)x) / (double)k->gamma);
    real r = x / (7 + 3 * x);
    for (int step = 0; step < 5; step++) {
        const real e = 1 + r, e2 = e * e;
        const real f = r * (7 + r * (21 + r * (35 + r * (35 + r * (21 + r * (7 + r)))))) - x;
        r -= f / (7 * e2 * e2 * e2);
    }
    return r;
}

/* The head of r > -1. */
HD real eos_head(const struct eos_constants *k, real r)
{
    if (k->eos == SLUICE_EOS_LINEAR) { /* ln(1 + r) = 2 artanh z, its series: for r in [-0.5, 1] to
                                          1e-10, rising throughout, the same on every machine */
        const real z = r / (2 + r), z2 = z * z;
        real sum = 0;
        for (int n = 19; n > 0; n -= 2)
            sum = sum * z2 + 1 / (real)n;
        return 2 * z * sum;
    }
    if (k->seventh)
        return r * (1 + r * ((real)5 / 2 +
                             r * ((real)10 / 3 + r * ((real)5 / 2 + r * (1 + r * ((real)1 / 6))))));
    return (real)expm1((double)(k->gamma - 1) * log1p((double)r)) / (k->gamma - 1);
}

/* The slope de/dr of the head. */
HD real eos_head_slope(const struct eos_constants *k, real r)
{
    const real s = 1 + r, s2 = s * s;
    if (k->eos == SLUICE_EOS_LINEAR)
        return 1 / s;
    if (k->seventh)
        return s2 * s2 * s;
    return (real)expm1((double)(k->gamma - 2) * log1p((double)r)) + 1;
}

/* r of a head, within -0.5 and 1: Newton's iteration, the same on every machine where eos_head is;
 * 5 steps reach double precision for heads from -0.1 to 0.3. A step leaves some 2.5 times the
 * square of its change, so it is the last one where that is less than a rounding: for most heads
 * the first or the second. */
HD real eos_density_of_head(const struct eos_constants *k, real head)
{
    const real curve = k->eos == SLUICE_EOS_LINEAR ? (real)-0.5 : (k->gamma - 2) / 2;
    const real last = sizeof(real) == sizeof(double) ? (real)1e-9 : (real)1e-5;
    real r = head / (1 + curve * head); /* right to second order */
    for (int step = 0; step < 5; step++) {
        r = real_min(real_max(r, (real)-0.5), 1);
        const real change = (eos_head(k, r) - head) / eos_head_slope(k, r);
        r -= change;
        if (REAL_FABS(change) < last)
            break;
    }
    return real_min(real_max(r, (real)-0.5), 1);
}

/* The same in closed form, for the host. Its last bits depend on the mathematical library. */
static inline double eos_density_of_head_exact(int eos, double gamma, double head)
{
    if (eos == SLUICE_EOS_LINEAR || gamma == 1)
        return expm1(head);
    return expm1(log1p((gamma - 1) * head) / (gamma - 1));
}

/* The record EOS of the field table, the background pressure added: p/rho^2, rho0/rho. */
HD void eos_record(const struct eos_constants *k, real r, real pressure, real out[2])
{
    const real s = 1 / (1 + r);
    out[0] = (pressure + k->background) * (s * s) * k->per_rho02;
    out[1] = s;
}
#endif
