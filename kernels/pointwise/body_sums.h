/* A wall particle's part in the sums of its body: the wrench on the body about its centre, of the
 * force F on the particle and its arm y,
 *
 *   w = (F, y x F)                                   in 2-D (Fx, Fy, (y x F)z)
 *
 * F is REACTION once the fluid's forces are known. Before that, to solve for the acceleration
 * (A, w') of the body, it is the force of pressure alone,
 *
 *   F = F_f + S p_w/rho_w^2,   p_w = max(0, p0 - L.a_w)     REACTION, SHARE, EXTRAPOLATED
 *
 * and with it comes its derivative by (A, w'):
 *
 *   dw/d(A, w') = -d(p_w/rho_w^2)/dp (S, y x S) (L, y x L)^T        where p_w > 0, and else 0
 *
 * With two fluids F = (F_f + S p_w/rho0^2) s, s = rho0/rho_w, which also has a derivative by s.
 *
 * The last term is the size of what adds up to F, in N: where forces cancel, rounding is a part of
 * it. Its components are added up:
 *
 *   |F_f| + |S| (p_w/rho_w^2 + d(p_w/rho_w^2)/dp |L||a_w|) */
#ifndef SLUICE_POINTWISE_BODY_SUMS_H
#define SLUICE_POINTWISE_BODY_SUMS_H
#include "kernels/pointwise/body_pressure.h"

struct body_sums_constants {
    struct eos_constants eos;
    struct rigid_motion_params at;
    struct sluice_body_scales scales;
    int solves;
    double per_rho02, stiffness, gamma; /* 1/rho0^2; rho0 c0^2, Pa; of Tait's equation, or 1 */
    int linear;                         /* the linear equation of state */
    int two;                            /* there is a second fluid */
};

static inline struct body_sums_constants body_sums_prepare(const void *params)
{
    const struct body_params *p = (const struct body_params *)params;
    struct body_sums_constants k;
    k.eos = eos_prepare(&p->wcsph);
    k.at = *p->motions;
    k.scales = p->scales;
    k.solves = p->solves;
    k.per_rho02 = 1 / (p->wcsph.rho0 * p->wcsph.rho0);
    k.stiffness = p->wcsph.rho0 * p->wcsph.sound_speed * p->wcsph.sound_speed;
    k.linear = p->wcsph.eos == SLUICE_EOS_LINEAR;
    k.gamma = p->wcsph.gamma;
    k.two = p->wcsph.second != NULL;
    return k;
}

/* dp/dr at pressure p and s = rho0/rho. Tait: (gamma p + rho0 c0^2) s. */
HD double body_state_rate(const struct body_sums_constants *k, double p, double s)
{
    return k->linear ? k->stiffness : (k->gamma * p + k->stiffness) * s;
}

/* d(p/rho^2)/dp, p the whole pressure; with two fluids of p s/rho0^2. */
HD double body_state_slope(const struct body_sums_constants *k, double p, double s)
{
    const double rate = body_state_rate(k, p, s), whole = p + (double)k->eos.background;
    return k->two ? k->per_rho02 * s * (1 - whole * s / rate)
                  : k->per_rho02 * s * s * (1 - 2 * whole * s / rate);
}

/* (f, y x f). */
HD void body_wrench(const double f[3], const double y[3], const int dim,
                    double wrench[SLUICE_WRENCH_MOST])
{
    for (int c = 0; c < dim; c++)
        wrench[c] = f[c];
    if (dim == 2)
        wrench[2] = rigid_motion_cross(y, f, 2);
    for (int c = 0; c < 3 && dim == 3; c++)
        wrench[3 + c] = rigid_motion_cross(y, f, c);
}

/* The numbers that make the terms of a particle. */
struct body_sums_parts {
    double wrench[SLUICE_WRENCH_MOST], row[SLUICE_WRENCH_MOST], column[SLUICE_WRENCH_MOST], size;
};

/* Term k (sluice_body_terms). */
HD double body_sums_term(const struct body_sums_parts *of, const int dim, int k)
{
    const int n = dim == 3 ? 6 : 3;
    return k < n            ? of->wrench[k]
           : k == n + n * n ? of->size
                            : of->row[(k - n) / n] * of->column[(k - n) % n];
}

/* The parts of particle i. Returns the number of its body; -1: it is of none. */
HD int body_sums_parts_of(const struct body_sums_constants *k, const struct sluice_view *v,
                          const struct sluice_frames_view *frames, int64_t i, const int dim,
                          struct body_sums_parts *of)
{
    int number, slopes = 0;
    (void)frames;
    const struct sluice_rigid *b = body_of(&k->at, v, i, &number);
    double y[3], f[3] = {0, 0, 0}, share[3] = {0, 0, 0}, lift[3] = {0, 0, 0}, lifted = 0;
    if (!b)
        return -1;
    rigid_motion_arm(b, v, i, dim, y);
    for (int c = 0; c < dim; c++)
        f[c] = (double)VIEW(v, REACTION, i, dim, c);
    of->size = 0;
    if (k->solves) {
        real a[3] = {0, 0, 0}, record[2];
        body_acceleration(b, y, dim, a);
        const real p = body_wall_pressure(&k->eos, v, i, dim, a, &slopes),
                   r = p != 0 ? eos_relative_density(&k->eos, p) : 0;
        eos_record(&k->eos, r, p, record);
        const double inverse = (double)record[1],
                     slope = slopes ? -body_state_slope(k, (double)p, inverse) : 0,
                     load = k->two ? (double)record[0] / inverse : (double)record[0];
        for (int c = 0; c < dim; c++) {
            share[c] = (double)VIEW(v, SHARE, i, dim, c);
            lift[c] = (double)VIEW(v, EXTRAPOLATED, i, dim + 1, 1 + c);
            lifted += fabs(lift[c] * (double)a[c]);
        }
        for (int c = 0; c < dim; c++) {
            const double from_fluid = f[c];
            f[c] *= k->two ? inverse : 1;
            of->size += fabs(f[c]) + fabs(share[c]) * (load + fabs(slope) * lifted);
            f[c] += share[c] * load;
            share[c] *= slope;
            if (k->two && slopes) /* -dF/ds ds/dp, of F_f */
                share[c] += from_fluid * inverse * inverse / body_state_rate(k, (double)p, inverse);
        }
    }
    body_wrench(f, y, dim, of->wrench);
    if (!k->solves)
        return number;
    body_wrench(share, y, dim, of->row);
    body_wrench(lift, y, dim, of->column);
    return number;
}
#endif
