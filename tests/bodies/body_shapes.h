/* Shapes for the tests of bodies: the mass of a body and its surface. */
#ifndef TESTS_T06_BODY_SHAPES_H
#define TESTS_T06_BODY_SHAPES_H
#include "support/case_config.h"

enum { WALL = SLUICE_SHAPE_WALL, PART = SLUICE_SHAPE_PART, SHAPES_MOST = 8 };
static const double dp = 0.05, pi = 3.14159265358979323846;
static struct test_config t;

static void begin(int dimension)
{
    test_wcsph(&t, dimension, dp);
    test_domain(&t, 4, 4, dimension == 3 ? 4 : 0);
}

/* The lattice of all shapes, and the numbers of the last `count` ones. */
static sluice_status place_shapes(struct sluice_geometry *g, int count, int shape[SHAPES_MOST])
{
    struct sluice_warnings warnings = {0};
    for (int k = 0; k < count; k++)
        shape[k] = t.config.shape_count - count + k;
    return sluice_geometry_create(g, &t.config, 4, &warnings);
}

static struct sluice_shape *round_shape(int kind)
{
    struct sluice_shape *s = test_shape(&t, kind, WALL);
    s->centre[0] = s->centre[1] = 1.5;
    s->centre[2] = t.config.dimension == 3 ? 1.5 : 0;
    s->radius = 0.5;
    s->length = 0.8;
    s->axis = 2;
    return s;
}

/* A polygon with a notch, of the area 1.375. */
static const double notch[6][2] = {{1, 1}, {3, 1}, {3, 2}, {2.5, 2}, {2, 1.25}, {1.5, 2}};

static struct sluice_shape *notched_shape(void)
{
    struct sluice_shape *s = test_shape(&t, SLUICE_SHAPE_POLYGON, WALL);
    s->points.count = 6;
    memcpy(s->points.at, notch, sizeof notch);
    return s;
}

static struct sluice_shape *hull_shape(void)
{
    struct sluice_shape *s = test_shape(&t, SLUICE_SHAPE_MESH, WALL);
    strcpy(s->surface, "configs/hull.stl");
    s->move[0] = s->move[1] = s->move[2] = 1;
    return s;
}

/* A half-space beneath a plane through (x, x, x). */
static struct sluice_shape *half_space(double x, double normal0, double normal1, double normal2)
{
    struct sluice_shape *s = test_shape(&t, SLUICE_SHAPE_HALF_SPACE, WALL);
    s->centre[0] = s->centre[1] = x;
    s->centre[2] = t.config.dimension == 3 ? x : 0;
    s->normal[0] = normal0;
    s->normal[1] = normal1;
    s->normal[2] = normal2;
    return s;
}

static void turn(struct sluice_shape *s, double degrees)
{
    s->rotation_degrees = degrees;
    s->rotation_axis[0] = t.config.dimension == 3;
    s->rotation_axis[1] = t.config.dimension == 3 ? 0.3 : 0;
    s->rotation_axis[2] = 1;
    s->move[0] = s->move[1] = 0.4;
    s->move[2] = t.config.dimension == 3 ? 0.4 : 0;
}
#endif
