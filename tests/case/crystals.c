/* test: 0.1 s */
/* Crystals and thermal velocities: closed forms for the box, the neighbours and the temperature. */
#include "support/case_config.h"

static struct test_config t;

static void use_lattice(int kind, int dimension, long long cells, double density, double cutoff)
{
    test_lj(&t, dimension, cutoff);
    t.config.lattice.used = 1;
    t.config.lattice.kind = kind;
    t.config.lattice.density = density;
    for (int a = 0; a < dimension; a++)
        t.config.lattice.cells[a] = cells;
}

/* How many particles lie within `radius` of the first one, itself left out, nearest images. */
static int neighbours(const struct sluice_case *c, double radius)
{
    struct sluice_grid grid;
    double first[3];
    int n = 0;
    if (sluice_grid_create(&grid, &c->grid) != SLUICE_OK)
        exit(1);
    sluice_grid_coordinates(&grid, &c->start[0].place[0], first);
    for (int64_t i = 1; i < c->start[0].count; i++) {
        double x[3], d2 = 0;
        sluice_grid_coordinates(&grid, &c->start[0].place[i], x);
        for (int a = 0; a < grid.dimension; a++) {
            const double length = grid.high[a] - grid.low[a], d = x[a] - first[a];
            d2 += pow(d - length * rint(d / length), 2);
        }
        n += sqrt(d2) < radius;
    }
    sluice_grid_destroy(&grid);
    return n;
}

static void boxes(void)
{
    struct sluice_case c;
    use_lattice(0, 3, 20, 0.8442, 2.5);
    is_int(sluice_case_create(&c, &t.config, NULL), SLUICE_OK, "the state of LAMMPS' in.lj");
    is_int(c.start[0].count, 32000, "20^3 cells of 4");
    is_close(c.grid.high[0] - c.grid.low[0], 33.5919, 1e-4, "its box, as LAMMPS prints it");
    is_close(c.grid.high[2] - c.grid.low[2], 20 * cbrt(4 / 0.8442), 1e-12, "cells (4/rho)^(1/3)");
    const double a = (c.grid.high[0] - c.grid.low[0]) / 20;
    is_int(neighbours(&c, 0.75 * a), 12, "fcc: 12 nearest neighbours");
    is_int(neighbours(&c, 1.01 * a), 18, "fcc: 6 second ones");
    is_int(neighbours(&c, 1.23 * a), 42, "fcc: 24 third ones");
    is_close(c.cutoff, 2.5, 0, "the pair's cutoff");
    is_close(c.start[0].mass[7], 1, 0, "the pair's mass");
    is_close(c.neighbours, 0.8442 * 4.18879020478639 * 2.5 * 2.5 * 2.5, 1e-9,
             "neighbours: rho 4/3 pi rc^3");
    ok(c.grid.periodic[0] && c.grid.periodic[1] && c.grid.periodic[2], "the box is periodic");
    sluice_case_destroy(&c);

    use_lattice(1, 2, 12, 0.5, 2.5);
    is_int(sluice_case_create(&c, &t.config, NULL), SLUICE_OK, "a square lattice");
    is_int(c.start[0].count, 144, "12^2 particles");
    is_close(c.grid.high[1] - c.grid.low[1], 12 * sqrt(2), 1e-12, "cells rho^(-1/2)");
    is_int(neighbours(&c, 1.1 * sqrt(2)), 4, "square: 4 nearest neighbours");
    sluice_case_destroy(&c);

    use_lattice(2, 3, 8, 0.7, 2.5);
    is_int(sluice_case_create(&c, &t.config, NULL), SLUICE_OK, "a cubic lattice");
    is_int(c.start[0].count, 512, "8^3 particles");
    is_int(neighbours(&c, 1.1 / cbrt(0.7)), 6, "cubic: 6 nearest neighbours");
    sluice_case_destroy(&c);

    use_lattice(0, 3, 2, 0.8442, 2.5);
    REFUSED(&t, SLUICE_BAD_INPUT, "a box below two cutoffs", "two cutoffs");
    use_lattice(0, 3, 200000, 0.8442, 2.5);
    REFUSED(&t, SLUICE_BAD_INPUT, "a lattice of too many particles", "3.2e+16 particles",
            SLUICE_ID_MAX_TEXT);
    use_lattice(0, 3, 5, 0.8442, 2.5);
    t.config.lattice.used = 0;
    test_domain(&t, 10, 10, 10);
    REFUSED(&t, SLUICE_BAD_INPUT, "Lennard-Jones of nothing", "no fluid particles", "a lattice");
}

static double twice_kinetic(const struct sluice_start *s, double momentum[3])
{
    double sum = 0;
    momentum[0] = momentum[1] = momentum[2] = 0;
    for (int64_t i = 0; i < s->count; i++)
        for (int a = 0; a < 3; a++) {
            sum += s->mass[i] * s->velocity[i][a] * s->velocity[i][a];
            momentum[a] += s->mass[i] * s->velocity[i][a];
        }
    return sum;
}

static void temperature(void)
{
    struct sluice_case c, other;
    double p[3], fourth = 0, second = 0;
    use_lattice(0, 3, 10, 0.8442, 2.5);
    t.config.thermal.used = 1;
    t.config.thermal.temperature = 1.44;
    t.config.thermal.seed = 87287;
    is_int(sluice_case_create(&c, &t.config, NULL), SLUICE_OK, "a thermal start");
    const int64_t n = c.start[0].count;
    const double mv2 = twice_kinetic(&c.start[0], p);
    /* 12,000 squares summed: rounding of a few 1e-14 */
    is_close(mv2 / (3.0 * (double)(n - 1)), 1.44, 1e-13, "T from 3N - 3 degrees of freedom");
    for (int a = 0; a < 3; a++)
        is_close(p[a], 0, 1e-10, "no momentum");
    for (int64_t i = 0; i < n; i++)
        for (int a = 0; a < 3; a++) {
            const double v2 = c.start[0].velocity[i][a] * c.start[0].velocity[i][a];
            second += v2;
            fourth += v2 * v2;
        }
    /* <v^4>/<v^2>^2 of a normal distribution is 3, of n samples +- sqrt(96/n): 12,000 samples, 4
     * sigma */
    is_close(fourth * 3 * (double)n / (second * second), 3, 4 * sqrt(96.0 / (3 * (double)n)),
             "the velocities are normal");
    double mixed = 0;
    for (int64_t i = 1; i < n; i++)
        mixed += c.start[0].velocity[i][0] * c.start[0].velocity[i - 1][0] +
                 c.start[0].velocity[i][0] * c.start[0].velocity[i][1];
    is_close(mixed / (2 * (double)n * 1.44), 0, 4 / sqrt(2 * (double)n), "and not correlated");

    is_int(sluice_case_create(&other, &t.config, NULL), SLUICE_OK, "the same again");
    ok(same_bits(c.start[0].velocity, other.start[0].velocity,
                 (size_t)n * sizeof *c.start[0].velocity),
       "to the same bits");
    sluice_case_destroy(&other);
    t.config.thermal.seed = 87288;
    is_int(sluice_case_create(&other, &t.config, NULL), SLUICE_OK, "another seed");
    int equal = 0;
    for (int64_t i = 0; i < n; i++)
        equal += c.start[0].velocity[i][0] == other.start[0].velocity[i][0];
    is_int(equal, 0, "gives other velocities");
    sluice_case_destroy(&other);
    sluice_case_destroy(&c);
}

int main(void)
{
    boxes();
    temperature();
    return done_testing();
}
