/* A particle's x as one integer: frame and offset together, in units of q, a power of two, modulo
 * 2^32 (double: 2^64). The difference of two such integers is exact however far the frames are from
 * the origin or from each other, as long as the particles are near each other. So rows of bins can
 * run on through frames, and a window needs no shift in x.
 *
 *   q = 2^-21 (double: 2^-50) of the cutoff, rounded down to a power of two
 *   M = 1.5 2^23 q (double: 1.5 2^52 q)
 *   d = float(bits(M) + x_i - x_j) - M
 *
 * The integer addition moves the mantissa of M by x_i - x_j units of q. It is exact while
 * |d| < 2^22 q; particles further apart give a |d| at least as large. */
#ifndef SLUICE_KERNELS_GPU_FIXED_X_H
#define SLUICE_KERNELS_GPU_FIXED_X_H
#include "kernels/gpu/c_headers.h"
#include "kernels/types/real.h"

namespace SLUICE_GPU::GPU_PRECISION
{

#ifdef SLUICE_DOUBLE
typedef uint64_t fixed;
enum { FIXED_CUTOFF_BITS = 50, FIXED_MANTISSA = 52 };
#else
typedef uint32_t fixed;
enum { FIXED_CUTOFF_BITS = 21, FIXED_MANTISSA = 23 };
#endif

/* Conversion between x and its integer; passed to kernels by value. */
struct fixed_axis {
    double per_length; /* 1/q */
    double width;      /* of a frame, m */
    int64_t frame;     /* its width in units of q, a whole number on open axes */
    int32_t first;     /* periodic axes: the lowest frame */
    int periodic;
    fixed period; /* periodic axes: the period */
    real magic;   /* M */
    fixed magic_bits;
};

static inline struct fixed_axis fixed_axis_of(const struct sluice_grid *g)
{
    struct fixed_axis a;
    const double q = ldexp(1.0, ilogb(g->cutoff) - FIXED_CUTOFF_BITS);
    a.per_length = 1 / q;
    a.width = g->width[0];
    a.periodic = g->periodic[0];
    a.first = g->first[0];
    a.frame = a.periodic ? 0 : (int64_t)(g->width[0] / q);
    a.period = a.periodic ? (fixed)llrint(g->wrap[0] * g->width[0] / q) : 0;
    a.magic = (real)ldexp(1.5 * q, FIXED_MANTISSA);
    memcpy(&a.magic_bits, &a.magic, sizeof a.magic);
    return a;
}

HD fixed fixed_of(const struct fixed_axis &a, int32_t frame, real offset)
{
    const int64_t before = a.periodic
                               ? (int64_t)rint((double)(frame - a.first) * a.width * a.per_length)
                               : (int64_t)frame * a.frame;
    return (fixed)(before + (int64_t)rint((double)offset * a.per_length));
}

/* x_i - x_j, m, from M, the target's integer plus M's bits, and the other's integer. */
HD real fixed_difference(real magic, fixed target_and_magic, fixed other)
{
    const fixed bits = target_and_magic - other;
    real sum;
    memcpy(&sum, &bits, sizeof sum);
    return sum - magic;
}

} // namespace SLUICE_GPU::GPU_PRECISION
#endif
