/* Weakly compressible SPH with the terms that need gradients, which an earlier pass has stored
 * (pair_gradients.h); every kernel. The formulas of pair_wcsph.h, and beside them
 *
 *   sub-particle stress  a_i += sum m_j (T_i + T_j) F d,  T = tau/rho^2, 0 of walls
 *                        (Dalrymple & Rogers 2006)
 *   diffusion            [e_j - e_i + (G_i + G_j).d/2], G the renormalised gradient of the head
 *                        (to first order in r Antuono et al. 2010)
 *
 * A term whose field is missing is 0. */
#ifndef SLUICE_PAIR_WCSPH_GRADIENTS_H
#define SLUICE_PAIR_WCSPH_GRADIENTS_H
#include "kernels/pair/pair_wcsph.h"

#define wcsph_gradients_PARAMS(X)     /* derived by the model: kernels/types/wcsph_params.h */
#define wcsph_gradients_READS         (WCSPH_READS | SLUICE_BIT(STRESS) | SLUICE_BIT(HEAD_GRADIENT))
#define wcsph_gradients_WRITES        WCSPH_WRITES
#define wcsph_gradients_PACKS         SLUICE_FIELD_EOS
#define wcsph_gradients_SUMS          wcsph_SUMS
#define wcsph_gradients_FLOPS(kernel) 125
#define wcsph_gradients_MASKS_ITSELF  1
#define wcsph_gradients_USES_R        1
#define wcsph_gradients_SRC(X)                                                                     \
    WCSPH_SRC(X) X(txx) X(txy) X(tyy) X(txz) X(tyz) X(tzz) X(gx) X(gy) X(gz)
#define wcsph_gradients_ACC WCSPH_ACC
PAIR_STRUCT(wcsph_gradients_src, wcsph_gradients_SRC)
typedef wcsph_acc wcsph_gradients_acc;
typedef wcsph_acc_lanes wcsph_gradients_acc_lanes;
typedef struct wcsph_params wcsph_gradients_params;
typedef wcsph_constants wcsph_gradients_constants;

static inline wcsph_constants wcsph_gradients_prepare(const struct wcsph_params *p, double mass)
{
    return wcsph_constants_of(p, mass);
}
PAIR_ALWAYS_USUAL(wcsph_gradients)

HD wcsph_gradients_src wcsph_gradients_load(const wcsph_constants *k, const struct sluice_view *v,
                                            int64_t i, const int dim, const int source, real packed)
{
    const wcsph_src main = wcsph_load(k, v, i, dim, source, packed);
    const real *stress = v->field[SLUICE_FIELD_STRESS],
               *gradient = v->field[SLUICE_FIELD_HEAD_GRADIENT];
    wcsph_gradients_src s;
#define X(name) s.name = main.name;
    WCSPH_SRC(X)
#undef X
    stress += stress ? dim * (dim + 1) / 2 * i : 0;
    s.txx = stress ? stress[0] : 0;
    s.txy = stress ? stress[1] : 0;
    s.tyy = stress ? stress[2] : 0;
    s.txz = stress && dim == 3 ? stress[3] : 0;
    s.tyz = stress && dim == 3 ? stress[4] : 0;
    s.tzz = stress && dim == 3 ? stress[5] : 0;
    gradient += gradient ? dim * i : 0;
    s.gx = gradient ? gradient[0] : 0;
    s.gy = gradient ? gradient[1] : 0;
    s.gz = gradient && dim == 3 ? gradient[2] : 0;
    return s;
}

/* e_i - e_j by the gradients of the head. */
HD lane wcsph_gradients_slope(const int dim, const lane d[3], const wcsph_gradients_src_lanes *i,
                              const wcsph_gradients_src *j)
{
    const lane flat = (i->gx + j->gx) * d[0] + (i->gy + j->gy) * d[1];
    return (real)0.5 * (dim == 3 ? flat + (i->gz + j->gz) * d[2] : flat);
}

/* The stress of both. */
HD void wcsph_gradients_stress(const struct pair_loop loop, const lane mf, const lane d[3],
                               const wcsph_gradients_src_lanes *i, const wcsph_gradients_src *j,
                               wcsph_acc_lanes *sum)
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
        lane power = fx * (i->vx - j->vx) + fy * (i->vy - j->vy);
        if (loop.dim == 3)
            power += fz * (i->vz - j->vz);
        if (loop.source == 0)
            sum->viscous += power;
        else {
            sum->wall_viscous += power;
            sum->body += fx * j->vx + fy * j->vy;
            if (loop.dim == 3)
                sum->body += fz * j->vz;
        }
    }
}

HD void wcsph_gradients_eval(const wcsph_constants *k, const struct pair_loop loop,
                             const struct pair_distance *at, const wcsph_gradients_src_lanes *i,
                             const wcsph_gradients_src *j, wcsph_acc_lanes *sum)
{
    const lane mf = j->mass * sph_f_shape(&k->kernel, loop.kernel, at->r);
    wcsph_src_lanes main_i;
    wcsph_src main_j;
#define X(name)                                                                                    \
    main_i.name = i->name;                                                                         \
    main_j.name = j->name;
    WCSPH_SRC(X)
#undef X
    const lane slope = wcsph_gradients_slope(loop.dim, at->d, i, j);
    const lane force = wcsph_force(k, loop, at, mf, &main_i, &main_j, &slope, sum);
    if (k->laminar && (loop.source == 0 || k->no_slip))
        wcsph_gradients_stress(loop, mf * k->p_unit, at->d, i, j, sum);
    wcsph_add_force(loop.dim, force, at->d, sum);
}

HD void wcsph_gradients_store(const wcsph_constants *k, const struct sluice_view *v, int64_t n,
                              const struct pair_loop loop, const wcsph_gradients_src *i,
                              const wcsph_acc *sum, double out[SLUICE_SUM_COUNT])
{
    wcsph_src main;
#define X(name) main.name = i->name;
    WCSPH_SRC(X)
#undef X
    wcsph_store(k, v, n, loop, &main, sum, out);
}
#endif
