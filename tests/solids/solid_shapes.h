/* A case for the tests of solids, and a shape of any kind in its middle. */
#ifndef SLUICE_TESTS_SOLID_SHAPES_H
#define SLUICE_TESTS_SOLID_SHAPES_H
#include "support/case_config.h"

enum { FLUID = SLUICE_SHAPE_FLUID, WALL = SLUICE_SHAPE_WALL, VOID = SLUICE_SHAPE_VOID };
static struct test_config t;

__attribute__((unused)) static void begin(int dimension)
{
    test_wcsph(&t, dimension, 0.05);
    test_domain(&t, 4, dimension == 3 ? 3 : 2, dimension == 3 ? 2 : 0);
}

__attribute__((unused)) static struct sluice_shape *shape_of(int kind)
{
    struct sluice_shape *s = test_shape(&t, kind, WALL);
    s->centre[0] = s->centre[1] = 1;
    s->centre[2] = t.config.dimension == 3;
    s->radius = 0.5;
    s->length = 0.8;
    s->axis = 2;
    s->from = -SLUICE_FAR;
    s->to = SLUICE_FAR;
    return s;
}

__attribute__((unused)) static void set_points(struct sluice_shape *s, int count,
                                               const double (*point)[2])
{
    s->points.count = count;
    memcpy(s->points.at, point, (size_t)count * sizeof *point);
}

__attribute__((unused)) static const double notch[6][2] = {{0, 0},   {2, 0},    {2, 1},
                                                           {1.5, 1}, {1, 0.25}, {0.5, 1}};
#endif
