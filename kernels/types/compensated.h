/* Compensated sums, which keep what rounding loses. Compile without -ffast-math, whose
 * reassociation removes them; contraction does no harm.
 *
 * The exact sum of two numbers is s + e with s = fl(a + b) and
 *   e = (a - (s - b')) + (b - b'),  b' = s - a     (Knuth 1998, sec. 4.2.2, theorem B;
 *                                                       valid for any magnitudes)
 * as in Neumaier (1974), without the branch. The loss, `low`, is added to the next increment as in
 * Kahan (1965).
 *
 * The loss of a float is at most half a unit in its last place. It is stored in 16 bits, as a
 * multiple of 1/65534 of that unit: sums have 40 bits, where a second float would give 48 for twice
 * the memory. The stored loss is relative to its value, and is stored anew when the value changes.
 */
#ifndef SLUICE_KERNELS_TYPES_COMPENSATED_H
#define SLUICE_KERNELS_TYPES_COMPENSATED_H
#include <stdint.h>
#include <string.h>

#include "kernels/types/real.h"

/* The bits of the largest power of two up to |value|, but at least of 2^-80. */
HD uint32_t lost_scale_bits(float value)
{
    const uint32_t least = (uint32_t)(127 - 80) << 23;
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    bits &= UINT32_C(0x7f800000);
    return bits > least ? bits : least;
}

HD float float_of_bits(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* The loss of `value` from its 16 bits n. As bits, 2^23 + m is 2^23 or m, here with m = n + 2^15;
 * and 2^k (1 + 2^-15) is 2^k plus 2^8. */
HD float lost_unpack(float value, int16_t kept)
{
    const float n = float_of_bits((uint32_t)(uint16_t)kept ^ UINT32_C(0x4b008000)) - 8421376,
                unit = float_of_bits(lost_scale_bits(value) - ((uint32_t)(23 + 16) << 23) + 0x100);
    return n * unit;
}

/* The loss of `value` as 16 bits n, from -32767 to 32767: the last 16 of 3 2^22 + n. */
HD int16_t lost_pack(float value, float lost)
{
    const float units = float_of_bits(((uint32_t)(2 * 127 + 23 + 16) << 23) - 0x200 -
                                      lost_scale_bits(value)),
                shifted = lost * units + 12582912;
    uint32_t bits;
    memcpy(&bits, &shifted, sizeof bits);
    return (int16_t)(uint16_t)bits;
}

/* The stored loss in the run's precision, and a mark that may stand in its place. lost_of() does
 * not test for the mark. */
#ifdef SLUICE_DOUBLE
typedef double real_low;
#define KEPT_MARK ((real_low)NAN)
HD real lost_of(real value, real_low kept)
{
    (void)value;
    return kept;
}
HD real_low kept_of(real value, real lost)
{
    (void)value;
    return lost;
}
HD int is_marked(real_low kept)
{
    return isnan(kept);
}
#else
typedef int16_t real_low;
#define KEPT_MARK ((real_low)INT16_MIN)
HD real lost_of(real value, real_low kept)
{
    return lost_unpack(value, kept);
}
HD real_low kept_of(real value, real lost)
{
    return lost_pack(value, lost);
}
HD int is_marked(real_low kept)
{
    return kept == KEPT_MARK;
}
#endif
HD real lost_or_nan(real value, real_low kept)
{
    return is_marked(kept) ? (real)NAN : lost_of(value, kept);
}

/* *value + *low += increment, with |*low| at most half a unit in the last place of *value. */
HD void compensated_sum(real *value, real *low, real increment)
{
    const real a = *value, b = increment + *low;
    const real s = a + b;
    const real b_seen = s - a;
    *low = (a - (s - b_seen)) + (b - b_seen);
    *value = s;
}

/* The same with the loss as it is stored. */
HD void compensated_add(real *value, real_low *kept, real increment)
{
    real low = lost_of(*value, *kept);
    compensated_sum(value, &low, increment);
    *kept = kept_of(*value, low);
}
#endif
