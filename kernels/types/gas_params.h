/* Parameters of the gas pairs and pointwise operations, in double, which the model derives from the
 * config. */
#ifndef SLUICE_KERNELS_TYPES_GAS_PARAMS_H
#define SLUICE_KERNELS_TYPES_GAS_PARAMS_H
#include "kernels/types/fluid_choices.h"

struct gas_params {
    int dimension;
    int kernel;                       /* enum sluice_kernel */
    double eta;                       /* sum m W(r/h) = m eta^D */
    double gamma;                     /* p = (gamma - 1) rho u */
    int isothermal;                   /* 1: each particle keeps its u */
    int mean;                         /* 1: McFarlane's form of the force; 0: the variational one */
    double alpha, beta, conductivity; /* artificial viscosity and conductivity */
    int limiter;                      /* 1: Balsara's */
    double tolerance;                 /* of the equation for h */
    double support;                   /* the largest support at the start, m */
    double most;                      /* the largest support that the search can find, m */
    double dt;                        /* of the running step, s; 0: the present state */
    double body[3];                   /* m/s^2: the acceleration by body forces */
};

/* c^2/u: gamma (gamma - 1), of an isothermal gas gamma - 1. */
static inline double gas_sound2(const struct gas_params *p)
{
    return (p->isothermal ? 1 : p->gamma) * (p->gamma - 1);
}
#endif
