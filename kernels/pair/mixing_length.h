/* Eddy viscosity by a mixing length, between fluid.
 *
 *   nu_t = l^2 |S|, l = kappa d up to a largest one (Prandtl 1925; the ramp of Escudier 1966)
 *   Pi_ij = -2 (D + 2) nu_ij/rho0 v_ij.d/(d^2 + 0.01 h^2)
 *           (Espanol & Revenga 2003 and Monaghan 2005, sec. 4: viscosity along the line of centres)
 *   nu_ij = l_ij^2/c_D |v_ij.d|/(d^2 + 0.01 h^2)
 *
 * In a shear S the factor |v_ij.d|/d^2 is S |e_x e_z|, e = d/|d|. Its mean over all directions,
 * weighted as the stress is, by (e_x e_z)^2, is c_D S:
 *
 *   c_D = <|e_x e_z|^3>/<(e_x e_z)^2> = 4/(3 pi) in 2-D, 8/(7 pi) in 3-D
 *
 * So the pair form has the stress rho l^2 S |S| in any shear, needs no gradient, and vanishes where
 * the fluid turns as one body. Each pair takes energy.
 *
 *   l_ij^2 = (l_i^2 + 10 l_i l_j + l_j^2)/12
 *
 * is nearly the square of the logarithmic mean, with which two rows of a logarithmic profile
 * exchange its stress: (2 g^2 + a^2)/3, of the geometric mean g and the arithmetic mean a. nu_ij is
 * at most what the step bears. */
#ifndef SLUICE_PAIR_MIXING_LENGTH_H
#define SLUICE_PAIR_MIXING_LENGTH_H
#include "kernels/pair/pair_contract.h"
#include "kernels/types/wcsph_params.h"

#define MIXING_LENGTH_KAPPA 0.41
#define MIXING_LENGTH_C2    0.42441318157838756 /* 4/(3 pi) */
#define MIXING_LENGTH_C3    0.36378272706718934 /* 8/(7 pi) */

struct mixing_length {
    int used;
    real rate; /* 1/(12 c_D) */
    real unit; /* -2 (D + 2)/rho0, in the unit of Pi */
    real most; /* of nu_ij, m^2/s */
};

static inline struct mixing_length mixing_length_prepare(const struct wcsph_params *p, double unit)
{
    struct mixing_length m;
    m.used = p->mixing.most > 0;
    m.rate = (real)(1 / (12 * (p->dimension == 2 ? MIXING_LENGTH_C2 : MIXING_LENGTH_C3)));
    m.unit = (real)(-2 * (p->dimension + 2) / p->rho0 * unit);
    m.most = (real)p->mixing.nu_most;
    return m;
}

/* Pi of a pair: vd = v_ij.d, r2 = d^2 + 0.01 h^2, l the mixing lengths. */
HD lane mixing_length_pi(const struct mixing_length *m, const lane vd, const lane r2, const lane li,
                         const real lj)
{
    const lane rate = vd / r2, size = lane_max(rate, -rate),
               nu = m->rate * (li * li + (10 * lj) * li + lj * lj) * size;
    return m->unit * lane_min(nu, lane_of(m->most)) * rate;
}
#endif
