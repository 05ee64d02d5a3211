/* Reads the bin that each particle was sorted into from the set's table. */
#include "kernels/gpu/gpu_backend.h"
#include "kernels/gpu/variant.h"

namespace SLUICE_GPU
{

/* A set's table, and its rows of bins in a frame: 2^bits_y by 2^bits_z. */
struct order_table {
    const struct gpu_slot *slot;
    const uint32_t *start;
    int bits_y, bits_z;
};

/* For particles from .. to - 1; bin[0] belongs to particle `from`. One thread for each row of a
 * frame. */
static __global__ void list_order(const struct order_table table, const struct gpu_frames frames,
                                  int64_t from, int64_t to, struct sluice_sorted *bin)
{
    gpu_begin();
    const int bits_y = table.bits_y, rows = bits_y + table.bits_z;
    const int64_t n = (int64_t)blockIdx.x * blockDim.x + threadIdx.x, frame = n >> rows;
    if (frame >= frames.count || table.slot[frame].bins == 0)
        return;
    const struct gpu_slot s = table.slot[frame];
    const int row = (int)(n & ((1 << rows) - 1));
    const int32_t *index = frames.index[frame];
    const uint64_t first = s.base + (uint64_t)row * s.stride;
    const int64_t last = min((int64_t)table.start[first + s.bins], to);
    for (int64_t i = max((int64_t)table.start[first], from); i < last; i++) {
        const struct sluice_sorted sorted = {index[0],
                                             index[1] * (1 << bits_y) + (row & ((1 << bits_y) - 1)),
                                             index[2] * (1 << table.bits_z) + (row >> bits_y),
                                             (int32_t)(i - (int64_t)table.start[first])};
        bin[i - from] = sorted;
    }
}

sluice_status gpu_order(struct gpu_backend *gpu, const struct sluice_grid *g,
                        const struct sluice_set *set, struct sluice_sorted *bin)
{
    const struct order_table table = {bins_of(set)->slot, bins_of(set)->start, g->bins_log2[1],
                                      g->dimension == 3 ? g->bins_log2[2] : 0};
    const int64_t rows = (int64_t)gpu->frames.count << (table.bits_y + table.bits_z),
                  most = set->count < GPU_ORDER_AT_ONCE ? set->count : GPU_ORDER_AT_ONCE;
    if (set->count == 0)
        return SLUICE_OK;
    struct gpu_device_array<struct sluice_sorted> device;
    SLUICE_TRY(gpu_allocate_array(gpu, most, &device.at));
    for (int64_t from = 0; from < set->count; from += most) {
        const int64_t to = from + most < set->count ? from + most : set->count;
        GPU_LAUNCH_EACH(gpu, "list_order", list_order, rows, table, gpu->frames, from, to,
                        device.at);
        SLUICE_TRY(gpu_download(gpu, bin + from, device.at, (size_t)(to - from) * sizeof *bin));
    }
    return SLUICE_OK;
}

} // namespace SLUICE_GPU
