/* Cylinders and cones: the body that a trapezium sweeps as it turns about the axis.
 *
 *        +---\           z along the axis from the centre, r from the axis;
 *        |    \          the corners are (0, -l/2), (radius, -l/2),
 *        |     \         (top_radius, l/2), (0, l/2)
 *   axis +------+ r
 *
 * The nearest point is the nearest one of three edges: both ends and the side. */
#include <math.h>

#include "core/vector.h"
#include "solids/facets.h"
#include "solids/sharp.h"

static double top_of(const struct sluice_shape *s)
{
    return s->kind == SLUICE_SHAPE_CONE ? s->top_radius : s->radius;
}

static sluice_status create(struct sluice_solid *solid, struct sluice_warnings *warnings)
{
    const struct sluice_shape *s = solid->shape;
    const double widest = fmax(s->radius, top_of(s)), a = s->radius, b = top_of(s);
    (void)warnings;
    for (int i = 0; i < 3; i++) {
        const double half = i == s->axis ? s->length / 2 : widest;
        solid->low[i] = s->centre[i] - half;
        solid->high[i] = s->centre[i] + half;
    }
    solid->volume = acos(-1) / 3 * s->length * (a * a + a * b + b * b);
    return SLUICE_OK;
}

/* The displacement from p to the nearest point of the edge from a to b, in (r, z). Returns its
 * square. */
static double to_edge(const double p[2], const double a[2], const double b[2], double way[2])
{
    const double ab[2] = {b[0] - a[0], b[1] - a[1]}, ap[2] = {p[0] - a[0], p[1] - a[1]};
    const double length2 = ab[0] * ab[0] + ab[1] * ab[1],
                 along = length2 > 0 ? (ap[0] * ab[0] + ap[1] * ab[1]) / length2 : 0,
                 t = fmin(1, fmax(0, along));
    way[0] = t * ab[0] - ap[0];
    way[1] = t * ab[1] - ap[1];
    return way[0] * way[0] + way[1] * way[1];
}

static double distance(const struct sluice_solid *solid, const double x[3], double way[3])
{
    const struct sluice_shape *s = solid->shape;
    const int axis = s->axis;
    const double half = s->length / 2, top = top_of(s);
    double out[3] = {0, 0, 0}, r2 = 0, best[2] = {0, 0}, least2 = INFINITY;
    for (int a = 0; a < 3; a++) {
        out[a] = a == axis ? 0 : x[a] - s->centre[a];
        r2 += out[a] * out[a];
    }
    const double r = sqrt(r2), p[2] = {r, x[axis] - s->centre[axis]};
    const double corner[4][2] = {{0, -half}, {s->radius, -half}, {top, half}, {0, half}};
    for (int k = 0; k < 3; k++) {
        double one[2];
        const double one2 = to_edge(p, corner[k], corner[k + 1], one);
        if (one2 < least2) {
            least2 = one2;
            best[0] = one[0];
            best[1] = one[1];
        }
    }
    for (int a = 0; a < 3; a++)
        way[a] = a == axis ? best[1] : r > 0 ? best[0] * out[a] / r : 0;
    if (r == 0)
        way[(axis + 1) % 3] = best[0];
    const double side = s->radius + (top - s->radius) * (p[1] + half) / s->length;
    return fabs(p[1]) < half && r < side ? -sqrt(least2) : sqrt(least2);
}

static double reach(const struct sluice_solid *solid, const double direction[3])
{
    const struct sluice_shape *s = solid->shape;
    const double along = direction[s->axis],
                 across = hypot(direction[(s->axis + 1) % 3], direction[(s->axis + 2) % 3]);
    return sluice_dot(s->centre, direction) + fmax(s->radius * across - s->length / 2 * along,
                                                   top_of(s) * across + s->length / 2 * along);
}

/* With the radius r = m + s z, |z| < h: a slice has the area pi r^2 and the second moment pi r^4/4
 * across the axis; even powers of z remain. */
static int moments(const struct sluice_solid *solid, const double middle[3],
                   struct sluice_moments *moments)
{
    const struct sluice_shape *shape = solid->shape;
    const double pi = acos(-1), h = shape->length / 2, m = (shape->radius + top_of(shape)) / 2,
                 s = (top_of(shape) - shape->radius) / shape->length, m2 = m * m, s2 = s * s,
                 h3 = h * h * h, h5 = h3 * h * h;
    const int axis = shape->axis;
    (void)middle;
    moments->volume = pi * (2 * m2 * h + 2 * s2 * h3 / 3);
    moments->first[axis] = pi * 4 * m * s * h3 / 3;
    moments->second[axis][axis] = pi * (2 * m2 * h3 / 3 + 2 * s2 * h5 / 5);
    for (int k = 1; k < 3; k++)
        moments->second[(axis + k) % 3][(axis + k) % 3] = pi / 4 *
                                                          (2 * m2 * m2 * h + 4 * m2 * s2 * h3 +
                                                           2 * s2 * s2 * h5 / 5);
    return 1;
}

static sluice_status sharp(const struct sluice_solid *solid, struct sluice_sharp *list)
{
    const struct sluice_shape *s = solid->shape;
    for (int high = 0; high < 2; high++) {
        double centre[3] = {s->centre[0], s->centre[1], s->centre[2]};
        centre[s->axis] += high ? s->length / 2 : -s->length / 2;
        SLUICE_TRY(sluice_sharp_add_circle(list, centre, s->axis, high ? top_of(s) : s->radius));
    }
    return SLUICE_OK;
}

static sluice_status triangles(const struct sluice_solid *solid, struct sluice_facets *facets)
{
    const struct sluice_shape *s = solid->shape;
    const double half = s->length / 2,
                 place[4][2] = {{0, -half}, {s->radius, -half}, {top_of(s), half}, {0, half}};
    return sluice_facets_add_turned(facets, s->centre, s->axis, place, 4);
}

const struct sluice_solid_kind sluice_solid_cone = {.create = create,
                                                    .distance = distance,
                                                    .reach = reach,
                                                    .moments = moments,
                                                    .sharp = sharp,
                                                    .triangles = triangles};
const struct sluice_solid_kind sluice_solid_cylinder = {.create = create,
                                                        .distance = distance,
                                                        .reach = reach,
                                                        .moments = moments,
                                                        .sharp = sharp,
                                                        .triangles = triangles};
