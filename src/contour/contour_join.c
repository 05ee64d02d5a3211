/* In 3-D each crossed edge of the grid makes a quadrangle of the points of the four cells around
 * it. In 2-D it makes a segment of the points of the two cells beside it, and each node inside
 * makes a polygon of the points of the four cells around it; cells that are wholly inside have
 * theirs in the middle. These polygons fill the outline. */
#include "contour/contour_join.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/allocate.h"
#include "core/vector.h"

enum { CORNERS_MOST = 8 };

struct polygon {
    int count;
    int32_t point[CORNERS_MOST];
};

struct join {
    const struct sluice_contour *c;
    struct sluice_closed_surface *s; /* its points in the axes of the union, until all is done */
    int64_t triangle_capacity, segment_capacity, point_capacity, normals, normal_capacity;
    double (*normal)[3]; /* 3-D: [triangles] of the surface where the crossed edge meets it */
    int32_t *middle;     /* 2-D: the point in the middle of the cell at a node, or -1 */
};

static sluice_status add_triangle(struct join *j, int32_t a, int32_t b, int32_t c)
{
    struct sluice_closed_surface *s = j->s;
    SLUICE_GROW(s->triangle, s->triangles, j->triangle_capacity, "triangles of a surface");
    s->triangle[s->triangles][0] = a;
    s->triangle[s->triangles][1] = b;
    s->triangle[s->triangles++][2] = c;
    return SLUICE_OK;
}

static void add_corner(struct polygon *p, int32_t point)
{
    if (p->count < CORNERS_MOST)
        p->point[p->count++] = point;
}

/* --- Quadrangles in space --- */

/* How far the middle of two points is from the surface, m. */
static double off_surface(const struct join *j, int32_t a, int32_t b)
{
    double y[3], way[3];
    for (int k = 0; k < 3; k++)
        y[k] = (j->s->point[a][k] + j->s->point[b][k]) / 2;
    return fabs(sluice_solid_union_distance(j->c->grid->u, y, way));
}

static double apart(const struct join *j, int32_t a, int32_t b)
{
    const double *p = j->s->point[a], *q = j->s->point[b],
                 way[3] = {q[0] - p[0], q[1] - p[1], q[2] - p[2]};
    return sluice_norm(way);
}

/* Whether the diagonal from the first point is the better one: along an edge of the body, if there
 * is one, else the shorter. */
static int is_first_diagonal(const struct join *j, const struct polygon *p)
{
    const int32_t *q = p->point;
    int sharp = 0;
    for (int k = 0; k < 4; k++)
        sharp |= j->c->point[q[k]].rank > 1;
    if (sharp) {
        const double first = off_surface(j, q[0], q[2]), second = off_surface(j, q[1], q[3]);
        if (fabs(first - second) > 1e-6 * j->c->grid->step[0])
            return first < second;
    }
    return apart(j, q[0], q[2]) <= apart(j, q[1], q[3]);
}

/* A polygon with points of faces is divided from the first of these: no other polygon has the same
 * diagonals. */
static sluice_status divide(struct join *j, const struct polygon *p, int from,
                            const double normal[3])
{
    if (p->count == 4)
        from = is_first_diagonal(j, p) ? 0 : 1;
    for (int k = 1; k + 1 < p->count; k++) {
        SLUICE_GROW(j->normal, j->normals, j->normal_capacity, "triangles of a surface");
        memcpy(j->normal[j->normals++], normal, 3 * sizeof *normal);
        SLUICE_TRY(add_triangle(j, p->point[from], p->point[(from + k) % p->count],
                                p->point[(from + k + 1) % p->count]));
    }
    return SLUICE_OK;
}

/* The four cells around an edge along axis a, anticlockwise seen from its high end: how many steps
 * they are back along a + 1 and a + 2. */
static const int back[4][2] = {{1, 1}, {0, 1}, {0, 0}, {1, 0}};

/* The face from cell k to the next: the axis across it (a + 1 or a + 2), its lowest node's steps
 * back along the other one, and which of its edges the crossed one is. */
static const struct {
    int across, back_other, edge;
} between[4] = {{1, 1, 1}, {2, 0, 0}, {1, 0, 3}, {2, 1, 2}};

static sluice_status add_quadrangle(struct join *j, const struct sluice_crossing *x)
{
    const struct sluice_contour *c = j->c;
    const int64_t node = x->key / 3, *stride = c->grid->stride;
    const int axis = (int)(x->key % 3), b = (axis + 1) % 3, d = (axis + 2) % 3;
    struct polygon p = {0}, turned;
    int from = 0;
    for (int k = 0; k < 4; k++) {
        const int *steps = back[k], other = between[k].across == 1 ? d : b;
        const struct sluice_contour_cell *cell = sluice_contour_find_cell(
            c, node - steps[0] * stride[b] - steps[1] * stride[d]);
        if (!cell)
            return SLUICE_OK; /* never: the outer nodes are outside */
        add_corner(&p, cell->first + cell->arc[4 * axis + steps[0] + 2 * steps[1]]);
        const struct sluice_contour_face *face = sluice_contour_find_face(
            c, node - between[k].back_other * stride[other], (axis + between[k].across) % 3);
        if (!face)
            continue;
        from = p.count;
        add_corner(&p, sluice_contour_face_point(face, between[k].edge));
    }
    if (x->is_rise)
        return divide(j, &p, from, x->out);
    turned.count = p.count;
    for (int k = 0; k < p.count; k++)
        turned.point[k] = p.point[p.count - 1 - k];
    return divide(j, &turned, p.count - 1 - from, x->out);
}

/* --- Outlines and what fills them --- */

static sluice_status add_segment(struct join *j, const struct sluice_crossing *x)
{
    const int axis = (int)(x->key % 3), other = 1 - axis;
    const int64_t node = x->key / 3;
    struct sluice_closed_surface *s = j->s;
    const struct sluice_contour_cell *high = sluice_contour_find_cell(j->c, node),
                                     *low = sluice_contour_find_cell(
                                         j->c, node - j->c->grid->stride[other]);
    if (!high || !low)
        return SLUICE_OK; /* never: the outer nodes are outside */
    const int low_edge = axis == 0 ? 1 : 6, high_edge = axis == 0 ? 0 : 4;
    const int32_t ends[2] = {low->first + low->arc[low_edge], high->first + high->arc[high_edge]};
    const int up = x->is_rise == (axis == 0);
    SLUICE_GROW(s->segment, s->segments, j->segment_capacity, "segments of an outline");
    s->segment[s->segments][0] = ends[!up];
    s->segment[s->segments++][1] = ends[up];
    return SLUICE_OK;
}

/* The point in the middle of a cell that is wholly inside. */
static sluice_status find_middle(struct join *j, int64_t node, int32_t *point)
{
    struct sluice_closed_surface *s = j->s;
    if (j->middle[node] < 0) {
        SLUICE_GROW(s->point, s->points, j->point_capacity, "points of a surface");
        double *y = s->point[s->points];
        sluice_surface_grid_place(j->c->grid, node, y);
        for (int a = 0; a < 2; a++)
            y[a] += j->c->grid->step[a] / 2;
        j->middle[node] = (int32_t)s->points++;
    }
    *point = j->middle[node];
    return SLUICE_OK;
}

/* The four cells around a node, anticlockwise, and their edges from the node: the first that one
 * meets on the way, and the next. */
static const struct {
    int back[2], edge[2];
} around[4] = {{{1, 1}, {1, 6}}, {{0, 1}, {4, 1}}, {{0, 0}, {0, 4}}, {{1, 0}, {6, 0}}};

static double cross(const struct join *j, int32_t a, int32_t b, int32_t c)
{
    const double *p = j->s->point[a], *q = j->s->point[b], *r = j->s->point[c];
    return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]);
}

/* How good a triangle is as an ear of a polygon: its area by the square of its longest side; below
 * 0 if it is no ear. */
static double ear(const struct join *j, const struct polygon *p, int k)
{
    const int n = p->count;
    const int32_t a = p->point[(k + n - 1) % n], b = p->point[k], c = p->point[(k + 1) % n];
    const double area = cross(j, a, b, c),
                 longest = fmax(apart(j, a, b), fmax(apart(j, b, c), apart(j, c, a)));
    for (int i = 0; i < n; i++) {
        const int32_t q = p->point[i];
        if (q != a && q != b && q != c && cross(j, a, b, q) > 0 && cross(j, b, c, q) > 0 &&
            cross(j, c, a, q) > 0)
            return -1;
    }
    return longest > 0 ? area / (longest * longest) : 0;
}

/* Cuts off the best ear until a triangle is left. The triangles' areas, with their signs, always
 * add up to the polygon's. */
static sluice_status fill(struct join *j, struct polygon p)
{
    while (p.count >= 3) {
        int best = 0;
        for (int k = 1; k < p.count && p.count > 3; k++)
            if (ear(j, &p, k) > ear(j, &p, best))
                best = k;
        const int n = p.count;
        SLUICE_TRY(
            add_triangle(j, p.point[(best + n - 1) % n], p.point[best], p.point[(best + 1) % n]));
        memmove(&p.point[best], &p.point[best + 1], (size_t)(n - 1 - best) * sizeof p.point[0]);
        p.count--;
    }
    return SLUICE_OK;
}

static sluice_status add_filling(struct join *j, int64_t node)
{
    const int64_t *stride = j->c->grid->stride;
    struct polygon p = {0};
    for (int k = 0; k < 4; k++) {
        const int64_t at = node - around[k].back[0] * stride[0] - around[k].back[1] * stride[1];
        const struct sluice_contour_cell *cell = sluice_contour_find_cell(j->c, at);
        int32_t middle;
        if (!cell) {
            SLUICE_TRY(find_middle(j, at, &middle));
            add_corner(&p, middle);
            continue;
        }
        const int in = cell->arc[around[k].edge[0]], out = cell->arc[around[k].edge[1]];
        if (in >= 0)
            add_corner(&p, cell->first + in);
        if (out >= 0 && out != in)
            add_corner(&p, cell->first + out);
        if (in < 0 && out < 0)
            add_corner(&p, cell->first);
    }
    return fill(j, p);
}

/* --- All --- */

static sluice_status join_all(struct join *j)
{
    const struct sluice_surface_grid *g = j->c->grid;
    for (int64_t k = 0; k < g->crossings; k++)
        if (g->dimension == 3)
            SLUICE_TRY(add_quadrangle(j, &g->crossing[k]));
        else
            SLUICE_TRY(add_segment(j, &g->crossing[k]));
    if (g->dimension == 3)
        return sluice_contour_untangle(j->c, (const double(*)[3])j->normal, j->s);
    SLUICE_ALLOCATE(j->middle, g->all, "cells within an outline");
    memset(j->middle, 0xff, (size_t)g->all * sizeof *j->middle);
    for (int64_t node = 0; node < g->all; node++)
        if (sluice_surface_grid_is_inside(g, node))
            SLUICE_TRY(add_filling(j, node));
    return SLUICE_OK;
}

sluice_status sluice_contour_join(const struct sluice_contour *c, struct sluice_closed_surface *s)
{
    struct join j = {.c = c, .s = s};
    *s = (struct sluice_closed_surface){
        .dimension = c->grid->dimension, .points = c->points, .on_surface = c->points};
    SLUICE_ALLOCATE(s->point, c->points, "points of a surface");
    j.point_capacity = c->points;
    for (int64_t k = 0; k < c->points; k++)
        memcpy(s->point[k], c->point[k].y, sizeof s->point[k]);
    const sluice_status status = join_all(&j);
    free(j.middle);
    free(j.normal);
    for (int64_t k = 0; k < s->points; k++) {
        double y[3];
        memcpy(y, s->point[k], sizeof y);
        sluice_solid_union_to_config(c->grid->u, y, s->point[k]);
    }
    return status;
}
