/* The grid as the kernels of a sort need it. */
#ifndef SLUICE_KERNELS_GPU_STEP_SORT_GRID_H
#define SLUICE_KERNELS_GPU_STEP_SORT_GRID_H
#include "kernels/gpu/variant.h"
/* after variant.h */
#include "kernels/types/bin_index.h"

namespace SLUICE_GPU::GPU_PRECISION
{

struct sort_grid {
    struct bin_axis axis[3];
    int bits[3], dim;
    double low[3], high[3]; /* the domain from the corner of frame 0; infinite on periodic axes */
    double width[3];
    int32_t shift[3];
};

static inline struct sort_grid grid_of(const struct sluice_grid *g)
{
    struct sort_grid s;
    s.dim = g->dimension;
    for (int c = 0; c < 3; c++) {
        const int used = c < g->dimension;
        s.bits[c] = used ? g->bins_log2[c] : 0;
        s.axis[c] = bin_axis_of(g->width[c], s.bits[c]);
        s.low[c] = used && !g->periodic[c] ? g->low[c] : -INFINITY;
        s.high[c] = used && !g->periodic[c] ? g->high[c] : INFINITY;
        s.width[c] = g->width[c];
        s.low[c] -= g->corner[c];
        s.high[c] -= g->corner[c];
        s.shift[c] = g->shift[c];
    }
    return s;
}

static inline __device__ int left_domain(const struct sort_grid &g, const int32_t frame[3],
                                         const real *x)
{
    int left = 0;
    for (int c = 0; c < g.dim; c++) {
        const double centre = ((double)(frame[c] - g.shift[c]) + 0.5) * g.width[c];
        left |= (double)x[c] < g.low[c] - centre || (double)x[c] > g.high[c] - centre;
    }
    return left;
}

/* An integer that orders like x, for all bit patterns. */
static inline __device__ int64_t ordinal(real x)
{
#ifdef SLUICE_DOUBLE
    int64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits ^ (int64_t)((uint64_t)(bits >> 63) >> 1);
#else
    int32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits ^ (int32_t)((uint32_t)(bits >> 31) >> 1);
#endif
}

} // namespace SLUICE_GPU::GPU_PRECISION
#endif
