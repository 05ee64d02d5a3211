/* Friction by the law of the wall, and the eddies that carry it: kernels/pair/wall_law.h and
 * mixing_length.h, written a second time. */
#include <math.h>

#include "pair_reference_terms.h"

/* The distance of a plane wall whose particles are at this mean distance. */
static double distance(const struct wcsph_params *p, double mean)
{
    const double *a = p->wall_law.y, y = a[0] + a[1] * mean + a[2] * mean * mean;
    return fmax(0.25 * p->spacing, y);
}

/* tau/rho: u* by bisection of kappa U = u* ln(E y/(nu/u* + 0.3 ks)), the logarithm at least 1. */
static double stress(const struct wcsph_params *p, double speed, double y)
{
    double low = 0, high = 0.41 * speed;
    for (int n = 0; n < 200; n++) {
        const double u = (low + high) / 2, inner = p->wall_law.nu / u + 0.3 * p->wall_law.roughness;
        if (u * fmax(1, log(9.8 * y / inner)) < 0.41 * speed)
            low = u;
        else
            high = u;
    }
    return fmax(low * low, p->wall_law.nu * speed / y);
}

void reference_add_wall_law(const struct wcsph_params *p, const struct point *j, const double d[3],
                            double mf, struct sums *t)
{
    double turned[3];
    reference_turned(p, j->motion, d, turned);
    t->w += mf / p->rho0;
    t->p_scale += fabs(mf) * p->h / p->rho0;
    for (int c = 0; c < p->dimension; c++) {
        t->lift[c] += mf / p->rho0 * d[c];
        t->wv[c] += mf / p->rho0 * j->v[c];
        t->turned[c] += mf / p->rho0 * turned[c];
    }
}

double reference_finish_wall_law(const struct wcsph_params *p, const struct point *i,
                                 const struct sums *t, double a[3], double *on_wall)
{
    const double normal = sqrt(reference_dot(t->lift, t->lift));
    double u[3] = {0, 0, 0}, here[3] = {0, 0, 0}, slip[3] = {0, 0, 0}, across = 0;
    a[0] = a[1] = a[2] = *on_wall = 0;
    if (normal == 0)
        return 0;
    for (int c = 0; c < p->dimension; c++) {
        u[c] = t->wv[c] / t->w;
        here[c] = u[c] + t->turned[c] / t->w;
        across += (i->v[c] - here[c]) * t->lift[c] / normal;
    }
    for (int c = 0; c < p->dimension; c++)
        slip[c] = i->v[c] - here[c] - across * t->lift[c] / normal;
    const double speed = sqrt(reference_dot(slip, slip)),
                 tau = stress(p, speed, distance(p, normal / fabs(t->w)));
    for (int c = 0; c < p->dimension && speed > 0; c++) {
        a[c] = -2 * normal * tau * slip[c] / speed;
        *on_wall += a[c] * u[c];
    }
    /* An error of n turns the slip and moves the particle: its part of n, at most all of it. */
    return 2 * tau * t->p_scale * 30;
}

/* 2-D: the mean of |sin 2t|^3/8 over that of sin^2(2t)/4. 3-D: over the sphere, with the integral
 * 4/35 of sin^4 t |cos t|^3 and 8/3 of |cos p|^3, over 1/15. */
double reference_eddies(const struct wcsph_params *p, const struct point *i, const struct point *j,
                        double vd, double r2)
{
    const int dim = p->dimension;
    const double soft2 = r2 + 0.01 * p->h * p->h, rate = vd / soft2,
                 share = dim == 2 ? 4 / (3 * M_PI) : 15 * (4.0 / 35) * (8.0 / 3) / (4 * M_PI);
    const double geometric2 = i->l * j->l, arithmetic = (i->l + j->l) / 2,
                 nu = (2 * geometric2 + arithmetic * arithmetic) / 3 / share * fabs(rate);
    return -2 * (dim + 2) / p->rho0 * fmin(nu, p->mixing.nu_most) * rate;
}
