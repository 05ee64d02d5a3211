/* Boxes around the particles of each stretch of a row, in y and z. A window ends at the nearest
 * particle, not at the row's edge, and is shorter for it. Water keeps the lines of its lattice for
 * long: a row holds one or two lines and is empty beside them. */
#ifndef SLUICE_KERNELS_GPU_WINDOW_ROW_EXTENTS_H
#define SLUICE_KERNELS_GPU_WINDOW_ROW_EXTENTS_H
#include "kernels/gpu/variant.h"

namespace SLUICE_GPU::GPU_PRECISION
{

/* The box, in y and z from the middle of their rows, of all particles in the stretch or within a
 * cutoff of it. Without particles its half widths are far below 0, so that nothing reaches it. */
struct alignas(16) row_extent {
    real y, half_y, z, half_z; /* its middle, and half its widths plus rounding */
};

/* The box around two. */
static __device__ __forceinline__ struct row_extent around(const struct row_extent &a,
                                                           const struct row_extent &b)
{
    const real low_y = real_min(a.y - a.half_y, b.y - b.half_y),
               high_y = real_max(a.y + a.half_y, b.y + b.half_y),
               low_z = real_min(a.z - a.half_z, b.z - b.half_z),
               high_z = real_max(a.z + a.half_z, b.z + b.half_z);
    const struct row_extent all = {(low_y + high_y) / 2, (high_y - low_y) / 2, (low_z + high_z) / 2,
                                   (high_z - low_z) / 2};
    return all;
}

/* row_extents.cu. The boxes of a set whose position records are packed for windows, one for each of
 * extent_count stretches of its table, in device memory. Made once a step, for the present
 * positions. */
sluice_status row_extents(struct gpu_backend *gpu, const struct sluice_grid *g,
                          struct sluice_set *set, const struct row_extent **out);

} // namespace SLUICE_GPU::GPU_PRECISION
#endif
