/* The cuts; the owner of a place, and the ranks that need it. */
#define _GNU_SOURCE
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/allocate.h"
#include "core/hash.h"
#include "domain/domain.h"

/* The most particles that bisection looks at. */
enum { SAMPLES = 1 << 14 };

static double reach_of(double cutoff, double drift)
{
    return (cutoff + 2 * drift) * (1 + 1e-5);
}

sluice_status sluice_domain_create(struct sluice_domain **domain, struct sluice_comm *comm,
                                   struct sluice_threads *team, const struct sluice_grid *g,
                                   double drift)
{
    const char *seed = getenv("SLUICE_TEST_PLANES");
    struct sluice_domain *d;
    SLUICE_ALLOCATE(d, 1, "domain");
    *domain = d;
    d->comm = comm;
    d->team = team;
    d->regions.dimension = g->dimension;
    d->regions.ranks = comm->size;
    d->regions.reach = reach_of(g->cutoff, drift);
    d->seed = seed ? strtoull(seed, NULL, 10) : 0;
    for (int c = 0; c < g->dimension; c++) {
        d->regions.length[c] = g->periodic[c] ? g->wrap[c] * g->width[c] : 0;
        d->low[c] = g->low[c] - g->corner[c] + (g->shift[c] - 0.5) * g->width[c];
        d->high[c] = g->periodic[c] ? d->low[c] + d->regions.length[c]
                                    : d->low[c] + g->high[c] - g->low[c];
    }
    SLUICE_ALLOCATE(d->regions.cut, comm->size, "planes between ranks");
    SLUICE_ALLOCATE(d->regions.region, comm->size, "regions of ranks");
    SLUICE_ALLOCATE(d->neighbour, comm->size, "neighbours of a rank");
    SLUICE_ALLOCATE(d->parcels.send, 2 * comm->size, "messages");
    d->parcels.receive = d->parcels.send + comm->size;
    SLUICE_ALLOCATE(d->parcels.sent, 2 * comm->size, "counts of messages");
    d->parcels.got = d->parcels.sent + comm->size;
    for (int t = 0; t < SLUICE_TYPE_COUNT; t++)
        SLUICE_TRY(sluice_lists_create(&d->set[t].lists, 2 * comm->size));
    return sluice_lists_create(&d->lists, comm->size);
}

void sluice_domain_destroy(struct sluice_domain **domain)
{
    struct sluice_domain *d = *domain;
    if (!d)
        return;
    for (int t = 0; t < SLUICE_TYPE_COUNT; t++) {
        struct sluice_shared_set *shared = &d->set[t];
        sluice_lists_destroy(&shared->lists);
        free(shared->marks);
    }
    sluice_lists_destroy(&d->lists);
    free(d->parcels.send);
    free(d->parcels.sent);
    free(d->parcels.memory);
    free(d->neighbour);
    free(d->frame_inner);
    free(d->regions.cut);
    free(d->regions.region);
    free(d);
    *domain = NULL;
}

/* Finds d->regions.inner. On an axis that the region covers whole, it has no neighbours. */
static void find_inner_region(struct sluice_domain *d)
{
    struct sluice_regions *s = &d->regions;
    const struct sluice_region *r = &s->region[d->comm->rank];
    for (int c = 0; c < s->dimension; c++) {
        const int whole = s->length[c] > 0 && r->low[c] == d->low[c] && r->high[c] == d->high[c];
        s->inner.low[c] = whole ? -INFINITY : r->low[c] + s->reach;
        s->inner.high[c] = whole ? INFINITY : r->high[c] - s->reach;
    }
}

sluice_status sluice_domain_find_inner(struct sluice_domain *d, const struct sluice_grid *g)
{
    if (g->frame_count > d->frame_capacity) {
        free(d->frame_inner);
        d->frame_capacity = g->frame_count + g->frame_count / 4;
        d->frame_inner = malloc((size_t)d->frame_capacity);
        if (!d->frame_inner)
            d->frame_capacity = 0;
        SLUICE_CHECK(d->frame_inner, SLUICE_DEVICE, "no memory for %d frames", g->frame_count);
    }
    find_inner_region(d);
    for (int slot = 0; slot < g->frame_count; slot++) {
        double low[3] = {0}, high[3] = {0};
        /* Rounding and shifts may have led a particle a little out of its frame. */
        for (int c = 0; c < d->regions.dimension; c++) {
            const double centre = g->frame[slot][c] * g->width[c],
                         half = 0.5 * g->width[c] + 0.1 * g->cutoff;
            low[c] = centre - half;
            high[c] = centre + half;
        }
        d->frame_inner[slot] = sluice_regions_is_inner(&d->regions, low) &&
                               sluice_regions_is_inner(&d->regions, high);
    }
    return SLUICE_OK;
}

/* How far two intervals are apart. */
static double gap(double low, double high, double other_low, double other_high)
{
    return fmax(0, fmax(other_low - high, low - other_high));
}

/* How far an interval on an axis is from a region, over a periodic border, too. */
static double axis_gap(const struct sluice_domain *d, const struct sluice_region *r, int c,
                       double low, double high)
{
    const double period = d->regions.length[c];
    double far = gap(low, high, r->low[c], r->high[c]);
    for (int side = -1; side <= 1 && period > 0; side += 2)
        far = fmin(far, gap(low + side * period, high + side * period, r->low[c], r->high[c]));
    return far;
}

int sluice_domain_needs_box(const struct sluice_domain *d, const double low[3],
                            const double high[3])
{
    const struct sluice_region *r = &d->regions.region[d->comm->rank];
    int needs = 1;
    for (int c = 0; c < d->regions.dimension; c++)
        needs &= axis_gap(d, r, c, low[c], high[c]) <= d->regions.reach;
    return needs;
}

int sluice_domain_needs_frame(const struct sluice_domain *d, const struct sluice_grid *g, int slot)
{
    double low[3] = {0}, high[3] = {0};
    for (int c = 0; c < d->regions.dimension; c++) {
        /* Particles an eighth of a frame beyond it may come into it. */
        const double centre = g->frame[slot][c] * g->width[c], half = 0.625 * g->width[c];
        low[c] = centre - half;
        high[c] = centre + half;
    }
    return sluice_domain_needs_box(d, low, high);
}

/* Lists the ranks that may need particles of this one. */
static void find_neighbours(struct sluice_domain *d)
{
    const struct sluice_regions *s = &d->regions;
    const struct sluice_region *own = &s->region[d->comm->rank];
    d->neighbours = 0;
    for (int r = 0; r < d->comm->size; r++) {
        double sum = 0;
        for (int c = 0; c < s->dimension; c++) {
            const double far = axis_gap(d, &s->region[r], c, own->low[c], own->high[c]);
            sum += far * far;
        }
        if (r != d->comm->rank && sum < s->reach * s->reach)
            d->neighbour[d->neighbours++] = r;
    }
}

void sluice_domain_set_reach(struct sluice_domain *d, double cutoff, double drift)
{
    d->regions.reach = reach_of(cutoff, drift);
    if (d->divided)
        find_neighbours(d);
}

/* --- Cuts --- */

/* A part of space with some ranks, to be cut. */
struct part {
    struct sluice_region region;
    int first_rank, ranks;
    int64_t first, last; /* its samples */
};

struct sample {
    double x[3], cost;
};

static int by_axis(const void *a, const void *b, void *axis)
{
    const double x = ((const struct sample *)a)->x[*(const int *)axis],
                 y = ((const struct sample *)b)->x[*(const int *)axis];
    return (x > y) - (x < y);
}

/* The axis on which the samples of a part reach farthest. */
static int longest_axis(const struct sluice_domain *d, const struct sample *s, const struct part *p)
{
    double most = -1;
    int axis = 0;
    for (int c = 0; c < d->regions.dimension; c++) {
        double low = INFINITY, high = -INFINITY;
        for (int64_t i = p->first; i < p->last; i++) {
            low = fmin(low, s[i].x[c]);
            high = fmax(high, s[i].x[c]);
        }
        if (high - low > most) {
            most = high - low;
            axis = c;
        }
    }
    return axis;
}

/* A cut of a part anywhere within the domain, for tests. */
static struct sluice_cut random_cut(const struct sluice_domain *d, const struct part *p, int number)
{
    const uint64_t draw = d->seed + (uint64_t)(d->sorts * 4096 + number) * SLUICE_MIX_STEP;
    struct sluice_cut cut = {.axis = (int)(sluice_mix(draw) % (uint64_t)d->regions.dimension)};
    const double from = fmax(p->region.low[cut.axis], d->low[cut.axis]),
                 to = fmin(p->region.high[cut.axis], d->high[cut.axis]);
    cut.x = from + (to - from) * sluice_mix_unit(draw + SLUICE_MIX_STEP / 3);
    return cut;
}

/* The first sample up to which the costs are at least this fraction of the part's. */
static int64_t find_fraction(const struct sample *s, const struct part *p, double fraction)
{
    double all = 0, sum = 0;
    int64_t i = p->first;
    for (int64_t k = p->first; k < p->last; k++)
        all += s[k].cost;
    while (i < p->last - 1 && sum < fraction * all)
        sum += s[i++].cost;
    return i;
}

/* Cuts a part so that the ranks below get their fraction of its samples' costs. */
static struct sluice_cut even_cut(const struct sluice_domain *d, struct sample *s,
                                  const struct part *p, int below, int64_t *middle)
{
    const int64_t n = p->last - p->first;
    struct sluice_cut cut = {.axis = longest_axis(d, s, p)};
    if (n < 2) { /* nothing to share */
        cut.x = fmax(p->region.low[cut.axis], d->low[cut.axis]);
        *middle = p->first;
        return cut;
    }
    qsort_r(s + p->first, (size_t)n, sizeof *s, by_axis, &cut.axis);
    *middle = find_fraction(s, p, (double)below / p->ranks);
    if (*middle == p->first)
        ++*middle;
    cut.x = 0.5 * (s[*middle - 1].x[cut.axis] + s[*middle].x[cut.axis]);
    return cut;
}

static int cut_part(struct sluice_domain *d, struct sample *s, const struct part *p)
{
    if (p->ranks == 1) {
        d->regions.region[p->first_rank] = p->region;
        return -1 - p->first_rank;
    }
    const int number = d->cut_count++, below = p->ranks / 2;
    int64_t middle = p->first;
    struct sluice_cut cut = d->seed ? random_cut(d, p, number) : even_cut(d, s, p, below, &middle);
    struct part low = *p, high = *p;
    low.ranks = below;
    low.last = middle;
    low.region.high[cut.axis] = cut.x;
    high.first_rank += below;
    high.ranks -= below;
    high.first = middle;
    high.region.low[cut.axis] = cut.x;
    cut.below = cut_part(d, s, &low);
    cut.above = cut_part(d, s, &high);
    d->regions.cut[number] = cut;
    return number;
}

/* A wall particle costs less than one of the fluid: beside water about a fifth, elsewhere almost
 * nothing. So one wall particle or ghost node in 32 is a sample. */
enum { WALLS_A_SAMPLE = 32 };

static int64_t particles_a_sample(enum sluice_type type)
{
    return type == SLUICE_FLUID ? 1 : WALLS_A_SAMPLE;
}

int64_t sluice_domain_sample_every(enum sluice_type type, const int64_t count[SLUICE_TYPE_COUNT])
{
    int64_t all = 0;
    for (int t = 0; t < SLUICE_TYPE_COUNT; t++)
        all += count[t] / particles_a_sample((enum sluice_type)t);
    return (1 + all / SAMPLES) * particles_a_sample(type);
}

/* Takes every particle of the fluid, or every second one, and so on; of several ranks each takes
 * some of its own ones, which cost as much as the rank does. *s: those of all ranks, which the
 * caller frees. */
static sluice_status take_samples(struct sluice_domain *d, const struct sluice_grid *g,
                                  struct sluice_set *const *sets, int n, int64_t cost,
                                  sluice_domain_sample *sample, void *data, struct sample **s,
                                  int64_t *count)
{
    int64_t all[SLUICE_TYPE_COUNT] = {0}, capacity = 0, most = 0, taken = 0;
    struct sample *mine;
    double(*x)[3];
    size_t bytes;
    void *gathered;
    for (int k = 0; k < n; k++)
        all[sets[k]->type] = sets[k]->count;
    if (d->divided) /* until then each rank has all */
        SLUICE_TRY(d->comm->ops->sum(d->comm, all, SLUICE_TYPE_COUNT));
    for (int k = 0; k < n; k++) {
        const int64_t of_set = sets[k]->count / sluice_domain_sample_every(sets[k]->type, all) + 1;
        capacity += of_set;
        most = of_set > most ? of_set : most;
    }
    SLUICE_ALLOCATE(mine, capacity, "samples of particles");
    *s = mine;
    SLUICE_ALLOCATE(x, most, "samples of particles");
    sluice_status status = SLUICE_OK;
    for (int k = 0; k < n && status == SLUICE_OK; k++) {
        const int64_t step = sluice_domain_sample_every(sets[k]->type, all),
                      wanted = (sets[k]->count + step - 1) / step;
        status = sample(data, g, sets[k], step, wanted, x);
        for (int64_t i = 0; i < wanted && status == SLUICE_OK; i++)
            if (!d->divided || sluice_regions_owner(&d->regions, x[i]) == d->comm->rank)
                memcpy(mine[taken++].x, x[i], sizeof *x);
    }
    free(x);
    for (int64_t i = 0; i < taken; i++)
        mine[i].cost = d->divided ? (double)cost / (double)taken : 1;
    *count = taken;
    if (!d->divided || status != SLUICE_OK)
        return status;
    status = sluice_comm_gather(d->comm, mine, (size_t)taken * sizeof *mine, 1, &gathered, &bytes);
    free(mine);
    *s = gathered;
    *count = (int64_t)(bytes / sizeof **s);
    return status;
}

/* The ranks' costs are compared once in so many sorts, the first time earlier: the first cuts know
 * no costs. If new cuts have not made them even, the next comparison is later. */
enum { CHECK_FIRST = 16, CHECK_AFTER = 128, CHECK_AFTER_MOST = 4096 };
static const double uneven = 1.02;

/* *moves: the largest cost is too large. */
static sluice_status compare_costs(struct sluice_domain *d, int64_t cost, int *moves)
{
    int64_t *to, most = 0, all = 0;
    const int size = d->comm->size;
    SLUICE_ALLOCATE(to, 2 * size, "costs of ranks");
    for (int r = 0; r < size; r++)
        to[r] = cost;
    const sluice_status status = d->comm->ops->counts(d->comm, to, to + size);
    for (int r = 0; r < size && status == SLUICE_OK; r++) {
        all += to[size + r];
        most = to[size + r] > most ? to[size + r] : most;
    }
    free(to);
    *moves = (double)most * size > uneven * (double)all;
    d->busiest += (double)most;
    d->mean += (double)all / size;
    d->check_after = !*moves                                  ? CHECK_AFTER
                     : d->check_after * 2 <= CHECK_AFTER_MOST ? 2 * d->check_after
                                                              : CHECK_AFTER_MOST;
    d->check_at = d->sorts + d->check_after;
    return status;
}

/* Cuts all of space, by n samples. */
static void cut_space(struct sluice_domain *d, struct sample *s, int64_t n)
{
    struct part all = {.ranks = d->comm->size, .last = n};
    for (int c = 0; c < 3; c++) {
        all.region.low[c] = d->regions.length[c] > 0 ? d->low[c] : -INFINITY;
        all.region.high[c] = d->regions.length[c] > 0 ? d->high[c] : INFINITY;
    }
    d->cut_count = 0;
    cut_part(d, s, &all);
    find_neighbours(d);
    d->divided = 1;
}

sluice_status sluice_domain_cut(struct sluice_domain *d, const double (*x)[3], int64_t n)
{
    struct sample *s;
    SLUICE_ALLOCATE(s, n, "samples of particles");
    for (int64_t i = 0; i < n; i++) {
        memcpy(s[i].x, x[i], sizeof s[i].x);
        s[i].cost = 1;
    }
    cut_space(d, s, n);
    free(s);
    return SLUICE_OK;
}

static sluice_status make_cuts(struct sluice_domain *d, const struct sluice_grid *g,
                               struct sluice_set *const *sets, int n, int64_t cost,
                               sluice_domain_sample *sample, void *data)
{
    struct sample *s = NULL;
    int64_t samples = 0;
    sluice_status status = SLUICE_OK;
    if (!d->seed)
        status = take_samples(d, g, sets, n, cost, sample, data, &s, &samples);
    if (status == SLUICE_OK)
        cut_space(d, s, samples);
    free(s);
    return status;
}

sluice_status sluice_domain_divide(struct sluice_domain *d, const struct sluice_grid *g,
                                   struct sluice_set *const *sets, int n, int64_t cost,
                                   sluice_domain_sample *sample, void *data)
{
    if (d->fixed) {
        d->moved = 0;
        return SLUICE_OK;
    }
    const int first = d->sorts++ == 0;
    d->moved = first || d->seed;
    if (first)
        d->check_at = d->check_after = CHECK_FIRST;
    else if (!d->seed && d->sorts >= d->check_at)
        SLUICE_TRY(compare_costs(d, cost, &d->moved));
    return d->moved && !(first && d->divided) ? make_cuts(d, g, sets, n, cost, sample, data)
                                              : SLUICE_OK;
}
