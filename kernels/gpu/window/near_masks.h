/* Near masks: for each frame, which of its 64 blocks (4 x 4 x 4, in 2-D 8 x 8) may be within the
 * cutoff of a particle of a set. Most of a fluid is near no wall, and most walls are dry: one bit
 * saves them from searching the other's rows. */
#ifndef SLUICE_KERNELS_GPU_WINDOW_NEAR_MASKS_H
#define SLUICE_KERNELS_GPU_WINDOW_NEAR_MASKS_H
#include "kernels/gpu/c_headers.h"
#include "kernels/types/real.h"

namespace SLUICE_GPU::GPU_PRECISION
{

struct near_axis {
    real half, per_length; /* half the frame's width; blocks a length */
};

static inline struct near_axis near_axis_of(double width, int dim)
{
    struct near_axis a;
    a.half = (real)(width / 2);
    a.per_length = (real)((dim == 3 ? 4 : 8) / width);
    return a;
}

/* The block of an offset, counted from the frame's first; negative before the frame. */
HD int near_block(const struct near_axis &a, real x)
{
    return (int)floor((x + a.half) * a.per_length);
}

/* The bit of a block; a block beyond the frame gets the nearest block's. */
HD int near_bit(const int block[3], const int dim)
{
    const int last = dim == 3 ? 3 : 7, bits = dim == 3 ? 2 : 3;
    int bit = 0;
    for (int c = dim - 1; c >= 0; c--)
        bit = bit << bits | (block[c] < 0 ? 0 : block[c] > last ? last : block[c]);
    return bit;
}

} // namespace SLUICE_GPU::GPU_PRECISION
#endif
