/* The surface of a body.
 *
 *        A without B           The facets of A, and those of B turned round, as far as they are on
 *      +-----+   +-----+       the surface of A without B. A facet that is so in part is cut where
 *      |  A  | B |     |       its edges leave that surface; so long facets are halved before. */
#include "bodies/surface.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bodies/solid_union.h"
#include "contact/contact_points.h"
#include "core/allocate.h"
#include "solids/facets.h"

/* Pieces along the longest axis at least; over the step: facets longer than this are halved where
 * they may be cut, chords are no farther from their arc, and places of a surface no farther off. */
enum { PIECES_LEAST = 8, BISECTIONS = 40 };
static const double long_facet = 1.5, chord = 0.1, rounding = 1e-6;
/* Over the step: how far outside a face the body is asked for. */
static const double ahead = 0.01;

/* A part that is being made, and the solid whose facets are its candidates. */
struct maker {
    const struct sluice_solid_union *u;
    struct sluice_body_surface *surface;
    struct sluice_contact_spots *spots; /* NULL: contacts are not asked for */
    int64_t point_capacity, triangle_capacity;
    double step;
    int part, is_cut, is_turned, is_filling; /* filling: a triangle within a 2-D body */
    int draws, places;                       /* makes triangles, makes spots */
    int around;                              /* points of a circle, at least; 0: the usual */
    const struct sluice_solid *solid;
};

/* The signed distance of x (m, config coordinates) from a part; part < 0: from the union. */
static double distance_of(const struct sluice_solid_union *u, int part, const double x[3])
{
    double y[3], way[3];
    sluice_solid_union_from_config(u, x, y);
    return part < 0 ? sluice_solid_union_distance(u, y, way)
                    : sluice_solid_union_part_distance(u, part, y, way);
}

/* --- Facets --- */

static sluice_status add_point(struct maker *m, const double x[3])
{
    struct sluice_body_surface *s = m->surface;
    SLUICE_CHECK(s->points < INT32_MAX - 3, SLUICE_DEVICE,
                 "the surface of a body has more than 2^31 points: make the spacing larger");
    SLUICE_GROW(s->point, s->points, m->point_capacity, "points of a surface");
    memcpy(s->point[s->points++], x, 3 * sizeof *x);
    return SLUICE_OK;
}

static sluice_status add_triangle(struct maker *m, const double corner[3][3])
{
    struct sluice_body_surface *s = m->surface;
    SLUICE_GROW(s->triangle, s->triangles, m->triangle_capacity, "triangles of a surface");
    for (int k = 0; k < 3; k++) {
        s->triangle[s->triangles][k] = (int32_t)s->points;
        SLUICE_TRY(add_point(m, corner[k]));
    }
    s->triangles++;
    return SLUICE_OK;
}

/* Adds the triangles of a part that nothing cuts. */
static sluice_status add_whole(struct maker *m, const struct sluice_facets *f)
{
    struct sluice_body_surface *s = m->surface;
    const int64_t first = s->points;
    for (int64_t i = 0; i < f->points; i++)
        SLUICE_TRY(add_point(m, f->point[i]));
    for (int64_t i = 0; i < f->triangles; i++) {
        SLUICE_GROW(s->triangle, s->triangles, m->triangle_capacity, "triangles of a surface");
        for (int k = 0; k < 3; k++)
            s->triangle[s->triangles][k] = (int32_t)(first + f->triangle[i][k]);
        s->triangles++;
    }
    return SLUICE_OK;
}

/* Keeps a facet, cut or not. */
static sluice_status keep(struct maker *m, const double corner[3][3], int corners)
{
    double turned[3][3];
    const double(*c)[3] = corner;
    if (m->is_turned) {
        for (int k = 0; k < corners; k++)
            memcpy(turned[k], corner[corners - 1 - k], sizeof turned[k]);
        c = (const double(*)[3])turned;
    }
    if (corners == 3 && m->is_cut && m->draws)
        SLUICE_TRY(add_triangle(m, c));
    if (m->is_filling || !m->places)
        return SLUICE_OK;
    return sluice_contact_spots_add(m->spots, c, corners);
}

/* Whether a place of a facet is on the surface of the part, as exactly as the facet is on that of
 * its own solid. For the inner facets of a 2-D body: whether it is inside, likewise. */
static int is_on(const struct maker *m, const double x[3])
{
    double way[3];
    const double d = distance_of(m->u, m->part, x), off = rounding * m->step,
                 own = sluice_solid_distance(m->solid, x, way);
    if (m->is_filling)
        return d <= fmin(fmax(own, 0), chord * m->step) + off;
    return fabs(d) <= fmin(fabs(own), chord * m->step) + off;
}

static void between(const double a[3], const double b[3], double t, double x[3])
{
    for (int k = 0; k < 3; k++)
        x[k] = a[k] + t * (b[k] - a[k]);
}

/* The place on the segment from a, which is on the surface, to b, which is not, where it leaves the
 * surface. */
static void find_end(const struct maker *m, const double a[3], const double b[3], double x[3])
{
    double low = 0, high = 1;
    for (int k = 0; k < BISECTIONS; k++) {
        between(a, b, (low + high) / 2, x);
        if (is_on(m, x))
            low = (low + high) / 2;
        else
            high = (low + high) / 2;
    }
    between(a, b, low, x);
}

/* Cuts a facet along a straight line. */
static sluice_status cut(struct maker *m, const double corner[3][3], int corners)
{
    double left[4][3];
    int on[3] = {0}, count = 0, all = 0;
    for (int k = 0; k < corners; k++)
        all += on[k] = is_on(m, corner[k]);
    if (all == 0 || all == corners)
        return all == 0 ? SLUICE_OK : keep(m, corner, corners);
    for (int k = 0; k < corners; k++) {
        const int next = (k + 1) % corners;
        if (on[k])
            memcpy(left[count++], corner[k], sizeof left[0]);
        if (on[k] == on[next] || (corners == 2 && k == 1))
            continue;
        find_end(m, corner[on[k] ? k : next], corner[on[k] ? next : k], left[count++]);
    }
    SLUICE_TRY(keep(m, (const double(*)[3])left, corners));
    if (count < 4)
        return SLUICE_OK;
    memcpy(left[1], left[2], sizeof left[1]);
    memcpy(left[2], left[3], sizeof left[2]);
    return keep(m, (const double(*)[3])left, corners);
}

/* The longest edge of a facet, m, from corner *from to the next one. */
static double longest_edge(const double corner[3][3], int corners, int *from)
{
    double most2 = 0;
    *from = 0;
    for (int k = 0; k < corners; k++) {
        double length2 = 0;
        for (int a = 0; a < 3; a++)
            length2 += pow(corner[(k + 1) % corners][a] - corner[k][a], 2);
        if (length2 > most2) {
            most2 = length2;
            *from = k;
        }
    }
    return sqrt(most2);
}

static int is_beside(const struct maker *m, const double corner[3][3], int corners)
{
    const struct sluice_union_part *p = &m->u->part[m->part];
    for (int a = 0; a < m->u->dimension; a++) {
        double low = INFINITY, high = -INFINITY;
        for (int k = 0; k < corners; k++) {
            low = fmin(low, corner[k][a]);
            high = fmax(high, corner[k][a]);
        }
        if (low > p->box[1][a] + m->step || high < p->box[0][a] - m->step)
            return 1;
    }
    return 0;
}

/* A facet in a list of those that wait to be halved. */
struct waiting {
    double corner[3][3];
};

/* Halves a facet across its longest edge until it is short, or beside the part, and cuts what is
 * left. At most one half of each length waits. */
static sluice_status divide(struct maker *m, const double corner[3][3], int corners)
{
    enum { DEPTH = 64 };
    struct waiting list[DEPTH];
    int count = 1, from;
    memcpy(list[0].corner, corner, (size_t)corners * sizeof corner[0]);
    while (count > 0) {
        struct waiting one = list[--count];
        const double(*c)[3] = (const double(*)[3])one.corner;
        if (is_beside(m, c, corners))
            continue;
        const double length = longest_edge(c, corners, &from);
        if (length <= long_facet * m->step || count + 2 > DEPTH) {
            SLUICE_TRY(cut(m, c, corners));
            continue;
        }
        double middle[3];
        const int to = (from + 1) % corners;
        between(c[from], c[to], 0.5, middle);
        list[count] = list[count + 1] = one;
        memcpy(list[count++].corner[from], middle, sizeof middle);
        memcpy(list[count++].corner[to], middle, sizeof middle);
    }
    return SLUICE_OK;
}

static sluice_status add_facet(struct maker *m, const double corner[3][3], int corners)
{
    return m->is_cut ? divide(m, corner, corners) : keep(m, corner, corners);
}

/* --- Parts --- */

static sluice_status add_facets(struct maker *m, const struct sluice_facets *f)
{
    const int flat = m->u->dimension == 2;
    double corner[3][3];
    for (int64_t i = 0; i < f->segments; i++) {
        for (int k = 0; k < 2; k++)
            memcpy(corner[k], f->point[f->segment[i][k]], sizeof corner[k]);
        SLUICE_TRY(add_facet(m, (const double(*)[3])corner, 2));
    }
    if (flat && m->solid != &m->u->g->solid[m->u->part[m->part].shape])
        return SLUICE_OK; /* the part's own triangles fill it */
    m->is_filling = flat;
    for (int64_t i = 0; i < f->triangles; i++) {
        for (int k = 0; k < 3; k++)
            memcpy(corner[k], f->point[f->triangle[i][k]], sizeof corner[k]);
        SLUICE_TRY(add_facet(m, (const double(*)[3])corner, 3));
    }
    m->is_filling = 0;
    return SLUICE_OK;
}

/* Contacts are on the surface; the triangles of round solids have their volume. */
static sluice_status add_both(struct maker *m, struct sluice_facets *f)
{
    const int later = !m->is_cut || sluice_facets_are_round(f);
    m->places = m->spots != NULL;
    m->draws = !later;
    if (m->places || m->draws)
        SLUICE_TRY(add_facets(m, f));
    sluice_facets_fill(f);
    m->places = 0;
    m->draws = later;
    return !m->is_cut ? add_whole(m, f) : later ? add_facets(m, f) : SLUICE_OK;
}

/* Adds what a shape, which takes part in the part, has on its surface. */
static sluice_status add_shape(struct maker *m, int shape, int is_turned)
{
    const struct sluice_geometry *g = m->u->g;
    const struct sluice_shape *s = &g->asked[shape];
    struct sluice_facets f = {.solid = &g->solid[shape], .step = m->step, .around = m->around};
    memcpy(f.low, m->u->part[m->part].box[0], sizeof f.low);
    memcpy(f.high, m->u->part[m->part].box[1], sizeof f.high);
    m->solid = f.solid;
    m->is_turned = is_turned;
    sluice_status status = sluice_facets_list(&f);
    if (status == SLUICE_OK)
        status = add_both(m, &f);
    sluice_facets_destroy(&f);
    for (int k = 0; k < shape && status == SLUICE_OK; k++) {
        const int is_within = s->within[0] && strcmp(g->asked[k].name, s->within) == 0,
                  is_without = s->without[0] && strcmp(g->asked[k].name, s->without) == 0;
        if (is_within || is_without)
            status = add_shape(m, k, is_turned ^ is_without);
    }
    return status;
}

/* Whether the surface is covered here, by another part or an image of it. */
static int is_covered(const struct maker *m, const struct sluice_contact_spot *spot)
{
    double x[3];
    for (int a = 0; a < 3; a++)
        x[a] = spot->x[a] + ahead * m->step * spot->out[a];
    return distance_of(m->u, -1, x) < 0.5 * ahead * m->step;
}

static void remove_covered(const struct maker *m)
{
    struct sluice_contact_spots *s = m->spots;
    const struct sluice_shape *first = &m->u->g->asked[m->u->part[0].shape];
    int64_t count = 0;
    if (m->u->count == 1 && !first->within[0] && !first->without[0])
        return;
    for (int64_t i = 0; i < s->count; i++)
        if (!is_covered(m, &s->spot[i]))
            s->spot[count++] = s->spot[i];
    s->count = count;
}

static sluice_status add_parts(struct maker *m)
{
    double longest = 0;
    for (int a = 0; a < m->u->dimension; a++)
        longest = fmax(longest, m->u->high[a] - m->u->low[a]);
    m->step = fmin(m->step, longest / PIECES_LEAST);
    m->spots->step = m->step;
    for (m->part = 0; m->part < m->u->count; m->part++) {
        const int shape = m->u->part[m->part].shape;
        const struct sluice_shape *s = &m->u->g->asked[shape];
        m->is_cut = s->within[0] || s->without[0];
        SLUICE_TRY(add_shape(m, shape, 0));
    }
    remove_covered(m);
    return sluice_contact_spots_choose(m->spots, &m->surface->contact, &m->surface->contacts);
}

sluice_status sluice_body_surface_create(struct sluice_body_surface *surface,
                                         const struct sluice_geometry *g, const int *shape,
                                         int count, double step)
{
    struct sluice_solid_union u;
    *surface = (struct sluice_body_surface){0};
    SLUICE_TRY(sluice_solid_union_create(&u, g, shape, count));
    struct sluice_contact_spots spots = {.dimension = u.dimension};
    struct maker m = {.u = &u, .surface = surface, .spots = &spots, .step = step * g->spacing};
    const sluice_status status = add_parts(&m);
    free(spots.spot);
    sluice_solid_union_destroy(&u);
    if (status != SLUICE_OK)
        sluice_body_surface_destroy(surface);
    return status;
}

/* --- Walls --- */

/* Points of a circle: its area is 0.03% small. Pieces along the longest axis of what is cut. */
enum { ROUND_WALL = 144, PIECES_CUT = 50 };

/* The box of the domain and its wall layers, m. Returns the length of its diagonal. */
static double find_box(const struct sluice_geometry *g, double low[3], double high[3])
{
    double across2 = 0;
    for (int a = 0; a < 3; a++) {
        low[a] = g->origin[a] + g->step[a] * (double)g->with_walls.low[a];
        high[a] = g->origin[a] + g->step[a] * (double)g->with_walls.high[a];
        across2 += a < g->dimension ? pow(high[a] - low[a], 2) : 0;
    }
    return sqrt(across2);
}

/* Whether a shape ends, or its faces beyond the box can be moved to the box as they are: those of
 * heights and prisms lie along the axes. */
static int can_end(const struct sluice_geometry *g, int shape)
{
    const struct sluice_solid *solid = &g->solid[shape];
    const int is_along = g->asked[shape].rotation_degrees == 0 &&
                         g->asked[shape].kind != SLUICE_SHAPE_HALF_SPACE;
    for (int a = 0; a < g->dimension; a++)
        if (!(isfinite(solid->low[a]) && isfinite(solid->high[a])))
            return is_along;
    return 1;
}

static sluice_status add_whole_wall(struct maker *m, const struct sluice_geometry *g, int shape)
{
    struct sluice_facets f = {.solid = &g->solid[shape], .around = m->around};
    f.step = find_box(g, f.low, f.high);
    sluice_status status = sluice_facets_list(&f);
    if (status == SLUICE_OK)
        sluice_facets_fill(&f);
    for (int64_t i = 0; i < f.points && status == SLUICE_OK; i++)
        for (int a = 0; a < g->dimension; a++)
            if (!(isfinite(f.solid->low[a]) && isfinite(f.solid->high[a])))
                f.point[i][a] = fmin(fmax(f.point[i][a], f.low[a]), f.high[a]);
    if (status == SLUICE_OK)
        status = add_whole(m, &f);
    sluice_facets_destroy(&f);
    return status;
}

/* A shape that others cut, if it has an end; *is_there: it has one. */
static sluice_status add_cut_wall(struct maker *m, const struct sluice_geometry *g, int shape,
                                  int *is_there)
{
    struct sluice_solid_union u;
    double longest = 0;
    const sluice_status made = sluice_solid_union_create(&u, g, &shape, 1);
    *is_there = made == SLUICE_OK;
    if (made != SLUICE_OK)
        return made == SLUICE_BAD_INPUT ? SLUICE_OK : made;
    for (int a = 0; a < u.dimension; a++)
        longest = fmax(longest, u.high[a] - u.low[a]);
    m->u = &u;
    m->step = longest / PIECES_CUT;
    m->is_cut = 1;
    const sluice_status status = add_shape(m, shape, 0);
    m->u = NULL;
    sluice_solid_union_destroy(&u);
    return status;
}

static sluice_status add_wall(struct maker *m, const struct sluice_geometry *g, int shape,
                              int *is_there)
{
    const struct sluice_shape *s = &g->asked[shape];
    *is_there = s->kind != SLUICE_SHAPE_WALLS;
    if (*is_there && (s->within[0] || s->without[0]))
        return add_cut_wall(m, g, shape, is_there);
    *is_there = *is_there && can_end(g, shape);
    return *is_there ? add_whole_wall(m, g, shape) : SLUICE_OK;
}

sluice_status sluice_wall_surface_create(struct sluice_body_surface *surface,
                                         const struct sluice_geometry *g, const int *shape,
                                         int count)
{
    struct maker m = {.surface = surface, .around = ROUND_WALL};
    sluice_status status = SLUICE_OK;
    int is_there = 1;
    *surface = (struct sluice_body_surface){0};
    for (int k = 0; k < count && is_there && status == SLUICE_OK; k++)
        status = add_wall(&m, g, shape[k], &is_there);
    if (status != SLUICE_OK || !is_there)
        sluice_body_surface_destroy(surface);
    return status;
}

void sluice_body_surface_destroy(struct sluice_body_surface *s)
{
    free(s->point);
    free(s->triangle);
    free(s->contact);
    *s = (struct sluice_body_surface){0};
}
