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
 * The bracket is zero in water at rest, where grad e = g/c0^2. Where e is predicted less g.x/c0^2
 * (params.piezometric), the difference alone is left of it. Viscosity at free-slip walls and
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

/* The factor of laminar viscosity. */
HD lane SPH_NAME(laminar)(const struct wcsph_constants *k, const lane mf, const lane r2,
                          const SPH_NAME(src_lanes) * i, const SPH_NAME(src) * j)
{
    return mf * (k->nu * j->s) * i->s * r2 / (r2 + k->eta2);
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
    const real p = j->p * k->p_unit;
    lane vd = v[0] * d[0] + v[1] * d[1], force = mf * (p + i->p);
    if (dim == 3)
        vd += v[2] * d[2];

    sum->rate += mf * vd;
    if (source == 0) {
        const lane mfpi = mf * lane_fraction(vd, k->visc[0] + k->visc[1] * r2); /* m_j F Pi_ij */
        lane step = j->e - i->e;
        if (!k->level) {
            lane gd = k->gravity[dim - 1] * d[dim - 1];
            if (!k->upright) {
                gd += k->gravity[0] * d[0];
                if (dim == 3)
                    gd += k->gravity[1] * d[1];
            }
            step += gd;
        }
#ifdef SPH_GRADIENTS
        step += SPH_NAME(slope)(dim, d, i, j);
#endif
        force += mfpi;
        sum->diffusion += mf * step;
        if (energy)
            sum->viscous -= mfpi * vd;
        if (k->laminar) { /* the same for all pairs, as the conditions below */
            wcsph_add_laminar(dim, energy, SPH_NAME(laminar)(k, mf, r2, i, j), v, sum);
#ifdef SPH_GRADIENTS
            SPH_NAME(stress)(source, dim, energy, mf * k->p_unit, d, v, i, j, sum);
#endif
        }
    } else {
        const real u[3] = {j->vx, j->vy, j->vz};
        wcsph_add_wall(k, dim, energy, force, mf * p, vd, r, d, u, sum);
        if (k->no_slip && k->laminar) {
            const lane w[3] = {i->vx - j->wx, i->vy - j->wy, i->vz - j->wz};
            wcsph_add_wall_laminar(dim, energy, SPH_NAME(laminar)(k, mf, r2, i, j), w, v, u, sum);
#ifdef SPH_GRADIENTS
            SPH_NAME(stress)(source, dim, energy, mf * k->p_unit, d, v, i, j, sum);
#endif
        }
    }
    sum->ax -= force * d[0];
    sum->ay -= force * d[1];
    if (dim == 3)
        sum->az -= force * d[2];
}

/* ACCELERATION holds the body forces on entry, where the pass does not begin it. */
HD void SPH_NAME(store)(const struct wcsph_constants *k, const struct sluice_view *v, int64_t n,
                        const int dim, const int energy, const SPH_NAME(src) * i,
                        const struct wcsph_acc *sum, double out[SLUICE_SUM_COUNT])
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
    wcsph_store_result(k, v, n, dim, energy, &q, sum, out);
}
