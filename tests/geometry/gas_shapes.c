/* test: 0.1 s */
/* Shapes of a gas: their lattices, masses and states, against counts and volumes by hand. */
#include "geometry/lattice.h"
#include "support/case_config.h"

static struct test_config t;
static struct sluice_case c;
static char said[4096];

static struct sluice_shape *gas_box(double x0, double x1, double side, double density, int lattice)
{
    struct sluice_shape *s = test_box(&t, SLUICE_SHAPE_FLUID, x0, 0, 0, x1, side, side);
    s->density = density;
    s->lattice = lattice;
    return s;
}

/* A box of one gas that fills a periodic domain with a side of 1. */
static struct sluice_shape *cube(int dimension, double spacing, int lattice)
{
    test_gas(&t, dimension, spacing);
    test_domain(&t, 1, 1, 1);
    for (int a = 0; a < dimension; a++)
        t.config.domain.periodic[a] = 1;
    return gas_box(0, 1, 1, 2, lattice);
}

/* Neighbours of the first particle within a radius, nearest images. */
static int neighbours(double radius)
{
    double first[3], x[3];
    int n = 0;
    test_x(&c, 0, 0, first);
    for (int64_t i = 1; i < c.start[0].count; i++) {
        double d2 = 0;
        test_x(&c, 0, i, x);
        for (int a = 0; a < t.config.dimension; a++)
            d2 += pow(x[a] - first[a] - rint(x[a] - first[a]), 2);
        n += sqrt(d2) < radius;
    }
    return n;
}

static double sum_of(const double *values)
{
    double sum = 0;
    for (int64_t i = 0; i < c.start[0].count; i++)
        sum += values[i];
    return sum;
}

/* 1000 particles a unit volume; 10^3 cells of edge 0.1, or (4/1000)^(1/3) = 0.159: 6 of 0.167. */
static void lattices(void)
{
    const double fcc = 1. / 6, hexagon = 1. / 19, row = 1. / 22;
    cube(3, 0.1, SLUICE_LATTICE_CUBIC);
    is_int(test_create(&c, &t, said), SLUICE_OK, "a cubic lattice");
    is_int(c.start[0].count, 1000, "10^3 particles");
    is_close(c.start[0].mass[7], 2e-3, 1e-18, "mass rho V");
    is_int(neighbours(0.101), 6, "6 nearest neighbours, also across the periodic faces");
    is_close(c.cutoff, 2 * 1.5 * 0.1, 1e-15, "cutoff: the support of 1.5 (m/rho)^(1/3)");
    is_close(c.neighbours, 4. / 3 * M_PI * 27, 1e-9, "neighbours: 4/3 pi (2 eta)^3");
    is_str(said, "", "no warning");
    sluice_case_destroy(&c);

    cube(3, 0.1, SLUICE_LATTICE_FCC);
    is_int(test_create(&c, &t, said), SLUICE_OK, "an fcc lattice");
    is_int(c.start[0].count, 6 * 6 * 6 * 4, "6^3 cells of 4");
    is_close(sum_of(c.start[0].mass), 2, 1e-12, "the mass of the box");
    is_int(neighbours(0.71 * fcc), 12, "12 nearest neighbours");
    is_int(neighbours(1.01 * fcc), 18, "and 6 second ones");
    ok(strstr(said, "stretched by +5.0% to 6 cells; 0.952441 m fits"), "a warning: %s", said);
    sluice_case_destroy(&c);

    cube(2, 0.05, SLUICE_LATTICE_HEXAGONAL);
    is_int(test_create(&c, &t, said), SLUICE_OK, "a hexagonal lattice");
    /* a = (2 0.0025/sqrt(3))^(1/2) = 0.05373: 18.6 cells along x, and 10.7 of sqrt(3) a along y */
    is_int(c.start[0].count, 19 * 11 * 2, "19 by 11 cells of 2");
    is_int(neighbours(1.05 * hexagon), 6, "6 nearest neighbours");
    is_close(fmax(hexagon, hypot(hexagon / 2, row)) / 0.05373, 1, 0.03, "at their distance");
    is_close(sum_of(c.start[0].mass), 2, 1e-12, "the mass of the box");
    is_close(c.neighbours, M_PI * 9, 1e-9, "neighbours: pi (2 eta)^2");
    sluice_case_destroy(&c);

    cube(2, 0.05, SLUICE_LATTICE_SQUARE)->move[0] = 0;
    is_int(test_create(&c, &t, said), SLUICE_OK, "a square lattice");
    is_int(c.start[0].count, 400, "20^2 particles");
    is_int(neighbours(0.051), 4, "4 nearest neighbours");
    sluice_case_destroy(&c);
}

/* Two boxes: all particles have the mass of the densest one's, as far as whole cells allow. */
static void two_boxes(void)
{
    const double light = 0.2; /* spacing of the other one: 0.1 (8/1)^(1/3) */
    double x[3];
    int wrong = 0;
    test_gas(&t, 3, 0.1);
    test_domain(&t, 2, 0.8, 0.8);
    t.config.domain.periodic[1] = t.config.domain.periodic[2] = 1;
    struct sluice_shape *dense = gas_box(0, 1, 0.8, 8, SLUICE_LATTICE_CUBIC),
                        *thin = gas_box(1, 2, 0.8, 1, SLUICE_LATTICE_CUBIC);
    dense->pressure = 3;
    dense->velocity[1] = 0.5;
    thin->energy = 7;
    t.config.kernel.h_over_dp = 1;
    is_int(test_create(&c, &t, said), SLUICE_OK, "two boxes that reach open faces");
    ok(strstr(said, "reaches the open faces \"x-\"") && strstr(said, "the open faces \"x+\""),
       "two warnings: %s", said);
    sluice_case_destroy(&c);

    test_walls(&t, 1 | 2);
    is_int(test_create(&c, &t, said), SLUICE_OK, "two boxes that touch");
    is_int(c.start[0].count, 640 + 80, "10 by 8 by 8, and 5 by 4 by 4");
    is_close(sum_of(c.start[0].mass), (8 + 1) * 0.64, 1e-12, "their mass");
    is_close(c.start[0].mass[0], c.start[0].mass[719], 1e-16, "equal masses");
    is_close(c.cutoff, 2 * light, 1e-15, "the cutoff is the support in the thin gas");
    is_close(c.physics.gas.support, c.cutoff, 0, "the model's as well");
    for (int64_t i = 0; i < 720; i++) {
        const int first = i < 640;
        test_x(&c, 0, i, x);
        wrong += first != (x[0] < 1) || c.start[0].density[i] != (first ? 8 : 1) ||
                 fabs(c.start[0].energy[i] - (first ? 3 / (0.4 * 8) : 7)) > 1e-14 ||
                 c.start[0].velocity[i][1] != (first ? 0.5 : 0);
    }
    is_int(wrong, 0, "each side has its density, energy and velocity");
    is_str(said, "", "no warning");
    sluice_case_destroy(&c);

    thin->spacing = 0.1;
    is_int(test_create(&c, &t, said), SLUICE_OK, "a spacing of its own");
    is_int(c.start[0].count, 2 * 640, "as many particles");
    is_close(c.start[0].mass[1279], 1e-3, 1e-18, "of a lower mass");
    sluice_case_destroy(&c);
}

/* A later shape takes the place of sites, a void leaves it empty, and within cuts. */
static void overlaps(void)
{
    struct sluice_shape *box = cube(2, 0.02, SLUICE_LATTICE_SQUARE), *disc, *hole;
    double x[3];
    int wrong = 0, inside = 0;
    box->density = 1;
    disc = test_shape(&t, SLUICE_SHAPE_DISC, SLUICE_SHAPE_FLUID);
    disc->centre[0] = disc->centre[1] = 0.5;
    disc->radius = 0.3;
    disc->density = 4;
    disc->lattice = SLUICE_LATTICE_HEXAGONAL;
    hole = test_box(&t, SLUICE_SHAPE_VOID, 0.4, 0.4, 0, 0.6, 0.6, 0);
    is_int(test_create(&c, &t, said), SLUICE_OK, "a disc in a box, and a hole in the disc");
    for (int64_t i = 0; i < c.start[0].count; i++) {
        test_x(&c, 0, i, x);
        const double r = hypot(x[0] - 0.5, x[1] - 0.5);
        const int in_disc = c.start[0].density[i] == 4;
        wrong += in_disc != (r < 0.3) || (fabs(x[0] - 0.5) < 0.1 && fabs(x[1] - 0.5) < 0.1);
        inside += in_disc;
    }
    is_int(wrong, 0, "each particle is of the shape that it is in");
    /* The border of length 2 pi R + 0.8 passes through some 100 cells of the lattice. */
    is_close(inside / ((M_PI * 0.09 - 0.04) / 0.0004), 1, 0.03, "as many as fit the ring");
    is_int(c.shapes[0].particles + c.shapes[1].particles, c.start[0].count, "the shapes' counts");
    is_int(c.shapes[0].particles + c.shapes[0].cut, 625, "the box was cut");
    is_close(c.start[0].mass[c.start[0].count - 1], 4 * 0.0004, 1e-18,
             "the mass of the densest shape is that of the spacing");
    is_close(c.shapes[1].asked_mass, 4 * M_PI * 0.09, 1e-12, "the mass asked for");
    sluice_case_destroy(&c);

    t.config.shape_count = 2;
    disc->type = SLUICE_SHAPE_PART;
    strcpy(disc->name, "ball");
    t.shape[0] = *disc;
    t.shape[1] = *hole;
    hole = &t.shape[1];
    hole->type = SLUICE_SHAPE_FLUID;
    hole->density = 1;
    hole->lattice = SLUICE_LATTICE_SQUARE;
    hole->min[0] = hole->min[1] = 0;
    hole->max[0] = hole->max[1] = 1;
    strcpy(hole->without, "ball");
    is_int(test_create(&c, &t, said), SLUICE_OK, "a box without a ball");
    is_close((double)c.start[0].count * 0.0004, 1 - M_PI * 0.09, 0.01, "the part takes no sites");
    sluice_case_destroy(&c);
}

/* Walls are faces of the domain, which no particle is in; not even one at the origin. */
static void walls(void)
{
    test_gas(&t, 2, 0.1);
    test_domain(&t, 0.5, 0.5, 0);
    t.config.domain.min[0] = t.config.domain.min[1] = -0.5;
    struct sluice_shape *s = test_box(&t, SLUICE_SHAPE_FLUID, -0.5, -0.5, 0, 0.4, 0.4, 0);
    s->density = 1;
    s->lattice = SLUICE_LATTICE_SQUARE;
    test_walls(&t, 1 | 8);
    is_int(test_create(&c, &t, said), SLUICE_OK, "a gas with walls");
    is_int(c.start[0].count, 81, "has all its particles");
    is_int(c.grid.walls, 1 | 8, "and walls on two sides");
    sluice_case_destroy(&c);
}

/* A half-space goes on to the domain's faces, and tiles its periodic axes. */
static void endless(void)
{
    double x[3], highest = 0;
    test_gas(&t, 2, 0.04);
    test_domain(&t, 1, 1, 0);
    t.config.domain.periodic[0] = 1;
    struct sluice_shape *s = test_shape(&t, SLUICE_SHAPE_HALF_SPACE, SLUICE_SHAPE_FLUID);
    s->normal[1] = 1;
    s->centre[1] = 0.5;
    s->density = 1;
    s->lattice = SLUICE_LATTICE_SQUARE;
    is_int(test_create(&c, &t, said), SLUICE_OK, "a half-space");
    for (int64_t i = 0; i < c.start[0].count; i++) {
        test_x(&c, 0, i, x);
        highest = fmax(highest, x[1]);
    }
    ok(c.start[0].count % 25 == 0 && highest < 0.5 && highest > 0.46, "rows of 25 up to its face");
    sluice_case_destroy(&c);
}

static void mistakes(void)
{
    cube(3, 0.1, SLUICE_LATTICE_CUBIC)->max[1] = 1.5;
    REFUSED(&t, SLUICE_BAD_INPUT, "gas beyond the domain", "box 1 (test.cfg:11)",
            "from y = 0 to 1.5, the domain from 0 to 1");
    cube(3, 0.2, SLUICE_LATTICE_CUBIC);
    REFUSED(&t, SLUICE_BAD_INPUT, "a period below two supports", "two cutoffs");
    cube(3, 1e-6, SLUICE_LATTICE_CUBIC);
    REFUSED(&t, SLUICE_BAD_INPUT, "more particles than ids", "1e+18 particles");
    for (int k = 0; k < 2; k++) {
        test_gas(&t, 3, 0.1);
        test_domain(&t, 1, 1, 1);
        struct sluice_shape *s = test_shape(&t, SLUICE_SHAPE_SPHERE, SLUICE_SHAPE_FLUID);
        s->centre[0] = s->centre[1] = s->centre[2] = 0.5;
        s->radius = k ? 0.1 : 0.05;
        s->density = 1;
        s->lattice = SLUICE_LATTICE_CUBIC;
        /* Eight sites are half a spacing from the centre on each axis, at 0.0866. */
        REFUSED(&t, SLUICE_BAD_INPUT, "a small sphere", "sphere 1 (test.cfg:11)",
                k ? "holds 0.008 kg, which is +91.0% off" : "no site of its lattice");
    }
    test_gas(&t, 3, 0.1);
    test_domain(&t, 1, 1, 1);
    REFUSED(&t, SLUICE_BAD_INPUT, "a gas of nothing", "no fluid particles");
}

int main(void)
{
    lattices();
    two_boxes();
    overlaps();
    walls();
    endless();
    mistakes();
    return done_testing();
}
