/* Marks the particles in some cells of a lattice, drawn at random for each step: RETIRES = 1. A
 * cell is 1/64 of a frame on each axis. */
#ifndef SLUICE_POINTWISE_RETIRE_CELLS_H
#define SLUICE_POINTWISE_RETIRE_CELLS_H
#include "kernels/types/retire_params.h"
#include "kernels/types/view.h"

#define retire_cells_READS  (SLUICE_BIT(POSITION) | SLUICE_BIT(FRAME))
#define retire_cells_WRITES SLUICE_BIT(RETIRES)

struct retire_cells_constants {
    uint64_t draw;
    uint32_t below;
    real per_m[3];
};

static inline struct retire_cells_constants
retire_cells_prepare(const struct retire_cells_params *p)
{
    struct retire_cells_constants k;
    k.draw = p->draw;
    k.below = (uint32_t)(p->fraction * 4294967295.0);
    for (int c = 0; c < 3; c++)
        k.per_m[c] = (real)p->per_m[c];
    return k;
}

HD void retire_cells_point(const struct retire_cells_constants *k, const struct sluice_view *v,
                           const struct sluice_frames_view *frames, int64_t i, const int dim)
{
    const uint32_t slot = view_number(v, SLUICE_FIELD_FRAME, i);
    uint64_t z = k->draw;
    for (int c = 0; c < dim; c++) {
        const real at = VIEW(v, POSITION, i, dim + 1, c) * k->per_m[c] + 32;
        const int32_t cell = at > -64 && at < 128 ? (int32_t)at : 0; /* not of a NaN */
        z ^= (uint64_t)(uint32_t)(frames->index[slot][c] * 64 + cell);
        z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9); /* splitmix64, as core/hash.h */
        z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    }
    ((uint32_t *)(void *)v->field[SLUICE_FIELD_RETIRES])[i] = (uint32_t)(z >> 32) < k->below;
}
#endif
