/* Sorts the particles of each frame along the curve of kernels/types/curve.h. Ties stay as they are
 * stored, so the order depends on nothing but the particles.
 *
 *   part    PART particles of a frame, or those left at its end. One thread sorts it by the digits
 *           of the keys, the lowest first
 *   round   merges sorted runs in pairs. A thread makes one part of the result; how much of it
 *           comes from either run is found by bisection, so a large frame is shared by all threads
 */
#ifndef SLUICE_KERNELS_CPU_LOOPS_CURVE_SORT_H
#define SLUICE_KERNELS_CPU_LOOPS_CURVE_SORT_H
#include "kernels/cpu/loops/cluster.h"
#include "kernels/types/curve.h"

enum { PART = 4096, DIGIT_BITS = 8, DIGITS = 1 << DIGIT_BITS }; /* PART: a power of LANES */

struct curve_entry {
    uint64_t key;
    uint32_t particle; /* as it is stored */
    real reach2;       /* for the caller */
};

/* Entries first .. first + count - 1 of a frame, whose entries begin at `begin`. */
struct curve_part {
    int slot;
    uint32_t begin, first, count;
};

struct curve_sort {
    struct curve curve;
    const struct sluice_bins *bins;
    const real *position;
    struct curve_entry *entry[2]; /* [count] each: the result lies in curve_sorted() */
    int64_t parts;
    struct curve_part *part;
};

static inline int curve_digits(const struct curve_sort *s)
{
    return (s->curve.dim * s->curve.bits + DIGIT_BITS - 1) / DIGIT_BITS;
}

/* Rounds that merge the parts of a frame. */
static inline int curve_rounds(uint32_t count)
{
    int rounds = 0;
    for (uint64_t run = PART; run < count; run *= 2)
        rounds++;
    return rounds;
}

/* The sorted entries of a frame of `count` particles that begins at `begin`. */
static inline const struct curve_entry *curve_sorted(const struct curve_sort *s, uint32_t begin,
                                                     uint32_t count)
{
    return s->entry[(curve_digits(s) + curve_rounds(count)) & 1] + begin;
}

/* Fills `part` unless it is NULL; returns how many there are. */
static inline int64_t curve_list_parts(const struct sluice_bins *bins, struct curve_part *part)
{
    int64_t n = 0;
    for (int slot = 0; slot < bins->frame_count; slot++) {
        const uint32_t count = bins->frame[slot].count;
        for (uint32_t first = 0; first < count; first += PART, n++)
            if (part)
                part[n] = (struct curve_part){slot, bins->start[bins->frame[slot].first_bin], first,
                                              count - first < PART ? count - first : PART};
    }
    return n;
}

/* Sorts a part by one digit. */
static inline void curve_sort_digit(const struct curve_entry *from, struct curve_entry *to,
                                    uint32_t count, int shift)
{
    uint32_t at[DIGITS] = {0}, sum = 0;
    for (uint32_t i = 0; i < count; i++)
        at[from[i].key >> shift & (DIGITS - 1)]++;
    for (int d = 0; d < DIGITS; d++) {
        const uint32_t here = at[d];
        at[d] = sum;
        sum += here;
    }
    for (uint32_t i = 0; i < count; i++)
        to[at[from[i].key >> shift & (DIGITS - 1)]++] = from[i];
}

/* The entries of entry[0] of this part have their keys. */
static inline void curve_sort_part(const struct curve_sort *s, const struct curve_part *p)
{
    const uint32_t at = p->begin + p->first;
    for (int d = 0; d < curve_digits(s); d++)
        curve_sort_digit(s->entry[d & 1] + at, s->entry[~d & 1] + at, p->count, d * DIGIT_BITS);
}

/* How many of the first `n` entries of the merged runs a and b are of a. Equal keys of a come
 * first. */
static inline uint32_t curve_share(const struct curve_entry *a, uint32_t a_count,
                                   const struct curve_entry *b, uint32_t b_count, uint32_t n)
{
    uint32_t low = n > b_count ? n - b_count : 0, high = n < a_count ? n : a_count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2; /* a[middle] is before b[n - middle - 1] */
        if (a[middle].key <= b[n - middle - 1].key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Makes this part of what round number `round` merges, if its frame needs that round. */
static inline void curve_merge_part(const struct curve_sort *s, const struct curve_part *p,
                                    int round)
{
    const uint32_t count = s->bins->frame[p->slot].count;
    const uint64_t run = (uint64_t)PART << round, pair = p->first / (2 * run) * (2 * run);
    if (run >= count)
        return;
    const int side = (curve_digits(s) + round) & 1;
    const uint64_t left = count - pair;
    const uint32_t a_count = (uint32_t)(left < run ? left : run),
                   b_count = (uint32_t)(left - a_count < run ? left - a_count : run);
    const struct curve_entry *a = s->entry[side] + p->begin + pair, *b = a + a_count;
    struct curve_entry *to = s->entry[!side] + p->begin + p->first;
    const uint32_t first = (uint32_t)(p->first - pair);
    uint32_t i = curve_share(a, a_count, b, b_count, first), j = first - i;
    for (uint32_t n = 0; n < p->count; n++)
        to[n] = j == b_count || (i < a_count && a[i].key <= b[j].key) ? a[i++] : b[j++];
}

struct curve_round {
    const struct curve_sort *sort;
    int number;
};

static inline void curve_merge_parts(struct sluice_share *share, void *data)
{
    const struct curve_round *round = data;
    int64_t k;
    while (sluice_share_next(share, &k))
        curve_merge_part(round->sort, &round->sort->part[k], round->number);
}

/* Merges the sorted parts. */
static inline void curve_merge(struct sluice_threads *team, const struct curve_sort *s)
{
    uint32_t most = 0;
    for (int slot = 0; slot < s->bins->frame_count; slot++)
        most = s->bins->frame[slot].count > most ? s->bins->frame[slot].count : most;
    for (int round = 0; round < curve_rounds(most); round++)
        sluice_threads_run(team, s->parts, curve_merge_parts, &(struct curve_round){s, round});
}
#endif
