/* A particle's x as one integer: the frame and the offset in it, in units of a small length q,
 * modulo 2^32 (double: 2^64). If two particles are near each other, the difference of their
 * integers is exact, wherever their frames are. So rows of bins can run on through frames, and a
 * window needs no shift in x.
 *
 *   q = 2^-21 (double: 2^-50) times the cutoff, the cutoff rounded down to a power of two
 *   M = 1.5 2^23 q (double: 1.5 2^52 q)
 *   d = float(bits(M) + x_i - x_j) - M
 *
 * bits(M) is M's bit pattern as an integer, float() reads a bit pattern as a number. Adding
 * x_i - x_j to the bit pattern changes M by as many units of q. This is exact while |d| < 2^22 q
 * (double: 2^51 q). Particles further apart give a |d| at least as large, so they stay beyond the
 * cutoff. */
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

/* Constants for the conversion of x to its integer and for differences; passed to kernels by
 * value. */
struct fixed_axis {
    double per_length; /* 1/q */
    double width;      /* width of a frame, m */
    int64_t frame;     /* open axes: width of a frame in units of q, a whole number; else 0 */
    int32_t first;     /* periodic axes: the lowest frame */
    int periodic;
    fixed period; /* periodic axes: the period in units of q; else 0 */
    real magic;   /* M */
    fixed magic_bits;
};

/* In units of q, m. */
static inline struct fixed_axis fixed_axis_in(const struct sluice_grid *g, double q)
{
    struct fixed_axis a;
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

static inline struct fixed_axis fixed_axis_of(const struct sluice_grid *g)
{
    return fixed_axis_in(g, ldexp(1.0, ilogb(g->cutoff) - FIXED_CUTOFF_BITS));
}

HD fixed fixed_of(const struct fixed_axis &a, int32_t frame, real offset)
{
    const int64_t before = a.periodic
                               ? (int64_t)rint((double)(frame - a.first) * a.width * a.per_length)
                               : (int64_t)frame * a.frame;
    return (fixed)(before + (int64_t)rint((double)offset * a.per_length));
}

/* Returns x_i - x_j in m. magic: M; target_and_magic: x_i + bits(M); other: x_j. */
HD real fixed_difference(real magic, fixed target_and_magic, fixed other)
{
    const fixed bits = target_and_magic - other;
    real sum;
    memcpy(&sum, &bits, sizeof sum);
    return sum - magic;
}

} // namespace SLUICE_GPU::GPU_PRECISION
#endif
