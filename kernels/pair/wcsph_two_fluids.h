/* Two fluids whose densities may differ by any factor. Both are in one set, which has a PHASE.
 * d = x_i - x_j, F = W'(r)/r; V = m/rho; r is the density over rho0 of the particle's own fluid,
 * less 1; p the pressure itself.
 *
 *   momentum    m_i a_i = -V_i sum V_j [e_ij (p_i + p_j) + Pi_ij] F d + viscous
 *   continuity  dr_i/dt = (1 + r_i) sum V_j e_ij F v_ij.d + D_i
 *               (Colagrossi & Landrini 2003; adjoint to each other), e_ij = 1, but between the two
 *               1 + repulsion |rho0_1 - rho0_2|/(rho0_1 + rho0_2) (Monaghan & Rafiee 2013, who
 *               have it in the momentum alone)
 *   artificial  Pi_ij   = -b min(v_ij.d, 0)/(d^2 + 0.01 h^2),  2/b = 1/b_i + 1/b_j,
 *               b_i = alpha rho0 c0 h
 *   laminar     m_i a_i += V_i sum V_j 2 (D + 2) mu F (v_ij.d)/l^2 d
 *               or      V_i sum V_j 2 mu F d^2/(d^2 + 0.01 h^2) v_ij,
 *               2/mu = 1/mu_i + 1/mu_j, mu_i = rho0 nu      (the mean: Cleary 1998)
 *   eddies      as artificial, of rho_ij nu_ij, 2/rho_ij = 1/rho0_i + 1/rho0_j
 *   stress      m_i a_i += V_i sum V_j (tau_i + tau_j) F d
 *   diffusion   D_i     = -2 delta h c0 sum (m_j/rho0) F [e_j - e_i + g.d/c0^2], in one fluid
 *
 * With one fluid these equal those of pair_wcsph.h to first order in r. A wall has the volume of
 * its record EOS, and the viscosity of the fluid that meets it. The spring against penetration has
 * c0 of the fluid, and the law of the wall its viscosity. */
#ifndef SLUICE_PAIR_WCSPH_TWO_FLUIDS_H
#define SLUICE_PAIR_WCSPH_TWO_FLUIDS_H
#include "kernels/pair/wcsph_terms.h"

/* mass: in kg. s->p holds p/rho^2 on entry. A wall adds nothing to 1/mu of the fluid that meets it.
 */
HD void wcsph_load_two(const struct wcsph_more *m, const struct sluice_view *v, int64_t i,
                       const int source, const real mass, wcsph_src *s)
{
    const int second = source != 1 && view_phase(v, i);
    const real rho0_over_rho = VIEW(v, EOS, i, 2, 1);
    const struct wcsph_fluid *f = &m->fluid[second];
    s->p = s->p * f->rho02 / (rho0_over_rho * rho0_over_rho);
    s->share = mass * f->inverse_rho0;
    s->volume = s->share * rho0_over_rho;
    s->stiff = f->stiff;
    s->thin = source == 1 ? 0 : f->thin;
    s->second = (real)second;
}

/* rho^2 of particle i. */
HD real wcsph_density2(const struct wcsph_more *m, const struct sluice_view *v, int64_t i,
                       const wcsph_src *s)
{
    const real rho0_over_rho = VIEW(v, EOS, i, 2, 1);
    return m->fluid[s->second > 0].rho02 / (rho0_over_rho * rho0_over_rho);
}

/* V_j e_ij F of V_j F, between fluid. */
HD lane wcsph_repelled(const struct wcsph_more *m, const lane vf, const wcsph_src_lanes *i,
                       const wcsph_src *j)
{
    return vf + vf * lane_select(i->second == j->second, lane_of(0), lane_of(m->repulsion));
}

/* rho_ij of the eddies. */
HD lane wcsph_between(const struct wcsph_more *m, const wcsph_src_lanes *i, const wcsph_src *j)
{
    const real own = j->second > 0 ? m->fluid[1].rho0 : m->fluid[0].rho0;
    return lane_select(i->second == j->second, lane_of(own), lane_of(m->between));
}
#endif
