/* The bin of an offset in its frame. The sort and the search call the same function. It never
 * decreases with x: offsets in [a, b] are in the bins from a's to b's, whatever the rounding. */
#ifndef SLUICE_KERNELS_TYPES_BIN_INDEX_H
#define SLUICE_KERNELS_TYPES_BIN_INDEX_H
#include "kernels/types/real.h"

/* One axis: bins per length and the number of the last bin. Offsets outside the frame, and NaN, go
 * to a bin at an end. */
struct bin_axis {
    real half, per_length, last;
};

static inline struct bin_axis bin_axis_of(double width, int log2)
{
    const int bins = 1 << log2;
    return (struct bin_axis){(real)(width / 2), (real)(bins / width), (real)(bins - 1)};
}

HD int bin_index(const struct bin_axis *a, real x)
{
    const real t = (x + a->half) * a->per_length;
    return (int)real_min(real_max(t, 0), a->last);
}
#endif
