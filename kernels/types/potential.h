/* The potential energy of a unit mass in the body forces, J/kg. */
#ifndef SLUICE_KERNELS_TYPES_POTENTIAL_H
#define SLUICE_KERNELS_TYPES_POTENTIAL_H
#include "kernels/types/real.h"

/* -g.x; x from the origin, m. g is 0 along periodic axes, where gravity has no potential. */
HD double gravity_potential(const int dim, const double g[3], const double x[3])
{
    double phi = 0;
    for (int c = 0; c < dim; c++)
        phi -= g[c] * x[c];
    return phi;
}

/* strength^2 |d|^2/2, at d from the centre of a central force, m. */
HD double central_potential(const int dim, const double strength, const double d[3])
{
    double d2 = 0;
    for (int c = 0; c < dim; c++)
        d2 += d[c] * d[c];
    return 0.5 * strength * strength * d2;
}
#endif
