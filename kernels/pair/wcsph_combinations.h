/* The combinations of terms that have a loop of their own (pair_wcsph.h). A case takes the first
 * combination of the list that may have all of its terms and must have no other. Each costs a few
 * seconds of every build, and is as fast as its own terms allow; in wcsph_general and
 * wcsph_renormalised_all every other term is a condition. */
#ifndef SLUICE_PAIR_WCSPH_COMBINATIONS_H
#define SLUICE_PAIR_WCSPH_COMBINATIONS_H
#include "kernels/pair/pair_wcsph.h"

#define WCSPH_COMBINATIONS(X)                                                                      \
    X(wcsph_plain)                                                                                 \
    X(wcsph_laminar)                                                                               \
    X(wcsph_masses)                                                                                \
    X(wcsph_shift)                                                                                 \
    X(wcsph_shift_laminar)                                                                         \
    X(wcsph_friction)                                                                              \
    X(wcsph_viscous)                                                                               \
    X(wcsph_walls)                                                                                 \
    X(wcsph_slope)                                                                                 \
    X(wcsph_stress)                                                                                \
    X(wcsph_gradients)                                                                             \
    X(wcsph_renormalised)                                                                          \
    X(wcsph_renormalised_masses)                                                                   \
    X(wcsph_renormalised_all)                                                                      \
    X(wcsph_two_fluids)                                                                            \
    X(wcsph_general)

/* The usual case: one mass, gravity downwards or in the head. */
#define wcsph_plain_MUST          0u
#define wcsph_plain_MAY           0u
#define wcsph_plain_SRC(X)        WCSPH_SRC_CORE(X)
#define wcsph_plain_ACC(X)        WCSPH_ACC_CORE(X)
#define wcsph_plain_READS         WCSPH_READS
#define wcsph_plain_WRITES        WCSPH_WRITES
#define wcsph_plain_FLOPS(kernel) ((kernel) == PAIR_KERNEL_WENDLAND ? 60 : 65)
#define wcsph_plain_PARAMS(X)
WCSPH_COMBINATION(wcsph_plain, PLAIN)

#define wcsph_laminar_MUST          WCSPH_LAMINAR
#define wcsph_laminar_MAY           WCSPH_LAMINAR
#define wcsph_laminar_SRC(X)        WCSPH_SRC_CORE(X) WCSPH_SRC_LAMINAR(X)
#define wcsph_laminar_ACC(X)        WCSPH_ACC_CORE(X)
#define wcsph_laminar_READS         WCSPH_READS
#define wcsph_laminar_WRITES        WCSPH_WRITES
#define wcsph_laminar_FLOPS(kernel) 66
#define wcsph_laminar_PARAMS(X)
WCSPH_COMBINATION(wcsph_laminar, PLAIN)

#define wcsph_masses_MUST          WCSPH_MASSES
#define wcsph_masses_MAY           WCSPH_MASSES
#define wcsph_masses_SRC(X)        WCSPH_SRC_CORE(X) WCSPH_SRC_MASSES(X)
#define wcsph_masses_ACC(X)        WCSPH_ACC_CORE(X)
#define wcsph_masses_READS         WCSPH_READS
#define wcsph_masses_WRITES        WCSPH_WRITES
#define wcsph_masses_FLOPS(kernel) 61
#define wcsph_masses_PARAMS(X)
WCSPH_COMBINATION(wcsph_masses, PLAIN)

/* The usual case with particle shifting. */
#define wcsph_shift_MUST          WCSPH_SHIFT
#define wcsph_shift_MAY           WCSPH_SHIFT
#define wcsph_shift_SRC(X)        WCSPH_SRC_CORE(X) WCSPH_SRC_SHIFT(X)
#define wcsph_shift_ACC(X)        WCSPH_ACC_CORE(X) WCSPH_ACC_SHIFT(X)
#define wcsph_shift_READS         WCSPH_READS
#define wcsph_shift_WRITES        (WCSPH_WRITES | SLUICE_BIT(SHIFT))
#define wcsph_shift_FLOPS(kernel) (wcsph_plain_FLOPS(kernel) + 20)
#define wcsph_shift_PARAMS(X)
WCSPH_COMBINATION(wcsph_shift, RARE)

/* The same with laminar viscosity. */
#define wcsph_shift_laminar_MUST          (WCSPH_SHIFT | WCSPH_LAMINAR)
#define wcsph_shift_laminar_MAY           (WCSPH_SHIFT | WCSPH_LAMINAR)
#define wcsph_shift_laminar_SRC(X)        wcsph_laminar_SRC(X) WCSPH_SRC_SHIFT(X)
#define wcsph_shift_laminar_ACC(X)        wcsph_shift_ACC(X)
#define wcsph_shift_laminar_READS         wcsph_shift_READS
#define wcsph_shift_laminar_WRITES        wcsph_shift_WRITES
#define wcsph_shift_laminar_FLOPS(kernel) (wcsph_laminar_FLOPS(kernel) + 20)
#define wcsph_shift_laminar_PARAMS(X)
WCSPH_COMBINATION(wcsph_shift_laminar, RARE)

/* Friction of walls and the limit on tension. */
#define wcsph_friction_MUST          0u
#define wcsph_friction_MAY           (WCSPH_ARTIFICIAL_WALLS | WCSPH_LAW | WCSPH_TENSION)
#define wcsph_friction_SRC(X)        WCSPH_SRC_CORE(X)
#define wcsph_friction_ACC(X)        WCSPH_ACC_CORE(X) WCSPH_ACC_LAW(X)
#define wcsph_friction_READS         (WCSPH_READS | SLUICE_BIT(SCALAR))
#define wcsph_friction_WRITES        WCSPH_WRITES
#define wcsph_friction_FLOPS(kernel) wcsph_plain_FLOPS(kernel)
#define wcsph_friction_PARAMS(X)
WCSPH_COMBINATION(wcsph_friction, RARE)

/* Laminar viscosity in either form, and masses that differ. */
#define wcsph_viscous_MUST          0u
#define wcsph_viscous_MAY           (WCSPH_MASSES | WCSPH_TILTED | WCSPH_LAMINAR | WCSPH_MORRIS)
#define wcsph_viscous_SRC(X)        WCSPH_SRC_CORE(X) WCSPH_SRC_MASSES(X) WCSPH_SRC_LAMINAR(X)
#define wcsph_viscous_ACC(X)        WCSPH_ACC_CORE(X)
#define wcsph_viscous_READS         WCSPH_READS
#define wcsph_viscous_WRITES        WCSPH_WRITES
#define wcsph_viscous_FLOPS(kernel) 70
#define wcsph_viscous_PARAMS(X)
WCSPH_COMBINATION(wcsph_viscous, PLAIN)

/* The same with friction of walls, of which some may turn or slip, eddies and the limit on tension.
 */
#define wcsph_walls_MUST 0u
#define wcsph_walls_MAY                                                                            \
    (wcsph_viscous_MAY | wcsph_friction_MAY | WCSPH_EDDIES | WCSPH_SPIN | WCSPH_SOME_SLIP)
#define wcsph_walls_SRC(X)                                                                         \
    wcsph_viscous_SRC(X) WCSPH_SRC_EDDIES(X) WCSPH_SRC_SPIN(X) WCSPH_SRC_SOME_SLIP(X)
#define wcsph_walls_ACC(X)        WCSPH_ACC_CORE(X) WCSPH_ACC_LAW(X) WCSPH_ACC_SPIN(X)
#define wcsph_walls_READS         (wcsph_friction_READS | SLUICE_BIT(MIXING_LENGTH))
#define wcsph_walls_WRITES        WCSPH_WRITES
#define wcsph_walls_FLOPS(kernel) 90
#define wcsph_walls_PARAMS(X)
WCSPH_COMBINATION(wcsph_walls, RARE)

/* The usual case with the gradient of the head in its diffusion. */
#define wcsph_slope_MUST          WCSPH_SLOPE
#define wcsph_slope_MAY           WCSPH_SLOPE
#define wcsph_slope_SRC(X)        WCSPH_SRC_CORE(X) WCSPH_SRC_SLOPE(X)
#define wcsph_slope_ACC(X)        WCSPH_ACC_CORE(X) WCSPH_ACC_SLOPE(X)
#define wcsph_slope_READS         (WCSPH_READS | SLUICE_BIT(HEAD_GRADIENT))
#define wcsph_slope_WRITES        (WCSPH_WRITES | SLUICE_BIT(HEAD_GRADIENT_NEXT))
#define wcsph_slope_FLOPS(kernel) (wcsph_plain_FLOPS(kernel) + 40)
#define wcsph_slope_PARAMS(X)
WCSPH_COMBINATION(wcsph_slope, PLAIN)

/* Sub-particle stress and laminar viscosity. */
#define wcsph_stress_MUST          (WCSPH_STRESS | WCSPH_LAMINAR)
#define wcsph_stress_MAY           (WCSPH_STRESS | WCSPH_LAMINAR)
#define wcsph_stress_SRC(X)        wcsph_laminar_SRC(X) WCSPH_SRC_STRESS(X)
#define wcsph_stress_ACC(X)        WCSPH_ACC_CORE(X) WCSPH_ACC_STRESS(X)
#define wcsph_stress_READS         (WCSPH_READS | SLUICE_BIT(STRESS))
#define wcsph_stress_WRITES        (WCSPH_WRITES | SLUICE_BIT(STRESS_NEXT))
#define wcsph_stress_FLOPS(kernel) (wcsph_laminar_FLOPS(kernel) + 55)
#define wcsph_stress_PARAMS(X)
WCSPH_COMBINATION(wcsph_stress, PLAIN)

/* The terms that need gradients, beside laminar viscosity and masses that differ. */
#define wcsph_gradients_MUST 0u
#define wcsph_gradients_MAY                                                                        \
    (WCSPH_MASSES | WCSPH_TILTED | WCSPH_LAMINAR | WCSPH_MORRIS | WCSPH_STRESS | WCSPH_SLOPE)
#define wcsph_gradients_SRC(X)                                                                     \
    WCSPH_SRC_CORE(X)                                                                              \
    WCSPH_SRC_MASSES(X) WCSPH_SRC_LAMINAR(X) WCSPH_SRC_STRESS(X) WCSPH_SRC_SLOPE(X)
#define wcsph_gradients_ACC(X)        WCSPH_ACC_CORE(X) WCSPH_ACC_STRESS(X) WCSPH_ACC_SLOPE(X)
#define wcsph_gradients_READS         (wcsph_slope_READS | wcsph_stress_READS)
#define wcsph_gradients_WRITES        (wcsph_slope_WRITES | wcsph_stress_WRITES)
#define wcsph_gradients_FLOPS(kernel) 165
#define wcsph_gradients_PARAMS(X)
WCSPH_COMBINATION(wcsph_gradients, PLAIN)

/* The usual case with renormalised gradients. */
#define wcsph_renormalised_MUST          WCSPH_RENORMALISED
#define wcsph_renormalised_MAY           WCSPH_RENORMALISED
#define wcsph_renormalised_SRC(X)        WCSPH_SRC_CORE(X) WCSPH_SRC_RENORMALISED(X)
#define wcsph_renormalised_ACC(X)        WCSPH_ACC_CORE(X) WCSPH_ACC_RENORMALISED(X)
#define wcsph_renormalised_READS         (WCSPH_READS | SLUICE_BIT(CORRECTION_OLD) | SLUICE_BIT(MEMORY_OLD))
#define wcsph_renormalised_WRITES        (WCSPH_WRITES | SLUICE_BIT(CORRECTION) | SLUICE_BIT(MEMORY))
#define wcsph_renormalised_FLOPS(kernel) (wcsph_plain_FLOPS(kernel) + 50)
#define wcsph_renormalised_PARAMS(X)
WCSPH_COMBINATION(wcsph_renormalised, RARE)

/* The same with masses that differ. */
#define wcsph_renormalised_masses_MUST          (WCSPH_RENORMALISED | WCSPH_MASSES)
#define wcsph_renormalised_masses_MAY           (WCSPH_RENORMALISED | WCSPH_MASSES)
#define wcsph_renormalised_masses_SRC(X)        wcsph_renormalised_SRC(X) WCSPH_SRC_MASSES(X)
#define wcsph_renormalised_masses_ACC(X)        wcsph_renormalised_ACC(X)
#define wcsph_renormalised_masses_READS         wcsph_renormalised_READS
#define wcsph_renormalised_masses_WRITES        wcsph_renormalised_WRITES
#define wcsph_renormalised_masses_FLOPS(kernel) (wcsph_renormalised_FLOPS(kernel) + 1)
#define wcsph_renormalised_masses_PARAMS(X)
WCSPH_COMBINATION(wcsph_renormalised_masses, RARE)

/* The same with every other term of one fluid. */
#define wcsph_renormalised_all_MUST WCSPH_RENORMALISED
#define wcsph_renormalised_all_MAY  (WCSPH_ALL & ~(WCSPH_TWO | WCSPH_REPULSION))
#define wcsph_renormalised_all_SRC(X)                                                              \
    wcsph_gradients_SRC(X) WCSPH_SRC_EDDIES(X) WCSPH_SRC_SPIN(X) WCSPH_SRC_SOME_SLIP(X)            \
        WCSPH_SRC_RENORMALISED(X)
#define wcsph_renormalised_all_ACC(X)                                                              \
    wcsph_walls_ACC(X) WCSPH_ACC_RENORMALISED(X) WCSPH_ACC_STRESS(X) WCSPH_ACC_SLOPE(X)
#define wcsph_renormalised_all_READS                                                               \
    (wcsph_friction_READS | wcsph_gradients_READS | wcsph_renormalised_READS |                     \
     SLUICE_BIT(MIXING_LENGTH))
#define wcsph_renormalised_all_WRITES        (wcsph_renormalised_WRITES | wcsph_gradients_WRITES)
#define wcsph_renormalised_all_FLOPS(kernel) 245
#define wcsph_renormalised_all_PARAMS(X)
WCSPH_COMBINATION(wcsph_renormalised_all, RARE)

#define wcsph_two_fluids_MUST          WCSPH_TWO
#define wcsph_two_fluids_MAY           (WCSPH_TWO | WCSPH_TILTED | WCSPH_LAMINAR | WCSPH_MORRIS)
#define wcsph_two_fluids_SRC(X)        WCSPH_SRC_CORE(X) X(wx) X(wy) X(wz) WCSPH_SRC_TWO(X)
#define wcsph_two_fluids_ACC(X)        WCSPH_ACC_CORE(X)
#define wcsph_two_fluids_READS         (WCSPH_READS | SLUICE_BIT(PHASE))
#define wcsph_two_fluids_WRITES        WCSPH_WRITES
#define wcsph_two_fluids_FLOPS(kernel) 78
#define wcsph_two_fluids_PARAMS(X)
WCSPH_COMBINATION(wcsph_two_fluids, RARE)

/* Every case without renormalised gradients. */
#define wcsph_general_MUST 0u
#define wcsph_general_MAY  (WCSPH_ALL & ~WCSPH_RENORMALISED)
#define wcsph_general_SRC(X)                                                                       \
    wcsph_gradients_SRC(X) WCSPH_SRC_EDDIES(X) WCSPH_SRC_SPIN(X) WCSPH_SRC_SOME_SLIP(X)            \
        WCSPH_SRC_TWO(X)
#define wcsph_general_ACC(X) wcsph_walls_ACC(X) WCSPH_ACC_STRESS(X) WCSPH_ACC_SLOPE(X)
#define wcsph_general_READS                                                                        \
    (wcsph_friction_READS | wcsph_gradients_READS | wcsph_two_fluids_READS |                       \
     SLUICE_BIT(MIXING_LENGTH))
#define wcsph_general_WRITES        wcsph_gradients_WRITES
#define wcsph_general_FLOPS(kernel) 190
#define wcsph_general_PARAMS(X)
WCSPH_COMBINATION(wcsph_general, RARE)
#endif
