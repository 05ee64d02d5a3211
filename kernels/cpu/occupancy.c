/* How full the cells of a set are: boxes of bins, each at least a cutoff wide, of one frame. */
#include "kernels/cpu/cpu_backend.h"

/* Bins of a cell on an axis, as a power of two; a frame with few particles may have larger bins. */
static int cell_log2(const struct sluice_grid *g, int axis, int frame_log2)
{
    int log2 = 0;
    while (axis < g->dimension && log2 < frame_log2 &&
           g->width[axis] / (1 << frame_log2) * (1 << log2) < g->cutoff * (1 - 1e-6))
        log2++;
    return log2;
}

/* Particles of the cell (x, y, z), in cells, of a frame. */
static uint32_t count_cell(const struct cpu_frame_bins *f, const uint32_t *start, const int cell[3],
                           int x, int y, int z)
{
    uint32_t n = 0;
    for (int bz = z << cell[2]; bz < (z + 1) << cell[2]; bz++)
        for (int by = y << cell[1]; by < (y + 1) << cell[1]; by++) {
            const uint32_t row = f->first_bin + ((uint32_t)(bz << f->log2[1] | by) << f->log2[0]);
            n += start[row + (uint32_t)((x + 1) << cell[0])] -
                 start[row + (uint32_t)(x << cell[0])];
        }
    return n;
}

sluice_status cpu_occupancy(struct sluice_backend *b, const struct sluice_grid *g,
                            const struct sluice_set *set, struct sluice_occupancy *out)
{
    const struct sluice_bins *bins = set->bins;
    int64_t occupied = 0, fullest = 0, particles = 0;
    for (int slot = 0; slot < (bins ? bins->frame_count : 0); slot++) {
        const struct cpu_frame_bins *f = &bins->frame[slot];
        int cell[3];
        for (int c = 0; c < 3; c++)
            cell[c] = cell_log2(g, c, f->log2[c]);
        const int nx = 1 << (f->log2[0] - cell[0]), ny = 1 << (f->log2[1] - cell[1]),
                  nz = 1 << (f->log2[2] - cell[2]);
        for (int k = 0; f->count > 0 && k < nx * ny * nz; k++) {
            const uint32_t n = count_cell(f, bins->start, cell, k % nx, k / nx % ny, k / nx / ny);
            occupied += n > 0;
            particles += n;
            fullest = n > fullest ? n : fullest;
        }
    }
    out->mean = occupied ? (double)particles / (double)occupied : 0;
    out->fullest = fullest;
    return b->domain ? sluice_occupancy_add(b->domain, out, occupied, particles) : SLUICE_OK;
}
