/* What the tests of bodies' surfaces share: shapes, a surface made of them, and its measures. */
#ifndef SLUICE_TESTS_T068_BODY_SURFACE_H
#define SLUICE_TESTS_T068_BODY_SURFACE_H
#include <stdio.h>

#include "bodies/mass.h"
#include "bodies/surface.h"
#include "core/vector.h"
#include "t03-case-config.h"

enum { WALL = SLUICE_SHAPE_WALL, PART = SLUICE_SHAPE_PART, SHAPES_MOST = 40 };
static const double dp = 0.05;
static struct test_config t;
static struct sluice_geometry g;
static struct sluice_closed_surface surface;
static int shape[SHAPES_MOST], shapes;
static char said[4096];

__attribute__((unused)) static void begin(int dimension)
{
    test_wcsph(&t, dimension, dp);
    test_domain(&t, 4, 4, dimension == 3 ? 4 : 0);
}

/* The surface of the last `count` shapes; what is warned of goes to `said`. */
__attribute__((unused)) static sluice_status make(int count, double factor)
{
    struct sluice_warnings warnings = {0}, of_body = {.out = fmemopen(said, sizeof said, "w")};
    said[0] = 0;
    for (int k = 0; k < count; k++)
        shape[k] = t.config.shape_count - count + k;
    shapes = count;
    sluice_status status = sluice_geometry_create(&g, &t.config, 4, &warnings);
    if (status == SLUICE_OK) {
        status = sluice_body_surface_create(&surface, &g, shape, count, factor, &of_body);
        if (status != SLUICE_OK)
            sluice_geometry_destroy(&g);
    }
    fclose(of_body.out);
    if (!of_body.count)
        said[0] = 0;
    if (status != SLUICE_OK)
        diag("%s", sluice_message());
    return status;
}

__attribute__((unused)) static void finish(void)
{
    sluice_body_surface_destroy(&surface);
    sluice_geometry_destroy(&g);
}

__attribute__((unused)) static double union_distance(const double x[3], double way[3])
{
    double least = INFINITY, one[3];
    memset(way, 0, sizeof one);
    for (int k = 0; k < shapes; k++) {
        const double d = sluice_geometry_distance(&g, shape[k], x, one);
        if (d < least) {
            least = d;
            memcpy(way, one, sizeof one);
        }
    }
    return least;
}

/* Twice the area times the normal of a triangle. */
__attribute__((unused)) static void cross(const int32_t *triangle, double normal[3],
                                          double middle[3])
{
    const double *p = surface.point[triangle[0]], *q = surface.point[triangle[1]],
                 *r = surface.point[triangle[2]];
    double u[3], v[3];
    for (int a = 0; a < 3; a++) {
        u[a] = q[a] - p[a];
        v[a] = r[a] - p[a];
        middle[a] = (p[a] + q[a] + r[a]) / 3;
    }
    for (int a = 0; a < 3; a++)
        normal[a] = u[(a + 1) % 3] * v[(a + 2) % 3] - u[(a + 2) % 3] * v[(a + 1) % 3];
}

__attribute__((unused)) static double volume_of(void)
{
    double sum = 0;
    for (int64_t i = 0; i < surface.triangles; i++) {
        double normal[3], middle[3];
        cross(surface.triangle[i], normal, middle);
        sum += surface.dimension == 3 ? sluice_dot(normal, middle) / 6 : normal[2] / 2;
    }
    return sum;
}

/* The largest distance of the points from the body's surface, in spacings. */
__attribute__((unused)) static double off_surface(void)
{
    double most = 0, way[3];
    for (int64_t i = 0; i < surface.on_surface; i++)
        most = fmax(most, fabs(union_distance(surface.point[i], way)));
    return most / dp;
}

__attribute__((unused)) static double longest_edge(void)
{
    double most = 0;
    for (int64_t i = 0; i < 3 * surface.triangles; i++) {
        const double *p = surface.point[surface.triangle[i / 3][i % 3]],
                     *q = surface.point[surface.triangle[i / 3][(i + 1) % 3]],
                     way[3] = {q[0] - p[0], q[1] - p[1], q[2] - p[2]};
        most = fmax(most, sluice_norm(way));
    }
    return most / dp;
}

/* How far a place of a shape, in its own coordinates, is from the nearest point, in spacings. */
__attribute__((unused)) static double off_corner(int of, const double own[3])
{
    double x[3], least = INFINITY;
    sluice_solid_place(&g.solid[of], own, x);
    for (int64_t i = 0; i < surface.on_surface; i++) {
        const double *p = surface.point[i], way[3] = {p[0] - x[0], p[1] - x[1], p[2] - x[2]};
        least = fmin(least, sluice_norm(way));
    }
    return least / dp;
}

__attribute__((unused)) static struct sluice_shape *round_shape(int kind)
{
    struct sluice_shape *s = test_shape(&t, kind, WALL);
    s->centre[0] = s->centre[1] = 1.5;
    s->centre[2] = t.config.dimension == 3 ? 1.5 : 0;
    s->radius = 0.5;
    s->length = 0.8;
    s->axis = 2;
    return s;
}

__attribute__((unused)) static void turn(struct sluice_shape *s, double degrees)
{
    s->rotation_degrees = degrees;
    s->rotation_axis[0] = t.config.dimension == 3;
    s->rotation_axis[1] = t.config.dimension == 3 ? 0.5 : 0;
    s->rotation_axis[2] = 1;
    s->move[0] = s->move[1] = 0.7;
    s->move[2] = t.config.dimension == 3 ? 0.7 : 0;
}

/* Hides the last shape in a wide box: then the grid does not follow its axes. */
__attribute__((unused)) static void combine(void)
{
    struct sluice_shape *s = &t.shape[t.config.shape_count - 1];
    s->type = PART;
    strcpy(s->name, "inner");
    s = test_box(&t, WALL, 0, 0, 0, 4, 4, t.config.dimension == 3 ? 4 : 0);
    strcpy(s->within, "inner");
}
#endif
