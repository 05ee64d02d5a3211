/* A particle that leaves its frame: offsets lie in [-width/2, width/2). */
#ifndef SLUICE_KERNELS_TYPES_REFRAME_H
#define SLUICE_KERNELS_TYPES_REFRAME_H
#include "kernels/types/compensated.h"

/* The neighbour frame in which an offset lies, on one axis: -1, 0 or 1. half: of the width. */
HD int frame_side(real x, real half)
{
    return x >= half ? 1 : x < -half ? -1 : 0;
}

/* Moves x and its rounding error `low` into the neighbour frame on these sides of *slot. Returns 0
 * and changes nothing if that is the same frame or is not in the table. The subtraction is exact. x
 * and low are then summed again, since x may be smaller and take up more of low. */
HD int reframe(const int32_t (*neighbour)[27], uint32_t *slot, const int side[3],
               const real half[3], real *x, real *low, const int dim)
{
    const int stride[3] = {1, 3, 9};
    int k = 13; /* the frame itself among its neighbours */
    for (int c = 0; c < dim; c++)
        k += side[c] * stride[c];
    if (k == 13 || neighbour[*slot][k] < 0)
        return 0;
    *slot = (uint32_t)neighbour[*slot][k];
    for (int c = 0; c < dim; c++) {
        x[c] -= (real)side[c] * (2 * half[c]);
        compensated_sum(&x[c], &low[c], 0);
    }
    return 1;
}
#endif
