/* Weakly compressible SPH: fluid from fluid (source 0) and fluid from walls (source 1), in one
 * loop.
 *
 * d = x_i - x_j, F = W'(r)/r, grad W = F d; r also names the relative density rho/rho0 - 1;
 * P = p/rho^2; e is the head, the integral of dp/rho over c0^2.
 *
 *   momentum    a_i   = -sum m_j (P_i + P_j + Pi_ij) F d + viscous
 *                       (Monaghan 1992, eq. 3.3)
 *   continuity  dr_i/dt = 1/rho0 sum m_j F v_ij.d + D_i
 *                       (Monaghan 1992, eq. 3.9: adjoint to the momentum equation)
 *   artificial  Pi_ij = -alpha c0 h min(v_ij.d, 0)/(rho0 (d^2 + 0.01 h^2))
 *                       (Monaghan 1992, eq. 4.1-4.2, with c0 and rho0 for the means)
 *   laminar     a_i  += sum m_j 2 (D + 2) nu rho0/(rho_i rho_j) F (v_ij.d)/l^2 d
 *                       (after Monaghan & Gingold 1983; l^2 the kernel's mean square distance)
 *               or      sum m_j 2 nu rho0/(rho_i rho_j) F d^2/(d^2 + 0.01 h^2) v_ij
 *                       (Morris et al. 1997, eq. 22)
 *   diffusion   D_i   = -2 delta h c0/rho0 sum_fluid m_j F [e_j - e_i + g.d/c0^2]
 *                       (to first order in r Fourtakas et al. 2019, eq. 8; without g Molteni &
 *                       Colagrossi 2009, eq. 11)
 *
 * The bracket is zero in water at rest, where grad e = g/c0^2. It is e_j - e_i alone where e
 * is less g.x/c0^2 already: with params.piezometric, or with a filter (pointwise/filter_head.h).
 * Free-slip walls have no viscosity, and no wall has diffusion. Masses are in the constants' unit
 * until store. Powers come from the same terms: docs/theory.md. */
#ifndef SLUICE_PAIR_WCSPH_H
#define SLUICE_PAIR_WCSPH_H
#include "kernels/pair/wcsph_terms.h"

#define wcsph_PARAMS(X) /* derived by the model: kernels/types/wcsph_params.h */
#define wcsph_READS     WCSPH_READS
#define wcsph_WRITES    WCSPH_WRITES
#define wcsph_PACKS     SLUICE_FIELD_EOS
#define wcsph_SUMS                                                                                 \
    (SLUICE_SUM_BIT(VISCOUS) | SLUICE_SUM_BIT(DIFFUSION) | SLUICE_SUM_BIT(GHOST) |                 \
     SLUICE_SUM_BIT(BODY) | SLUICE_SUM_BIT(SPRING) | SLUICE_SUM_BIT(IDENTITY) |                    \
     SLUICE_SUM_BIT(IDENTITY_ABS))
#define wcsph_FLOPS(kernel) ((kernel) == PAIR_KERNEL_WENDLAND ? 60 : 65)
#define wcsph_MASKS_ITSELF  1
#define wcsph_USES_R        1
#define wcsph_SRC           WCSPH_SRC
#define wcsph_ACC           WCSPH_ACC
typedef struct wcsph_params wcsph_params;

static inline wcsph_constants wcsph_prepare(const struct wcsph_params *p, double mass)
{
    return wcsph_constants_of(p, mass);
}

/* The usual case: particles of one mass without laminar viscosity, gravity downwards or in the
 * head. */
HD int wcsph_is_usual(const wcsph_constants *k)
{
    return k->equal && !k->laminar && k->upright;
}
HD wcsph_constants wcsph_usual(wcsph_constants k)
{
    k.equal = 1;
    k.laminar = 0;
    k.upright = 1;
    return k;
}

/* The factor of laminar viscosity. */
HD lane wcsph_laminar(const wcsph_constants *k, const lane mf, const lane r2,
                      const wcsph_src_lanes *i, const wcsph_src *j)
{
    return mf * (k->nu * j->s) * i->s * wcsph_viscous_shape(k, r2);
}

/* Adds all but the force along -d, which it returns. mf = m_j F; slope: added to the diffusion's
 * bracket, or NULL. Conditions on constants are the same for all pairs. The order of the terms
 * decides the last bit on a GPU. */
HD lane wcsph_force(const wcsph_constants *k, const struct pair_loop loop,
                    const struct pair_distance *at, const lane mf, const wcsph_src_lanes *i,
                    const wcsph_src *j, const lane *slope, wcsph_acc_lanes *sum)
{
    const int dim = loop.dim;
    const lane v[3] = {i->vx - j->vx, i->vy - j->vy,
                       i->vz - j->vz}; /* the last is not used in 2-D */
    const real p = j->p * k->p_unit;
    const lane vd = pair_dot(dim, v, at->d);
    lane force = mf * (p + i->p);
    sum->rate += mf * vd;
    if (loop.source == 0) {
        const lane mfpi = mf * lane_fraction(vd, k->visc[0] + k->visc[1] * at->r2); /* m_j F Pi */
        lane step = j->e - i->e;
        if (!k->level) {
            /* No index by dim: it would keep d out of registers. */
            lane gd = dim == 3 ? k->gravity[2] * at->d[2] : k->gravity[1] * at->d[1];
            if (!k->upright) {
                gd += k->gravity[0] * at->d[0];
                if (dim == 3)
                    gd += k->gravity[1] * at->d[1];
            }
            step += gd;
        }
        if (slope)
            step += *slope;
        force += mfpi;
        sum->diffusion += mf * step;
        if (loop.energy)
            sum->viscous -= mfpi * vd;
        if (k->laminar && k->central > 0)
            force += wcsph_central(loop, wcsph_laminar(k, mf, at->r2, i, j), vd, sum);
        else if (k->laminar)
            wcsph_add_laminar(loop, wcsph_laminar(k, mf, at->r2, i, j), v, sum);
    } else {
        const real u[3] = {j->vx, j->vy, j->vz};
        wcsph_add_wall(k, loop, at, force, mf * p, vd, u, sum);
        if (k->no_slip && k->laminar) {
            const lane w[3] = {i->vx - j->wx, i->vy - j->wy, i->vz - j->wz},
                       nu = wcsph_laminar(k, mf, at->r2, i, j);
            if (k->central > 0)
                force += wcsph_central_wall(loop, at->d, nu, pair_dot(dim, w, at->d), vd, u, sum);
            else
                wcsph_add_wall_laminar(loop, nu, w, v, u, sum);
        }
    }
    return force;
}

/* Finite at r2 = 0, and zero there and beyond the support: the strategy need not mask. */
HD void wcsph_eval(const wcsph_constants *k, const struct pair_loop loop,
                   const struct pair_distance *at, const wcsph_src_lanes *i, const wcsph_src *j,
                   wcsph_acc_lanes *sum)
{
    const lane mf = j->mass * sph_f_shape(&k->kernel, loop.kernel, at->r);
    const lane force = wcsph_force(k, loop, at, mf, i, j, NULL, sum);
    wcsph_add_force(loop.dim, force, at->d, sum);
}

HD void wcsph_store(const wcsph_constants *k, const struct sluice_view *v, int64_t n,
                    const struct pair_loop loop, const wcsph_src *i, const wcsph_acc *sum,
                    double out[SLUICE_SUM_COUNT])
{
    const real f = k->mass * k->kernel.f;
    const double mass = (double)i->mass * (double)k->mass;
    struct wcsph_result q;
    q.u[0] = i->vx;
    q.u[1] = i->vy;
    q.u[2] = i->vz;
    q.scale = f / k->p_unit;
    q.diffusion = k->diffusion * f * sum->diffusion;
    q.rate = k->inverse_rho0 * f * sum->rate + q.diffusion;
    q.spring_k = k->spring_k;
    q.mass = mass;
    q.mass_f = mass * (double)f / (double)k->p_unit;
    q.elastic = mass * ((double)i->p / (double)k->p_unit * (double)k->rho0);
    wcsph_store_result(k, v, n, loop, &q, sum, out);
}
#endif
