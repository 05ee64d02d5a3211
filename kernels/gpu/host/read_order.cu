/* Reads the bin that each particle was sorted into from the set's table. */
#include "kernels/gpu/gpu_backend.h"
#include "kernels/gpu/variant.h"

namespace SLUICE_GPU
{

/* For particles from .. to - 1; bin[0] belongs to particle `from`. One thread for each row of a
 * frame. */
static __global__ void list_order(const struct gpu_slot *slot, const int32_t (*index)[3],
                                  int64_t frames, int bits_y, int bits_z, const uint32_t *start,
                                  int64_t from, int64_t to, int32_t (*bin)[3])
{
    gpu_begin();
    const int64_t n = (int64_t)blockIdx.x * blockDim.x + threadIdx.x,
                  frame = n >> (bits_y + bits_z);
    if (frame >= frames || slot[frame].bins == 0)
        return;
    const struct gpu_slot s = slot[frame];
    const int row = (int)(n & ((1 << (bits_y + bits_z)) - 1));
    const uint64_t first = s.base + (uint64_t)row * s.stride;
    const int64_t last = min((int64_t)start[first + s.bins], to);
    for (int64_t i = max((int64_t)start[first], from); i < last; i++) {
        bin[i - from][0] = index[frame][0];
        bin[i - from][1] = index[frame][1] * (1 << bits_y) + (row & ((1 << bits_y) - 1));
        bin[i - from][2] = index[frame][2] * (1 << bits_z) + (row >> bits_y);
    }
}

sluice_status gpu_order(struct gpu_backend *gpu, const struct sluice_grid *g,
                        const struct sluice_set *set, int32_t (*bin)[3])
{
    const struct gpu_bins *bins = bins_of(set);
    const int bits_y = g->bins_log2[1], bits_z = g->dimension == 3 ? g->bins_log2[2] : 0;
    if (set->count == 0)
        return SLUICE_OK;
    const int64_t most = set->count < GPU_ORDER_AT_ONCE ? set->count : GPU_ORDER_AT_ONCE;
    int32_t(*device)[3] = NULL;
    sluice_status status = SLUICE_OK;
    SLUICE_TRY(gpu_allocate(gpu, (size_t)most * sizeof *device, (void **)&device));
    for (int64_t from = 0; status == SLUICE_OK && from < set->count; from += most) {
        const int64_t to = from + most < set->count ? from + most : set->count;
        GPU_LAUNCH(list_order,
                   gpu_blocks((int64_t)gpu->frames.count << (bits_y + bits_z), GPU_BLOCK),
                   GPU_BLOCK, 0, gpu->stream, bins->slot, gpu->frames.index, gpu->frames.count,
                   bits_y, bits_z, bins->start, from, to, device);
        status = gpu_launched("list_order");
        if (status == SLUICE_OK)
            status = gpu_download(gpu, bin + from, device, (size_t)(to - from) * sizeof *device);
    }
    gpu_release(gpu, device);
    return status;
}

} // namespace SLUICE_GPU
