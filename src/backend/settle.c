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

enum { EXTREMES = 5 };

static void put_extremes(const struct sluice_extremes *e, double *x)
{
    x[0] = e->max_speed2;
    x[1] = e->max_acceleration2;
    x[2] = -e->min_density;
    x[3] = e->max_density;
    x[4] = e->first_not_finite == INT64_MAX ? -INFINITY : -(double)e->first_not_finite;
}

static void take_extremes(struct sluice_extremes *e, const double *x)
{
    e->max_speed2 = x[0];
    e->max_acceleration2 = x[1];
    e->min_density = -x[2];
    e->max_density = x[3];
    e->first_not_finite = isinf(x[4]) ? INT64_MAX : (int64_t)-x[4];
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

/* --- Totals: all in one sum, with the counts of terms out of range and of removed particles --- */

enum {
    MOST_TOTALS = SLUICE_PENDING_PASSES * (SLUICE_SUM_COUNT + 1) +
                  SLUICE_TYPE_COUNT * (SUMMARY_SUMS + 1) + 1
};

/* put: to the list; otherwise from it. */
static int pass_totals(struct sluice_pending *p, exact_total *list, int put)
{
    int n = 0;
    for (int k = 0; k < p->pass_count; k++) {
        struct sluice_pass *pass = p->pass[k];
        for (int s = 0; s < SLUICE_SUM_COUNT; s++, n++)
            *(put ? &list[n] : &pass->total[s]) = put ? pass->total[s] : list[n];
        if (put)
            list[n++] = pass->out_of_range;
        else
            pass->out_of_range = (int64_t)list[n++];
    }
    for (int k = 0; k < p->reduce_count; k++) {
        struct sluice_reduce *r = p->reduce[k].reduce;
        for (int s = 0; s < SUMMARY_SUMS; s++, n++)
            *(put ? &list[n] : &r->total[s]) = put ? r->total[s] : list[n];
        if (put)
            list[n++] = r->extremes.not_finite;
        else
            r->extremes.not_finite = (int64_t)list[n++];
    }
    return n;
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
    exact_total *list;
    if (!b->domain || (p->pass_count == 0 && p->reduce_count == 0 && !p->removed))
        return SLUICE_OK;
    SLUICE_ALLOCATE(list, MOST_TOTALS, "totals");
    int n = pass_totals(p, list, 1);
    list[n++] = p->removed ? p->removed->count : 0;
    sluice_status status = sluice_domain_add(b->domain, list, n);
    if (status == SLUICE_OK)
        pass_totals(p, list, 0);
    if (status == SLUICE_OK && p->removed && list[n - 1] > 0)
        status = settle_removed(b);
    free(list);
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
