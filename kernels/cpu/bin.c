/* What the sort needs to know of positions: who left the domain, and each particle's bin. */
#include "kernels/bin_index.h"
#include "kernels/cpu/leaf.h"

enum { BLOCK = 1024 };

/* What the domain leaves of a frame, as offsets from the frame's centre. */
struct limits {
    double low[3], high[3];
};

static struct limits limits_of(const struct sluice_grid *g, uint32_t slot)
{
    struct limits l;
    for (int c = 0; c < g->dimension; c++) {
        const double centre = g->corner[c] +
                              ((double)(g->frame[slot][c] - g->shift[c]) + 0.5) * g->width[c];
        l.low[c] = g->periodic[c] ? -INFINITY : g->low[c] - centre;
        l.high[c] = g->periodic[c] ? INFINITY : g->high[c] - centre;
    }
    return l;
}

static void locate_block(const struct sluice_grid *g, const struct sluice_set *set, uint32_t *key,
                         int64_t first, int64_t last)
{
    const real *position = set->field[SLUICE_FIELD_POSITION];
    const uint32_t *frame = set->field[SLUICE_FIELD_FRAME];
    const int dim = set->dimension;
    struct limits l = limits_of(g, frame[first]);
    for (int64_t i = first; i < last; i++) {
        if (i > first && frame[i] != frame[i - 1])
            l = limits_of(g, frame[i]);
        int gone = 0;
        for (int c = 0; c < dim; c++) {
            const double x = (double)position[(dim + 1) * i + c];
            gone |= x < l.low[c] || x > l.high[c];
        }
        key[i] = gone ? CPU_KEY_GONE : frame[i];
    }
}

void LEAF(locate)(const struct sluice_grid *g, const struct sluice_set *set, uint32_t *key)
{
    const uint32_t *frame = set->field[SLUICE_FIELD_FRAME];
    const int64_t blocks = (set->count + BLOCK - 1) / BLOCK;
#pragma omp parallel for schedule(static) if (set->count >= CPU_ALONE_BELOW)
    for (int64_t b = 0; b < blocks; b++) {
        const int64_t first = b * BLOCK,
                      last = first + BLOCK < set->count ? first + BLOCK : set->count;
        if (set->type == SLUICE_FLUID)
            locate_block(g, set, key, first, last);
        else
            for (int64_t i = first; i < last; i++)
                key[i] = frame[i];
    }
}

static void keys_block(const struct sluice_grid *g, const struct sluice_set *set,
                       const struct sluice_bins *bins, uint32_t *key, int64_t first, int64_t last)
{
    const real *position = set->field[SLUICE_FIELD_POSITION];
    const uint32_t *frame = set->field[SLUICE_FIELD_FRAME];
    const int dim = set->dimension;
    const struct cpu_frame_bins *f = NULL;
    struct bin_axis axis[3];
    for (int64_t i = first; i < last; i++) {
        const real *x = position + (dim + 1) * i;
        if (key[i] == CPU_KEY_GONE) {
            key[i] = bins->bin_count;
            continue;
        }
        if (f != &bins->frame[frame[i]]) {
            f = &bins->frame[frame[i]];
            for (int c = 0; c < dim; c++)
                axis[c] = bin_axis_of(g->width[c], f->log2[c]);
        }
        int bin = dim == 3 ? bin_index(&axis[2], x[2]) : 0;
        bin = bin << f->log2[1] | bin_index(&axis[1], x[1]);
        bin = bin << f->log2[0] | bin_index(&axis[0], x[0]);
        key[i] = f->first_bin + (uint32_t)bin;
    }
}

void LEAF(keys)(const struct sluice_grid *g, const struct sluice_set *set,
                const struct sluice_bins *bins, uint32_t *key)
{
    const int64_t blocks = (set->count + BLOCK - 1) / BLOCK;
#pragma omp parallel for schedule(static) if (set->count >= CPU_ALONE_BELOW)
    for (int64_t b = 0; b < blocks; b++)
        keys_block(g, set, bins, key, b * BLOCK,
                   (b + 1) * BLOCK < set->count ? (b + 1) * BLOCK : set->count);
}
