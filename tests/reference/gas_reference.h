/* A gas whose smoothing lengths solve the program's equations in double: densities and forces
 * summed plainly over all particles and images (docs/theory.md, "Gas"). */
#ifndef SLUICE_TESTS_GAS_REFERENCE_H
#define SLUICE_TESTS_GAS_REFERENCE_H
#include "kernels/types/gas_params.h"
#include "support/pair_state.h"

struct gas_case {
    const char *name;
    int dim, kernel, periodic, mean, isothermal, lattice;
    unsigned walls;  /* 2 axis + (high side); else open or periodic */
    double contrast; /* of the spacing from one half of the box to the other */
    double frame;    /* width of a frame over a quarter of the box, at least */
};

/* The state of the particles, by id, and what the passes should make of it. */
struct gas {
    const struct gas_case *of;
    struct gas_params p;
    struct cloud cloud;
    double period, least; /* least: the smallest h */
    double *guess, *u, *limiter;
    double *h, *rho, *omega; /* expected */
    double (*a)[3], *a_scale, *heat, *heat_scale, *shrink, *shrink_scale, *turn, *signal,
        *signal_most; /* signal: least */
    double pairs[2];  /* within the own support, and within the larger of both */
};

/* Makes the particles of a case at random places, and their densities and forces. */
void gas_create(struct gas *g, const struct gas_case *of, uint64_t seed);
void gas_destroy(struct gas *g);
/* The speed of sound at particle i. */
double gas_sound(const struct gas *g, int64_t i);
#endif
