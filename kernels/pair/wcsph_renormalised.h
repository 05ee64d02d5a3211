/* Renormalised gradients between fluid, in the continuity equation, and their adjoint in the
 * momentum equation. d, F, P, r as in pair_wcsph.h. With the tensor L of each particle of the fluid
 * (correction.h), which an earlier pass has stored (pair_tensor.h), and the mean of both, M =
 * (L_i + L_j)/2, to the sums of pair_wcsph.h come
 *
 *   continuity  s'    = 1/rho0 sum_fluid m_j F v_ij.(M - 1) d
 *   momentum    a_i  += -sum_fluid m_j F (P_i + P_j) (M - 1) d
 *
 * The second is the adjoint of the first, so the energy budget closes, whatever L is. But the L of
 * an earlier step would not do: the residual of the budget then grows as dt^2. Walls keep the plain
 * form, and so do forces on them.
 *
 * The corrected rate alone has no memory of the volume, so that a level sinks: what it adds, s, is
 * forgotten over the time T, a high-pass filter,
 *
 *   dr_i/dt += ds_i/dt,   ds_i/dt = s' - s_i/T
 *
 * whose part -s/T has a power, sum m P rho0 (-s/T). */
#ifndef SLUICE_PAIR_WCSPH_RENORMALISED_H
#define SLUICE_PAIR_WCSPH_RENORMALISED_H
#include "kernels/pair/wcsph_terms.h"

/* L - 1; 0 where the field is missing, as of walls. */
HD void wcsph_load_renormalised(const struct sluice_view *v, int64_t i, const int dim, wcsph_src *s)
{
    const real *l = v->field[SLUICE_FIELD_CORRECTION];
    l += l ? dim * (dim + 1) / 2 * i : 0;
    s->lxx = l ? l[0] : 0;
    s->lxy = l ? l[1] : 0;
    s->lyy = l ? l[2] : 0;
    s->lxz = l && dim == 3 ? l[3] : 0;
    s->lyz = l && dim == 3 ? l[4] : 0;
    s->lzz = l && dim == 3 ? l[5] : 0;
}

/* mf: m_j F; p: P_j, as P_i in p_unit. */
HD void wcsph_add_renormalised(const int dim, const lane d[3], const lane mf, const lane v[3],
                               const real p, const wcsph_src_lanes *i, const wcsph_src *j,
                               wcsph_acc_lanes *sum)
{
    const lane half = (real)0.5 * mf, force = half * (p + i->p), xx = i->lxx + j->lxx,
               xy = i->lxy + j->lxy, yy = i->lyy + j->lyy;
    lane bent[3] = {xx * d[0] + xy * d[1], xy * d[0] + yy * d[1], lane_of(0)}; /* 2 (M - 1) d */
    if (dim == 3) {
        const lane xz = i->lxz + j->lxz, yz = i->lyz + j->lyz;
        bent[0] += xz * d[2];
        bent[1] += yz * d[2];
        bent[2] = xz * d[0] + yz * d[1] + (i->lzz + j->lzz) * d[2];
        sum->az -= force * bent[2];
    }
    sum->bent += half * pair_dot(dim, v, bent);
    sum->ax -= force * bent[0];
    sum->ay -= force * bent[1];
}
#endif
