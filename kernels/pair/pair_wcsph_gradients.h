/* Weakly compressible SPH with the terms that need gradients, which a pass before has left
 * (pair_gradients.h); every kernel. The formulas are in wcsph.h, and beside them
 *
 *   sub-particle stress  a_i += sum m_j (T_i + T_j) F d,  T = tau/rho^2, 0 of walls
 *                        (Dalrymple & Rogers 2006)
 *   diffusion            [e_j - e_i + (G_i + G_j).d/2], G the renormalised gradient of the head
 *                        (to first order in r Antuono et al. 2010)
 *
 * What has no field is not used, and 0. */
#ifndef SLUICE_PAIR_WCSPH_GRADIENTS_H
#define SLUICE_PAIR_WCSPH_GRADIENTS_H
#include "kernels/pair/wcsph_terms.h"

#define WCSPH_GRADIENTS_SRC(X)                                                                     \
    WCSPH_SRC(X) X(txx) X(txy) X(tyy) X(txz) X(tyz) X(tzz) X(gx) X(gy) X(gz)

typedef struct wcsph_gradients_src {
#define X(name) real name;
    WCSPH_GRADIENTS_SRC(X)
#undef X
} wcsph_gradients_src;
LANES_DEFINE(wcsph_gradients_src, WCSPH_GRADIENTS_SRC)
typedef LANES_OF(wcsph_gradients_src) wcsph_gradients_src_lanes;

HD wcsph_gradients_src wcsph_gradients_load(const struct wcsph_constants *k,
                                            const struct sluice_view *v, int64_t i, const int dim,
                                            const int source, real packed)
{
    const struct wcsph_src main = wcsph_load_from(k, v, i, dim, source, packed);
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

/* What the head's gradients say of e_i - e_j. */
HD lane wcsph_gradients_slope(const int dim, const lane d[3],
                              const LANES_OF(wcsph_gradients_src) * i, const wcsph_gradients_src *j)
{
    const lane flat = (i->gx + j->gx) * d[0] + (i->gy + j->gy) * d[1];
    return (real)0.5 * (dim == 3 ? flat + (i->gz + j->gz) * d[2] : flat);
}

/* The stress of both; v = v_ij. */
HD void wcsph_gradients_stress(const int source, const int dim, const int energy, const lane mf,
                               const lane d[3], const lane v[3],
                               const LANES_OF(wcsph_gradients_src) * i,
                               const wcsph_gradients_src *j, LANES_OF(wcsph_acc) * sum)
{
    const lane xy = i->txy + j->txy;
    lane fx = (i->txx + j->txx) * d[0] + xy * d[1], fy = xy * d[0] + (i->tyy + j->tyy) * d[1];
    lane fz = lane_of(0);
    if (dim == 3) {
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
    if (energy) {
        lane power = fx * v[0] + fy * v[1];
        if (dim == 3)
            power += fz * v[2];
        if (source == 0)
            sum->viscous += power;
        else {
            sum->wall_viscous += power;
            sum->body += fx * j->vx + fy * j->vy;
            if (dim == 3)
                sum->body += fz * j->vz;
        }
    }
}

#define SPH_NAME(part)   wcsph_gradients_##part
#define SPH_KERNEL(part) any_##part
#define SPH_GRADIENTS
#include "kernels/pair/wcsph.h"
#undef SPH_NAME
#undef SPH_KERNEL
#undef SPH_GRADIENTS

#define wcsph_gradients_PARAMS(X)    /* derived by the model: kernels/types/wcsph_params.h */
#define wcsph_gradients_READS        (WCSPH_READS | SLUICE_BIT(STRESS) | SLUICE_BIT(HEAD_GRADIENT))
#define wcsph_gradients_WRITES       WCSPH_WRITES
#define wcsph_gradients_FLOPS        125
#define wcsph_gradients_MASKS_ITSELF 1
#define wcsph_gradients_USES_R       1
#define wcsph_gradients_PACKS        SLUICE_FIELD_EOS
#define wcsph_gradients_SRC          WCSPH_GRADIENTS_SRC
#define wcsph_gradients_ACC          WCSPH_ACC
#endif
