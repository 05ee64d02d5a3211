/* In double, on the host: one lane. */
#define SLUICE_DOUBLE
#include "measure/search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/allocate.h"
#include "kernels/pair/sph_kernel.h"
#include "kernels/registry.h"

/* Bins of a support: along x windows are cut to bins, along y and z rows are tested. */
static const double bins_per_reach[3] = {4, 2, 2};
enum { BINS_A_PARTICLE = 4, BINS_LEAST = 4096, BINS_MOST = 1 << 20 };

/* --- Listing --- */

static double reach_of(const struct sluice_search *s, const struct sluice_source *p)
{
    return s->support / p->inverse_h;
}

/* Level k has supports from 2^k of the least one on; the last level has all wider ones. */
static int level_of(const struct sluice_search *s, const struct sluice_source *p, double least)
{
    const int k = ilogb(reach_of(s, p) / least * (1 + 1e-9));
    return k < 0 ? 0 : k < SLUICE_SEARCH_LEVELS ? k : SLUICE_SEARCH_LEVELS - 1;
}

/* Counts the particles of each level, and finds the box and the widest support of each. */
static void find_levels(struct sluice_search *s, const struct sluice_source *source, double least)
{
    for (int k = 0; k < SLUICE_SEARCH_LEVELS; k++)
        for (int a = 0; a < 3; a++) {
            s->level[k].low[a] = INFINITY;
            s->level[k].high[a] = -INFINITY;
        }
    for (int64_t i = 0; i < s->count; i++) {
        struct sluice_search_level *l = &s->level[level_of(s, &source[i], least)];
        l->count++;
        l->reach = fmax(l->reach, reach_of(s, &source[i]));
        for (int a = 0; a < 3; a++) {
            l->low[a] = fmin(l->low[a], source[i].x[a]);
            l->high[a] = fmax(l->high[a], source[i].x[a]);
        }
    }
    for (int k = 1; k < SLUICE_SEARCH_LEVELS; k++)
        s->level[k].first = s->level[k - 1].first + s->level[k - 1].count;
}

/* Chooses bins by the support; wider ones where there would be many more bins than particles. */
static int64_t choose_bins(const struct sluice_search *s, struct sluice_search_level *l)
{
    const double most = fmax(BINS_LEAST, BINS_A_PARTICLE * (double)l->count);
    double all = 1, wider = 1;
    for (int tries = 0; tries < 64; tries++, wider *= 1.25) {
        all = 1;
        for (int a = 0; a < 3; a++) {
            const double length = l->high[a] - l->low[a],
                         bins = ceil(length * bins_per_reach[a] / (l->reach * wider));
            l->bins[a] = a < s->dimension ? (int64_t)fmin(BINS_MOST, fmax(1, bins)) : 1;
            all *= (double)l->bins[a];
        }
        if (all <= most)
            break;
    }
    for (int a = 0; a < 3; a++) {
        const double length = l->high[a] - l->low[a];
        l->per_length[a] = length > 0 ? (double)l->bins[a] / length : 0;
        l->width[a] = length / (double)l->bins[a];
    }
    return (int64_t)all;
}

/* The bin of a coordinate along an axis; it never falls while x grows. */
static int64_t bin_along(const struct sluice_search_level *l, int a, double x)
{
    const double bin = (x - l->low[a]) * l->per_length[a];
    return !(bin > 0) ? 0 : bin < (double)l->bins[a] ? (int64_t)bin : l->bins[a] - 1;
}

static int64_t bin_of(const struct sluice_search_level *l, const double x[3])
{
    return (bin_along(l, 2, x[2]) * l->bins[1] + bin_along(l, 1, x[1])) * l->bins[0] +
           bin_along(l, 0, x[0]);
}

/* Puts the particles in the order of levels and bins; those of one bin keep their order. */
static void sort(struct sluice_search *s, const struct sluice_source *source, const double *value,
                 double least)
{
    for (int64_t i = 0; i < s->count; i++) {
        struct sluice_search_level *l = &s->level[level_of(s, &source[i], least)];
        l->start[bin_of(l, source[i].x) + 1]++;
    }
    for (int k = 0; k < SLUICE_SEARCH_LEVELS; k++) {
        struct sluice_search_level *l = &s->level[k];
        const int64_t bins = l->bins[0] * l->bins[1] * l->bins[2];
        if (l->count == 0)
            continue;
        l->start[0] = l->first;
        for (int64_t b = 0; b < bins; b++)
            l->start[b + 1] += l->start[b];
    }
    for (int64_t i = s->count - 1; i >= 0; i--) { /* from behind: start[b + 1] falls to the first */
        struct sluice_search_level *l = &s->level[level_of(s, &source[i], least)];
        const int64_t to = --l->start[bin_of(l, source[i].x) + 1];
        s->source[to] = source[i];
        memcpy(s->value + to * s->sums, value + i * s->sums, (size_t)s->sums * sizeof *value);
    }
    for (int k = 0; k < SLUICE_SEARCH_LEVELS; k++) { /* so all are one bin too early */
        struct sluice_search_level *l = &s->level[k];
        const int64_t bins = l->bins[0] * l->bins[1] * l->bins[2];
        if (l->count == 0)
            continue;
        memmove(l->start, l->start + 1, (size_t)bins * sizeof *l->start);
        l->start[bins] = l->first + l->count;
    }
}

static sluice_status fill(struct sluice_search *s, const struct sluice_source *source,
                          const double *value)
{
    double least = INFINITY;
    for (int64_t i = 0; i < s->count; i++)
        least = fmin(least, reach_of(s, &source[i]));
    SLUICE_ALLOCATE(s->source, s->count, "particles to interpolate");
    SLUICE_ALLOCATE(s->value, s->count * s->sums, "numbers of particles to interpolate");
    find_levels(s, source, least);
    for (int k = 0; k < SLUICE_SEARCH_LEVELS; k++)
        if (s->level[k].count > 0) {
            const int64_t bins = choose_bins(s, &s->level[k]);
            SLUICE_ALLOCATE(s->level[k].start, bins + 1, "bins of particles to interpolate");
            s->levels = k + 1;
        }
    sort(s, source, value, least);
    return SLUICE_OK;
}

sluice_status sluice_search_fill(struct sluice_search *s, const struct sluice_source *source,
                                 const double *value, int64_t count)
{
    sluice_search_empty(s);
    s->count = count;
    s->support = sluice_kernel_support(s->kernel);
    if (count == 0)
        return SLUICE_OK;
    const sluice_status status = fill(s, source, value);
    if (status != SLUICE_OK)
        sluice_search_empty(s);
    return status;
}

void sluice_search_empty(struct sluice_search *s)
{
    for (int k = 0; k < SLUICE_SEARCH_LEVELS; k++)
        free(s->level[k].start);
    free(s->source);
    free(s->value);
    *s = (struct sluice_search){.dimension = s->dimension, .kernel = s->kernel, .sums = s->sums};
}

/* --- Summing --- */

/* The arguments of a sum beside the particles. */
struct sum {
    const struct sluice_search *search;
    struct sph_kernel unit; /* the kernel of h = 1 */
    double x[3], *sums, *weight;
};

static double power(double x, int dimension)
{
    return dimension == 2 ? x * x : x * x * x;
}

/* Adds the particles first .. end - 1, those that reach x. */
static void add_window(const struct sum *q, int64_t first, int64_t end)
{
    const int sums = q->search->sums, dimension = q->search->dimension;
    const double support2 = q->unit.support * q->unit.support;
    for (int64_t i = first; i < end; i++) {
        const struct sluice_source *p = &q->search->source[i];
        const double dx = p->x[0] - q->x[0], dy = p->x[1] - q->x[1], dz = p->x[2] - q->x[2];
        const double q2 = (dx * dx + dy * dy + dz * dz) * (p->inverse_h * p->inverse_h);
        if (!(q2 < support2))
            continue;
        const double w = p->volume * power(p->inverse_h, dimension) * q->unit.w *
                         sph_w_shape(&q->unit, PAIR_KERNEL_ALL, sqrt(q2)),
                     *value = q->search->value + i * sums;
        q->weight[0] += w;
        q->weight[1] += w * p->fluid;
        for (int k = 0; k < sums; k++)
            q->sums[k] += w * value[k];
    }
}

/* The distance from x to the bins of this number along an axis; 0 within. */
static double way_to(const struct sluice_search_level *l, int a, int64_t bin, double x)
{
    const double low = l->low[a] + (double)bin * l->width[a];
    return fmax(0, fmax(low - x, x - low - l->width[a]));
}

static void add_level(const struct sum *q, const struct sluice_search_level *l)
{
    int64_t from[3], to[3];
    for (int a = 0; a < 3; a++) {
        if (q->x[a] + l->reach < l->low[a] || q->x[a] - l->reach > l->high[a])
            return;
        from[a] = bin_along(l, a, q->x[a] - l->reach);
        to[a] = bin_along(l, a, q->x[a] + l->reach);
    }
    for (int64_t z = from[2]; z <= to[2]; z++)
        for (int64_t y = from[1]; y <= to[1]; y++) {
            const double dy = way_to(l, 1, y, q->x[1]), dz = way_to(l, 2, z, q->x[2]);
            const double rest = l->reach * l->reach * (1 + 1e-9) - dy * dy - dz * dz;
            if (rest < 0)
                continue;
            const int64_t row = (z * l->bins[1] + y) * l->bins[0];
            const double half = sqrt(rest);
            add_window(q, l->start[row + bin_along(l, 0, q->x[0] - half)],
                       l->start[row + bin_along(l, 0, q->x[0] + half) + 1]);
        }
}

void sluice_search_sum(const struct sluice_search *s, const double x[3], double *sums,
                       double weight[2])
{
    const struct sum q = {.search = s,
                          .unit = sph_kernel_prepare(s->kernel, 1, s->dimension),
                          .x = {x[0], x[1], s->dimension == 3 ? x[2] : 0},
                          .sums = sums,
                          .weight = weight};
    memset(sums, 0, (size_t)s->sums * sizeof *sums);
    weight[0] = weight[1] = 0;
    for (int k = 0; k < s->levels; k++)
        if (s->level[k].count > 0)
            add_level(&q, &s->level[k]);
}
