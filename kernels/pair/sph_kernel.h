/* Smoothing kernels W(r; h), normalised in 2-D and 3-D, and F = W'(r)/r (negative), so that grad W
 * = F d. q = r/h, u = q/2:
 *
 *   Wendland C2     W = a (1 - u)^4 (1 + 4u)                  F = -5 a (1 - u)^3/h^2
 *   Wendland C4     W = a (1 - u)^6 (1 + 6u + 35/3 u^2)       F = -14/3 a (1 - u)^5 (1 + 5u)/h^2
 *                   (Wendland 1995; Dehnen & Aly 2012, table 1)
 *   cubic spline    W = a ([2 - q]^3/4 - [1 - q]^3)           F = W'/r
 *                   (M4; Monaghan 1992, section 7)
 *   quintic spline  W = a ([3 - q]^5 - 6 [2 - q]^5 + 15 [1 - q]^5),  F = W'/r
 *                   (M6; Morris, Fox & Zhu 1997)
 *
 * where [x] = max(x, 0). All are exactly zero beyond their support, 2h or for the quintic spline
 * 3h, and F is finite at r = 0. */
#ifndef SLUICE_PAIR_SPH_KERNEL_H
#define SLUICE_PAIR_SPH_KERNEL_H
#include "kernels/pair/pair_contract.h"

#define SPH_PI 3.14159265358979323846

/* Constants of one kernel at one h. The pair loop sums the shapes W/w and F/f; store() multiplies
 * the sums by w and f. */
struct sph_kernel {
    real inverse_h, half; /* 1/h, 1/(2h) */
    real w, f;
    real peak, support; /* W/w at r = 0; m */
    int name;           /* enum sluice_kernel */
};

static inline struct sph_kernel sph_kernel_prepare(int name, double h, int dim)
{
    static const struct {
        double a[2]; /* times h^D: in 2-D, 3-D */
        double f;    /* F = a f shape/h^2 */
        double peak, support;
    } kernels[] = {
        {{7 / (4 * SPH_PI), 21 / (16 * SPH_PI)}, -5, 1, 2},         /* Wendland C2 */
        {{10 / (7 * SPH_PI), 1 / SPH_PI}, -1, 1, 2},                /* cubic spline */
        {{9 / (4 * SPH_PI), 495 / (256 * SPH_PI)}, -14. / 3, 1, 2}, /* Wendland C4 */
        {{7 / (478 * SPH_PI), 1 / (120 * SPH_PI)}, -5, 66, 3},      /* quintic spline */
    };
    const double a = kernels[name].a[dim - 2] / (dim == 2 ? h * h : h * h * h);
    struct sph_kernel k;
    k.inverse_h = (real)(1 / h);
    k.half = (real)(0.5 / h);
    k.w = (real)a;
    k.f = (real)(kernels[name].f * a / (h * h));
    k.peak = (real)kernels[name].peak;
    k.support = (real)(kernels[name].support * h);
    k.name = name;
    return k;
}

/* l^2/h^2, where l^2 is the integral of |F| d^4 over that of |F| d^2: the mean of d^2 with the
 * weights of the viscous stress, in 2-D or 3-D. */
static inline double sph_kernel_mean_square(int name, int dim)
{
    static const double ratio[][2] = {{10. / 9, 4. / 3},       /* Wendland C2 */
                                      {62. / 49, 3. / 2},      /* cubic spline */
                                      {28. / 33, 40. / 39},    /* Wendland C4 */
                                      {2771. / 1434, 7. / 3}}; /* quintic spline */
    return ratio[name][dim - 2];
}

/* --- Wendland C2, the default: code of its own --- */

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

/* --- The others, chosen at run time: the branch is the same for all pairs --- */

HD lane sph_power4(lane x)
{
    return (x * x) * (x * x);
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
                     lane_max(q, lane_of(1)); /* the divisor is q wherever `far` is taken */
    return lane_select(q < 1, 3 - (real)2.25 * q, far);
}

HD lane wendland_c4_w_shape(const struct sph_kernel *k, lane r)
{
    const lane t = lane_ramp(r, k->half), u = r * k->half;
    return sph_power4(t) * (t * t) * (1 + u * (6 + u * (real)(35. / 3)));
}

HD lane wendland_c4_f_shape(const struct sph_kernel *k, lane r)
{
    const lane t = lane_ramp(r, k->half);
    return sph_power4(t) * t * (1 + r * (5 * k->half));
}

HD lane quintic_w_shape(const struct sph_kernel *k, lane r)
{
    const lane q = r * k->inverse_h, outer = lane_max(3 - q, lane_of(0)),
               middle = lane_max(2 - q, lane_of(0)), inner = lane_max(1 - q, lane_of(0));
    return sph_power4(outer) * outer - 6 * sph_power4(middle) * middle +
           15 * sph_power4(inner) * inner;
}

/* For q < 1 the sum of powers is divided by q on paper. */
HD lane quintic_f_shape(const struct sph_kernel *k, lane r)
{
    const lane q = r * k->inverse_h, outer = lane_max(3 - q, lane_of(0)),
               middle = lane_max(2 - q, lane_of(0));
    const lane near = 24 + q * q * (10 * q - 24),
               far = (sph_power4(outer) - 6 * sph_power4(middle)) / lane_max(q, lane_of(1));
    return lane_select(q < 1, near, far);
}

HD lane chosen_w_shape(const struct sph_kernel *k, lane r)
{
    return k->name == SLUICE_KERNEL_CUBIC_SPLINE  ? cubic_w_shape(k, r)
           : k->name == SLUICE_KERNEL_WENDLAND_C4 ? wendland_c4_w_shape(k, r)
                                                  : quintic_w_shape(k, r);
}

HD lane chosen_f_shape(const struct sph_kernel *k, lane r)
{
    return k->name == SLUICE_KERNEL_CUBIC_SPLINE  ? cubic_f_shape(k, r)
           : k->name == SLUICE_KERNEL_WENDLAND_C4 ? wendland_c4_f_shape(k, r)
                                                  : quintic_f_shape(k, r);
}

/* --- The shapes of W and F for the kernels that a loop is compiled for --- */

HD int sph_is_wendland(const struct sph_kernel *k, const enum pair_kernel kernel)
{
    return kernel == PAIR_KERNEL_ALL ? k->name == SLUICE_KERNEL_WENDLAND_C2
                                     : kernel == PAIR_KERNEL_WENDLAND;
}
HD lane sph_w_shape(const struct sph_kernel *k, const enum pair_kernel kernel, lane r)
{
    return sph_is_wendland(k, kernel) ? wendland_w_shape(k, r) : chosen_w_shape(k, r);
}
HD lane sph_f_shape(const struct sph_kernel *k, const enum pair_kernel kernel, lane r)
{
    return sph_is_wendland(k, kernel) ? wendland_f_shape(k, r) : chosen_f_shape(k, r);
}
#endif
