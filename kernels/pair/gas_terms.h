/* The common part of the two pairs of a gas: smoothing lengths, the equation of state.
 *
 * Each particle has its own smoothing length h, so that
 *
 *   rho_i = Sum_j m_j W(r_ij; h_i),   h_i^D Sum_j m_j W(r_ij; h_i) = m_i eta^D          (1)
 *
 * (Springel & Hernquist 2002, MNRAS 333, 649; Monaghan 2002, MNRAS 335, 843; Price 2012, J. Comput.
 * Phys. 231, 759, eq. 10). The left side grows with h, so there is one root. */
#ifndef SLUICE_PAIR_GAS_TERMS_H
#define SLUICE_PAIR_GAS_TERMS_H
#include "kernels/pair/sph_kernel.h"
#include "kernels/types/gas_params.h"

typedef struct gas_params gas_params;
typedef struct {
    struct sph_kernel kernel; /* of h = 1 */
    real eta, tolerance;
    real gamma1;                /* gamma - 1 */
    real sound2;                /* c^2 = sound2 u */
    real per_sound;             /* p = per_sound rho c^2 */
    real support;               /* the largest one at the start, m */
    real widest;                /* the largest h whose support can be searched, m */
    real per_dim;               /* 1/D */
    real alpha4, beta, conduct; /* alpha/4, beta; conductivity by c^2 in place of u */
    int limiter, mean, isothermal;
    real body[3];
} gas_constants;

static inline gas_constants gas_constants_of(const gas_params *p)
{
    const double sound2 = gas_sound2(p);
    gas_constants k;
    k.kernel = sph_kernel_prepare(p->kernel, 1, p->dimension);
    k.eta = (real)p->eta;
    /* In float the sums themselves are exact to no more than this. */
    k.tolerance = real_max((real)p->tolerance, sizeof(real) == 4 ? (real)2e-6 : (real)4e-15);
    k.gamma1 = (real)(p->gamma - 1);
    k.sound2 = (real)sound2;
    k.per_sound = (real)((p->gamma - 1) / sound2);
    k.support = (real)p->support;
    k.widest = (real)(p->most / (double)k.kernel.support);
    k.per_dim = (real)(1.0 / p->dimension);
    k.alpha4 = (real)(p->alpha / 4);
    k.beta = (real)p->beta;
    k.conduct = (real)(p->isothermal ? 0 : p->conductivity / sound2);
    k.limiter = p->limiter;
    k.mean = p->mean;
    k.isothermal = p->isothermal;
    for (int c = 0; c < 3; c++)
        k.body[c] = (real)p->body[c];
    return k;
}

HD real gas_power(const int dim, real x)
{
    return dim == 3 ? x * x * x : x * x;
}

/* ln x, to 1e-16 of 1 near x = 1, and e^x for |x| <= 0.5, to 1e-10. By their series, for the same
 * bits on every machine. */
HD real gas_log(real x)
{
    const real z = (x - 1) / (x + 1), z2 = z * z;
    return 2 * z * (1 + z2 * ((real)1 / 3 + z2 * ((real)1 / 5 + z2 * ((real)1 / 7 + z2 / 9))));
}
HD real gas_exp(real x)
{
    real sum = 1;
    for (int n = 9; n > 0; n--)
        sum = 1 + sum * x / (real)n;
    return sum;
}

/* The smoothing length of particle i, m: the last one found, or the guess for the next. */
HD real gas_length(const struct sluice_view *v, int64_t i)
{
    return VIEW(v, SMOOTHING, i, 4, 0);
}
#endif
