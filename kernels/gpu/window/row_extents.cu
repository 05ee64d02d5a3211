/* Computes the boxes of row_extents.h from the position records of a set. EXTENT_LANES lanes share
 * a stretch. */
#include "kernels/gpu/window/row_extents.h"
/* after row_extents.h */
#include "kernels/gpu/place_records.h"

namespace SLUICE_GPU::GPU_PRECISION
{

enum { EXTENT_LANES = 8 };

/* The maximum of v over the lanes of a stretch. */
static __device__ __forceinline__ real greatest(real v)
{
#pragma unroll
    for (int d = EXTENT_LANES / 2; d > 0; d /= 2)
        v = real_max(v, gpu_shuffle_xor(v, d));
    return v;
}

/* beside: how many bins a cutoff may reach beyond a stretch. (If the first number of real_max is
 * NaN, the result is the second.) */
static __global__ void box_stretches(const struct place_record *at, const uint32_t *start,
                                     uint32_t bins, uint32_t beside, real slack, real none,
                                     struct row_extent *out)
{
    gpu_begin();
    const int64_t n = ((int64_t)blockIdx.x * blockDim.x + threadIdx.x) / EXTENT_LANES,
                  low = (n << GPU_EXTENT_BITS) - beside,
                  high = ((n + 1) << GPU_EXTENT_BITS) + beside;
    const int lane = (int)threadIdx.x % EXTENT_LANES, there = n <= bins >> GPU_EXTENT_BITS;
    const uint32_t first = there ? start[low > 0 ? low : 0] : 0,
                   last = there ? start[high < bins ? high : bins] : 0;
    real below_y = -none, above_y = -none, below_z = -none,
         above_z = -none; /* maxima of -y, y, -z, z */
    for (uint32_t i = first + (uint32_t)lane; i < last; i += EXTENT_LANES) {
        const struct real4 p = view_load4(&at[i].x);
        below_y = real_max(-p.y, below_y);
        above_y = real_max(p.y, above_y);
        below_z = real_max(-p.z, below_z);
        above_z = real_max(p.z, above_z);
    }
    below_y = greatest(below_y);
    above_y = greatest(above_y);
    below_z = greatest(below_z);
    above_z = greatest(above_z);
    if (lane == 0 && there) {
        const struct row_extent box = {(above_y - below_y) / 2, (above_y + below_y) / 2 + slack,
                                       (above_z - below_z) / 2, (above_z + below_z) / 2 + slack};
        out[n] = box;
    }
}

/* Bins that a cutoff reaches until the next sort: those that it spans, one for its start, two for
 * rounding. */
static uint32_t bins_beside(const struct sluice_grid *g)
{
    const double reach = g->cutoff * (1 + SLUICE_DRIFT_MOST);
    return (uint32_t)(reach / ldexp(g->width[0], -g->bins_log2[0])) + 3;
}

/* Allocates the boxes of the whole table. */
static sluice_status reserve_extents(struct gpu_backend *gpu, struct sluice_set *set)
{
    struct gpu_bins *bins = bins_of(set);
    const int64_t most = extent_count(bins->start_capacity),
                  bytes = most * (int64_t)sizeof(struct row_extent);
    if (most <= bins->extents_capacity)
        return SLUICE_OK;
    set->bins_bytes += bytes - bins->extents_capacity * (int64_t)sizeof(struct row_extent);
    gpu_release(gpu, bins->extents);
    bins->extents_capacity = 0;
    SLUICE_TRY(gpu_allocate(gpu, (size_t)bytes, &bins->extents));
    bins->extents_capacity = most;
    return SLUICE_OK;
}

sluice_status row_extents(struct gpu_backend *gpu, const struct sluice_grid *g,
                          struct sluice_set *set, const struct row_extent **out)
{
    struct gpu_bins *bins = bins_of(set);
    const int64_t threads = extent_count(bins->bin_count) * EXTENT_LANES;
    const double least = sizeof(real) == 4 ? 2e-6 : 2e-15,
                 none = 1e6; /* not infinite: the middle would be NaN */
    if (bins->extents_bin != bins->bins_seen || bins->extents_at != gpu->uploads) {
        SLUICE_TRY(reserve_extents(gpu, set));
        GPU_LAUNCH_EACH(gpu, "box_stretches", box_stretches, threads,
                        (const struct place_record *)bins->packed, bins->start, bins->bin_count,
                        bins_beside(g), (real)(g->cutoff * least), (real)(g->cutoff * none),
                        (struct row_extent *)bins->extents);
        bins->extents_bin = bins->bins_seen;
        bins->extents_at = gpu->uploads;
    }
    *out = (const struct row_extent *)bins->extents;
    return SLUICE_OK;
}

} // namespace SLUICE_GPU::GPU_PRECISION
