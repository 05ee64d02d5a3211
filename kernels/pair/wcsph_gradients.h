/* The terms that need gradients of the fluid. A particle uses those that the loop of the step
 * before has found; the loop finds the next ones, from the state that it sees: fluid from fluid
 * and, for the stress of no-slip walls, from walls. A newborn particle has none. A term whose field
 * is missing is 0. d, F, P as in pair_wcsph.h; Delta = dp.
 *
 * Sub-particle stress (Gotoh et al. 2001; Dalrymple & Rogers 2006, eq. 10-12), tau over rho:
 *
 *   S      = sym grad v,  grad v_i = -1/rho_i sum_j m_j v_ij (x) F d  (Monaghan 1992, sec. 2.2)
 *   |S|    = sqrt(2 S:S),  nu_t = (C_s Delta)^2 |S|  (Smagorinsky 1963)
 *   tau/rho = nu_t (2 S - 2/3 tr S I) - 2/3 C_I Delta^2 |S|^2 I
 *
 * This gradient is the adjoint of the force that the pair loop makes of tau: the power of a
 * particle's stress is -m tau(n-1):S(n)/rho. That of its part in nu_t is not positive where the
 * deviator of S(n-1) contracts with S(n) to at least 0, as where S hardly changes in a step.
 *
 * Gradient of the head over the fluid, exact where the head is linear (Randles & Libersky 1996;
 * Antuono et al. 2010, with m_j for V_j):
 *
 *   G = N^-1 sum_j m_j F (e_j - e_i) d,  N = -sum_j m_j F d (x) d
 *
 * With two fluids S has V_j for m_j/rho_i, and G its own fluid alone. G is 0 where N is singular:
 * where its determinant is below 0.05 of a sphere's of the same trace, as with neighbours in a line
 * or, in 3-D, in a plane. */
#ifndef SLUICE_PAIR_WCSPH_GRADIENTS_H
#define SLUICE_PAIR_WCSPH_GRADIENTS_H
#include "kernels/pair/wcsph_terms.h"

#define GRADIENTS_DETERMINANT_LEAST 0.05

/* unit: of the stored stress over rho^2. */
HD void wcsph_load_stress(const struct sluice_view *v, int64_t i, const int dim, const real unit,
                          wcsph_src *s)
{
    const real *stress = v->field[SLUICE_FIELD_STRESS];
    s->txx = s->txy = s->tyy = s->txz = s->tyz = s->tzz = 0;
    if (!stress)
        return;
    stress += dim * (dim + 1) / 2 * i;
    if (dim == 2) {
        s->txx = unit * stress[0];
        s->txy = unit * stress[1];
        s->tyy = unit * stress[2];
        return;
    }
    const struct real2 x = view_load2(stress), y = view_load2(stress + 2),
                       z = view_load2(stress + 4);
    s->txx = unit * x.x;
    s->txy = unit * x.y;
    s->tyy = unit * y.x;
    s->txz = unit * y.y;
    s->tyz = unit * z.x;
    s->tzz = unit * z.y;
}

HD void wcsph_load_slope(const struct sluice_view *v, int64_t i, const int dim, wcsph_src *s)
{
    const real *gradient = v->field[SLUICE_FIELD_HEAD_GRADIENT];
    s->gx = s->gy = s->gz = 0;
    if (!gradient)
        return;
    gradient += dim * i;
    s->gx = gradient[0];
    s->gy = gradient[1];
    if (dim == 3)
        s->gz = gradient[2];
}

/* e_i - e_j by the gradients of the head. */
HD lane wcsph_head_between(const int dim, const lane d[3], const wcsph_src_lanes *i,
                           const wcsph_src *j)
{
    const lane flat = (i->gx + j->gx) * d[0] + (i->gy + j->gy) * d[1];
    return (real)0.5 * (dim == 3 ? flat + (i->gz + j->gz) * d[2] : flat);
}

/* The stress of both. */
HD void wcsph_add_stress(const struct pair_loop loop, const lane mf, const lane d[3],
                         const wcsph_src_lanes *i, const wcsph_src *j, wcsph_acc_lanes *sum)
{
    const lane xy = i->txy + j->txy;
    lane fx = (i->txx + j->txx) * d[0] + xy * d[1], fy = xy * d[0] + (i->tyy + j->tyy) * d[1];
    lane fz = lane_of(0);
    if (loop.dim == 3) {
        const lane xz = i->txz + j->txz, yz = i->tyz + j->tyz;
        fx += xz * d[2];
        fy += yz * d[2];
        fz = mf * (xz * d[0] + yz * d[1] + (i->tzz + j->tzz) * d[2]);
        sum->az += fz;
    }
    fx *= mf;
    fy *= mf;
    sum->ax += fx;
    sum->ay += fy;
    if (loop.energy) {
        const lane f[3] = {fx, fy, fz}, v[3] = {i->vx - j->vx, i->vy - j->vy, i->vz - j->vz},
                   u[3] = {lane_of(j->vx), lane_of(j->vy), lane_of(j->vz)},
                   power = pair_dot(loop.dim, f, v);
        if (loop.source == 0)
            sum->viscous += power;
        else {
            sum->wall_viscous += power;
            sum->body += pair_dot(loop.dim, f, u);
        }
    }
}

/* --- For the next step --- */

/* v: v_ij */
HD void wcsph_add_strain(const int dim, const lane mf, const lane d[3], const lane v[3],
                         wcsph_acc_lanes *sum)
{
    const lane vx = mf * v[0], vy = mf * v[1];
    sum->uxx += vx * d[0];
    sum->uxy += vx * d[1] + vy * d[0];
    sum->uyy += vy * d[1];
    if (dim == 3) {
        const lane vz = mf * v[2];
        sum->uxz += vx * d[2] + vz * d[0];
        sum->uyz += vy * d[2] + vz * d[1];
        sum->uzz += vz * d[2];
    }
}

/* e: e_j - e_i */
HD void wcsph_add_head(const int dim, const lane mf, const lane d[3], const lane e,
                       wcsph_acc_lanes *sum)
{
    const lane x = mf * d[0], y = mf * d[1];
    sum->qxx += x * d[0];
    sum->qxy += x * d[1];
    sum->qyy += y * d[1];
    sum->gx += x * e;
    sum->gy += y * e;
    if (dim == 3) {
        const lane z = mf * d[2];
        sum->qxz += x * d[2];
        sum->qyz += y * d[2];
        sum->qzz += z * d[2];
        sum->gz += z * e;
    }
}

/* tau over rho^2. In 2-D nothing moves along z: S_zz = 0. volume: 1/rho; unit: of the sums, times
 * 1/rho. */
HD void wcsph_store_stress(const wcsph_constants *k, const struct sluice_view *v, int64_t n,
                           const int dim, const real volume, const real unit, const wcsph_acc *sum)
{
    const int parts = dim * (dim + 1) / 2;
    const real strain[6] = {-unit * sum->uxx,
                            (real)-0.5 * unit * sum->uxy,
                            -unit * sum->uyy,
                            (real)-0.5 * unit * sum->uxz,
                            (real)-0.5 * unit * sum->uyz,
                            -unit * sum->uzz};
    const real diagonal[6] = {1, 0, 1, 0, 0, 1};
    real square = 0, trace = 0; /* S:S, tr S */
    for (int c = 0; c < parts; c++) {
        square += (2 - diagonal[c]) * strain[c] * strain[c];
        trace += diagonal[c] * strain[c];
    }
    square *= 2;
    const real nu = k->smagorinsky * REAL_SQRT(square);
    const real pressure = (real)(2. / 3) * nu * trace + k->isotropic * square;
    for (int c = 0; c < parts; c++)
        VIEW(v, STRESS_NEXT, n, parts, c) = volume * (2 * nu * strain[c] - diagonal[c] * pressure);
}

/* Inverts N by the adjugate of N over its mean diagonal; the units of the kernel's shape and of
 * masses cancel. In 2-D N gets a third axis with the mean diagonal. */
HD void wcsph_store_head(const struct sluice_view *v, int64_t n, const int dim,
                         const wcsph_acc *sum)
{
    const int three = dim == 3;
    const real mean = (sum->qxx + sum->qyy + (three ? sum->qzz : 0)) / (real)dim;
    const real inverse = mean > 0 ? 1 / mean : 0;
    const real g[3] = {sum->gx, sum->gy, three ? sum->gz : 0},
               matrix[6] = {inverse * sum->qxx,
                            inverse * sum->qxy,
                            inverse * sum->qyy,
                            three ? inverse * sum->qxz : 0,
                            three ? inverse * sum->qyz : 0,
                            three ? inverse * sum->qzz : 1};
    real a[6];
    const real determinant = correction_adjugate(matrix, a),
               scale = determinant > (real)GRADIENTS_DETERMINANT_LEAST ? -inverse / determinant : 0;
    VIEW(v, HEAD_GRADIENT_NEXT, n, dim, 0) = scale * (a[0] * g[0] + a[1] * g[1] + a[3] * g[2]);
    VIEW(v, HEAD_GRADIENT_NEXT, n, dim, 1) = scale * (a[1] * g[0] + a[2] * g[1] + a[4] * g[2]);
    if (three)
        VIEW(v, HEAD_GRADIENT_NEXT, n, dim, 2) = scale * (a[3] * g[0] + a[4] * g[1] + a[5] * g[2]);
}
#endif
