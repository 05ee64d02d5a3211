/* Compensated sums: a second number keeps the rounding error of each addition. Compile without
 * -ffast-math, because reassociation would remove the compensation; contraction does no harm.
 *
 * The exact sum of two numbers is s + e with s = fl(a + b) and
 *   e = (a - (s - b')) + (b - b'),  b' = s - a     (Knuth 1998, sec. 4.2.2, theorem B;
 *                                                       valid for any magnitudes)
 * as in Neumaier (1974), without the branch. The rounding error e (in the code `low`, "the loss")
 * is added to the next increment as in Kahan (1965).
 *
 * The loss of a float is at most half a unit in its last place. It is stored in 16 bits, as a
 * multiple of 1/65534 of that unit: sums have 40 bits. A second float would give 48 bits for twice
 * the memory. The unit depends on the value, so the loss must be packed again whenever the value
 * changes.
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

/* The loss of `value` from its 16 bits `kept`, a signed number n. Two facts about the bits of a
 * float: those of 2^23 + m, m < 2^23, are the bits of 2^23 with m in the mantissa, here m = n +
 * 2^15; and those of 2^k (1 + 2^-15) are the bits of 2^k plus 2^8. */
HD float lost_unpack(float value, int16_t kept)
{
    const float n = float_of_bits((uint32_t)(uint16_t)kept ^ UINT32_C(0x4b008000)) - 8421376,
                unit = float_of_bits(lost_scale_bits(value) - ((uint32_t)(23 + 16) << 23) + 0x100);
    return n * unit;
}

/* The loss of `value` as a number n from -32767 to 32767 in 16 bits: the last 16 bits of the float
 * 3 2^22 + n, whose last place is 1. */
HD int16_t lost_pack(float value, float lost)
{
    const float units = float_of_bits(((uint32_t)(2 * 127 + 23 + 16) << 23) - 0x200 -
                                      lost_scale_bits(value)),
                shifted = lost * units + 12582912;
    uint32_t bits;
    memcpy(&bits, &shifted, sizeof bits);
    return (int16_t)(uint16_t)bits;
}

/* The type of the stored loss in each precision, and a mark that may be stored instead of a loss.
 * lost_of() does not test for the mark; lost_or_nan() does. */
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

/* compensated_sum with the loss in its stored form. */
HD void compensated_add(real *value, real_low *kept, real increment)
{
    real low = lost_of(*value, *kept);
    compensated_sum(value, &low, increment);
    *kept = kept_of(*value, low);
}
#endif
