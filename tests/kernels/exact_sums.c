/* test: 0.3 s, emulator-slow, tsan-slow */
/* Sums of whole numbers (kernels/types/exact_sum.h): as accurate as documented, and the same in any
 * order and any division. */
#include "kernels/cpu/loops/lane_sums.h"
#include "support/pair_state.h"
#include "support/tap.h"

enum { TERMS = 20000, SCALE = -7 };

static double x[TERMS];
static uint64_t seed = 5;

/* Numbers of both signs and many sizes, nearly up to the largest in range. */
static void fill(void)
{
    for (int i = 0; i < TERMS; i++)
        x[i] = ldexp(2 * uniform(&seed) - 1, SCALE + EXACT_ROOM - (int)(70 * uniform(&seed)));
}

static exact_total sum_of(int first, int last)
{
    struct exact_term sum = {0, 0};
    int carries = 1;
    for (int i = first; i < last; i++) {
        const struct exact_term term = exact_term_of(SCALE, x[i]);
        sum.high += term.high;
        sum.low += term.low;
        if ((i - first) % EXACT_TERMS == EXACT_TERMS - 1) {
            const struct exact_term carried = exact_carried(sum);
            carries &= exact_total_of(carried) == exact_total_of(sum) && carried.low >= 0 &&
                       carried.low < (int64_t)1 << EXACT_LOW_BITS;
            sum = carried;
        }
    }
    ok(carries, "a carry changes no sum");
    return exact_total_of(sum);
}

static void check_terms(void)
{
    double worst = 0;
    int fits = 1;
    for (int i = 0; i < TERMS; i++) {
        const struct exact_term term = exact_term_of(SCALE, x[i]);
        const double high = ldexp((double)term.high, SCALE - EXACT_HIGH_UNIT),
                     low = ldexp((double)term.low, SCALE - EXACT_UNIT);
        worst = fmax(worst, fabs(x[i] - high - low));
        fits &= llabs(term.high) <= (int64_t)1 << (EXACT_ROOM + EXACT_HIGH_UNIT) &&
                llabs(term.low) <= (int64_t)1 << (EXACT_LOW_BITS - 1) && exact_holds(SCALE, x[i]);
    }
    ok(worst > 0 && worst <= ldexp(1, SCALE - EXACT_UNIT - 1),
       "a term is rounded by half a unit at most: %g", worst);
    ok(fits, "its parts have the bits that they may have");
    const double least = ldexp(1, SCALE + EXACT_ROOM);
    ok(exact_holds(SCALE, nextafter(least, 0)) && exact_holds(SCALE, -nextafter(least, 0)) &&
           !exact_holds(SCALE, least) && !exact_holds(SCALE, -least),
       "the range ends at 2^%d of the scale", (int)EXACT_ROOM);
    ok(!exact_holds(SCALE, NAN) && !exact_holds(SCALE, INFINITY), "NaN and infinity are beyond it");
}

static void check_orders(void)
{
    long double plain = 0;
    const exact_total all = sum_of(0, TERMS);
    for (int i = 0; i < TERMS; i++)
        plain += (long double)x[i];
    is_close(exact_value(SCALE, all), (double)plain, 1e-15 * fabs((double)plain), "the sum");
    for (int i = TERMS - 1; i > 0; i--) {
        const int other = (int)(uniform(&seed) * (i + 1));
        const double kept = x[i];
        x[i] = x[other];
        x[other] = kept;
    }
    ok(sum_of(0, TERMS) == all, "another order");
    for (int n = 0; n < 5; n++) {
        const int at = (int)(uniform(&seed) * TERMS);
        ok(sum_of(0, at) + sum_of(at, TERMS) == all, "in two parts, from term %d", at);
    }
}

/* Totals of both signs, added up from pieces as threads do. */
static void check_pieces(void)
{
    uint64_t piece[EXACT_PIECES] = {0, 0, 0};
    exact_total all = 0;
    for (int i = 0; i + 10 <= TERMS; i += 10) {
        struct exact_term sum = {0, 0};
        for (int k = i; k < i + 10; k++) {
            const struct exact_term term = exact_term_of(SCALE, x[k]);
            sum.high += term.high;
            sum.low += term.low;
        }
        const exact_total total = exact_total_of(sum);
        all += total;
        for (int p = 0; p < EXACT_PIECES; p++)
            piece[p] += exact_piece(total, p);
    }
    ok(exact_joined(piece[0], piece[1], piece[2]) == all, "totals in pieces");
    const exact_total ends[] = {-1, 1, exact_count(-3), exact_count((int64_t)1 << 40), 0};
    for (int n = 0; n < 5; n++)
        ok(exact_joined(exact_piece(ends[n], 0), exact_piece(ends[n], 1),
                        exact_piece(ends[n], 2)) == ends[n],
           "a total of either sign");
    is_close(exact_value(EXACT_COUNT_SCALE, exact_count(123456789)), 123456789, 0, "a count");
    is_close(exact_value(0, exact_total_of(exact_term_of(0, 12345))), 12345, 0, "a term of 12345");
}

/* More terms of the largest size, of either sign, than 64 bits hold. */
static void check_lanes(double term)
{
    enum { PARTICLES = 1 << 20 };
    struct shared_sums all = {{{0}}, 0};
    struct lane_sums sums = {.to = &all};
    struct sum_scales scales;
    union sum_terms terms = {.one = {0}};
    for (int n = 0; n < SUM_SLOTS; n++)
        sum_scale_set(&scales, n, n);
    for (int n = 0; n < SUM_SLOTS; n++)
        terms.one[n] = ldexp(term, n);
    for (int i = 0; i < PARTICLES; i++)
        lane_sums_add(&scales, &terms, 1, sum_fours((1u << SUM_SLOTS) - 1), &sums);
    lane_sums_share(&sums);
    int right = all.out_of_range == 0;
    for (int n = 0; n < SUM_SLOTS; n++)
        right &= exact_value(n, shared_sum(&all, n)) == ldexp(term, n) * PARTICLES;
    ok(right, "%d terms of %g times the scale", (int)PARTICLES, term);
    terms.one[3] = NAN;
    terms.one[7] = ldexp(2 * 65536.0, 7);
    lane_sums_add(&scales, &terms, 1, sum_fours((1u << SUM_SLOTS) - 1), &sums);
    lane_sums_share(&sums);
    is_int(all.out_of_range, 2, "NaN and a term beyond the range are counted");
}

int main(void)
{
    fill();
    check_terms();
    check_orders();
    check_pieces();
    check_lanes(65535);
    check_lanes(-65535);
    check_lanes(-ldexp(1, -EXACT_UNIT));
    return done_testing();
}
