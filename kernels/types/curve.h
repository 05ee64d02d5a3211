/* The order of particles along a curve that fills a frame: consecutive particles are close to each
 * other, so a run of them has a small box. The curve is Hilbert's; the place on it is found by
 * Skilling's transformation (2004, AIP Conf. Proc. 707, 381). Why not Morton's: docs/strategies.md,
 * "bucket". */
#ifndef SLUICE_KERNELS_TYPES_CURVE_H
#define SLUICE_KERNELS_TYPES_CURVE_H
#include <stdint.h>

#include "grid/grid.h"
#include "kernels/types/bin_index.h"

/* The frame is divided into 2^bits cells along each axis. Particles of one cell are ordered as they
 * are stored. */
struct curve {
    int dim, bits;
    struct bin_axis axis[3];
};

enum { CURVE_BITS_MOST = 14 };

/* A row of bins is one or two particles thick, and four cells. */
static inline struct curve curve_of(const struct sluice_grid *g)
{
    const int bits = g->bins_log2[1] + 2;
    struct curve c;
    c.dim = g->dimension;
    c.bits = bits < CURVE_BITS_MOST ? bits : (int)CURVE_BITS_MOST;
    for (int a = 0; a < 3; a++)
        c.axis[a] = bin_axis_of(g->width[a], a < c.dim ? c.bits : 0);
    return c;
}

/* The bits of x, at most 16, `dim` places apart. */
HD uint64_t curve_spread(const int dim, uint64_t x)
{
    if (dim == 3) {
        x = (x | x << 16) & 0x0000ff0000ff;
        x = (x | x << 8) & 0x00f00f00f00f;
        x = (x | x << 4) & 0x0c30c30c30c3;
        x = (x | x << 2) & 0x249249249249;
    } else {
        x = (x | x << 8) & 0x00ff00ff;
        x = (x | x << 4) & 0x0f0f0f0f;
        x = (x | x << 2) & 0x33333333;
        x = (x | x << 1) & 0x55555555;
    }
    return x;
}

/* The place on the curve of a cell, below 2^(dim bits). */
HD uint64_t curve_place(const int dim, int bits, uint32_t x[3])
{
    uint64_t place = 0;
    for (int b = bits - 1; b > 0; b--)
        for (int c = 0; c < dim;
             c++) { /* by bit b of x[c] the bits below it turn in x[0], or swap */
            const uint32_t lower = (UINT32_C(1) << b) - 1, turns = lower & (0 - (x[c] >> b & 1)),
                           swaps = (x[0] ^ x[c]) & (lower ^ turns);
            x[0] ^= turns | swaps;
            x[c] ^= swaps;
        }
    for (int c = 1; c < dim; c++)
        x[c] ^= x[c - 1];
    uint32_t turned = x[dim - 1] >> 1; /* bit b: whether the bits above b are odd in number */
    for (int shift = 1; shift < 16; shift *= 2)
        turned ^= turned >> shift;
    for (int c = 0; c < dim; c++)
        place |= curve_spread(dim, x[c] ^ turned) << (dim - 1 - c);
    return place;
}

/* That of a particle by its offsets from the frame's centre. */
HD uint64_t curve_key(const struct curve *c, const int dim, const real *offset)
{
    uint32_t x[3] = {0, 0, 0};
    for (int a = 0; a < dim; a++)
        x[a] = (uint32_t)bin_index(&c->axis[a], offset[a]);
    return curve_place(dim, c->bits, x);
}
#endif
