/* Exact sums (kernels/types/exact_sum.h) of some numbers a particle, in vectors of four. A
 * thread adds particles to a struct lane_sums, which it adds to one struct shared_sums now and
 * then, atomically: whole numbers come to the same sum in any order. */
#ifndef SLUICE_KERNELS_CPU_LOOPS_LANE_SUMS_H
#define SLUICE_KERNELS_CPU_LOOPS_LANE_SUMS_H
#include "kernels/types/exact_sum.h"
#include "kernels/types/interaction.h"

enum { SUM_FOURS = (SLUICE_SUM_COUNT + 3) / 4, SUM_SLOTS = 4 * SUM_FOURS };
_Static_assert((int)SUMMARY_SUMS <= (int)SUM_SLOTS && SUM_SLOTS <= 32, "a bit for each sum");

typedef double sum_four __attribute__((vector_size(32)));
typedef int64_t sum_whole __attribute__((vector_size(32)));

/* For each number: 1.5 2^(52 + e) for both units, and the least magnitude that is out of range. */
struct sum_scales {
    union {
        sum_four four[SUM_FOURS];
        double one[SUM_SLOTS];
    } high, low, most;
};

union sum_terms {
    sum_four four[SUM_FOURS];
    double one[SUM_SLOTS];
};

struct shared_sums {
    uint64_t piece[SUM_SLOTS][EXACT_PIECES];
    int64_t out_of_range;
};

struct lane_sums {
    sum_whole high[SUM_FOURS], low[SUM_FOURS];
    sum_whole out_of_range; /* minus the terms that are */
    int terms;              /* particles since they were shared */
    struct shared_sums *to;
};

/* The fours that hold some numbers, given as bits. */
HD unsigned sum_fours(unsigned numbers)
{
    unsigned fours = 0;
    for (int k = 0; k < SUM_FOURS; k++)
        fours |= (numbers >> (4 * k) & 0xf ? 1u : 0u) << k;
    return fours;
}

static inline void sum_scale_set(struct sum_scales *s, int slot, int scale)
{
    s->high.one[slot] = exact_magic(scale - EXACT_HIGH_UNIT);
    s->low.one[slot] = exact_magic(scale - EXACT_UNIT);
    s->most.one[slot] = exact_power(scale + EXACT_ROOM);
}

/* Adds a thread's sums to those of all, and empties them. Call it once the thread has added its
 * particles. */
static inline void lane_sums_share(struct lane_sums *sums)
{
    struct shared_sums *all = sums->to;
    for (int n = 0; n < SUM_SLOTS; n++) {
        const struct exact_term sum = {sums->high[n / 4][n % 4], sums->low[n / 4][n % 4]};
        const exact_total total = exact_total_of(sum);
        for (int p = 0; total != 0 && p < EXACT_PIECES; p++)
            __atomic_fetch_add(&all->piece[n][p], exact_piece(total, p), __ATOMIC_RELAXED);
    }
    int64_t out = 0;
    for (int l = 0; l < 4; l++)
        out -= sums->out_of_range[l];
    if (out)
        __atomic_fetch_add(&all->out_of_range, out, __ATOMIC_RELAXED);
    *sums = (struct lane_sums){.to = all};
}

/* Adds the terms of n particles, EXACT_TERMS at most; bits of `fours` say which fours of numbers,
 * the others are 0. Returns whether all are in range. Terms that were just written one by one are
 * slow to read as vectors, so let there be several particles. */
HD int lane_sums_add(const struct sum_scales *s, const union sum_terms *terms, const int n,
                     const unsigned fours, struct lane_sums *sums)
{
    sum_whole out = {0};
    if (sums->terms + n > EXACT_TERMS)
        lane_sums_share(sums);
    for (int k = 0; k < SUM_FOURS; k++) {
        if (!(fours >> k & 1))
            continue;
        const sum_four magic = s->high.four[k], fine = s->low.four[k], most = s->most.four[k];
        sum_whole high = sums->high[k], low = sums->low[k];
        for (int i = 0; i < n; i++) {
            const sum_four any = terms[i].four[k];
            const sum_whole holds = (any < most) & (any > -most);
            const sum_four x = (sum_four)((sum_whole)any & holds), shifted = x + magic,
                           rest = (x - (shifted - magic)) + fine;
            high += (sum_whole)shifted - (sum_whole)magic;
            low += (sum_whole)rest - (sum_whole)fine;
            out += ~holds;
        }
        sums->high[k] = high;
        sums->low[k] = low;
    }
    sums->terms += n;
    sums->out_of_range += out;
    return (out[0] | out[1] | out[2] | out[3]) == 0;
}

/* Whether all terms are in range. */
HD int lane_sums_hold(const struct sum_scales *s, const union sum_terms *terms)
{
    int hold = 1;
    for (int k = 0; k < SUM_SLOTS; k++)
        hold &= fabs(terms->one[k]) < s->most.one[k];
    return hold;
}

static inline exact_total shared_sum(const struct shared_sums *all, int slot)
{
    return exact_joined(all->piece[slot][0], all->piece[slot][1], all->piece[slot][2]);
}
#endif
