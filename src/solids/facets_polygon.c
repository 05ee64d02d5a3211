/* Polygons as triangles: ears are cut off until none is left (Meisters 1975). */
#include <math.h>

#include "core/allocate.h"
#include "solids/facets.h"

static double turn(const double a[2], const double b[2], const double c[2])
{
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/* The corners that are left, as a ring. */
struct ring {
    const double (*corner)[2];
    int64_t *next, *last;
};

/* Whether no corner that is left lies in the triangle that corner i makes with its neighbours. */
static int is_ear(const struct ring *r, int64_t i)
{
    const double *a = r->corner[r->last[i]], *b = r->corner[i], *c = r->corner[r->next[i]];
    if (!(turn(a, b, c) > 0))
        return 0;
    for (int64_t k = r->next[r->next[i]]; k != r->last[i]; k = r->next[k]) {
        const double *p = r->corner[k];
        if (turn(a, b, p) >= 0 && turn(b, c, p) >= 0 && turn(c, a, p) >= 0 &&
            !(p[0] == a[0] && p[1] == a[1]) && !(p[0] == b[0] && p[1] == b[1]) &&
            !(p[0] == c[0] && p[1] == c[1]))
            return 0;
    }
    return 1;
}

static sluice_status cut_ears(struct sluice_facets *f, struct ring *r, int64_t count, int32_t first,
                              int is_turned)
{
    int64_t at = 0;
    for (int64_t left = count; left > 2; left--) {
        int64_t looked = 0;
        while (looked < left && !is_ear(r, at)) {
            at = r->next[at];
            looked++;
        }
        const int64_t before = r->last[at], after = r->next[at];
        if (looked < left || turn(r->corner[before], r->corner[at], r->corner[after]) != 0)
            SLUICE_TRY(sluice_facets_add_triangle(f, first + (int32_t)(is_turned ? after : before),
                                                  first + (int32_t)at,
                                                  first + (int32_t)(is_turned ? before : after)));
        r->next[before] = after;
        r->last[after] = before;
        at = r->next[after];
    }
    return SLUICE_OK;
}

sluice_status sluice_facets_add_polygon(struct sluice_facets *f, const double (*corner)[2],
                                        int64_t count, const int axes[2], double other,
                                        int is_turned)
{
    struct ring ring = {.corner = corner};
    const int32_t first = (int32_t)f->points;
    int32_t at;
    for (int64_t i = 0; i < count; i++) {
        double own[3];
        own[3 - axes[0] - axes[1]] = other;
        own[axes[0]] = corner[i][0];
        own[axes[1]] = corner[i][1];
        SLUICE_TRY(sluice_facets_add_point(f, own, &at));
    }
    SLUICE_ALLOCATE(ring.next, 2 * count, "corners of a polygon");
    ring.last = ring.next + count;
    for (int64_t i = 0; i < count; i++) {
        ring.next[i] = (i + 1) % count;
        ring.last[i] = (i + count - 1) % count;
    }
    const sluice_status status = cut_ears(f, &ring, count, first, is_turned);
    free(ring.next);
    return status;
}

sluice_status sluice_facets_add_outline(struct sluice_facets *f, const double (*corner)[2],
                                        int64_t count)
{
    static const int axes[2] = {0, 1};
    for (int64_t i = 0; i < count; i++) {
        const double *a = corner[i], *b = corner[(i + 1) % count];
        const int pieces = sluice_facets_pieces(f, hypot(b[0] - a[0], b[1] - a[1]));
        for (int k = 0; k <= pieces; k++) {
            const double own[3] = {a[0] + k * ((b[0] - a[0]) / pieces),
                                   a[1] + k * ((b[1] - a[1]) / pieces), 0};
            int32_t at;
            SLUICE_TRY(
                sluice_facets_add_point(f, k == pieces ? (double[3]){b[0], b[1], 0} : own, &at));
            if (k == 0)
                continue;
            SLUICE_GROW(f->segment, f->segments, f->segment_capacity, "edges of an outline");
            f->segment[f->segments][0] = at - 1;
            f->segment[f->segments++][1] = at;
        }
    }
    return sluice_facets_add_polygon(f, corner, count, axes, 0, 0);
}
