/* Counts a set's cells, and lists boxes of bins that hold particles of it. */
#include "kernels/gpu/cells/cells.h"
#include "kernels/gpu/prefix.h"

namespace SLUICE_GPU
{

struct cell_grid cell_grid_of(const struct sluice_grid *g)
{
    struct cell_grid cells;
    for (int c = 0; c < 3; c++) {
        const int used = c < g->dimension;
        cells.bins[c] = used ? g->bins_log2[c] : 0;
        cells.reach[c] = used ? (int)ceil(g->cutoff * (1 - 1e-6) * (1 << cells.bins[c]) /
                                          g->width[c])
                              : 0;
    }
    return cells;
}

/* A set's table of bins, and its cells: boxes of bins, each at least a cutoff wide. */
struct bin_table {
    int bins[3], cell[3]; /* of a frame; bins of a cell: powers of two */
    const struct gpu_slot *slot;
    const uint32_t *start;
};

static struct bin_table bin_table_of(const struct sluice_grid *g, const struct gpu_bins *bins)
{
    const struct cell_grid cells = cell_grid_of(g);
    struct bin_table t = {{}, {}, bins->slot, bins->start};
    for (int c = 0; c < 3; c++) {
        t.bins[c] = cells.bins[c];
        while (cells.reach[c] > 1 << t.cell[c])
            t.cell[c]++;
    }
    return t;
}

/* The particles of a box in a frame: from bin `low` on, of size[0] of the frame's own bins along x,
 * and of size[1] and size[2] rows. Bins beyond the frame do not count. */
static __device__ uint32_t count_box(const struct bin_table &t, const struct gpu_slot &s,
                                     const int low[3], const int size[3])
{
    const int end = min(low[0] + size[0], (int)s.bins),
              end_y = min(low[1] + size[1], 1 << t.bins[1]),
              end_z = min(low[2] + size[2], 1 << t.bins[2]);
    uint32_t n = 0;
    for (int z = low[2]; z < end_z && low[0] < end; z++)
        for (int y = low[1]; y < end_y; y++) {
            const uint32_t row = s.base + (uint32_t)(z << t.bins[1] | y) * s.stride;
            n += t.start[row + (uint32_t)end] - t.start[row + (uint32_t)low[0]];
        }
    return n;
}

/* A block for each frame. */
static __global__ void count_cells(const struct bin_table t, struct cell_counts *counts)
{
    gpu_begin();
    const struct gpu_slot s = t.slot[blockIdx.x];
    const int width = max(t.cell[0], (int)s.shift) - (int)s.shift, /* in the frame's own bins */
        along_x = t.bins[0] - (int)s.shift - width, along_y = t.bins[1] - t.cell[1],
              all = s.bins ? 1 << (along_x + along_y + t.bins[2] - t.cell[2]) : 0;
    const int size[3] = {1 << width, 1 << t.cell[1], 1 << t.cell[2]};
    uint32_t most = 0, occupied = 0;
    for (int k = (int)threadIdx.x; k < all; k += (int)blockDim.x) {
        const int yz = k >> along_x,
                  low[3] = {(k & ((1 << along_x) - 1)) * size[0],
                            (yz & ((1 << along_y) - 1)) * size[1], (yz >> along_y) * size[2]};
        const uint32_t n = count_box(t, s, low, size);
        most = max(most, n);
        occupied += n > 0;
    }
    for (int d = GPU_WARP / 2; d > 0; d /= 2) {
        most = max(most, gpu_shuffle_xor(most, d));
        occupied += gpu_shuffle_xor(occupied, d);
    }
    if (threadIdx.x % GPU_WARP == 0 && occupied) {
        atomicMax(&counts->fullest, most);
        atomicAdd(&counts->occupied, occupied);
    }
}

static sluice_status count_now(struct gpu_backend *gpu, const struct sluice_grid *g,
                               struct gpu_bins *bins)
{
    SLUICE_TRY(gpu_clear(gpu, bins->counts, sizeof *bins->counts));
    GPU_LAUNCH(count_cells, (unsigned)gpu->frames.count, GPU_BLOCK, 0, gpu->stream,
               bin_table_of(g, bins), bins->counts);
    GPU_LAUNCHED("count_cells");
    bins->counted = bins->sorts;
    return gpu_check(gpuMemcpyAsync(bins->counts_host, bins->counts, sizeof *bins->counts,
                                    gpuMemcpyDeviceToHost, gpu->stream),
                     "the counts of cells");
}

sluice_status gpu_count_cells(struct gpu_backend *gpu, const struct sluice_grid *g,
                              const struct sluice_set *set, int now, struct cell_counts *counts)
{
    struct gpu_bins *bins = bins_of(set);
    *counts = cell_counts();
    if (set->count == 0 || gpu->frames.count == 0)
        return SLUICE_OK;
    const int first = !bins->counts;
    if (first) {
        SLUICE_TRY(gpu_allocate_array(gpu, 1, &bins->counts));
        SLUICE_TRY(gpu_check(gpuMallocHost((void **)&bins->counts_host, sizeof *bins->counts),
                             "pinned host memory for the counts of cells"));
    }
    if (bins->counted != bins->sorts)
        SLUICE_TRY(count_now(gpu, g, bins));
    if (first || now)
        SLUICE_TRY(gpu_check(gpuStreamSynchronize(gpu->stream), "the counts of cells"));
    const volatile struct cell_counts *seen = bins->counts_host; /* the device may write it */
    counts->fullest = seen->fullest;
    counts->occupied = seen->occupied;
    return SLUICE_OK;
}

/* --- Boxes ---- */

/* A block for each frame, and a thread for each of its boxes. Their order does not matter. */
static __global__ void list_boxes(const struct bin_table t, const struct gpu_box_size b,
                                  uint32_t *count, uint32_t *list)
{
    gpu_begin();
    const struct gpu_slot s = t.slot[blockIdx.x];
    const int all = b.boxes[0] * b.boxes[1] * b.boxes[2];
    for (int first = 0; first < all && s.bins; first += (int)blockDim.x) {
        const int place = first + (int)threadIdx.x, yz = place / b.boxes[0],
                  low[3] = {place % b.boxes[0] * b.size[0], yz % b.boxes[1] * b.size[1],
                            yz / b.boxes[1] * b.size[2]},
                  holds = place < all && count_box(t, s, low, b.size) > 0;
        const uint32_t at = warp_append(count, holds);
        if (holds)
            list[at] = blockIdx.x * (uint32_t)all + (uint32_t)place;
    }
}

sluice_status gpu_list_boxes(struct gpu_backend *gpu, const struct sluice_grid *g,
                             struct sluice_set *set, const int size[3],
                             const struct gpu_boxes **out)
{
    struct gpu_bins *bins = bins_of(set);
    for (int k = 0; k < GPU_BOX_LISTS; k++) {
        *out = &bins->boxes[k];
        if (bins->boxes[k].sort == bins->sorts &&
            memcmp(bins->boxes[k].box.size, size, sizeof bins->boxes[k].box.size) == 0)
            return SLUICE_OK;
    }
    struct gpu_boxes *boxes = &bins->boxes[bins->boxes_next];
    struct gpu_box_size *b = &boxes->box;
    uint64_t all = (uint64_t)gpu->frames.count;
    bins->boxes_next = (bins->boxes_next + 1) % GPU_BOX_LISTS;
    boxes->sort = -1;
    memcpy(b->size, size, sizeof b->size);
    const struct bin_table table = bin_table_of(g, bins);
    for (int c = 0; c < 3; c++) {
        b->boxes[c] = ((1 << table.bins[c]) + size[c] - 1) / size[c];
        all *= (uint64_t)b->boxes[c];
    }
    SLUICE_CHECK(all < UINT32_MAX, SLUICE_BAD_INPUT,
                 "%s: %llu boxes of cells, at most 2^32; take another backend.strategy",
                 gpu->strategy, (unsigned long long)all);
    boxes->most = (uint32_t)(all < (uint64_t)set->count ? all : (uint64_t)set->count);
    SLUICE_TRY(
        gpu_bins_reserve(gpu, set, &boxes->list, ((size_t)boxes->most + 1) * sizeof(uint32_t)));
    uint32_t *count = (uint32_t *)boxes->list.memory;
    SLUICE_TRY(gpu_clear(gpu, count, sizeof *count));
    GPU_LAUNCH(list_boxes, (unsigned)gpu->frames.count, GPU_BLOCK, 0, gpu->stream, table, *b, count,
               count + 1);
    GPU_LAUNCHED("list_boxes");
    boxes->sort = bins->sorts;
    *out = boxes;
    return SLUICE_OK;
}

} // namespace SLUICE_GPU
