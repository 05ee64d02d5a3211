/* The energy budget: the energies, the works that change them, and the residual (docs/theory.md,
 * "The energy budget").
 *
 *   residual = E(t) - E(0) - sum of the works - entered + left + removed
 *
 * Works by the trapezoidal rule from the powers of every step, in double.
 *
 * J, or reduced units; per metre of depth in 2-D. */
#ifndef SLUICE_SIM_BUDGET_ROW_H
#define SLUICE_SIM_BUDGET_ROW_H
#include <stdint.h>

#include "files/columns.h"

/* The columns of energy.csv, X(member, unit, sentence): the energies up to the works, ... */
#define SLUICE_BUDGET_BEGIN(X)                                                                     \
    X(kinetic, "J", "sum m v^2/2")                                                                 \
    X(potential, "J", "in gravity and central forces, from the domain's corner")                   \
    X(elastic, "J", "compression of the fluid (and of dynamic walls)")                             \
    X(thermal, "J", "internal energy of a gas")                                                    \
    X(spring, "J", "in the springs at the walls, or in repulsive walls")                           \
    X(bodies, "J", "kinetic and potential energy of bodies")                                       \
    X(contact, "J", "in contacts and moorings of bodies")                                          \
    X(pair, "J", "potential energy of pairs (Lennard-Jones), tail included")                       \
    X(total, "J", "sum of the energies")                                                           \
    X(work_viscous, "J", "work of viscosity")                                                      \
    X(work_diffusion, "J", "work of density diffusion")                                            \
    X(work_ghost, "J", "work of the extrapolated wall state")                                      \
    X(work_body, "J", "work of moving walls")                                                      \
    X(work_contact, "J", "work of impacts, friction and dampers on bodies")

/* ... then the works of effects (physics/effects.def), and the rest. */
#define SLUICE_BUDGET_END(X)                                                                       \
    X(work_heat, "J", "heat that an isothermal gas takes up")                                      \
    X(work_force, "J", "work of `acceleration`, and of gravity along periodic axes")               \
    X(entered, "J", "energy of particles that came in")                                            \
    X(left, "J", "energy of particles that were taken out")                                        \
    X(removed, "J", "energy of particles that left the domain (counted as a sink)")                \
    X(residual, "J", "total - total at the start - works - entered + left + removed")              \
    X(reference, "J", "the energy that the residual is compared with")                             \
    X(identity, "1", "power identity: imbalance over the sum of absolute powers")                  \
    X(momentum_x, "kg m/s", "linear momentum")                                                     \
    X(momentum_y, "kg m/s", "linear momentum")                                                     \
    X(momentum_z, "kg m/s", "linear momentum")                                                     \
    X(angular_x, "kg m^2/s", "angular momentum about the potential's origin")                      \
    X(angular_y, "kg m^2/s", "angular momentum about the potential's origin")                      \
    X(angular_z, "kg m^2/s", "angular momentum about the potential's origin")                      \
    X(max_speed, "m/s", "largest speed")                                                           \
    X(max_acceleration, "m/s^2", "largest acceleration")                                           \
    X(temperature, "1", "kinetic temperature (Lennard-Jones), D N - D degrees of freedom")         \
    X(pressure, "1", "virial pressure (Lennard-Jones), tail included")                             \
    X(particles, "1", "fluid particles in the domain")

struct sluice_budget_row {
    int64_t step;
    double time, dt;
#define X(member, unit, description) double member;
    SLUICE_BUDGET_BEGIN(X)
#define EFFECT_COLUMN(member, description) double member;
#include "physics/effects.def"
    SLUICE_BUDGET_END(X)
#undef X
};

enum {
#define X(member, unit, description) +1
    SLUICE_BUDGET_COLUMNS = SLUICE_BUDGET_BEGIN(X)
#define EFFECT_COLUMN(member, description) +1
#include "physics/effects.def"
        SLUICE_BUDGET_END(X)
#undef X
};

/* budget.c: the columns after those of sluice_budget_step, the length of the step. */
extern const struct sluice_column sluice_budget_columns[SLUICE_BUDGET_COLUMNS + 1],
    sluice_budget_step[];

/* The number of column c in a row. */
double *sluice_budget_at(struct sluice_budget_row *row, int c);
double sluice_budget_value(const struct sluice_budget_row *row, int c);
#endif
