/* A case with fitted walls, and what holds for each of them. */
#ifndef SLUICE_TESTS_FITTED_H
#define SLUICE_TESTS_FITTED_H
#include "support/case_config.h"

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

/* A ball or a disc. */
static inline struct sluice_shape *fitted_round(int kind, double x, double y, double z,
                                                double radius)
{
    struct sluice_shape *s = fitted(kind);
    s->centre[0] = x;
    s->centre[1] = y;
    s->centre[2] = z;
    s->radius = radius;
    return s;
}

__attribute__((unused)) static void begin(int dimension, double x, double y, double z)
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

/* The distance of two places, in spacings. Periods count. */
__attribute__((unused)) static double apart(const double a[3], const double b[3])
{
    double d2 = 0;
    for (int axis = 0; axis < 3; axis++) {
        double d = a[axis] - b[axis];
        if (t.config.domain.periodic[axis])
            d -= rint(d * dp / t.config.domain.max[axis]) * t.config.domain.max[axis] / dp;
        d2 += d * d;
    }
    return sqrt(d2);
}

/* The least distance, in spacings, of a particle of `a` from one of `b`. */
__attribute__((unused)) static double nearest(const struct places *a, const struct places *b)
{
    double least = 1e9;
    for (int64_t i = 0; i < a->count; i++)
        for (int64_t k = 0; k < b->count; k++)
            if (a != b || i != k)
                least = fmin(least, apart(a->x[i], b->x[k]));
    return least;
}

/* The walls' largest fraction at fluid, in the spring's own terms (docs/theory.md, "Walls"). */
__attribute__((unused)) static double largest_fraction(void)
{
    const double pi = acos(-1), h = 0.8,
                 scale = t.config.dimension == 2 ? 7 / (4 * pi * h * h)
                                                 : 21 / (16 * pi * h * h * h);
    double most = 0;
    for (int64_t i = 0; i < fluid.count; i++) {
        double fraction = 0;
        for (int64_t k = 0; k < wall.count; k++) {
            const double q = apart(fluid.x[i], wall.x[k]) / h;
            fraction += q < 2 ? scale * pow(1 - q / 2, 4) * (1 + 2 * q) : 0;
        }
        most = fmax(most, fraction);
    }
    return most;
}

/* Builds the case and checks the rules of all cases: all pairs are far enough apart, the spring is
 * at rest, and the report agrees. `open`: the volume of fluid in dp^D; `tolerance` of it. */
__attribute__((unused)) static void build_within(double open, double tolerance, const char *what)
{
    if (!is_int(test_create(&c, &t, said), SLUICE_OK, what))
        diag("%s", sluice_message());
    fluid = places_of(SLUICE_FLUID);
    wall = places_of(SLUICE_WALL);
    const double walls = nearest(&wall, &wall), waters = nearest(&fluid, &fluid),
                 between = nearest(&fluid, &wall);
    if (!ok(walls >= 0.8 && waters >= 0.8 && between >= 0.8,
            "%s: walls %.3f, fluid %.3f, between them %.3f dp apart", what, walls, waters, between))
        diag("%s", said);
    ok(c.fit.nearest >= walls - 1e-9 && c.fit.fluid_to_wall >= between - 1e-9 &&
           (c.fit.fluid_to_wall > 2.9 || c.fit.fluid_to_wall < between + 1e-9),
       "%s: the report has these distances", what);
    const double fraction = largest_fraction();
    ok(fraction < 0.3 && c.fit.fraction < fraction + 1e-9,
       "%s: the walls' fraction is at most %.3f, and the spring at rest", what, fraction);
    if (tolerance <= 0)
        tolerance = t.config.dimension == 2 ? 1 : 0.5 + 0.005 * (double)c.fit.walls;
    is_close((double)fluid.count, open, tolerance, "mass of the fluid, in particles");
}

/* The same with the default tolerance: half a particle, since numbers are whole; and, where the
 * surface is curved or has edges, an error of the planes that cut cells, below 1/200 of a spacing
 * times the surface (in 3-D about as large as layer 0). */
__attribute__((unused)) static void build(double open, const char *what)
{
    build_within(open, 0, what);
}

__attribute__((unused)) static void end(void)
{
    free(fluid.x);
    free(wall.x);
    sluice_case_destroy(&c);
}
#endif
