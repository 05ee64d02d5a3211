#include "solids/prism.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/allocate.h"

/* Twice the area, positive if the corners go anticlockwise. */
static double twice_area(const double (*corner)[2], int64_t count)
{
    double sum = 0;
    for (int64_t i = 0; i < count; i++) {
        const double *a = corner[i], *b = corner[(i + 1) % count];
        sum += (a[0] - corner[0][0]) * (b[1] - corner[0][1]) -
               (a[1] - corner[0][1]) * (b[0] - corner[0][0]);
    }
    return sum;
}

sluice_status sluice_prism_create(struct sluice_prism *prism, struct sluice_solid *solid,
                                  const double (*corner)[2], int64_t count, int along, double from,
                                  double to)
{
    struct sluice_surface *s = &prism->surface;
    const int clockwise = twice_area(corner, count) < 0;
    *prism = (struct sluice_prism){.along = along, .from = from, .to = to};
    prism->axes[0] = along == 0 ? 1 : 0;
    prism->axes[1] = along == 0 || along == 1 ? 2 : 1;
    s->dimension = 2;
    s->vertex_count = s->element_count = count;
    s->vertex = calloc((size_t)count, sizeof *s->vertex);
    s->element = calloc((size_t)count, sizeof *s->element);
    if (!s->vertex || !s->element) {
        sluice_prism_destroy(prism);
        return SLUICE_FAIL(SLUICE_DEVICE, "no memory for %lld corners", (long long)count);
    }
    for (int64_t i = 0; i < count; i++) {
        memcpy(s->vertex[i], corner[i], sizeof corner[i]);
        s->element[i][clockwise] = (int32_t)i;
        s->element[i][!clockwise] = (int32_t)((i + 1) % count);
    }
    SLUICE_TRY(sluice_surface_build(s, NULL));
    for (int k = 0; k < 2; k++) {
        solid->low[prism->axes[k]] = s->low[k];
        solid->high[prism->axes[k]] = s->high[k];
    }
    solid->volume = s->volume;
    if (along >= 0) {
        solid->low[along] = from;
        solid->high[along] = to;
        solid->volume = isfinite(to - from) ? s->volume * (to - from) : 0;
    }
    return SLUICE_OK;
}

double sluice_prism_reach(const struct sluice_prism *prism, const double direction[3])
{
    const double plane[3] = {direction[prism->axes[0]], direction[prism->axes[1]], 0},
                 along = prism->along < 0 ? 0 : direction[prism->along];
    return sluice_surface_reach(&prism->surface, plane) + (along > 0   ? along * prism->to
                                                           : along < 0 ? along * prism->from
                                                                       : 0);
}

int sluice_prism_moments(const struct sluice_prism *prism, const double middle[3],
                         struct sluice_moments *m)
{
    const int *axes = prism->axes, along = prism->along;
    const double plane[3] = {middle[axes[0]], middle[axes[1]], 0},
                 length = along < 0 ? 1 : prism->to - prism->from;
    struct sluice_moments flat;
    sluice_surface_moments(&prism->surface, plane, &flat);
    m->volume = flat.volume * length;
    for (int i = 0; i < 2; i++) {
        m->first[axes[i]] = flat.first[i] * length;
        for (int k = 0; k < 2; k++)
            m->second[axes[i]][axes[k]] = flat.second[i][k] * length;
    }
    if (along >= 0)
        m->second[along][along] = m->volume * length * length / 12;
    return 1;
}

void sluice_prism_destroy(struct sluice_prism *prism)
{
    sluice_surface_destroy(&prism->surface);
}

double sluice_prism_distance(const struct sluice_prism *prism, const double x[3], double way[3])
{
    const double plane[3] = {x[prism->axes[0]], x[prism->axes[1]], 0};
    double across[3] = {0, 0, 0};
    const double side = sluice_surface_distance(&prism->surface, plane, across);
    way[prism->axes[0]] = across[0];
    way[prism->axes[1]] = across[1];
    if (prism->along < 0)
        return side;
    const double below = prism->from - x[prism->along], above = prism->to - x[prism->along],
                 to_end = -below < above ? below : above,
                 end = below > 0 || above < 0 ? fabs(to_end) : -fabs(to_end);
    const int by_side = side > 0 || (end <= 0 && side >= end),
              by_end = end > 0 || (side <= 0 && !by_side);
    way[prism->along] = by_end ? to_end : 0;
    if (!by_side)
        way[prism->axes[0]] = way[prism->axes[1]] = 0;
    return side > 0 && end > 0 ? hypot(side, end)
           : side > 0          ? side
           : end > 0           ? end
                               : fmax(side, end);
}

/* Corner `i` at an end of the prism. */
static void place_corner(const struct sluice_prism *prism, int32_t i, double end, double own[3])
{
    own[0] = own[1] = own[2] = 0;
    for (int k = 0; k < 2; k++)
        own[prism->axes[k]] = prism->surface.vertex[i][k];
    if (prism->along >= 0)
        own[prism->along] = end;
}

/* Whether the polygon points outwards where edge i meets the one that begins at its end. */
static int is_convex(const struct sluice_surface *s, int64_t i, int64_t next)
{
    const double *a = s->vertex[s->element[i][0]], *b = s->vertex[s->element[i][1]],
                 *c = s->vertex[s->element[next][1]];
    return (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0]) > 0;
}

/* The end of edge i: its corner, and the edges of the prism that lead to it. */
static sluice_status add_corner(const struct sluice_prism *prism, int64_t i, int convex,
                                struct sluice_sharp *sharp)
{
    const int32_t *corner = prism->surface.element[i];
    const double far = 1e6 * sharp->spacing / sharp->solid->shape->scale,
                 end[2] = {fmax(prism->from, -far), fmin(prism->to, far)};
    double a[3], b[3];
    if (prism->along < 0) {
        place_corner(prism, corner[1], 0, b);
        return convex ? sluice_sharp_add_corner(sharp, b) : SLUICE_OK;
    }
    for (int k = 0; k < 2; k++) {
        place_corner(prism, corner[0], end[k], a);
        place_corner(prism, corner[1], end[k], b);
        SLUICE_TRY(sluice_sharp_add_corner(sharp, b));
        SLUICE_TRY(sluice_sharp_add_edge(sharp, a, b));
    }
    place_corner(prism, corner[1], end[0], a);
    return convex ? sluice_sharp_add_edge(sharp, a, b) : SLUICE_OK;
}

/* Edges follow each other in the order of the corners, or against it if those go clockwise. */
sluice_status sluice_prism_sharp(const struct sluice_prism *prism, struct sluice_sharp *sharp)
{
    const struct sluice_surface *s = &prism->surface;
    const int64_t n = s->element_count;
    const int clockwise = s->element[0][0] != 0;
    for (int64_t i = 0; i < n; i++)
        SLUICE_TRY(add_corner(prism, i, is_convex(s, i, clockwise ? (i + n - 1) % n : (i + 1) % n),
                              sharp));
    return SLUICE_OK;
}

/* --- Triangles --- */

/* The sides: the polygon's edges along the axis. */
static sluice_status add_sides(const struct sluice_prism *prism, const double end[2],
                               struct sluice_facets *facets)
{
    const struct sluice_surface *s = &prism->surface;
    const int is_even = prism->along != 1; /* plane, then axis: a right-handed set */
    for (int64_t i = 0; i < s->element_count; i++) {
        double from[3], u[3], v[3] = {0, 0, 0};
        place_corner(prism, s->element[i][0], end[0], from);
        place_corner(prism, s->element[i][1], end[0], u);
        for (int a = 0; a < 3; a++)
            u[a] -= from[a];
        v[prism->along] = end[1] - end[0];
        SLUICE_TRY(sluice_facets_add_patch(facets, from, is_even ? u : v, is_even ? v : u));
    }
    return SLUICE_OK;
}

static sluice_status add_all(const struct sluice_prism *prism, const double (*corner)[2],
                             struct sluice_facets *facets)
{
    const int64_t n = prism->surface.vertex_count;
    const int is_even = prism->along != 1;
    double middle[3];
    if (prism->along < 0)
        return sluice_facets_add_outline(facets, corner, n);
    const double far = sluice_facets_far(facets, middle),
                 end[2] = {fmax(prism->from, middle[prism->along] - far),
                           fmin(prism->to, middle[prism->along] + far)};
    SLUICE_TRY(add_sides(prism, end, facets));
    SLUICE_TRY(sluice_facets_add_polygon(facets, corner, n, prism->axes, end[0], is_even));
    return sluice_facets_add_polygon(facets, corner, n, prism->axes, end[1], !is_even);
}

sluice_status sluice_prism_triangles(const struct sluice_prism *prism, struct sluice_facets *facets)
{
    const struct sluice_surface *s = &prism->surface;
    const int64_t n = s->vertex_count;
    const int clockwise = s->element[0][0] != 0;
    double(*corner)[2];
    SLUICE_ALLOCATE(corner, n, "corners of a polygon");
    for (int64_t i = 0; i < n; i++)
        memcpy(corner[i], s->vertex[clockwise ? n - 1 - i : i], sizeof corner[i]);
    const sluice_status status = add_all(prism, (const double(*)[2])corner, facets);
    free(corner);
    return status;
}
