/* Measures the ways of a case in turn, judges claims, and prints rows as CSV or JSON. */
#include "bench/claims.h"

#include <math.h>
#include <string.h>

#include "core/allocate.h"
#include "core/threads.h"
#include "core/version.h"
#include "kernels/registry.h"

static const struct sluice_bench_limits limits = {100, 0.02};
static const double nearly = 0.9;

/* --- Measuring ---- */

/* On the CPU the mean processor time of a thread: it leaves out the time of other programs. */
static double now(const struct sluice_backend *b)
{
    return b->ops->on_host ? sluice_processor_seconds() / sluice_threads_used(b->team)
                           : sluice_seconds();
}

static sluice_status time_way(struct sluice_claims *c, int way, int launches, double *seconds)
{
    struct sluice_backend *b = c->way[way].backend ? c->way[way].backend : c->backend;
    const double begun = now(b);
    for (int k = 0; k < launches; k++)
        SLUICE_TRY(c->way[way].launch(c->data, way));
    SLUICE_TRY(b->ops->sync(b));
    *seconds = (now(b) - begun) / launches;
    return SLUICE_OK;
}

/* A first launch loads code and touches memory; the second tells how many fit into the limits. */
static sluice_status prepare_ways(struct sluice_claims *c, int apart)
{
    double once;
    for (int w = 0; w < c->ways; w++) {
        if (c->way[w].apart != apart)
            continue;
        SLUICE_TRY(time_way(c, w, 1, &once));
        SLUICE_TRY(time_way(c, w, 1, &once));
        c->launches[w] = (int)fmax(1, fmin(limits.most, limits.budget / fmax(once, 1e-9)));
    }
    return SLUICE_OK;
}

/* On a GPU one more launch goes before each measurement: another way may have left records of
 * another kind. */
static sluice_status time_ways(struct sluice_claims *c, int apart)
{
    const int repeats = c->bench->settings->repeats;
    double once;
    SLUICE_TRY(prepare_ways(c, apart));
    for (int r = 0; r < repeats; r++)
        for (int w = 0; w < c->ways; w++) {
            if (c->way[w].apart != apart)
                continue;
            if (!c->backend->ops->on_host)
                SLUICE_TRY(time_way(c, w, 1, &once));
            SLUICE_TRY(time_way(c, w, c->launches[w], &c->seconds[w * repeats + r]));
        }
    return SLUICE_OK;
}

sluice_status sluice_claims_measure(struct sluice_claims *c)
{
    SLUICE_ALLOCATE(c->seconds, c->ways * c->bench->settings->repeats, "measurements");
    SLUICE_TRY(time_ways(c, 0));
    return time_ways(c, 1);
}

/* --- Judging ---- */

const char *sluice_claims_verdict(double published, double measured, int is_bound, int mostly)
{
    return measured <= 1 || !mostly                          ? "does not hold"
           : measured >= (is_bound ? 1 : nearly) * published ? "holds"
                                                             : "in part";
}

/* How many times as long another way takes, repeat by repeat; and whether that is above 1 in three
 * of four repeats, or at most 1. */
struct factor {
    double median, least, most;
    int mostly_above, mostly_below;
};

static struct factor compare_ways(const struct sluice_claims *c, int way, int other)
{
    const int repeats = c->bench->settings->repeats;
    const double *own = c->seconds + way * repeats, *others = c->seconds + other * repeats;
    double *times = c->bench->seconds;
    struct factor f;
    int above = 0;
    for (int r = 0; r < repeats; r++) {
        times[r] = others[r] / own[r];
        above += times[r] > 1;
    }
    f.median = sluice_bench_median(times, repeats, &f.least, &f.most);
    f.mostly_above = 4 * above >= 3 * repeats;
    f.mostly_below = 4 * (repeats - above) >= 3 * repeats;
    return f;
}

int sluice_claims_is_faster(const struct sluice_claims *c, int way, int other)
{
    const struct factor f = compare_ways(c, way, other);
    return f.median > 1 && f.mostly_above;
}

/* --- Rows ---- */

/* A claim of a row, and what was measured of it; NaN where there is none. */
struct judged {
    const char *claim, *unit, *verdict;
    double published, median, least, most;
};

static sluice_status print_row(const struct sluice_claims *c, int way, const struct judged *j)
{
    const int repeats = c->bench->settings->repeats;
    double *seconds = c->bench->seconds, least, most;
    memcpy(seconds, c->seconds + way * repeats, (size_t)repeats * sizeof *seconds);
    const double median = sluice_bench_median(seconds, repeats, &least, &most);
    struct sluice_bench_row r = sluice_bench_row_begin(c->bench);
    sluice_bench_row_text(&r, "bench", "claims");
    sluice_bench_row_text(&r, "case", c->name);
    sluice_bench_row_text(&r, "variant", c->way[way].name);
    sluice_bench_row_text(&r, "claim", j->claim);
    sluice_bench_row_text(&r, "unit", j->unit);
    sluice_bench_row_number(&r, "published", j->published, 5);
    sluice_bench_row_number(&r, "measured", j->median, 5);
    sluice_bench_row_number(&r, "least", j->least, 5);
    sluice_bench_row_number(&r, "most", j->most, 5);
    sluice_bench_row_text(&r, "verdict", j->verdict);
    sluice_bench_row_number(&r, "median_s", median, 5);
    sluice_bench_row_number(&r, "min_s", least, 5);
    sluice_bench_row_number(&r, "max_s", most, 5);
    sluice_bench_row_number(&r, "launches", c->launches[way], 5);
    sluice_bench_row_number(&r, "repeats", repeats, 5);
    sluice_bench_row_number(&r, "particles", c->particles, 5);
    sluice_bench_row_number(&r, "bytes_per_particle", c->way[way].bytes, 5);
    sluice_bench_row_text(&r, "strategy", sluice_strategies[c->backend->orders.strategy].name);
    sluice_bench_row_number(
        &r, "threads",
        c->backend->ops->on_host ? sluice_threads_count(c->backend->team) : (double)NAN, 5);
    sluice_bench_row_origin(&r, c->backend);
    return sluice_bench_row_end(&r);
}

static struct judged judge_factor(const struct sluice_claims *c, int way, int against,
                                  double published, int is_bound, const char *claim)
{
    const struct factor f = compare_ways(c, way, against);
    struct judged j = {claim, "times as fast", "", NAN, f.median, f.least, f.most};
    if (published > 0) {
        const int slower = published < 1;
        j.published = published;
        j.verdict = sluice_claims_verdict(slower ? 1 / published : published,
                                          slower ? 1 / f.median : f.median, is_bound,
                                          slower ? f.mostly_below : f.mostly_above);
    }
    return j;
}

sluice_status sluice_claims_print(const struct sluice_claims *c)
{
    for (int way = 0; way < c->ways; way++) {
        const struct sluice_claim_way *w = &c->way[way];
        struct judged j = {"", "", "", NAN, NAN, NAN, NAN};
        if (w->claim)
            j = judge_factor(c, way, w->against, w->published, w->is_bound, w->claim);
        SLUICE_TRY(print_row(c, way, &j));
    }
    return SLUICE_OK;
}

sluice_status sluice_claims_print_number(const struct sluice_claims *c,
                                         const struct sluice_claim_number *n)
{
    const struct judged j = {n->claim,    n->unit,  n->verdict, n->published,
                             n->measured, n->least, n->most};
    return print_row(c, n->way, &j);
}

sluice_status sluice_claims_print_factor(const struct sluice_claims *c, int way, int against,
                                         double published, const char *claim)
{
    const struct judged j = judge_factor(c, way, against, published, 0, claim);
    return print_row(c, way, &j);
}
