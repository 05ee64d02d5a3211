/* Sums over particles whose bits depend neither on the order of the terms nor on how the particles
 * are shared among threads, warps, devices or processes. A term x is rounded once, to a whole
 * number of small units. Whole numbers add without rounding.
 *
 *     x = high 2^(s - 28) + low 2^(s - 79)        |x| < 2^(s + 16)
 *
 * s is the binary exponent of a scale (struct sluice_scales): a particle's usual size of this
 * quantity. Rounding loses 2^(s - 80) a term at most. Terms out of range have to be counted apart.
 *
 * The two whole numbers cost six operations (pre-rounding: Demmel & Nguyen 2015, "Parallel
 * reproducible summation", IEEE Trans. Comput. 64, 2060): a double plus 1.5 2^(52 + e) is rounded
 * to a multiple of 2^e, and its last bits are that multiple. Compile without -ffast-math. */
#ifndef SLUICE_KERNELS_TYPES_EXACT_SUM_H
#define SLUICE_KERNELS_TYPES_EXACT_SUM_H
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "kernels/types/device.h"

enum {
    EXACT_ROOM = 16,      /* binary digits above the scale */
    EXACT_HIGH_UNIT = 28, /* the unit of `high` is 2^(s - 28) */
    EXACT_LOW_BITS = 51,  /* that of `low` is 2^51 times smaller */
    EXACT_UNIT = EXACT_HIGH_UNIT + EXACT_LOW_BITS,
    EXACT_TERMS = 4096,    /* so many terms of any size add up in `high` and `low` */
    EXACT_COUNT_SCALE = 16 /* of counts, which are below 2^64 in all */
};

/* A term, or the sum of up to EXACT_TERMS. */
struct exact_term {
    int64_t high, low;
};

/* A sum in units of 2^(s - EXACT_UNIT). It holds 2^32 terms of any size, 2^48 of the usual one. */
__extension__ typedef __int128 exact_total;

HD int64_t exact_bits(double x)
{
    int64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

HD double exact_from_bits(int64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* 2^e. */
HD double exact_power(int e)
{
    return exact_from_bits((int64_t)(1023 + e) << 52);
}

/* 1.5 2^(52 + e), to which a double is added to round it to a multiple of 2^e. */
HD double exact_magic(int e)
{
    return exact_from_bits((int64_t)(1075 + e) << 52 | (int64_t)1 << 51);
}

/* Whether x is in the range of the scale; a NaN is not. */
HD int exact_holds(int scale, double x)
{
    return fabs(x) < exact_power(scale + EXACT_ROOM);
}

/* The term of an x that is in range. */
HD struct exact_term exact_term_of(int scale, double x)
{
    const double magic = exact_magic(scale - EXACT_HIGH_UNIT), shifted = x + magic,
                 fine = exact_magic(scale - EXACT_UNIT), rest = (x - (shifted - magic)) + fine;
    const struct exact_term term = {exact_bits(shifted) - exact_bits(magic),
                                    exact_bits(rest) - exact_bits(fine)};
    return term;
}

/* The same sum with a `low` from 0 to 2^51 - 1. */
HD struct exact_term exact_carried(struct exact_term sum)
{
    const int64_t carry = sum.low >> EXACT_LOW_BITS;
    sum.high += carry;
    sum.low -= carry * ((int64_t)1 << EXACT_LOW_BITS);
    return sum;
}

HD exact_total exact_total_of(struct exact_term sum)
{
    return (exact_total)sum.high * ((int64_t)1 << EXACT_LOW_BITS) + sum.low;
}

/* The total of n, with scale EXACT_COUNT_SCALE. */
HD exact_total exact_count(int64_t n)
{
    return (exact_total)n * ((exact_total)1 << (EXACT_UNIT - EXACT_COUNT_SCALE));
}

/* The nearest double. Not all compilers for GPUs convert 128 bits: the first 64 go into a double,
 * the last of them 1 if any of those behind is. */
HD double exact_value(int scale, exact_total total)
{
    __extension__ typedef unsigned __int128 exact_size;
    const exact_size size = total < 0 ? -(exact_size)total : (exact_size)total;
    const uint64_t high = (uint64_t)(size >> 64);
    int behind = 0;
    if (high)
        frexp((double)high, &behind);
    const uint64_t first = (uint64_t)(size >> behind),
                   rest = (size & (((exact_size)1 << behind) - 1)) != 0;
    const double value = ldexp((double)(first | rest), behind + scale - EXACT_UNIT);
    return total < 0 ? -value : value;
}

/* --- Sums that many threads add to --- */

/* A total in pieces of 43 bits, the last one signed, to each of which totals are added on their
 * own, atomically: up to 2^20 totals. */
enum { EXACT_PIECES = 3, EXACT_PIECE_BITS = 43 };

HD uint64_t exact_piece(exact_total total, int n)
{
    const uint64_t piece = (uint64_t)(total >> n * EXACT_PIECE_BITS);
    return n == EXACT_PIECES - 1 ? piece : piece & (((uint64_t)1 << EXACT_PIECE_BITS) - 1);
}

HD exact_total exact_joined(uint64_t first, uint64_t second, uint64_t third)
{
    return (exact_total)first + ((exact_total)second << EXACT_PIECE_BITS) +
           (exact_total)(int64_t)third * ((exact_total)1 << 2 * EXACT_PIECE_BITS);
}

/* The pieces of several totals, and behind them how many terms were out of range. */
HD int64_t exact_pieces_of(int terms)
{
    return (int64_t)(terms + 1) * EXACT_PIECES;
}

/* Total k from these pieces; NaN: a term was out of range. */
HD double exact_joined_value(const uint64_t *pieces, int terms, int k, int scale)
{
    const uint64_t *of_term = pieces + (int64_t)k * EXACT_PIECES;
    return pieces[(int64_t)terms * EXACT_PIECES] > 0
               ? (double)NAN
               : exact_value(scale, exact_joined(of_term[0], of_term[1], of_term[2]));
}
#endif
