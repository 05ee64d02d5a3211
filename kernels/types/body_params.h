/* Sums over the wall particles of each body: what kernels/pointwise/body_sums.h and body_pressure.h
 * need. */
#ifndef SLUICE_KERNELS_TYPES_BODY_PARAMS_H
#define SLUICE_KERNELS_TYPES_BODY_PARAMS_H
#include "kernels/types/exact_sum.h"
#include "kernels/types/rigid_motion_params.h"
#include "kernels/types/wcsph_params.h"

/* The force and the torque on a body, or a row of its matrix: 6 numbers, in 2-D fx, fy, tz. */
enum { SLUICE_WRENCH_MOST = 6, SLUICE_BODY_TERMS_MOST = 43 };

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

/* The pieces of a body's totals (exact_sum.h): of each term, and how many terms were out of range.
 */
HD int64_t sluice_body_pieces(int terms)
{
    return (int64_t)(terms + 1) * EXACT_PIECES;
}

/* Term k from the pieces of a body; NaN: a term was out of range. */
HD double sluice_body_sum(const uint64_t *pieces, int terms, int k, int scale)
{
    const uint64_t *of_term = pieces + (int64_t)k * EXACT_PIECES;
    return pieces[(int64_t)terms * EXACT_PIECES] > 0
               ? (double)NAN
               : exact_value(scale, exact_joined(of_term[0], of_term[1], of_term[2]));
}

struct body_params {
    struct wcsph_params wcsph;
    const struct rigid_motion_params *motions;
    struct sluice_body_scales scales;
    int solves; /* 0: sums REACTION; 1: the pressure at walls, from EXTRAPOLATED and SHARE */
};
#endif
