/* The head of gravity, g.x/c0^2, from a place x = 0. */
#ifndef SLUICE_POINTWISE_GRAVITY_HEAD_H
#define SLUICE_POINTWISE_GRAVITY_HEAD_H
#include "kernels/types/view.h"
#include "kernels/types/wcsph_params.h"

struct gravity_head {
    double gravity[3], origin[3]; /* g/c0^2; x = 0, in its frame: */
    int32_t origin_frame[3];
};

static inline struct gravity_head gravity_head_prepare(const struct wcsph_params *p,
                                                       const struct sluice_place *origin)
{
    struct gravity_head k;
    for (int c = 0; c < 3; c++) {
        k.gravity[c] = p->gravity[c] / (p->sound_speed * p->sound_speed);
        k.origin[c] = origin->offset[c];
        k.origin_frame[c] = origin->frame[c];
    }
    return k;
}

/* At an offset in the frame of a slot. */
HD double gravity_head_at(const struct gravity_head *k, const struct sluice_frames_view *frames,
                          uint32_t slot, const real *x, const int dim)
{
    double head = 0;
    for (int c = 0; c < dim; c++)
        if (k->gravity[c] != 0)
            head += k->gravity[c] * ((double)(frames->index[slot][c] - k->origin_frame[c]) *
                                         frames->exact_width[c] +
                                     ((double)x[c] - k->origin[c]));
    return head;
}
#endif
