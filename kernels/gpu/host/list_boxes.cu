/* Lists the boxes of cells that hold particles: one block counts the boxes of a frame, another
 * lists them in order. The block of a frame without bins returns at once. */
#include "kernels/gpu/cells/cells.h"

#include "kernels/gpu/block_scan.h"

namespace SLUICE_GPU
{

enum { FRAME_BLOCK = 128 };

sluice_status cell_grid_of(const struct sluice_grid *g, const char *strategy,
                           struct cell_grid *cells)
{
    const double cutoff = g->cutoff * (1 - 1e-6);
    for (int c = 0; c < 3; c++) {
        const int used = c < g->dimension;
        const double bin = g->width[c] / (1 << g->bins_log2[c]);
        cells->bins[c] = used ? g->bins_log2[c] : 0;
        cells->cell[c] = 0;
        cells->reach[c] = used ? (int)ceil(cutoff / bin) : 0;
        while (used && bin * (1 << cells->cell[c]) < cutoff)
            cells->cell[c]++;
    }
    SLUICE_CHECK(cells->cell[1] + cells->cell[2] <= BOX_ROWS_LOG2, SLUICE_BAD_INPUT,
                 "backend.bins: a cell of one cutoff has %d rows of bins, at most %d; strategy "
                 "\"%s\" wants backend.bins = %s",
                 1 << (cells->cell[1] + cells->cell[2]), (int)BOX_ROWS, strategy,
                 g->dimension == 3 ? "[1, 1, 1]" : "[1, 1]");
    return SLUICE_OK;
}

struct box_counter {
    struct cell_grid cells;
    int log2[3];
    const struct gpu_slot *slot;
    const uint32_t *start;
};

static __device__ uint32_t boxes_of_frame(const struct box_counter &c, const struct gpu_slot &s)
{
    return s.bins == 0 ? 0
                       : 1u << (boxes_along_x(c.cells, c.log2, s) + c.cells.bins[1] - c.log2[1] +
                                c.cells.bins[2] - c.log2[2]);
}

static __device__ uint32_t particles_of_box(const struct box_counter &c, const struct gpu_slot &s,
                                            uint32_t place)
{
    const struct gpu_box_code code = {0, place};
    const struct cell_box b = box_at(c.cells, c.log2, s, code);
    uint32_t n = 0;
    for (int z = b.z0; z < b.z0 + b.nz; z++)
        for (int y = b.y0; y < b.y0 + b.ny; y++) {
            const uint32_t row = s.base + (uint32_t)(z << c.cells.bins[1] | y) * s.stride;
            n += c.start[row + ((uint32_t)b.x1 >> s.shift) + 1] -
                 c.start[row + ((uint32_t)b.x0 >> s.shift)];
        }
    return n;
}

static __global__ void count_boxes(const struct box_counter c, uint32_t *count, uint32_t *fullest)
{
    gpu_begin();
    const struct gpu_slot s = c.slot[blockIdx.x];
    const uint32_t boxes = boxes_of_frame(c, s);
    uint32_t occupied = 0, most = 0;
    for (uint32_t place = threadIdx.x; place < boxes; place += FRAME_BLOCK) {
        const uint32_t n = particles_of_box(c, s, place);
        occupied += n > 0;
        most = max(most, n);
    }
    if (occupied) {
        atomicAdd(&count[blockIdx.x], occupied);
        atomicMax(fullest, most);
    }
}

static __global__ void list_boxes(const struct box_counter c, const uint32_t *offset,
                                  struct gpu_box_code *list)
{
    gpu_begin();
    GPU_SHARED(uint32_t, place_in_list, [FRAME_BLOCK]);
    const struct gpu_slot s = c.slot[blockIdx.x];
    const uint32_t boxes = boxes_of_frame(c, s);
    uint32_t next = offset[blockIdx.x];
    for (uint32_t first = 0; first < boxes; first += FRAME_BLOCK) {
        const uint32_t place = first + threadIdx.x;
        const int occupied = place < boxes && particles_of_box(c, s, place) > 0;
        place_in_list[threadIdx.x] = (uint32_t)occupied;
        const uint32_t more = block_scan_exclusive(place_in_list, FRAME_BLOCK);
        if (occupied) {
            const struct gpu_box_code code = {blockIdx.x, place};
            list[next + place_in_list[threadIdx.x]] = code;
        }
        next += more;
        __syncthreads();
    }
}

/* Counts, reads back, lists. gpu->box_counts is [frames] counts, their sum, and the fullest box. */
static sluice_status find_boxes(struct gpu_backend *gpu, const struct box_counter &c,
                                struct gpu_boxes *boxes)
{
    const unsigned frames = (unsigned)gpu->frames.count;
    uint32_t found[2] = {0, 0};
    SLUICE_TRY(gpu_scratch_reserve(gpu, &gpu->box_counts, ((size_t)frames + 2) * sizeof(uint32_t)));
    uint32_t *count = (uint32_t *)gpu->box_counts.memory;
    SLUICE_TRY(gpu_clear(gpu, count, ((size_t)frames + 2) * sizeof(uint32_t)));
    if (frames == 0)
        return SLUICE_OK;
    GPU_LAUNCH(count_boxes, frames, FRAME_BLOCK, 0, gpu->stream, c, count, count + frames + 1);
    GPU_LAUNCHED("count_boxes");
    SLUICE_TRY(gpu_scan_exclusive(gpu, count, (int64_t)frames + 1));
    SLUICE_TRY(gpu_download(gpu, found, count + frames, sizeof found));
    boxes->count = found[0];
    boxes->fullest = found[1];
    SLUICE_TRY(
        gpu_scratch_reserve(gpu, &boxes->list, (size_t)boxes->count * sizeof(struct gpu_box_code)));
    if (boxes->count == 0)
        return SLUICE_OK;
    GPU_LAUNCH(list_boxes, frames, FRAME_BLOCK, 0, gpu->stream, c, count,
               (struct gpu_box_code *)boxes->list.memory);
    GPU_LAUNCHED("list_boxes");
    return SLUICE_OK;
}

sluice_status gpu_list_boxes(struct gpu_backend *gpu, const struct sluice_set *set,
                             const struct cell_grid *cells, const int log2[3],
                             const struct gpu_boxes **out)
{
    struct gpu_bins *bins = bins_of(set);
    for (int k = 0; k < GPU_BOX_LISTS; k++) {
        *out = &bins->boxes[k];
        if (bins->boxes[k].sort == bins->sorts &&
            memcmp(bins->boxes[k].log2, log2, sizeof bins->boxes[k].log2) == 0)
            return SLUICE_OK;
    }
    struct gpu_boxes *boxes = &bins->boxes[bins->boxes_next];
    bins->boxes_next = (bins->boxes_next + 1) % GPU_BOX_LISTS;
    const struct box_counter c = {*cells, {log2[0], log2[1], log2[2]}, bins->slot, bins->start};
    boxes->sort = -1;
    boxes->count = boxes->fullest = 0;
    if (set->count > 0)
        SLUICE_TRY(find_boxes(gpu, c, boxes));
    memcpy(boxes->log2, log2, sizeof boxes->log2);
    boxes->sort = bins->sorts;
    *out = boxes;
    return SLUICE_OK;
}

sluice_status gpu_count_cells(struct gpu_backend *gpu, const struct sluice_pass *pass,
                              const struct cell_grid *cells, struct cell_counts *counts)
{
    const struct gpu_boxes *found;
    SLUICE_TRY(gpu_list_boxes(gpu, pass->target, cells, cells->cell, &found));
    counts->target = found->fullest;
    counts->occupied = found->count;
    counts->source = 0;
    for (int s = 0; s < SLUICE_PASS_SOURCES; s++) {
        if (!pass->source[s] || pass->source[s]->count == 0)
            continue;
        SLUICE_TRY(gpu_list_boxes(gpu, pass->source[s], cells, cells->cell, &found));
        if (found->fullest > counts->source)
            counts->source = found->fullest;
    }
    return SLUICE_OK;
}

} // namespace SLUICE_GPU
