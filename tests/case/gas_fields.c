/* test: 0.1 s */
/* Initial fields of a gas against their closed forms. */
#include "support/case_config.h"

static const double pi = 3.14159265358979323846;
static struct test_config t;
static struct sluice_case c;

/* A periodic box of side 1 from -0.5 on: rho 2, p 4, gamma 1.4, so u = 5. */
static void square(double spacing)
{
    test_gas(&t, 2, spacing);
    test_domain(&t, 0.5, 0.5, 0);
    t.config.domain.min[0] = t.config.domain.min[1] = -0.5;
    t.config.domain.periodic[0] = t.config.domain.periodic[1] = 1;
    struct sluice_shape *s = test_box(&t, SLUICE_SHAPE_FLUID, -0.5, -0.5, 0, 0.5, 0.5, 0);
    s->density = 2;
    s->pressure = 4;
    s->lattice = SLUICE_LATTICE_SQUARE;
    s->velocity[0] = 0.25;
}

/* The state that a test expects at x. */
struct state {
    double v[2], density, energy;
};
typedef void (*form)(const double x[3], struct state *s);

/* The largest difference from a form; masses are density times volume. */
static double worst(form exact)
{
    double miss = 0;
    const double volume = pow(t.config.spacing, 2);
    for (int64_t i = 0; i < c.start[0].count; i++) {
        struct state s = {{0.25, 0}, 2, 5};
        double x[3];
        test_x(&c, 0, i, x);
        exact(x, &s);
        miss = fmax(miss,
                    hypot(c.start[0].velocity[i][0] - s.v[0], c.start[0].velocity[i][1] - s.v[1]));
        miss = fmax(miss, fabs(c.start[0].density[i] - s.density));
        miss = fmax(miss, fabs(c.start[0].energy[i] - s.energy));
        miss = fmax(miss, fabs(c.start[0].mass[i] / volume - s.density));
    }
    return miss;
}

/* Makes the case, whose particles are to have the state `exact`. */
static void expect(form exact, const char *what, const char *how)
{
    is_int(sluice_case_create(&c, &t.config, NULL), SLUICE_OK, what);
    is_close(worst(exact), 0, 1e-13, how);
    sluice_case_destroy(&c);
}

static void sound(const double x[3], struct state *s)
{
    const double wave = sin(2 * pi * (x[0] + 0.5 + 2 * (x[1] + 0.5)));
    s->v[1] = 0.125 * wave;
    s->density = 2 + 0.5 * wave;
    s->energy = 4 / (0.4 * s->density) + 0.75 * wave; /* the pressure was kept */
}

static void gresho(const double x[3], struct state *s)
{
    const double r = hypot(x[0], x[1]);
    const double v = r < 0.2 ? 5 * r : r < 0.4 ? 2 - 5 * r : 0;
    const double p = r < 0.2   ? 5 + 12.5 * r * r
                     : r < 0.4 ? 9 + 12.5 * r * r - 20 * r + 4 * log(r / 0.2)
                               : 3 + 4 * log(2);
    s->v[0] = 0.25 - v * x[1] / r;
    s->v[1] = v * x[0] / r;
    s->energy = p / (0.4 * 2);
}

/* McNally et al. 2012, eq. 1 to 4, as printed; the pressure of the shape stays. */
static void kelvin_helmholtz(const double x[3], struct state *s)
{
    const double y = x[1] + 0.5, l = 0.025, rho_m = (1. - 2) / 2, u_m = (0.5 - -0.5) / 2;
    if (y < 0.25) {
        s->density = 1 - rho_m * exp((y - 0.25) / l);
        s->v[0] = 0.5 - u_m * exp((y - 0.25) / l);
    } else if (y < 0.5) {
        s->density = 2 + rho_m * exp((-y + 0.25) / l);
        s->v[0] = -0.5 + u_m * exp((-y + 0.25) / l);
    } else if (y < 0.75) {
        s->density = 2 + rho_m * exp(-(0.75 - y) / l);
        s->v[0] = -0.5 + u_m * exp(-(0.75 - y) / l);
    } else {
        s->density = 1 - rho_m * exp(-(y - 0.75) / l);
        s->v[0] = 0.5 - u_m * exp(-(y - 0.75) / l);
    }
    s->v[1] = 0.01 * sin(4 * pi * (x[0] + 0.5));
    s->energy = 4 / (0.4 * s->density);
}

static void linear(const double x[3], struct state *s)
{
    s->v[0] = -3 * x[1];
    s->v[1] = 3 * x[0];
    s->density = 1 + 0.5 * (x[0] + 0.5);
    s->energy = (7 + 2 * (x[0] * x[0] + x[1] * x[1])) / (0.4 * s->density);
}

static void sines(void)
{
    struct sluice_initial *f[3];
    const int field[] = {SLUICE_FIELD_OF_VELOCITY, SLUICE_FIELD_OF_DENSITY, SLUICE_FIELD_OF_ENERGY};
    square(0.02);
    for (int i = 0; i < 3; i++) {
        f[i] = test_initial(&t, field[i], SLUICE_INITIAL_SINE);
        f[i]->mode[0] = 1;
        f[i]->mode[1] = 2;
    }
    f[0]->value[1] = 0.125;
    f[1]->value[0] = 0.5;
    f[2]->value[0] = 0.75;
    expect(sound, "sines of three fields", "are added to what the shape gives");
}

static void forms(void)
{
    struct sluice_initial *f;
    square(0.02);
    test_initial(&t, SLUICE_FIELD_OF_VELOCITY, SLUICE_INITIAL_VORTEX);
    test_initial(&t, SLUICE_FIELD_OF_PRESSURE, SLUICE_INITIAL_VORTEX);
    expect(gresho, "a Gresho vortex", "in a stream: its speed and its pressure");

    square(0.02);
    test_initial(&t, SLUICE_FIELD_OF_VELOCITY, SLUICE_INITIAL_SHEAR);
    test_initial(&t, SLUICE_FIELD_OF_DENSITY, SLUICE_INITIAL_SHEAR);
    expect(kelvin_helmholtz, "a shear flow", "density, both velocities, an even pressure");

    square(0.02);
    f = test_initial(&t, SLUICE_FIELD_OF_VELOCITY, SLUICE_INITIAL_ROTATION);
    f->rate = 3;
    f = test_initial(&t, SLUICE_FIELD_OF_DENSITY, SLUICE_INITIAL_LINEAR);
    f->value[0] = 1;
    f->centre[0] = -0.5;
    f->gradient[0][0] = 0.5;
    f = test_initial(&t, SLUICE_FIELD_OF_PRESSURE, SLUICE_INITIAL_QUADRATIC);
    f->value[0] = 7;
    f->curvature = 2;
    expect(linear, "polynomials", "replace what the shape gives");
}

/* Wendland C2 without its factor, about a point, nearest images. */
static double weight(int64_t i, double px, double radius)
{
    double x[3];
    test_x(&c, 0, i, x);
    const double u = fmin(1, hypot(x[0] - px - rint(x[0] - px), x[1]) / radius);
    return pow(1 - u, 4) * (1 + 4 * u);
}

/* Two points of energy, of which the first one takes the support, 2 eta V^(1/2) = 0.06. */
static void points(void)
{
    const double energy[2] = {3, 2}, radius[2] = {0.06, 0.15};
    double all[2] = {0, 0}, sum = 0, miss = 0;
    struct sluice_initial *f = NULL;
    square(0.02);
    for (int k = 0; k < 2; k++) {
        f = test_initial(&t, SLUICE_FIELD_OF_ENERGY, SLUICE_INITIAL_POINT);
        f->amplitude = energy[k];
        f->centre[0] = 0.49;
        f->radius = k ? radius[k] : 0;
    }
    is_int(sluice_case_create(&c, &t.config, NULL), SLUICE_OK, "two points of energy");
    is_close(c.physics.gas.support, 0.06, 1e-15, "the support");
    for (int64_t i = 0; i < c.start[0].count; i++) {
        sum += c.start[0].mass[i] * (c.start[0].energy[i] - 5);
        for (int k = 0; k < 2; k++)
            all[k] += c.start[0].mass[i] * weight(i, 0.49, radius[k]);
    }
    /* 2500 terms m u, of 0.004 to 0.5: each is rounded by 1e-16 of the largest u, 600 J/kg */
    is_close(sum, 5, 1e-12, "their energy, to rounding");
    for (int64_t i = 0; i < c.start[0].count; i++)
        miss = fmax(miss, fabs(c.start[0].energy[i] - 5 -
                               energy[0] * weight(i, 0.49, radius[0]) / all[0] -
                               energy[1] * weight(i, 0.49, radius[1]) / all[1]));
    is_close(miss, 0, 1e-10, "spread by the kernel, also across the periodic face");
    sluice_case_destroy(&c);

    f->radius = 1e-3;
    REFUSED(&t, SLUICE_BAD_INPUT, "a point without particles", "test.cfg:32",
            "no particle is within 0.001 m of (0.49, 0, 0)");
}

static void mistakes(void)
{
    struct sluice_initial *f;
    square(0.05);
    f = test_initial(&t, SLUICE_FIELD_OF_DENSITY, SLUICE_INITIAL_SINE);
    f->mode[0] = 1;
    f->value[0] = 3;
    REFUSED(&t, SLUICE_BAD_INPUT, "a negative density", "test.cfg:31", "a density of -");
    f->field = SLUICE_FIELD_OF_PRESSURE;
    f->value[0] = 5;
    REFUSED(&t, SLUICE_BAD_INPUT, "a negative pressure", "an energy of -");
    f->field = SLUICE_FIELD_OF_VELOCITY;
    f->value[0] = INFINITY;
    REFUSED(&t, SLUICE_BAD_INPUT, "an infinite velocity", "the velocity at", "is not finite");
}

int main(void)
{
    sines();
    forms();
    points();
    mistakes();
    return done_testing();
}
