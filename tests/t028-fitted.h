/* Cases with fitted walls, and their particles. */
#ifndef SLUICE_TESTS_FITTED_H
#define SLUICE_TESTS_FITTED_H
#include "t03-case-config.h"

enum { FLUID = SLUICE_SHAPE_FLUID, WALL = SLUICE_SHAPE_WALL, VOID = SLUICE_SHAPE_VOID };
static const double dp = 0.1;
static struct test_config t;
static struct sluice_case c;
static char said[4096];
static struct places {
    int64_t count, lattice; /* walls: those before `lattice` are not fitted */
    double (*x)[3];         /* in spacings */
} fluid __attribute__((unused)), wall __attribute__((unused));

__attribute__((unused)) static struct sluice_shape *fitted(int kind)
{
    struct sluice_shape *s = test_shape(&t, kind, WALL);
    s->fill = SLUICE_FILL_SHELL;
    s->fit = SLUICE_FIT_SURFACE;
    return s;
}

static void begin(int dimension, double x, double y, double z)
{
    test_wcsph(&t, dimension, dp);
    t.config.backend.threads = 1;
    test_initial(&t, SLUICE_FIELD_OF_PRESSURE, SLUICE_INITIAL_HYDROSTATIC);
    test_domain(&t, x, y, z);
}

__attribute__((unused)) static struct places places_of(int type)
{
    const struct sluice_start *s = &c.start[type];
    struct places p = {.count = s->count, .x = calloc((size_t)s->count + 1, sizeof *p.x)};
    struct sluice_grid grid;
    if (!p.x || sluice_grid_create(&grid, &c.grid) != SLUICE_OK)
        exit(1);
    for (int64_t i = 0; i < p.count; i++) {
        sluice_grid_coordinates(&grid, &s->place[i], p.x[i]);
        for (int a = 0; a < 3; a++)
            p.x[i][a] /= dp;
    }
    sluice_grid_destroy(&grid);
    p.lattice = p.count - c.fit.walls;
    return p;
}

/* The least distance, in spacings, of a particle of `a` from one of `b`. Periods count. */
__attribute__((unused)) static double nearest(const struct places *a, const struct places *b)
{
    double least2 = 1e9;
    for (int64_t i = 0; i < a->count; i++)
        for (int64_t k = 0; k < b->count; k++) {
            double d2 = 0;
            if (a == b && i == k)
                continue;
            for (int axis = 0; axis < 3; axis++) {
                double d = a->x[i][axis] - b->x[k][axis];
                if (t.config.domain.periodic[axis])
                    d -= rint(d * dp / t.config.domain.max[axis]) * t.config.domain.max[axis] / dp;
                d2 += d * d;
            }
            least2 = fmin(least2, d2);
        }
    return sqrt(least2);
}
#endif
