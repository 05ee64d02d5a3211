/* Friction of walls by the law of the wall: the stress from the speed of each fluid particle along
 * the wall, at its distance y from the wall. V_w = m_w/rho0.
 *
 *   n_i = sum_w V_w F d, normal to the wall;  S_i = sum_w V_w F
 *   y     from |n_i|/S_i, the mean distance of the wall particles, by the parabola that is exact
 *         for three rows of particles at a plane wall
 *   a_i = -2 |n_i| tau/rho v_t/|v_t|, v_t the part of v_i - u_w along the wall, u_w the velocity
 *         that the wall's rigid motion has at x_i
 *         (Ferrand et al. 2013, whose wall shear stress acts through the gradient of the walls'
 *         share; the sum of 2 |n_i| dp over rows is 1)
 *
 *   turbulent   tau = rho u*^2, |v_t|/u* = 1/kappa ln(E y/(nu/u* + 0.3 ks))
 *               kappa = 0.41, E = 9.8 (Launder & Spalding 1974); a grain ks (Nikuradse 1933) with
 *               Colebrook's 1939 transition: ln(32.6 y/ks)/kappa where it is rough
 *   laminar     tau = rho nu |v_t|/y, where that is larger: on a smooth wall where y u* is below
 *               11.2 nu
 *
 * The logarithm is at least 1, which it is from y = 0.083 ks on. */
#ifndef SLUICE_PAIR_WALL_LAW_H
#define SLUICE_PAIR_WALL_LAW_H
#include "kernels/types/real.h"
#include "kernels/types/wcsph_params.h"

#define WALL_LAW_KAPPA 0.41
#define WALL_LAW_E     9.8
#define WALL_LAW_GRAIN 0.3  /* E/0.3 = 32.6 */
#define WALL_LAW_LEAST 0.25 /* of y, in spacings */

struct wall_law {
    int used;
    real nu, grain; /* m^2/s; 0.3 ks, m */
    real least; /* the smallest y, m: particles in corners and in walls seem nearer than they are */
    real y[3];  /* y = y[0] + y[1] m + y[2] m^2 of the mean distance m */
};

static inline struct wall_law wall_law_prepare(const struct wcsph_params *p)
{
    struct wall_law w;
    w.used = p->wall_law.used;
    w.nu = (real)p->wall_law.nu;
    w.grain = (real)(WALL_LAW_GRAIN * p->wall_law.roughness);
    w.least = (real)(WALL_LAW_LEAST * p->spacing);
    for (int n = 0; n < 3; n++)
        w.y[n] = (real)p->wall_law.y[n];
    return w;
}

/* The distance from the wall, of the mean distance of its particles. */
HD real wall_law_distance(const struct wall_law *w, real mean)
{
    return real_max(w->least, w->y[0] + mean * (w->y[1] + mean * w->y[2]));
}

/* tau/rho over the speed, m/s. */
HD real wall_law_friction(const struct wall_law *w, real speed, real y)
{
    const real laminar = w->nu / y, kappa = (real)WALL_LAW_KAPPA;
    real u = (real)0.05 * speed; /* u*, by Newton's iteration */
    if (!(u > 0))
        return laminar;
    for (int n = 0; n < 4; n++) {
        const real thick = w->nu / u, inner = thick + w->grain;
        const real slope = REAL_LOG((real)WALL_LAW_E * y / inner);
        const real log_law = real_max(slope, 1);
        u = real_max(u - (u * log_law - kappa * speed) /
                             (log_law + (slope > 1 ? thick / inner : 0)),
                     (real)1e-3 * speed);
    }
    return real_max(laminar, u * u / speed);
}
#endif
