/* How much of its height a gravity wave loses in a period (docs/theory.md, "Renormalised
 * gradients"). */
#ifndef SLUICE_KERNELS_WAVE_LOSS_H
#define SLUICE_KERNELS_WAVE_LOSS_H
#include "kernels/types/wcsph_params.h"

/* Fractions of the height in a period. */
struct wave_loss {
    double viscosity, diffusion;
    double lattice; /* as measured with Wendland C2; NaN: not measured for this kernel or h/dp */
};

/* Of a linear wave. wavenumber: 1/m; depth, m; gravity, m/s^2; all above 0. */
struct wave_loss wave_loss_of(const struct wcsph_params *p, double wavenumber, double depth,
                              double gravity);
#endif
