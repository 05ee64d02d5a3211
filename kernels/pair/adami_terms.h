/* What the extrapolation to walls has in common for every kernel. */
#ifndef SLUICE_PAIR_ADAMI_TERMS_H
#define SLUICE_PAIR_ADAMI_TERMS_H
#include "kernels/pair/sph_kernel.h"
#include "kernels/pointwise/eos.h"
#include "kernels/types/view.h"
#include "kernels/types/wcsph_params.h"

#define ADAMI_READS  (SLUICE_BIT(POSITION) | SLUICE_BIT(PREDICTED) | SLUICE_BIT(EOS))
#define ADAMI_WRITES (SLUICE_BIT(EOS) | SLUICE_BIT(PREDICTED))

/* predicted velocity; p/rho0^2; rho/rho0 */
#define ADAMI_SRC(X) X(vx) X(vy) X(vz) X(p) X(rho)
/* sums of W, of p W/rho0^2, of (rho/rho0) d W, of v W */
#define ADAMI_ACC(X) X(w) X(p) X(x) X(y) X(z) X(vx) X(vy) X(vz)

struct adami_constants {
    struct sph_kernel kernel;
    struct eos_constants eos;
    real support, gravity[3];
    real tiny; /* 1e-6 of the peak of the kernel's shape: below it the wall sees no fluid */
    int no_slip;
    int two;              /* there is a second fluid: */
    uint32_t second_from; /* from this id on */
    real second_rho0;     /* its reference density over the first one's */
};
struct adami_src {
#define X(name) real name;
    ADAMI_SRC(X)
#undef X
};
struct adami_acc {
#define X(name) real name;
    ADAMI_ACC(X)
#undef X
};
LANES_DEFINE(adami_src, ADAMI_SRC)
LANES_DEFINE(adami_acc, ADAMI_ACC)

static inline struct adami_constants adami_constants_of(const struct wcsph_params *p)
{
    struct adami_constants k;
    k.kernel = sph_kernel_prepare(p->kernel, p->h, p->dimension);
    k.eos = eos_prepare(p);
    k.support = k.kernel.support;
    for (int c = 0; c < 3; c++)
        k.gravity[c] = (real)p->gravity[c];
    k.tiny = (real)1e-6 * k.kernel.peak;
    k.no_slip = !p->slip && wcsph_is_viscous(p);
    k.two = p->second != NULL;
    k.second_from = p->second_from;
    k.second_rho0 = (real)(k.two ? p->second->rho0 / p->rho0 : 1);
    return k;
}
#endif
