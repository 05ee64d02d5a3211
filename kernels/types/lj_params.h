/* Parameters of the Lennard-Jones pair (kernels/pair/pair_lj.h), in double. */
#ifndef SLUICE_KERNELS_TYPES_LJ_PARAMS_H
#define SLUICE_KERNELS_TYPES_LJ_PARAMS_H

struct lj_params {
    double epsilon, sigma, mass, cutoff, softening;
    int truncation, tail;
    /* Set by the model, not by keys of the config: */
    int begins;     /* 1: the pair loop sets ACCELERATION; 0: it adds to it */
    double body[3]; /* begins = 1: the acceleration by body forces, in the case's units */
};

#endif
