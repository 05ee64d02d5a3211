/* What pairs, pointwise operations, backends and models agree on: the sums of a pass, the equations
 * of state, the kernels, central forces. */
#ifndef SLUICE_KERNELS_TYPES_INTERACTION_H
#define SLUICE_KERNELS_TYPES_INTERACTION_H
#include "grid/grid.h"
#include "kernels/types/fluid_choices.h"

/* Sums that an interaction or a reduction returns; those of pairs come from the same terms as the
 * forces. J/s = W unless said; per metre of depth in 2-D. PHYSICS: docs/theory.md, "The energy
 * budget". */
enum sluice_sum {
    SLUICE_SUM_VISCOUS,       /* P_visc */
    SLUICE_SUM_DIFFUSION,     /* P_diff */
    SLUICE_SUM_GHOST,         /* P_ghost: what the extrapolated wall state does */
    SLUICE_SUM_BODY,          /* P_body: what moving walls do */
    SLUICE_SUM_SHIFT,         /* what shifting adds to the potential energy in a step, J */
    SLUICE_SUM_SHIFT_DENSITY, /* P_shift: what shifting that the density counts does */
    SLUICE_SUM_SPRING,        /* energy in the springs at the walls, J */
    SLUICE_SUM_IDENTITY,      /* left minus right side of the power identity at this instant */
    SLUICE_SUM_IDENTITY_ABS,  /* what it is measured against: the sum of the absolute terms */
    SLUICE_SUM_PAIR_ENERGY,   /* potential energy of pairs, J (Lennard-Jones) */
    SLUICE_SUM_VIRIAL,        /* sum over pairs of r.F, J (Lennard-Jones) */
    SLUICE_SUM_PAIRS,         /* ordered pairs i != j within the cutoff; only when counted */
    SLUICE_SUM_COUNT
};

enum { SLUICE_CENTRAL_MAX = 8 };

/* A central force: a = -strength^2 (x - centre), potential strength^2 |x - centre|^2/2 a mass. */
struct sluice_central {
    struct sluice_place centre;
    double strength; /* 1/s */
};
#endif
