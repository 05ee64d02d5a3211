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
    if (p->pass_count == p->pass_capacity) { /* at the start of a run */
        const int capacity = 2 * p->pass_capacity + b->passes;
        struct sluice_pass **more = realloc(p->pass, (size_t)capacity * sizeof *more);
        SLUICE_CHECK(more, SLUICE_DEVICE, "no memory for %d passes", capacity);
        p->pass = more;
        p->pass_capacity = capacity;
    }
    p->pass[p->pass_count++] = pass;
    return SLUICE_OK;
}

sluice_status sluice_settle_reduce(struct sluice_backend *b, struct sluice_reduce *r)
{
    struct sluice_pending *p = &b->pending;
    if (!b->domain) {
        sluice_summary_fill(r, r->total, &r->extremes);
        return SLUICE_OK;
    }
    SLUICE_CHECK(p->reduce_count < SLUICE_TYPE_COUNT, SLUICE_DEVICE,
                 "internal: more than %d reductions before their sums are asked for",
                 (int)SLUICE_TYPE_COUNT);
    p->reduce[p->reduce_count++] = r;
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
        put_extremes(&p->reduce[k]->extremes, x + EXTREMES * k);
    SLUICE_TRY(b->domain->comm->ops->max(b->domain->comm, x, EXTREMES * p->reduce_count));
    for (int k = 0; k < p->reduce_count; k++)
        take_extremes(&p->reduce[k]->extremes, x + EXTREMES * k);
    return SLUICE_OK;
}

/* --- Totals and counts: one sum over the ranks --- */

static void carry(exact_total *total, int64_t *count, int totals, exact_total *sum, int back)
{
    for (int k = 0; k < totals; k++)
        *(back ? &total[k] : &sum[k]) = *(back ? &sum[k] : &total[k]);
    if (back)
        *count = (int64_t)sum[totals];
    else
        sum[totals] = *count;
}

/* Copies the numbers of this rank to p->sum, or those of all ranks back. Returns how many. */
static int64_t carry_all(struct sluice_pending *p, int back)
{
    exact_total *sum = p->sum;
    for (int k = 0; k < p->pass_count; k++, sum += SLUICE_SUM_COUNT + 1)
        carry(p->pass[k]->total, &p->pass[k]->out_of_range, SLUICE_SUM_COUNT, sum, back);
    for (int k = 0; k < p->reduce_count; k++, sum += SUMMARY_SUMS + 1) {
        struct sluice_reduce *r = p->reduce[k];
        carry(r->total, &r->extremes.not_finite, SUMMARY_SUMS, sum, back);
    }
    return sum - p->sum;
}

/* Adds them. *gone: of this rank, then of all. */
static sluice_status add_totals(struct sluice_domain *d, struct sluice_pending *p, int64_t *gone)
{
    const int64_t capacity = p->pass_capacity * (SLUICE_SUM_COUNT + 1) +
                             SLUICE_TYPE_COUNT * (SUMMARY_SUMS + 1) + 1;
    if (capacity > p->sum_capacity) {
        free(p->sum);
        p->sum_capacity = 0;
        SLUICE_ALLOCATE(p->sum, capacity, "totals");
        p->sum_capacity = capacity;
    }
    const int64_t n = carry_all(p, 0);
    p->sum[n] = *gone;
    SLUICE_TRY(sluice_domain_add(d, p->sum, (int)n + 1));
    carry_all(p, 1);
    *gone = (int64_t)p->sum[n];
    return SLUICE_OK;
}

/* Lists the particles that have gone on any rank, on all. */
static sluice_status settle_gone(struct sluice_backend *b)
{
    struct sluice_particle_list *gone = b->pending.gone;
    const size_t bytes = (size_t)gone->count * sizeof *gone->particle;
    void *all;
    size_t total;
    SLUICE_TRY(sluice_comm_gather(b->domain->comm, gone->particle, bytes, 1, &all, &total));
    free(gone->particle);
    gone->particle = all;
    gone->count = gone->capacity = (int64_t)(total / sizeof *gone->particle);
    return SLUICE_OK;
}

sluice_status sluice_settle(struct sluice_backend *b)
{
    struct sluice_pending *p = &b->pending;
    if (!b->domain || (p->pass_count == 0 && p->reduce_count == 0 && !p->gone))
        return SLUICE_OK;
    int64_t gone = p->gone ? p->gone->count : 0;
    sluice_status status = add_totals(b->domain, p, &gone);
    if (status == SLUICE_OK && p->gone && gone > 0)
        status = settle_gone(b);
    if (status == SLUICE_OK)
        status = settle_extremes(b);
    for (int k = 0; k < p->pass_count && status == SLUICE_OK; k++)
        sluice_pass_fill(p->pass[k], p->pass[k]->total, p->pass[k]->out_of_range);
    for (int k = 0; k < p->reduce_count && status == SLUICE_OK; k++) {
        struct sluice_reduce *r = p->reduce[k];
        sluice_summary_fill(r, r->total, &r->extremes);
    }
    p->pass_count = p->reduce_count = 0;
    p->gone = NULL;
    return status;
}

void sluice_settle_destroy(struct sluice_backend *b)
{
    free(b->pending.pass);
    free(b->pending.sum);
    memset(&b->pending, 0, sizeof b->pending);
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
