/* The vocabulary that pairs, pointwise operations, backends and models share: the sums of a pass,
 * the equations of state, the kernels, central forces. */
#ifndef SLUICE_KERNELS_TYPES_INTERACTION_H
#define SLUICE_KERNELS_TYPES_INTERACTION_H
#include "grid/grid.h"
#include "kernels/types/fluid_choices.h"
#include "kernels/types/device.h"
#include "kernels/types/exact_sum.h"

/* The sums that a pass returns, from the same terms as the forces: powers in W, or energies in J
 * where said; per metre of depth in 2-D (docs/theory.md, "The energy budget"); those of effects are
 * in their own folders (physics/effects.def). The CPU adds four at a time, so those of one pair
 * stand near each other. */
enum sluice_sum {
    SLUICE_SUM_VISCOUS,      /* P_visc */
    SLUICE_SUM_DIFFUSION,    /* P_diff */
    SLUICE_SUM_GHOST,        /* P_ghost: by the extrapolated state of walls */
    SLUICE_SUM_BODY,         /* P_body: by moving walls */
    SLUICE_SUM_SPRING,       /* energy in the springs at the walls, J */
    SLUICE_SUM_IDENTITY,     /* left minus right side of the power identity at this instant */
    SLUICE_SUM_IDENTITY_ABS, /* the sum of the absolute terms, the scale of the identity */
#define EFFECT_POWER(NAME, column) SLUICE_SUM_##NAME,
#define EFFECT_JUMP                EFFECT_POWER
#include "physics/effects.def"
    SLUICE_SUM_PAIR_ENERGY, /* potential energy of pairs, J (Lennard-Jones) */
    SLUICE_SUM_VIRIAL,      /* sum over pairs of r.F, J (Lennard-Jones) */
    SLUICE_SUM_HEAT,        /* P_heat: heat that an isothermal gas takes up */
    SLUICE_SUM_PAIRS,       /* ordered pairs i != j within the cutoff; only when counted */
    SLUICE_SUM_ROUNDS,      /* sums for the density of a gas, over all particles */
    SLUICE_SUM_NEGATIVE,    /* particles of a gas whose predicted energy is negative */
    SLUICE_SUM_COUNT
};

/* Binary exponents of a particle's usual mass, momentum, ... in a case, in SI or the case's units:
 * the scales of exact sums (exact_sum.h). Zeroed: all are 1. */
struct sluice_scales {
    int mass, momentum, angular, energy, power;
};

/* Whether a sum of a pass counts. */
HD int sluice_sum_counts(int sum)
{
    return sum >= SLUICE_SUM_PAIRS;
}

/* The scale of a sum of a pass. */
HD int sluice_sum_scale(const struct sluice_scales *s, int sum)
{
    const int energy = sum == SLUICE_SUM_SPRING || sum == SLUICE_SUM_PAIR_ENERGY ||
#define EFFECT_JUMP(NAME, column) sum == SLUICE_SUM_##NAME ||
#include "physics/effects.def"
                       sum == SLUICE_SUM_VIRIAL;
    return sluice_sum_counts(sum) ? EXACT_COUNT_SCALE : energy ? s->energy : s->power;
}

/* The sums of a summary (backend.h), and their scales. */
enum sluice_summary_sum {
    SUMMARY_MASS,
    SUMMARY_KINETIC,
    SUMMARY_ELASTIC,
    SUMMARY_POTENTIAL,
    SUMMARY_MOMENTUM,                       /* and two more */
    SUMMARY_ANGULAR = SUMMARY_MOMENTUM + 3, /* and two more */
    SUMMARY_SUMS = SUMMARY_ANGULAR + 3
};

HD int sluice_summary_scale(const struct sluice_scales *s, int sum)
{
    return sum == SUMMARY_MASS      ? s->mass
           : sum < SUMMARY_MOMENTUM ? s->energy
           : sum < SUMMARY_ANGULAR  ? s->momentum
                                    : s->angular;
}

/* A sum's bit; all of them; those of an instant, which a row shows. The others are integrated over
 * the steps, or count. */
#define SLUICE_SUM_BIT(name) (1u << SLUICE_SUM_##name)
#define SLUICE_ALL_SUMS      ((1u << SLUICE_SUM_COUNT) - 1)
#define SLUICE_INSTANT_SUMS                                                                        \
    (SLUICE_SUM_BIT(SPRING) | SLUICE_SUM_BIT(IDENTITY) | SLUICE_SUM_BIT(IDENTITY_ABS) |            \
     SLUICE_SUM_BIT(PAIR_ENERGY) | SLUICE_SUM_BIT(VIRIAL))

enum { SLUICE_CENTRAL_MAX = 8 };

/* A central force: a = -strength^2 (x - centre), potential strength^2 |x - centre|^2/2 a mass. */
struct sluice_central {
    struct sluice_place centre;
    double strength; /* 1/s */
};
#endif
