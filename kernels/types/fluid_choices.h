/* The choices of the fluid that the kernels branch on: the smoothing kernel, the form of laminar
 * viscosity and the equation of state, with the words of their keys. */
#ifndef SLUICE_KERNELS_TYPES_FLUID_CHOICES_H
#define SLUICE_KERNELS_TYPES_FLUID_CHOICES_H
#include "core/param.h"

#define SLUICE_SMOOTHING_KERNELS(X)                                                                \
    X(SLUICE_KERNEL_WENDLAND_C2, "wendland-c2")                                                    \
    X(SLUICE_KERNEL_CUBIC_SPLINE, "cubic-spline")                                                  \
    X(SLUICE_KERNEL_WENDLAND_C4, "wendland-c4")                                                    \
    X(SLUICE_KERNEL_QUINTIC_SPLINE, "quintic-spline")
enum sluice_kernel { SLUICE_SMOOTHING_KERNELS(SLUICE_CHOICE_VALUE) };

/* The direction of laminar viscosity between two particles: along d, or along v_ij. */
#define SLUICE_VISCOUS_FORMS(X)                                                                    \
    X(SLUICE_VISCOUS_CENTRAL, "central")                                                           \
    X(SLUICE_VISCOUS_MORRIS, "morris")
enum sluice_viscous_form { SLUICE_VISCOUS_FORMS(SLUICE_CHOICE_VALUE) };

#define SLUICE_EQUATIONS_OF_STATE(X)                                                               \
    X(SLUICE_EOS_TAIT, "tait")                                                                     \
    X(SLUICE_EOS_LINEAR, "linear")
/* A config cannot choose IDEAL: the scalar of the particles is the energy itself. */
enum sluice_eos { SLUICE_EQUATIONS_OF_STATE(SLUICE_CHOICE_VALUE) SLUICE_EOS_IDEAL };
#endif
