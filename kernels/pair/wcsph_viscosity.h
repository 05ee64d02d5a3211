/* Viscosities between fluid and at walls: laminar in two forms, artificial at walls, of eddies.
 * pair_wcsph.h has their formulas. The power of each is summed, from the same expression. */
#ifndef SLUICE_PAIR_WCSPH_VISCOSITY_H
#define SLUICE_PAIR_WCSPH_VISCOSITY_H
#include "kernels/pair/wcsph_terms.h"

/* The factor of laminar viscosity, without that of the pair: 1 along d, d^2/(d^2 + 0.01 h^2) along
 * v. */
HD lane wcsph_viscous_shape(const wcsph_constants *k, const struct wcsph_loop loop, const lane r2)
{
    return wcsph_has(k, loop, WCSPH_MORRIS) ? r2 / (r2 + k->eta2) : lane_of(1);
}

/* Laminar viscosity between fluid along d: returns its force along -d, vd = v_ij.d. */
HD lane wcsph_central(const struct pair_loop loop, const lane nu, const lane vd,
                      wcsph_acc_lanes *sum)
{
    const lane pull = nu * vd;
    if (loop.energy)
        sum->viscous += pull * vd;
    return -pull;
}

/* The same at a no-slip wall of velocity u: wd = w.d, w the fluid's velocity relative to the wall's
 * viscous one, vd relative to its real one. */
HD lane wcsph_central_wall(const struct pair_loop loop, const lane d[3], const lane nu,
                           const lane wd, const lane vd, const real u[3], wcsph_acc_lanes *sum)
{
    const lane pull = nu * wd;
    if (loop.energy) {
        const lane wall[3] = {lane_of(u[0]), lane_of(u[1]), lane_of(u[2])};
        sum->wall_viscous += pull * vd;
        sum->body += pull * pair_dot(loop.dim, wall, d);
    }
    return -pull;
}

/* Laminar viscosity between fluid along v, nu v, v = v_ij. */
HD void wcsph_add_laminar(const struct pair_loop loop, const lane nu, const lane v[3],
                          wcsph_acc_lanes *sum)
{
    pair_add(loop.dim, nu, v, &sum->ax, &sum->ay, &sum->az);
    if (loop.energy)
        sum->viscous += nu * pair_dot(loop.dim, v, v);
}

/* The same at a no-slip wall, nu w: w is the fluid's velocity relative to the wall's
 * viscous one, v relative to its real one, u. */
HD void wcsph_add_wall_laminar(const struct pair_loop loop, const lane nu, const lane w[3],
                               const lane v[3], const real u[3], wcsph_acc_lanes *sum)
{
    const lane f[3] = {nu * w[0], nu * w[1], nu * w[2]};
    sum->ax += f[0];
    sum->ay += f[1];
    if (loop.dim == 3)
        sum->az += f[2];
    if (loop.energy) {
        const lane wall[3] = {lane_of(u[0]), lane_of(u[1]), lane_of(u[2])};
        sum->wall_viscous += pair_dot(loop.dim, f, v);
        sum->body += pair_dot(loop.dim, f, wall);
    }
}

/* The Pi of artificial viscosity at a wall, m_j F Pi in mfpi: adds its powers. */
HD void wcsph_add_artificial_wall(const struct pair_loop loop, const lane d[3], const lane mfpi,
                                  const lane vd, const real u[3], wcsph_acc_lanes *sum)
{
    const lane ux[3] = {lane_of(u[0]), lane_of(u[1]), lane_of(u[2])};
    if (loop.energy) {
        sum->wall_viscous -= mfpi * vd;
        sum->body -= mfpi * pair_dot(loop.dim, ux, d);
    }
}

/* The factor of laminar viscosity. mf: m_j F, or V_j F. */
HD lane wcsph_laminar(const wcsph_constants *k, const struct wcsph_loop loop, const lane mf,
                      const lane r2, const wcsph_src_lanes *i, const wcsph_src *j)
{
    if (!wcsph_has(k, loop, WCSPH_TWO))
        return mf * (k->nu * j->s) * i->s * wcsph_viscous_shape(k, loop, r2);
    const lane central = wcsph_has(k, loop, WCSPH_MORRIS) ? lane_of(1) : lane_of(k->central),
               thin = loop.at.source == 0 ? i->thin + j->thin : i->thin + i->thin + j->thin;
    return 4 * central * mf / thin * wcsph_viscous_shape(k, loop, r2);
}

/* m_j F Pi_ij of artificial viscosity, or V_j F Pi_ij. A wall has the fluid's. */
HD lane wcsph_artificial(const wcsph_constants *k, const struct wcsph_loop loop, const lane mf,
                         const lane vd, const lane r2, const wcsph_src_lanes *i, const wcsph_src *j)
{
    if (!wcsph_has(k, loop, WCSPH_TWO))
        return mf * lane_fraction(vd, k->visc[0] + k->visc[1] * r2);
    const lane stiff = loop.at.source == 0 ? i->stiff + j->stiff : i->stiff + i->stiff;
    return -(2 * mf * lane_min(vd, lane_of(0)) / (stiff * (r2 + k->eta2)));
}

/* Adds the power of eddies, and returns their force along -d. */
HD lane wcsph_add_eddies(const wcsph_constants *k, const struct mixing_length *mixing,
                         const struct pair_loop loop, const lane mf, const lane vd, const lane r2,
                         const wcsph_src_lanes *i, const wcsph_src *j, wcsph_acc_lanes *sum)
{
    const lane force = mf * mixing_length_pi(mixing, vd, r2 + k->eta2, i->length, j->length);
    if (loop.energy)
        sum->viscous -= force * vd;
    return force;
}
#endif
