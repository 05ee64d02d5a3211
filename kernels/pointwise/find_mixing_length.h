/* The mixing length of each particle, from a table over the domain (src/case), linear
 * between its nodes. A particle beyond the table has the length of the nearest point in it. */
#ifndef SLUICE_POINTWISE_FIND_MIXING_LENGTH_H
#define SLUICE_POINTWISE_FIND_MIXING_LENGTH_H
#include "kernels/types/view.h"
#include "kernels/types/wcsph_params.h"

#define find_mixing_length_READS  (SLUICE_BIT(POSITION) | SLUICE_BIT(FRAME))
#define find_mixing_length_WRITES SLUICE_BIT(MIXING_LENGTH)

struct find_mixing_length_constants {
    const float *length;
    int64_t n[3];
    double per_step[3], origin[3]; /* 1/m; m, in its frame: */
    int32_t origin_frame[3];
};

static inline struct find_mixing_length_constants
find_mixing_length_prepare(const struct mixing_length_table *p)
{
    struct find_mixing_length_constants k;
    k.length = p->length;
    for (int c = 0; c < 3; c++) {
        k.n[c] = p->n[c];
        k.per_step[c] = 1 / p->step[c];
        k.origin[c] = p->origin.offset[c];
        k.origin_frame[c] = p->origin.frame[c];
    }
    return k;
}

HD void find_mixing_length_point(const struct find_mixing_length_constants *k,
                                 const struct sluice_view *v,
                                 const struct sluice_frames_view *frames, int64_t i, const int dim)
{
    const uint32_t slot = ((const uint32_t *)(const void *)v->field[SLUICE_FIELD_FRAME])[i];
    const int64_t stride[3] = {1, k->n[0], k->n[0] * k->n[1]};
    int64_t node = 0;
    real share[3] = {0, 0, 0}; /* of the upper node on each axis */
    for (int c = 0; c < dim; c++) {
        const double x = (double)(frames->index[slot][c] - k->origin_frame[c]) *
                             frames->exact_width[c] +
                         ((double)VIEW(v, POSITION, i, dim + 1, c) - k->origin[c]),
                     last = (double)(k->n[c] - 1),
                     at = !(x > 0)                    ? 0
                          : x * k->per_step[c] < last ? x * k->per_step[c]
                                                      : last;
        const int64_t low = at < last - 1 ? (int64_t)at : (int64_t)(last - 1);
        node += low * stride[c];
        share[c] = (real)(at - (double)low);
    }
    real sum = 0;
    for (int corner = 0; corner < (dim == 3 ? 8 : 4); corner++) {
        real part = 1;
        int64_t at = node;
        for (int c = 0; c < dim; c++) {
            const int upper = corner >> c & 1;
            part *= upper ? share[c] : 1 - share[c];
            at += upper ? stride[c] : 0;
        }
        sum += part * (real)k->length[at];
    }
    VIEW(v, MIXING_LENGTH, i, 1, 0) = real_max(sum, 0);
}
#endif
