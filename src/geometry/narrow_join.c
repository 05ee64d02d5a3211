/* Joins narrow places that touch: those of one kind between the same shapes whose middles are in
 * adjacent bins. The places that the cells of a surface find are about a spacing apart. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/allocate.h"
#include "core/vector.h"
#include "geometry/narrow.h"
#include "geometry/nearby.h"

struct place {
    struct sluice_narrow at;
    int64_t bin[3];
    int64_t parent;        /* a forest; the root is the first of its tree */
    double sum[3], least;  /* root: of all its places */
    int64_t count, chosen; /* root: places; the narrowest one nearest to their middle */
};

static int compare(double a, double b)
{
    return (a > b) - (a < b);
}

static int by_bin(const void *a, const void *b)
{
    const struct place *l = a, *r = b;
    const int64_t left[6] = {l->at.kind, l->at.shape, l->at.other, l->bin[2], l->bin[1], l->bin[0]},
                  right[6] = {r->at.kind, r->at.shape, r->at.other,
                              r->bin[2],  r->bin[1],   r->bin[0]};
    for (int i = 0; i < 6; i++)
        if (left[i] != right[i])
            return left[i] < right[i] ? -1 : 1;
    return 0;
}

static int by_place(const void *a, const void *b)
{
    const struct place *l = a, *r = b;
    int order = by_bin(a, b);
    for (int k = 2; k >= 0 && order == 0; k--)
        order = compare(l->at.x[k], r->at.x[k]);
    return order ? order : compare(l->at.width, r->at.width);
}

static int by_width(const void *a, const void *b)
{
    const struct sluice_narrow *l = a, *r = b;
    int order = compare(l->width, r->width);
    order = order ? order : compare(l->kind, r->kind);
    for (int k = 2; k >= 0 && order == 0; k--)
        order = compare(l->x[k], r->x[k]);
    return order;
}

static int64_t root_of(struct place *p, int64_t i)
{
    while (p[i].parent != i) {
        p[i].parent = p[p[i].parent].parent;
        i = p[i].parent;
    }
    return i;
}

/* Joins a place with those of the bin that is `step` bins off. */
static void join_bin(struct place *p, int64_t n, int64_t i, const int64_t step[3])
{
    struct place key = p[i];
    for (int a = 0; a < 3; a++)
        key.bin[a] += step[a];
    const struct place *found = bsearch(&key, p, (size_t)n, sizeof *p, by_bin);
    if (!found)
        return;
    const int64_t one = root_of(p, i), other = root_of(p, found - p);
    p[one > other ? one : other].parent = one > other ? other : one;
}

static void join_all(struct place *p, int64_t n, int dimension)
{
    const int64_t deep = dimension == 3;
    int64_t step[3];
    for (int64_t i = 0; i < n; i++) {
        p[i].parent = i;
        if (i > 0 && by_bin(&p[i - 1], &p[i]) == 0)
            p[i].parent = i - 1;
    }
    for (int64_t i = 0; i < n; i++)
        if (i == 0 || by_bin(&p[i - 1], &p[i]) != 0)
            for (step[2] = -deep; step[2] <= deep; step[2]++)
                for (step[1] = -1; step[1] <= 1; step[1]++)
                    for (step[0] = -1; step[0] <= 1; step[0]++)
                        join_bin(p, n, i, step);
}

/* Chooses among equally narrow places the one in the middle: parallel faces have many. */
static void choose(struct place *p, int64_t n, double same)
{
    for (int64_t i = 0; i < n; i++) {
        struct place *root = &p[root_of(p, i)];
        for (int a = 0; a < 3; a++)
            root->sum[a] += p[i].at.x[a];
        if (root->count++ == 0 || p[i].at.width < root->least) {
            root->least = p[i].at.width;
            root->chosen = i;
        }
    }
    for (int64_t i = 0; i < n; i++) {
        struct place *root = &p[root_of(p, i)];
        double one2 = 0, chosen2 = 0;
        for (int a = 0; a < 3; a++) {
            const double middle = root->sum[a] / (double)root->count,
                         chosen = p[root->chosen].at.x[a] - middle, one = p[i].at.x[a] - middle;
            one2 += one * one;
            chosen2 += chosen * chosen;
        }
        if (p[i].at.width < root->least + same && one2 < chosen2)
            root->chosen = i;
    }
}

/* Rays from cells miss the narrowest place of a gap at a curved surface. So the middle of the gap
 * moves between the nearest points of both shapes until the gap narrows no more. The middle stays
 * where it was if it would move by more than a spacing, as in a wedge; if another wall is nearer,
 * or the surface there is cut away; and if the shapes touch, where it would come nearer for ever.
 * The limits of nearer, a thousandth of a spacing, and of touching, two hundredths, are less than
 * messages show. */
static void settle_gap(const struct sluice_geometry *g, const struct sluice_nearby_shapes *all,
                       struct sluice_narrow *gap)
{
    const double touching = 2e-2 * g->spacing;
    double x[3], way[2][3], width = gap->width, before, moved[3];
    int of;
    memcpy(x, gap->x, sizeof x);
    do {
        double across[3];
        before = width;
        sluice_geometry_distance(g, gap->shape, x, way[0]);
        sluice_geometry_distance(g, gap->other, x, way[1]);
        for (int a = 0; a < 3; a++) {
            across[a] = way[0][a] - way[1][a];
            x[a] += (way[0][a] + way[1][a]) / 2;
            moved[a] = x[a] - gap->x[a];
        }
        width = sluice_norm(across);
    } while (width < before * (1 - 1e-9) && width > touching && sluice_norm(moved) < g->spacing);
    const double clearance = sluice_nearby_distance(g, all, x, way[0], &of);
    if (width < gap->width && width > touching && sluice_norm(moved) < g->spacing &&
        fabs(clearance - width / 2) < 1e-3 * g->spacing && sluice_nearby_is_in_domain(g, x)) {
        gap->width = width;
        memcpy(gap->x, x, sizeof x);
    }
}

static sluice_status settle_gaps(const struct sluice_geometry *g, struct sluice_narrow *narrow,
                                 int64_t count)
{
    struct sluice_nearby_shapes all = {.count = 0};
    SLUICE_ALLOCATE(all.shape, g->config->shape_count, "shapes");
    for (int s = 0; s < g->config->shape_count; s++)
        if (g->asked[s].type != SLUICE_SHAPE_PART)
            all.shape[all.count++] = s;
    for (int64_t i = 0; i < count; i++)
        if (narrow[i].kind == SLUICE_NARROW_GAP && narrow[i].shape != narrow[i].other)
            settle_gap(g, &all, &narrow[i]);
    free(all.shape);
    return SLUICE_OK;
}

sluice_status sluice_narrow_join(const struct sluice_geometry *g, struct sluice_narrow *narrow,
                                 int64_t *count)
{
    const double bin = 1.5 * g->spacing;
    const int64_t n = *count;
    struct place *p;
    if (n == 0)
        return SLUICE_OK;
    SLUICE_ALLOCATE(p, n, "narrow places");
    for (int64_t i = 0; i < n; i++) {
        p[i].at = narrow[i];
        for (int a = 0; a < g->dimension; a++)
            p[i].bin[a] = (int64_t)floor((narrow[i].x[a] - g->origin[a]) / bin);
    }
    qsort(p, (size_t)n, sizeof *p, by_place);
    join_all(p, n, g->dimension);
    choose(p, n, 1e-6 * g->spacing);
    *count = 0;
    for (int64_t i = 0; i < n; i++)
        if (p[i].parent == i) {
            narrow[*count] = p[p[i].chosen].at;
            narrow[(*count)++].places = p[i].count;
        }
    free(p);
    SLUICE_TRY(settle_gaps(g, narrow, *count));
    qsort(narrow, (size_t)*count, sizeof *narrow, by_width);
    return SLUICE_OK;
}
