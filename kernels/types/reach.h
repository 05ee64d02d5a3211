/* How far a search must look to miss no particle, whatever the rounding. */
#ifndef SLUICE_KERNELS_TYPES_REACH_H
#define SLUICE_KERNELS_TYPES_REACH_H
#include "grid/grid.h"
#include "kernels/types/real.h"

/* The error by rounding of a position near a bin's border, and of a distance near the cutoff, m. */
static inline real slack_of(const struct sluice_grid *g)
{
    real width = 0;
    for (int c = 0; c < g->dimension; c++)
        width = real_max(width, (real)g->width[c]);
    return width * (sizeof(real) == 4 ? (real)1e-6 : (real)1e-15);
}

/* The reach of a search within a distance r. */
HD real reach_of(real r, real slack)
{
    return r * (1 + (sizeof(real) == 4 ? (real)1e-6 : (real)1e-15)) + slack;
}
#endif
