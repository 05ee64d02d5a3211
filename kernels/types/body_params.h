/* Sums over the wall particles of each body: parameters of kernels/pointwise/body_sums.h and
 * body_pressure.h. */
#ifndef SLUICE_KERNELS_TYPES_BODY_PARAMS_H
#define SLUICE_KERNELS_TYPES_BODY_PARAMS_H
#include "kernels/types/exact_sum.h"
#include "kernels/types/rigid_motion_params.h"
#include "kernels/types/wcsph_params.h"

/* The force and the torque on a body, or a row of its matrix: 6 numbers, in 2-D fx, fy, tz. */
enum { SLUICE_WRENCH_MOST = 6 };

HD int sluice_wrench_size(int dimension)
{
    return dimension == 3 ? 6 : 3;
}

/* Terms of a sum: a wrench, and if it `solves` the matrix behind it, and the size of the forces. */
HD int sluice_body_terms(int dimension, int solves)
{
    const int n = sluice_wrench_size(dimension);
    return solves ? n + n * n + 1 : n;
}

/* Binary exponents of a particle's usual terms (exact_sum.h): the force on it in N, its mass in kg,
 * and the arm in m. */
struct sluice_body_scales {
    int force, mass, arm;
};

/* The scale of term k. */
HD int sluice_body_scale(const struct sluice_body_scales *s, int dimension, int k)
{
    const int n = sluice_wrench_size(dimension);
    if (k < n)
        return s->force + (k >= dimension ? s->arm : 0);
    if (k == n + n * n)
        return s->force;
    const int row = (k - n) / n, column = (k - n) % n;
    return s->mass + (row >= dimension ? s->arm : 0) + (column >= dimension ? s->arm : 0);
}

struct body_params {
    struct wcsph_params wcsph;
    const struct rigid_motion_params *motions;
    struct sluice_body_scales scales;
    int solves; /* 0: sums REACTION; 1: the pressure at walls, from EXTRAPOLATED and SHARE */
};
#endif
