#include "kernels/formulas/wave_loss.h"

#include <math.h>

#include "kernels/registry.h"

enum { MEASURED = 4 };

/* Of a wave with kd = 1 in water 20 spacings deep, in a period, less viscosity and diffusion. With
 * renormalised gradients nothing is left from h/dp 2.5 on. */
static const double h_over_dp[MEASURED] = {1.5, 2, 2.5, 3},
                    plain[MEASURED] = {0.034, 0.0135, 0.007, 0.0045},
                    renormalised[MEASURED] = {0.0025, 0.001, 0, 0};

/* The lattice's part falls as the square root of dp over the depth. */
static double of_lattice(const struct wcsph_params *p, double depth)
{
    const double ratio = p->h / p->spacing, *known = p->renormalised ? renormalised : plain;
    int k = 0;
    if (p->kernel != SLUICE_KERNEL_WENDLAND_C2 || !(ratio >= h_over_dp[0] * (1 - 1e-6)) ||
        !(ratio <= h_over_dp[MEASURED - 1] * (1 + 1e-6)))
        return NAN;
    while (k + 2 < MEASURED && ratio > h_over_dp[k + 1])
        k++;
    const double part = (ratio - h_over_dp[k]) / (h_over_dp[k + 1] - h_over_dp[k]);
    return (known[k] + part * (known[k + 1] - known[k])) * sqrt(20 * p->spacing / depth);
}

struct wave_loss wave_loss_of(const struct wcsph_params *p, double wavenumber, double depth,
                              double gravity)
{
    const double omega2 = gravity * wavenumber * tanh(wavenumber * depth),
                 period = 2 * acos(-1) / sqrt(omega2), c0 = p->sound_speed,
                 nu = p->nu + p->alpha * c0 * p->h / (p->dimension == 2 ? 16 : 20);
    return (struct wave_loss){
        .viscosity = 2 * nu * wavenumber * wavenumber * period,
        .diffusion = p->delta * p->h * omega2 / (2 * c0) * period,
        .lattice = of_lattice(p, depth),
    };
}
