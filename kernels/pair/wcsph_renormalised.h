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

/* L - 1 of the step before, of fluid. */
HD void wcsph_load_renormalised(const struct sluice_view *v, int64_t i, const int dim, wcsph_src *s)
{
    const real *l = &VIEW(v, CORRECTION_OLD, i, dim * (dim + 1) / 2, 0);
    if (dim == 2) {
        s->lxx = l[0];
        s->lxy = l[1];
        s->lyy = l[2];
        return;
    }
    const struct real2 x = view_load2(l), y = view_load2(l + 2), z = view_load2(l + 4);
    s->lxx = x.x;
    s->lxy = x.y;
    s->lyy = y.x;
    s->lxz = y.y;
    s->lyz = z.x;
    s->lzz = z.y;
}

/* mf: m_j F; p: P_j, as P_i in p_unit. Walls only add to N. The sums of N are halves. */
HD void wcsph_add_renormalised(const struct pair_loop loop, const lane d[3], const lane mf,
                               const lane v[3], const real p, const wcsph_src_lanes *i,
                               const wcsph_src *j, wcsph_acc_lanes *sum)
{
    const int dim = loop.dim, three = dim == 3;
    const lane half = (real)0.5 * mf, x = half * d[0], y = half * d[1],
               z = three ? half * d[2] : lane_of(0);
    sum->nxx += x * d[0];
    sum->nxy += x * d[1];
    sum->nyy += y * d[1];
    if (three) {
        sum->nxz += x * d[2];
        sum->nyz += y * d[2];
        sum->nzz += z * d[2];
    }
    if (loop.source == 1)
        return;
    const lane xx = i->lxx + j->lxx, xy = i->lxy + j->lxy, yy = i->lyy + j->lyy, both = p + i->p;
    lane bent[3] = {xx * x + xy * y, xy * x + yy * y, lane_of(0)}; /* m_j F (M - 1) d */
    if (three) {
        const lane xz = i->lxz + j->lxz, yz = i->lyz + j->lyz;
        bent[0] += xz * z;
        bent[1] += yz * z;
        bent[2] = xz * x + yz * y + (i->lzz + j->lzz) * z;
        sum->bent += v[2] * bent[2];
        sum->az -= both * bent[2];
    }
    sum->bent += v[0] * bent[0];
    sum->bent += v[1] * bent[1];
    sum->ax -= both * bent[0];
    sum->ay -= both * bent[1];
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
