#include "surface/surface.h"

#include <math.h>
#include <string.h>

#include "core/vector.h"

/* The depth of a tree that halves 2^31 elements. A dipole stands for elements that are farther than
 * FAR_RADII: then its error is about 1e-2 of a winding. */
enum { DEPTH = 64 };
#define FAR_RADII 2.5

/* --- The nearest point --- */

/* A point of the triangle a + v ab + w ac. */
static void blend(const double a[3], const double ab[3], const double ac[3], double v, double w,
                  double p[3])
{
    for (int k = 0; k < 3; k++)
        p[k] = a[k] + v * ab[k] + w * ac[k];
}

/* The fraction of the first of two parts of an edge, both at least 0. Those of a tiny edge may
 * vanish. */
static double fraction_of(double first, double second)
{
    const double sum = first + second;
    return sum > 0 ? first / sum : 0;
}

/* Ericson 2005, section 5.1.5: by the region of the triangle's plane that x is over. */
static void nearest_of_triangle(const double a[3], const double b[3], const double c[3],
                                const double x[3], double p[3])
{
    double ab[3], ac[3], ax[3], bx[3], cx[3];
    for (int k = 0; k < 3; k++) {
        ab[k] = b[k] - a[k];
        ac[k] = c[k] - a[k];
        ax[k] = x[k] - a[k];
        bx[k] = x[k] - b[k];
        cx[k] = x[k] - c[k];
    }
    const double d1 = sluice_dot(ab, ax), d2 = sluice_dot(ac, ax), d3 = sluice_dot(ab, bx),
                 d4 = sluice_dot(ac, bx), d5 = sluice_dot(ab, cx), d6 = sluice_dot(ac, cx),
                 va = d3 * d6 - d5 * d4, vb = d5 * d2 - d1 * d6, vc = d1 * d4 - d3 * d2;
    if (d1 <= 0 && d2 <= 0)
        blend(a, ab, ac, 0, 0, p);
    else if (d3 >= 0 && d4 <= d3)
        blend(a, ab, ac, 1, 0, p);
    else if (vc <= 0 && d1 >= 0 && d3 <= 0)
        blend(a, ab, ac, fraction_of(d1, -d3), 0, p);
    else if (d6 >= 0 && d5 <= d6)
        blend(a, ab, ac, 0, 1, p);
    else if (vb <= 0 && d2 >= 0 && d6 <= 0)
        blend(a, ab, ac, 0, fraction_of(d2, -d6), p);
    else if (va <= 0 && d4 >= d3 && d5 >= d6) {
        const double w = fraction_of(d4 - d3, d5 - d6);
        blend(a, ab, ac, 1 - w, w, p);
    } else { /* the sum is the square of twice the area, and may vanish for a sliver */
        const double sum = va + vb + vc;
        blend(a, ab, ac, sum > 0 ? vb / sum : 0, sum > 0 ? vc / sum : 0, p);
    }
}

static void nearest_of_segment(const double a[3], const double b[3], const double x[3], double p[3])
{
    const double ab[2] = {b[0] - a[0], b[1] - a[1]}, length2 = ab[0] * ab[0] + ab[1] * ab[1],
                 along = (x[0] - a[0]) * ab[0] + (x[1] - a[1]) * ab[1],
                 t = length2 > 0 ? fmin(1, fmax(0, along / length2)) : 0;
    p[0] = a[0] + t * ab[0];
    p[1] = a[1] + t * ab[1];
    p[2] = x[2];
}

/* Squared distance of x from a node's box. */
static double beyond(const struct sluice_surface_node *n, const double x[3], int dimension)
{
    double sum = 0;
    for (int a = 0; a < dimension; a++) {
        const double under = n->low[a] - x[a], over = x[a] - n->high[a],
                     d = under > 0  ? under
                         : over > 0 ? over
                                    : 0;
        sum += d * d;
    }
    return sum;
}

struct search {
    const double *x;
    double least2, *way;
};

static void meet_leaf(const struct sluice_surface *s, const struct sluice_surface_node *n,
                      struct search *found)
{
    for (int64_t i = n->first; i < n->first + n->count; i++) {
        const int64_t e = s->order[i];
        const double *a = sluice_surface_corner(s, e, 0), *b = sluice_surface_corner(s, e, 1);
        double p[3], d2 = 0;
        if (s->dimension == 2)
            nearest_of_segment(a, b, found->x, p);
        else
            nearest_of_triangle(a, b, sluice_surface_corner(s, e, 2), found->x, p);
        for (int k = 0; k < s->dimension; k++)
            d2 += (p[k] - found->x[k]) * (p[k] - found->x[k]);
        if (!(d2 < found->least2))
            continue;
        found->least2 = d2;
        for (int k = 0; k < s->dimension; k++)
            found->way[k] = p[k] - found->x[k];
    }
}

/* The displacement from x to the nearest point of the surface. Returns its length. */
static double to_nearest(const struct sluice_surface *s, const double x[3], double way[3])
{
    struct search found = {x, INFINITY, way};
    struct {
        int64_t node;
        double beyond2;
    } stack[DEPTH];
    int depth = 0;
    stack[depth].node = 0;
    stack[depth++].beyond2 = 0;
    way[0] = way[1] = way[2] = 0;
    while (depth > 0) {
        const struct sluice_surface_node *n = &s->node[stack[--depth].node];
        if (stack[depth].beyond2 >= found.least2)
            continue;
        if (n->second == 0) {
            meet_leaf(s, n, &found);
            continue;
        }
        int64_t near = n - s->node + 1, far = n->second;
        double near2 = beyond(&s->node[near], x, s->dimension),
               far2 = beyond(&s->node[far], x, s->dimension);
        if (far2 < near2) {
            const double swapped = near2;
            near2 = far2;
            far2 = swapped;
            near = n->second;
            far = n - s->node + 1;
        }
        stack[depth].node = far;
        stack[depth++].beyond2 = far2;
        stack[depth].node = near;
        stack[depth++].beyond2 = near2;
    }
    return sqrt(found.least2);
}

/* --- Inside and outside --- */

/* Part of the full angle that an element takes up, seen from x: solid angle over 4 pi (van Oosterom
 * & Strackee 1983, equation 8), or angle over 2 pi. */
static double angle_of(const struct sluice_surface *s, int64_t e, const double x[3])
{
    double v[3][3], length[3];
    for (int k = 0; k < s->dimension; k++) {
        const double *corner = sluice_surface_corner(s, e, k);
        for (int a = 0; a < 3; a++)
            v[k][a] = corner[a] - x[a];
        length[k] = sluice_norm(v[k]);
    }
    const double pi = acos(-1);
    if (s->dimension == 2)
        return atan2(v[0][0] * v[1][1] - v[0][1] * v[1][0], v[0][0] * v[1][0] + v[0][1] * v[1][1]) /
               (2 * pi);
    const double volume = v[0][0] * (v[1][1] * v[2][2] - v[1][2] * v[2][1]) +
                          v[0][1] * (v[1][2] * v[2][0] - v[1][0] * v[2][2]) +
                          v[0][2] * (v[1][0] * v[2][1] - v[1][1] * v[2][0]),
                 below = length[0] * length[1] * length[2] + sluice_dot(v[0], v[1]) * length[2] +
                         sluice_dot(v[1], v[2]) * length[0] + sluice_dot(v[2], v[0]) * length[1];
    return 2 * atan2(volume, below) / (4 * pi);
}

double sluice_surface_winding(const struct sluice_surface *s, const double x[3])
{
    const double pi = acos(-1);
    int64_t stack[DEPTH];
    double sum = 0;
    int depth = 0;
    stack[depth++] = 0;
    while (depth > 0) {
        const struct sluice_surface_node *n = &s->node[stack[--depth]];
        double r[3] = {0, 0, 0};
        for (int a = 0; a < s->dimension; a++)
            r[a] = n->centre[a] - x[a];
        const double distance = sluice_norm(r);
        if (distance > FAR_RADII * n->radius) {
            const double full = s->dimension == 2 ? 2 * pi * distance * distance
                                                  : 4 * pi * distance * distance * distance;
            sum += sluice_dot(n->dipole, r) / full;
        } else if (n->second == 0) {
            for (int64_t i = n->first; i < n->first + n->count; i++)
                sum += angle_of(s, s->order[i], x);
        } else {
            stack[depth++] = n->second;
            stack[depth++] = n - s->node + 1;
        }
    }
    return sum;
}

double sluice_surface_reach(const struct sluice_surface *s, const double direction[3])
{
    double most = -INFINITY;
    for (int64_t v = 0; v < s->vertex_count; v++)
        most = fmax(most, sluice_dot(s->vertex[v], direction));
    return most;
}

void sluice_surface_moments(const struct sluice_surface *s, const double middle[3],
                            struct sluice_moments *moments)
{
    memset(moments, 0, sizeof *moments);
    for (int64_t e = 0; e < s->element_count; e++) {
        double corner[3][3] = {{0}};
        for (int k = 0; k < s->dimension; k++)
            for (int a = 0; a < s->dimension; a++)
                corner[k][a] = sluice_surface_corner(s, e, k)[a] - middle[a];
        if (s->dimension == 2)
            sluice_moments_add_triangle(moments, corner[0], corner[1]);
        else
            sluice_moments_add_tetrahedron(moments, corner[0], corner[1], corner[2]);
    }
}

double sluice_surface_distance(const struct sluice_surface *s, const double x[3], double way[3])
{
    const double distance = to_nearest(s, x, way);
    return sluice_surface_winding(s, x) > 0.5 ? -distance : distance;
}

double sluice_surface_certain(const struct sluice_surface *s, const double x[3])
{
    /* A positive harmonic function of a ball grows by (1 + t)/(1 - t)^2 at most over t radii. */
    static const double fraction[] = {0.5, 0.25, 0.125, 0.0625};
    double way[3];
    if (!s->has_holes)
        return INFINITY;
    const double radius = to_nearest(s, x, way), w = sluice_surface_winding(s, x),
                 off = fabs(w - rint(w)) + 0.01; /* of dipoles */
    for (size_t i = 0; i < sizeof fraction / sizeof *fraction; i++)
        if (off * (1 + fraction[i]) / ((1 - fraction[i]) * (1 - fraction[i])) < 0.5)
            return fraction[i] * radius;
    return 0;
}
