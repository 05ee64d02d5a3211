/* Renormalised gradients between fluid, in the continuity equation, and their adjoint in the
 * momentum equation. d, F, P, r as in pair_wcsph.h. With the tensor L of each particle of the fluid
 * (correction.h) and the mean of both, M = (L_i + L_j)/2, to the sums of pair_wcsph.h come
 *
 *   continuity  s'    = 1/rho0 sum_fluid m_j F v_ij.(M - 1) d
 *   momentum    a_i  += -sum_fluid m_j F (P_i + P_j) (M - 1) d
 *
 * The second is the adjoint of the first, so the energy budget closes, whatever L is. L is that of
 * the step before; the loop sums N for the next one. A newborn particle has L = 1. Walls keep the
 * plain form, and so do forces on them.
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

/* L - 1 of the step before; 0 where the field is missing, as of walls. */
HD void wcsph_load_renormalised(const struct sluice_view *v, int64_t i, const int dim, wcsph_src *s)
{
    const real *l = v->field[SLUICE_FIELD_CORRECTION_OLD];
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

/* Adds to N of fluid from fluid and walls. */
HD void wcsph_add_tensor(const int dim, const lane d[3], const lane mf, wcsph_acc_lanes *sum)
{
    const lane x = mf * d[0], y = mf * d[1];
    sum->nxx += x * d[0];
    sum->nxy += x * d[1];
    sum->nyy += y * d[1];
    if (dim == 3) {
        const lane z = mf * d[2];
        sum->nxz += x * d[2];
        sum->nyz += y * d[2];
        sum->nzz += z * d[2];
    }
}

/* Stores L - 1 for the next step. scale: of sums, to those of correction.h. */
HD void wcsph_store_tensor(const struct sluice_view *v, int64_t n, const int dim, const real scale,
                           const wcsph_acc *sum)
{
    const int three = dim == 3, parts = dim * (dim + 1) / 2;
    const real matrix[6] = {scale * sum->nxx,
                            scale * sum->nxy,
                            scale * sum->nyy,
                            three ? scale * sum->nxz : 0,
                            three ? scale * sum->nyz : 0,
                            three ? scale * sum->nzz : 1};
    real l[6];
    correction_of(dim, matrix, l);
    for (int c = 0; c < parts; c++)
        VIEW(v, CORRECTION, n, parts, c) = l[c];
}
#endif
