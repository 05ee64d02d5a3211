/* Where the particles in a stretch of a row are, in y and z: a window is as long as the nearest of
 * them leaves it, not the nearest edge of the row. Water keeps the lines of its lattice for long;
 * a row holds one or two of them and is empty beside. */
#ifndef SLUICE_KERNELS_GPU_WINDOW_ROW_EXTENTS_H
#define SLUICE_KERNELS_GPU_WINDOW_ROW_EXTENTS_H
#include "kernels/gpu/variant.h"

namespace SLUICE_GPU
{
namespace GPU_PRECISION
{

/* The box of all particles whose bins are in the stretch, or no further from it than a cutoff, in
 * y and z from the middle of their rows. Without any, its halves are so far below 0 that nothing
 * reaches it. */
struct alignas(16) row_extent {
    real y, half_y, z, half_z; /* its middle, and half its widths with what rounding makes */
};

/* Around two. */
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

/* row_extents.cu: the boxes of a set whose position records are packed for windows, one for each of
 * extent_count stretches of its table, in device memory. Made once a step, of places as they are.
 */
sluice_status row_extents(struct gpu_backend *gpu, const struct sluice_grid *g,
                          struct sluice_set *set, const struct row_extent **out);

} // namespace GPU_PRECISION
} // namespace SLUICE_GPU
#endif
