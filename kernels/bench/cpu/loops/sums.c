/* The sums of `sluice bench claims` (kernels/bench/sums.h). Each thread makes all updates of a
 * block before the next, in its cache. */
#include <math.h>

#include "kernels/bench/cpu/bench_variant.h"
#include "kernels/bench/sums.h"
#include "kernels/types/compensated.h"

enum { BLOCK = 1024 };

/* Listing 5 of Bilotta, Zago & Herault 2018. */
HD void add_kahan(float *sum, float *correction, float term)
{
    const float y = term - *correction, t = *sum + y;
    *correction = (t - *sum) - y;
    *sum = t;
}

/* Listing 6, left. */
HD void add_kbn_branch(float *sum, float *correction, float term)
{
    const float t = *sum + term;
    if (fabsf(*sum) >= fabsf(term))
        *correction += (*sum - t) + term;
    else
        *correction += (term - t) + *sum;
    *sum = t;
}

/* Listing 6, right. */
HD void add_kbn_select(float *sum, float *correction, float term)
{
    const float t = *sum + term;
    const int is_larger = fabsf(*sum) >= fabsf(term);
    const float sum_or_term = is_larger ? *sum : term, term_or_sum = is_larger ? term : *sum;
    *correction += (sum_or_term - t) + term_or_sum;
    *sum = t;
}

/* The rounding error of s = a + b (kernels/types/compensated.h). */
HD float error_of_sum(float a, float b, float s)
{
    const float b_seen = s - a;
    return (a - (s - b_seen)) + (b - b_seen);
}

/* compensated_sum in float, whatever the precision. */
HD void add_two_sum(float *sum, float *low, float term)
{
    const float b = term + *low, s = *sum + b;
    *low = error_of_sum(*sum, b, s);
    *sum = s;
}

HD void add_two_sum_16(float *sum, int16_t *kept, float term)
{
    float low = lost_unpack(*sum, *kept);
    add_two_sum(sum, &low, term);
    *kept = lost_pack(*sum, low);
}

/* Double-float (Dekker 1971): *high + *low, of which *high is the nearest float. */
HD void add_double_float(float *high, float *low, float term)
{
    const float s = *high + term, error = error_of_sum(*high, term, s) + *low;
    *high = s + error;
    *low = error - (*high - s);
}

static void add_floats(float *restrict sum, const float *restrict term, int64_t n)
{
#pragma omp simd
    for (int64_t k = 0; k < n; k++)
        sum[k] += term[k];
}

static void add_doubles(double *restrict sum, const float *restrict term, int64_t n)
{
#pragma omp simd
    for (int64_t k = 0; k < n; k++)
        sum[k] += (double)term[k];
}

#define ADD_ALL(way, low_type)                                                                     \
    static void add_all_##way(float *restrict sum, low_type *restrict low,                         \
                              const float *restrict term, int64_t n)                               \
    {                                                                                              \
        _Pragma("omp simd") for (int64_t k = 0; k < n; k++) add_##way(&sum[k], &low[k], term[k]);  \
    }
ADD_ALL(kahan, float)
ADD_ALL(kbn_branch, float)
ADD_ALL(kbn_select, float)
ADD_ALL(two_sum, float)
ADD_ALL(two_sum_16, int16_t)
ADD_ALL(double_float, float)

static void update(const struct sluice_sums *s, int64_t first, int64_t n)
{
    float *sum = s->sum + first, *low = s->low + first;
    const float *term = s->term + first;
    switch (s->way) {
    case SLUICE_SUM_OF_FLOAT:
        add_floats(sum, term, n);
        break;
    case SLUICE_SUM_OF_DOUBLE:
        add_doubles(s->wide + first, term, n);
        break;
    case SLUICE_SUM_OF_KAHAN:
        add_all_kahan(sum, low, term, n);
        break;
    case SLUICE_SUM_OF_KBN_BRANCH:
        add_all_kbn_branch(sum, low, term, n);
        break;
    case SLUICE_SUM_OF_KBN_SELECT:
        add_all_kbn_select(sum, low, term, n);
        break;
    case SLUICE_SUM_OF_TWO_SUM:
        add_all_two_sum(sum, low, term, n);
        break;
    case SLUICE_SUM_OF_TWO_SUM_16:
        add_all_two_sum_16(sum, s->kept + first, term, n);
        break;
    default:
        add_all_double_float(sum, low, term, n);
    }
}

static void update_blocks(struct sluice_share *share, void *data)
{
    const struct sluice_sums *s = data;
    int64_t first, last;
    while (sluice_share_block(share, s->count, BLOCK, &first, &last))
        for (int k = 0; k < s->updates; k++)
            update(s, first, last - first);
}

void VARIANT(sums)(struct sluice_threads *team, const struct sluice_sums *s)
{
    struct sluice_sums sums = *s;
    sluice_threads_run(team, sluice_blocks(s->count, BLOCK), update_blocks, &sums);
}
