/* The terms that need gradients, which an earlier pass has stored (pair_gradients.h). A term whose
 * field is missing is 0. */
#ifndef SLUICE_PAIR_WCSPH_GRADIENTS_H
#define SLUICE_PAIR_WCSPH_GRADIENTS_H
#include "kernels/pair/wcsph_terms.h"

/* unit: of the stored stress over rho^2. */
HD void wcsph_load_stress(const struct sluice_view *v, int64_t i, const int dim, const real unit,
                          wcsph_src *s)
{
    const real *stress = v->field[SLUICE_FIELD_STRESS];
    stress += stress ? dim * (dim + 1) / 2 * i : 0;
    s->txx = stress ? unit * stress[0] : 0;
    s->txy = stress ? unit * stress[1] : 0;
    s->tyy = stress ? unit * stress[2] : 0;
    s->txz = stress && dim == 3 ? unit * stress[3] : 0;
    s->tyz = stress && dim == 3 ? unit * stress[4] : 0;
    s->tzz = stress && dim == 3 ? unit * stress[5] : 0;
}

HD void wcsph_load_slope(const struct sluice_view *v, int64_t i, const int dim, wcsph_src *s)
{
    const real *gradient = v->field[SLUICE_FIELD_HEAD_GRADIENT];
    gradient += gradient ? dim * i : 0;
    s->gx = gradient ? gradient[0] : 0;
    s->gy = gradient ? gradient[1] : 0;
    s->gz = gradient && dim == 3 ? gradient[2] : 0;
}

/* e_i - e_j by the gradients of the head. */
HD lane wcsph_slope(const int dim, const lane d[3], const wcsph_src_lanes *i, const wcsph_src *j)
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
#endif
