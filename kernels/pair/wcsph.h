/* Weakly compressible SPH: fluid from fluid (source 0) and fluid from walls (source 1), in one
 * loop.
 *
 * A template: included once a kernel with SPH_NAME(part) and SPH_KERNEL(part) defined, hence no
 * include guard; with SPH_GRADIENTS, too, where gradients are known. d = x_i - x_j, F = W'(r)/r,
 * grad W = F d; r also names the relative density rho/rho0 - 1; P = p/rho^2; e the head, the
 * integral of dp/rho over c0^2.
 *
 *   momentum    a_i   = -sum m_j (P_i + P_j + Pi_ij) F d + viscous
 *                       (Monaghan 1992, eq. 3.3)
 *   continuity  dr_i/dt = 1/rho0 sum m_j F v_ij.d + D_i
 *                       (Monaghan 1992, eq. 3.9: adjoint to the momentum equation)
 *   artificial  Pi_ij = -alpha c0 h min(v_ij.d, 0)/(rho0 (d^2 + 0.01 h^2))
 *                       (Monaghan 1992, eq. 4.1-4.2, with c0 and rho0 for the means)
 *   laminar     a_i  += sum m_j 2 nu rho0/(rho_i rho_j) F d^2/(d^2 + 0.01 h^2) v_ij
 *                       (Morris et al. 1997, eq. 22)
 *   diffusion   D_i   = -2 delta h c0/rho0 sum_fluid m_j F [e_j - e_i + g.d/c0^2]
 *                       (to first order in r Fourtakas et al. 2019, eq. 8; without g Molteni &
 *                       Colagrossi 2009, eq. 11)
 *
 * The bracket is zero in water at rest, where grad e = g/c0^2. Viscosity at free-slip walls and
 * diffusion with walls do not exist. Masses are in the constants' unit until store. Powers come
 * from the same terms: docs/theory.md. */
#include "kernels/pair/wcsph_terms.h"

typedef struct wcsph_params SPH_NAME(params);
typedef struct wcsph_constants SPH_NAME(constants);
typedef struct wcsph_acc SPH_NAME(acc);
typedef LANES_OF(wcsph_acc) SPH_NAME(acc_lanes);

static inline struct wcsph_constants SPH_NAME(prepare)(const struct wcsph_params *p, double mass)
{
    return wcsph_constants_of(p, mass);
}

HD real SPH_NAME(support)(const struct wcsph_constants *k)
{
    return k->support;
}

HD real SPH_NAME(pack)(const struct sluice_view *v, int64_t i, const int dim, const int source)
{
    (void)dim, (void)source;
    return wcsph_pack_from(v, i);
}

#ifdef SPH_GRADIENTS
/* Every case is the usual one. */
HD int SPH_NAME(is_usual)(const struct wcsph_constants *k)
{
    return k->support > 0;
}
HD struct wcsph_constants SPH_NAME(usual)(struct wcsph_constants k)
{
    return k;
}
#else
typedef struct wcsph_src SPH_NAME(src);
typedef LANES_OF(wcsph_src) SPH_NAME(src_lanes);

HD struct wcsph_src SPH_NAME(load)(const struct wcsph_constants *k, const struct sluice_view *v,
                                   int64_t i, const int dim, const int source, real packed)
{
    return wcsph_load_from(k, v, i, dim, source, packed);
}

HD int SPH_NAME(is_usual)(const struct wcsph_constants *k)
{
    return wcsph_is_usual(k);
}
HD struct wcsph_constants SPH_NAME(usual)(struct wcsph_constants k)
{
    return wcsph_usual(k);
}
#endif

/* Laminar viscosity between fluid. */
HD void SPH_NAME(laminar)(const struct wcsph_constants *k, const int dim, const int energy,
                          const lane mf, const lane r2, const lane v[3],
                          const SPH_NAME(src_lanes) * i, const SPH_NAME(src) * j,
                          LANES_OF(wcsph_acc) * sum)
{
    const lane nu = mf * (k->nu * j->s) * i->s * r2 / (r2 + k->eta2);
    sum->ax += nu * v[0];
    sum->ay += nu * v[1];
    if (dim == 3)
        sum->az += nu * v[2];
    if (energy) {
        sum->viscous += nu * (v[0] * v[0] + v[1] * v[1]);
        if (dim == 3)
            sum->viscous += nu * v[2] * v[2];
    }
}

/* Laminar viscosity at a no-slip wall: with the wall's viscous velocity w. */
HD void SPH_NAME(wall_laminar)(const struct wcsph_constants *k, const int dim, const int energy,
                               const lane mf, const lane r2, const lane v[3],
                               const SPH_NAME(src_lanes) * i, const SPH_NAME(src) * j,
                               LANES_OF(wcsph_acc) * sum)
{
    const lane nu = mf * (k->nu * j->s) * i->s * r2 / (r2 + k->eta2);
    const lane fx = nu * (i->vx - j->wx), fy = nu * (i->vy - j->wy), fz = nu * (i->vz - j->wz);
    sum->ax += fx;
    sum->ay += fy;
    if (dim == 3)
        sum->az += fz;
    if (energy) {
        sum->wall_viscous += fx * v[0] + fy * v[1];
        sum->body += fx * j->vx + fy * j->vy;
        if (dim == 3) {
            sum->wall_viscous += fz * v[2];
            sum->body += fz * j->vz;
        }
    }
}

/* Finite at r2 = 0, and zero there and beyond the support: the strategy need not mask. */
HD void SPH_NAME(eval)(const struct wcsph_constants *k, const int source, const int dim,
                       const int energy, const lane d[3], const lane r2, const lane r,
                       const SPH_NAME(src_lanes) * i, const SPH_NAME(src) * j,
                       LANES_OF(wcsph_acc) * sum)
{
    const lane mf = j->mass * SPH_KERNEL(f_shape)(&k->kernel, r);
    const lane v[3] = {i->vx - j->vx, i->vy - j->vy,
                       i->vz - j->vz}; /* the last is not used in 2-D */
    lane vd = v[0] * d[0] + v[1] * d[1], force = mf * (i->p + j->p);
    if (dim == 3)
        vd += v[2] * d[2];

    sum->rate += mf * vd;
    if (source == 0) {
        const lane mfpi = mf * (lane_min(vd, lane_of(0)) /
                                (k->visc[0] + k->visc[1] * r2)); /* -m_j F Pi_ij */
        lane gd = k->gravity[dim - 1] * d[dim - 1];
        if (!k->upright) {
            gd += k->gravity[0] * d[0];
            if (dim == 3)
                gd += k->gravity[1] * d[1];
        }
#ifdef SPH_GRADIENTS
        gd += SPH_NAME(slope)(dim, d, i, j);
#endif
        force -= mfpi;
        sum->diffusion += mf * ((j->e - i->e) + gd);
        if (energy)
            sum->viscous += mfpi * vd;
        if (k->laminar) { /* the same for all pairs, as the conditions below */
            SPH_NAME(laminar)(k, dim, energy, mf, r2, v, i, j, sum);
#ifdef SPH_GRADIENTS
            SPH_NAME(stress)(source, dim, energy, mf, d, v, i, j, sum);
#endif
        }
    } else {
        lane ud = j->vx * d[0] + j->vy * d[1];
        if (dim == 3)
            ud += j->vz * d[2];
        if (energy) {
            sum->ghost -= mf * j->p * vd;
            sum->body -= force * ud;
        }
        if (k->spring_k != 0 && lane_any(r < k->spring_reach)) /* few walls are that near */
            wcsph_add_spring(k, dim, energy, r, d, ud, sum);
        if (k->no_slip && k->laminar) {
            SPH_NAME(wall_laminar)(k, dim, energy, mf, r2, v, i, j, sum);
#ifdef SPH_GRADIENTS
            SPH_NAME(stress)(source, dim, energy, mf, d, v, i, j, sum);
#endif
        }
    }
    sum->ax -= force * d[0];
    sum->ay -= force * d[1];
    if (dim == 3)
        sum->az -= force * d[2];
}

/* ACCELERATION holds the body forces on entry. */
HD void SPH_NAME(store)(const struct wcsph_constants *k, const struct sluice_view *v, int64_t n,
                        const int dim, const int energy, const SPH_NAME(src) * i,
                        const struct wcsph_acc *sum, double out[SLUICE_SUM_COUNT])
{
    const real f = k->mass * k->kernel.f, phi = k->spring.w * sum->phi;
    const real a[3] = {f * sum->ax, f * sum->ay, f * sum->az}, s[3] = {sum->sx, sum->sy, sum->sz};
    const real u[3] = {i->vx, i->vy, i->vz};
    const real over = phi > (real)WCSPH_SPRING_THRESHOLD ? phi - (real)WCSPH_SPRING_THRESHOLD : 0;
    const real push = -k->spring_k * over * k->spring.f;
    const real diffusion = k->diffusion * f * sum->diffusion;
    const real rate = k->inverse_rho0 * f * sum->rate + diffusion;
    double pair_power = 0, body_power = 0; /* of the accelerations, a mass */

    for (int c = 0; c < dim; c++) {
        const real body = VIEW(v, ACCELERATION, n, dim, c);
        VIEW(v, ACCELERATION, n, dim, c) = a[c] + push * s[c] + body;
        pair_power += (double)u[c] * (double)a[c];
        body_power += (double)u[c] * (double)body;
    }
    VIEW(v, RATE, n, 1, 0) = rate;
    if (v->field[SLUICE_FIELD_PUSH])
        VIEW(v, PUSH, n, 1, 0) = push;

    if (energy) {
        const double m = (double)i->mass * (double)k->mass, mf = m * (double)f,
                     elastic = (double)i->p * (double)k->rho0;
        const double viscous = mf * (0.5 * (double)sum->viscous + (double)sum->wall_viscous);
        const double diffused = m * elastic * (double)diffusion;
        const double ghost = k->ghost ? mf * (double)sum->ghost : 0;
        const double body = mf * (double)sum->body;
        const double lhs = m * pair_power, internal = m * elastic * (double)rate;
        out[SLUICE_SUM_VISCOUS] += viscous;
        out[SLUICE_SUM_DIFFUSION] += diffused;
        out[SLUICE_SUM_GHOST] += ghost;
        out[SLUICE_SUM_BODY] += body + m * (double)push * (double)sum->su;
        out[SLUICE_SUM_SPRING] += 0.5 * m * (double)k->spring_k * (double)over * (double)over;
        out[SLUICE_SUM_IDENTITY] += lhs + internal - viscous - diffused - ghost - body;
        out[SLUICE_SUM_IDENTITY_ABS] += fabs(lhs) + fabs(m * body_power) + fabs(internal);
    }
}
