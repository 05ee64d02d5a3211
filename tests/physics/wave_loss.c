/* test: 1 s */
/* What `sluice check` says of a wave's loss: the parts by their formulas, and the lattice's between
 * and beside the measured h/dp. */
#include <math.h>

#include "kernels/registry.h"
#include "kernels/formulas/wave_loss.h"
#include "support/tap.h"

static struct wcsph_params water(double h_over_dp)
{
    const double dp = 0.02;
    return (struct wcsph_params){.dimension = 2,
                                 .spacing = dp,
                                 .h = h_over_dp * dp,
                                 .kernel = SLUICE_KERNEL_WENDLAND_C2,
                                 .rho0 = 1000,
                                 .sound_speed = 28,
                                 .alpha = 0.001,
                                 .delta = 0.1};
}

static int near(double a, double b, double by)
{
    return fabs(a / b - 1) < by;
}

int main(void)
{
    const double depth = 0.4, k = 1 / depth, g = 9.81;
    struct wcsph_params p = water(2);
    const struct wave_loss two = wave_loss_of(&p, k, depth, g);
    const double omega = sqrt(g * k * tanh(1)), period = 2 * acos(-1) / omega,
                 nu = 0.001 * 28 * 0.04 / 16;
    ok(near(two.viscosity, 2 * nu * k * k * period, 1e-12), "viscosity: 2 nu k^2 T");
    ok(near(two.diffusion, 0.1 * 0.04 * omega * omega / 56 * period, 1e-12),
       "diffusion: delta h omega^2 T/(2 c0)");
    ok(near(two.lattice, 0.0135, 1e-12), "the lattice, 20 spacings deep: as measured");
    ok(near(wave_loss_of(&p, k / 4, 4 * depth, g).lattice, 0.0135 / 2, 1e-12),
       "four times as deep: half of it");
    p.renormalised = 1;
    ok(wave_loss_of(&p, k, depth, g).lattice < two.lattice / 10,
       "renormalised gradients: a tenth of it at most");
    p = water(1.75);
    const double between = wave_loss_of(&p, k, depth, g).lattice;
    ok(between > 0.0135 && between < 0.034, "h/dp 1.75 is between 1.5 and 2");
    p = water(1.2);
    ok(isnan(wave_loss_of(&p, k, depth, g).lattice), "h/dp 1.2 was not measured");
    p = water(2);
    p.kernel = SLUICE_KERNEL_CUBIC_SPLINE;
    ok(isnan(wave_loss_of(&p, k, depth, g).lattice), "nor was the cubic spline");
    p = water(3);
    ok(near(wave_loss_of(&p, k, depth, g).lattice, 0.0045, 1e-12), "h/dp 3 was");
    return done_testing();
}
