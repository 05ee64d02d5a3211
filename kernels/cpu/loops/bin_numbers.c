/* The sort's questions about positions: which particles go, and the bin of each. */
#include "kernels/types/bin_index.h"
#include "kernels/cpu/variant.h"

/* The part of a frame within the domain, as offsets from the frame's centre. */
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
    const uint32_t *retires = set->field[SLUICE_FIELD_RETIRES];
    const int dim = set->dimension;
    struct limits l = limits_of(g, frame[first]);
    for (int64_t i = first; i < last; i++) {
        if (i > first && frame[i] != frame[i - 1])
            l = limits_of(g, frame[i]);
        int goes = retires && retires[i];
        for (int c = 0; c < dim; c++) {
            const double x = (double)position[(dim + 1) * i + c];
            goes |= x < l.low[c] || x > l.high[c];
        }
        key[i] = goes ? CPU_KEY_GONE : frame[i];
    }
}

/* A loop over the particles of a set. */
struct keying {
    const struct sluice_grid *grid;
    const struct sluice_set *set;
    const struct sluice_bins *bins;
    uint32_t *key;
};

static void locate_blocks(struct sluice_share *share, void *data)
{
    const struct keying *k = data;
    const uint32_t *frame = k->set->field[SLUICE_FIELD_FRAME];
    int64_t first, last;
    while (sluice_share_block(share, k->set->count, CPU_BLOCK, &first, &last))
        if (k->set->type == SLUICE_FLUID)
            locate_block(k->grid, k->set, k->key, first, last);
        else
            for (int64_t i = first; i < last; i++)
                k->key[i] = frame[i];
}

void VARIANT(locate)(struct sluice_threads *team, const struct sluice_grid *g,
                     const struct sluice_set *set, uint32_t *key)
{
    struct keying k = {g, set, NULL, key};
    sluice_threads_run(team, sluice_blocks(set->count, CPU_BLOCK), locate_blocks, &k);
}

static void keys_block(const struct sluice_grid *g, const struct sluice_set *set,
                       const struct sluice_bins *bins, uint32_t *key, int64_t first, int64_t last)
{
    const real *position = set->field[SLUICE_FIELD_POSITION];
    const uint32_t *frame = set->field[SLUICE_FIELD_FRAME];
    const int dim = set->dimension;
    uint32_t axes_of = UINT32_MAX; /* frame */
    struct bin_axis axis[3] = {{0}};
    for (int64_t i = first; i < last; i++) {
        const real *x = position + (dim + 1) * i;
        if (key[i] == CPU_KEY_GONE) {
            key[i] = bins->bin_count;
            continue;
        }
        const struct cpu_frame_bins *f = &bins->frame[frame[i]];
        for (int c = 0; c < dim && frame[i] != axes_of; c++)
            axis[c] = bin_axis_of(g->width[c], f->log2[c]);
        axes_of = frame[i];
        int bin = dim == 3 ? bin_index(&axis[2], x[2]) : 0;
        bin = bin << f->log2[1] | bin_index(&axis[1], x[1]);
        bin = bin << f->log2[0] | bin_index(&axis[0], x[0]);
        key[i] = f->first_bin + (uint32_t)bin;
    }
}

static void keys_blocks(struct sluice_share *share, void *data)
{
    const struct keying *k = data;
    int64_t first, last;
    while (sluice_share_block(share, k->set->count, CPU_BLOCK, &first, &last))
        keys_block(k->grid, k->set, k->bins, k->key, first, last);
}

void VARIANT(keys)(struct sluice_threads *team, const struct sluice_grid *g,
                   const struct sluice_set *set, const struct sluice_bins *bins, uint32_t *key)
{
    struct keying k = {g, set, bins, key};
    sluice_threads_run(team, sluice_blocks(set->count, CPU_BLOCK), keys_blocks, &k);
}
