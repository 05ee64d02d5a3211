/* Results of several ranks, added once a step. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "backend/backend.h"
#include "core/allocate.h"
#include "domain/domain.h"

sluice_status sluice_settle_pass(struct sluice_backend *b, struct sluice_pass *pass)
{
    struct sluice_pending *p = &b->pending;
    if (!b->domain) {
        sluice_pass_fill(pass, pass->total, pass->out_of_range);
        return SLUICE_OK;
    }
    SLUICE_CHECK(p->pass_count < SLUICE_PENDING_PASSES, SLUICE_DEVICE,
                 "internal: more than %d passes before their sums are asked for",
                 (int)SLUICE_PENDING_PASSES);
    p->pass[p->pass_count++] = pass;
    return SLUICE_OK;
}

sluice_status sluice_settle_reduce(struct sluice_backend *b, const struct sluice_grid *g,
                                   struct sluice_reduce *r)
{
    struct sluice_pending *p = &b->pending;
    if (!b->domain) {
        sluice_summary_fill(r, g, r->total, &r->extremes);
        return SLUICE_OK;
    }
    SLUICE_CHECK(p->reduce_count < SLUICE_TYPE_COUNT, SLUICE_DEVICE,
                 "internal: more than %d reductions before their sums are asked for",
                 (int)SLUICE_TYPE_COUNT);
    p->reduce[p->reduce_count].reduce = r;
    p->reduce[p->reduce_count++].grid = g;
    return SLUICE_OK;
}

/* --- Extremes: a least number is minus the largest of its negatives --- */

enum { EXTREMES = 7 };

static void put_extremes(const struct sluice_extremes *e, double *x)
{
    x[0] = e->max_speed2;
    x[1] = e->max_acceleration2;
    x[2] = -e->min_scalar;
    x[3] = e->max_scalar;
    x[4] = e->max_rate;
    x[5] = e->max_length;
    x[6] = e->first_not_finite == INT64_MAX ? -INFINITY : -(double)e->first_not_finite;
}

static void take_extremes(struct sluice_extremes *e, const double *x)
{
    e->max_speed2 = x[0];
    e->max_acceleration2 = x[1];
    e->min_scalar = -x[2];
    e->max_scalar = x[3];
    e->max_rate = x[4];
    e->max_length = x[5];
    e->first_not_finite = isinf(x[6]) ? INT64_MAX : (int64_t)-x[6];
}

static sluice_status settle_extremes(struct sluice_backend *b)
{
    struct sluice_pending *p = &b->pending;
    double x[SLUICE_TYPE_COUNT * EXTREMES];
    if (p->reduce_count == 0)
        return SLUICE_OK;
    for (int k = 0; k < p->reduce_count; k++)
        put_extremes(&p->reduce[k].reduce->extremes, x + EXTREMES * k);
    SLUICE_TRY(b->domain->comm->ops->max(b->domain->comm, x, EXTREMES * p->reduce_count));
    for (int k = 0; k < p->reduce_count; k++)
        take_extremes(&p->reduce[k].reduce->extremes, x + EXTREMES * k);
    return SLUICE_OK;
}

/* --- Totals and counts: one sum over the ranks --- */

enum {
    MOST_TOTALS = SLUICE_PENDING_PASSES * SLUICE_SUM_COUNT + SLUICE_TYPE_COUNT * SUMMARY_SUMS,
    MOST_COUNTS = SLUICE_PENDING_PASSES + SLUICE_TYPE_COUNT + 1
};

/* Where the numbers of this rank are, and where those of all ranks go. */
struct places {
    exact_total *total[MOST_TOTALS];
    int64_t *count[MOST_COUNTS];
    int totals, counts;
};

static void list_places(struct sluice_pending *p, struct places *at)
{
    at->totals = at->counts = 0;
    for (int k = 0; k < p->pass_count; k++) {
        for (int s = 0; s < SLUICE_SUM_COUNT; s++)
            at->total[at->totals++] = &p->pass[k]->total[s];
        at->count[at->counts++] = &p->pass[k]->out_of_range;
    }
    for (int k = 0; k < p->reduce_count; k++) {
        for (int s = 0; s < SUMMARY_SUMS; s++)
            at->total[at->totals++] = &p->reduce[k].reduce->total[s];
        at->count[at->counts++] = &p->reduce[k].reduce->extremes.not_finite;
    }
}

/* Adds them. *removed: of this rank, then of all. */
static sluice_status add_places(struct sluice_domain *d, const struct places *at, int64_t *removed)
{
    exact_total *sum;
    const int n = at->totals + at->counts;
    SLUICE_ALLOCATE(sum, n + 1, "totals");
    for (int k = 0; k < at->totals; k++)
        sum[k] = *at->total[k];
    for (int k = 0; k < at->counts; k++)
        sum[at->totals + k] = *at->count[k];
    sum[n] = *removed;
    const sluice_status status = sluice_domain_add(d, sum, n + 1);
    for (int k = 0; k < at->totals && status == SLUICE_OK; k++)
        *at->total[k] = sum[k];
    for (int k = 0; k < at->counts && status == SLUICE_OK; k++)
        *at->count[k] = (int64_t)sum[at->totals + k];
    *removed = (int64_t)sum[n];
    free(sum);
    return status;
}

/* Lists the particles that left the domain on any rank, on all. */
static sluice_status settle_removed(struct sluice_backend *b)
{
    struct sluice_removed *removed = b->pending.removed;
    const size_t bytes = (size_t)removed->count * sizeof *removed->particle;
    void *all;
    size_t total;
    SLUICE_TRY(sluice_comm_gather(b->domain->comm, removed->particle, bytes, 1, &all, &total));
    free(removed->particle);
    removed->particle = all;
    removed->count = removed->capacity = (int64_t)(total / sizeof *removed->particle);
    return SLUICE_OK;
}

sluice_status sluice_settle(struct sluice_backend *b)
{
    struct sluice_pending *p = &b->pending;
    struct places at;
    if (!b->domain || (p->pass_count == 0 && p->reduce_count == 0 && !p->removed))
        return SLUICE_OK;
    int64_t removed = p->removed ? p->removed->count : 0;
    list_places(p, &at);
    sluice_status status = add_places(b->domain, &at, &removed);
    if (status == SLUICE_OK && p->removed && removed > 0)
        status = settle_removed(b);
    if (status == SLUICE_OK)
        status = settle_extremes(b);
    for (int k = 0; k < p->pass_count && status == SLUICE_OK; k++)
        sluice_pass_fill(p->pass[k], p->pass[k]->total, p->pass[k]->out_of_range);
    for (int k = 0; k < p->reduce_count && status == SLUICE_OK; k++) {
        struct sluice_reduce *r = p->reduce[k].reduce;
        sluice_summary_fill(r, p->reduce[k].grid, r->total, &r->extremes);
    }
    memset(p, 0, sizeof *p);
    return status;
}

sluice_status sluice_occupancy_add(struct sluice_domain *d, struct sluice_occupancy *out,
                                   int64_t occupied, int64_t particles)
{
    int64_t sum[2] = {occupied, particles};
    double fullest = (double)out->fullest;
    SLUICE_TRY(d->comm->ops->sum(d->comm, sum, 2));
    SLUICE_TRY(d->comm->ops->max(d->comm, &fullest, 1));
    out->mean = sum[0] ? (double)sum[1] / (double)sum[0] : 0;
    out->fullest = (int64_t)fullest;
    return SLUICE_OK;
}
