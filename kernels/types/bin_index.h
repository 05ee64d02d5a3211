/* Which bin of its frame an offset lies in. The sort and the search ask the same function, which
 * never decreases with x: what lies in [a, b] is in the bins from a's to b's, whatever the
 * rounding. */
#ifndef SLUICE_KERNELS_TYPES_BIN_INDEX_H
#define SLUICE_KERNELS_TYPES_BIN_INDEX_H
#include "kernels/types/real.h"

/* One axis: bins a length and the number of the last bin. What is outside the frame, or not a
 * number, goes to an end. */
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
