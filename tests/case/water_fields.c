/* test: 0.2 s */
/* Initial fields and hydrostatic starts against their closed forms. */
#include "initial_fields.h"

static const double pi = 3.14159265358979323846;

static void square(double side, double spacing)
{
    test_wcsph(&t, 2, spacing);
    test_domain(&t, side, side, 0);
    test_box(&t, SLUICE_SHAPE_FLUID, 0, 0, 0, side, side, 0);
    t.config.fluid.sound_speed = 10;
}

static double tait(double p, double rho0, double c0)
{
    return expm1(log1p(p / (rho0 * c0 * c0 / 7)) / 7);
}

static void drop(const double x[3], double v[3], double *r)
{
    v[0] = 0.5 * x[0];
    v[1] = -0.5 * x[1];
    *r = tait(0.625 * (1 - x[0] * x[0] - x[1] * x[1]), 1, 10);
}

static void rotation(const double x[3], double v[3], double *r)
{
    v[0] = -2 * (x[1] - 0.3);
    v[1] = 2 * (x[0] - 0.1);
    *r = 0.01;
}

static void taylor_green(const double x[3], double v[3], double *r)
{
    v[0] = -0.7 * cos(2 * pi * x[0]) * sin(2 * pi * x[1]);
    v[1] = 0.7 * sin(2 * pi * x[0]) * cos(2 * pi * x[1]);
    *r = tait(-0.25 * 1000 * 0.49 * (cos(4 * pi * x[0]) + cos(4 * pi * x[1])), 1000, 10);
}

static void acoustic(const double x[3], double v[3], double *r)
{
    *r = 1e-2 * cos(2 * pi * 3 * x[0]);
    v[0] = 10 * *r;
}

static void uniform(const double x[3], double v[3], double *r)
{
    (void)x;
    v[0] = 0.25;
    v[1] = -0.5;
    *r = 1010.0 / 1000 - 1;
}

static void fields(void)
{
    struct sluice_initial *f;
    square(1, 0.02);
    t.config.domain.min[0] = t.config.domain.min[1] = -1;
    t.config.gravity[1] = 0;
    t.shape[0].kind = SLUICE_SHAPE_DISC;
    t.shape[0].radius = 0.9;
    t.config.fluid.density = 1;
    f = test_initial(&t, SLUICE_FIELD_OF_VELOCITY, SLUICE_INITIAL_LINEAR);
    f->gradient[0][0] = 0.5;
    f->gradient[1][1] = -0.5;
    f = test_initial(&t, SLUICE_FIELD_OF_PRESSURE, SLUICE_INITIAL_QUADRATIC);
    f->value[0] = 0.625;
    f->curvature = -0.625;
    is_int(sluice_case_create(&c, &t.config, NULL), SLUICE_OK, "a drop");
    is_close(worst(drop), 0, 1e-14, "linear velocity and quadratic pressure");
    sluice_case_destroy(&c);

    square(1, 0.05);
    f = test_initial(&t, SLUICE_FIELD_OF_VELOCITY, SLUICE_INITIAL_UNIFORM);
    f->value[0] = 9; /* a later field wins */
    f = test_initial(&t, SLUICE_FIELD_OF_VELOCITY, SLUICE_INITIAL_ROTATION);
    f->centre[0] = 0.1;
    f->centre[1] = 0.3;
    f->rate = 2;
    f = test_initial(&t, SLUICE_FIELD_OF_DENSITY, SLUICE_INITIAL_UNIFORM);
    f->value[0] = 1010;
    is_int(sluice_case_create(&c, &t.config, NULL), SLUICE_OK, "a rotation");
    is_close(worst(rotation), 0, 1e-14, "rotation about a centre, uniform density");
    sluice_case_destroy(&c);

    t.config.initial_count = 1;
    t.initial[0].value[0] = 0.25;
    t.initial[0].value[1] = -0.5;
    f = test_initial(&t, SLUICE_FIELD_OF_DENSITY, SLUICE_INITIAL_LINEAR);
    memset(f->centre, 0, sizeof f->centre);
    f->value[0] = 1010;
    is_int(sluice_case_create(&c, &t.config, NULL), SLUICE_OK, "a stream");
    is_close(worst(uniform), 0, 1e-14, "uniform velocity");
    sluice_case_destroy(&c);
}

static void waves(void)
{
    struct sluice_initial *f;
    square(1, 0.05);
    t.config.gravity[1] = 0;
    t.config.domain.periodic[0] = t.config.domain.periodic[1] = 1;
    f = test_initial(&t, SLUICE_FIELD_OF_VELOCITY, SLUICE_INITIAL_TAYLOR_GREEN);
    f->amplitude = 0.7;
    f = test_initial(&t, SLUICE_FIELD_OF_PRESSURE, SLUICE_INITIAL_TAYLOR_GREEN);
    f->amplitude = 0.7;
    is_int(sluice_case_create(&c, &t.config, NULL), SLUICE_OK, "Taylor-Green vortices");
    is_close(worst(taylor_green), 0, 1e-13, "velocity and pressure");
    sluice_case_destroy(&c);

    t.config.initial_count = 0;
    f = test_initial(&t, SLUICE_FIELD_OF_VELOCITY, SLUICE_INITIAL_ACOUSTIC_WAVE);
    f->amplitude = 1e-2;
    f->mode[0] = 3;
    f = test_initial(&t, SLUICE_FIELD_OF_DENSITY, SLUICE_INITIAL_ACOUSTIC_WAVE);
    f->amplitude = 1e-2;
    f->mode[0] = 3;
    is_int(sluice_case_create(&c, &t.config, NULL), SLUICE_OK, "an acoustic wave");
    is_close(worst(acoustic), 0, 1e-14, "travelling along x");
    sluice_case_destroy(&c);
    f->kind = SLUICE_INITIAL_HYDROSTATIC;
    REFUSED(&t, SLUICE_BAD_INPUT, "hydrostatic without gravity", "test.cfg:32", "gravity");
}

/* The energy of the linear standing wave, eps^2 g H^2 lambda/32 (1 + cos 2 omega t) (Antuono &
 * Colagrossi 2013), here at t = 0. */
static void gravity_wave(void)
{
    const double amplitude = 0.05;
    double kinetic = 0, divergence = 0;
    test_wcsph(&t, 2, 0.01);
    test_domain(&t, 2, 1.3, 0);
    t.config.domain.periodic[0] = 1;
    t.config.gravity[1] = -1;
    t.config.fluid.density = 1;
    test_box(&t, SLUICE_SHAPE_FLUID, 0, 0, 0, 2, 1, 0);
    test_walls(&t, 4);
    struct sluice_initial *f = test_initial(&t, SLUICE_FIELD_OF_VELOCITY,
                                            SLUICE_INITIAL_GRAVITY_WAVE);
    f->amplitude = amplitude;
    f->mode[0] = 2;
    is_int(sluice_case_create(&c, &t.config, NULL), SLUICE_OK, "a gravity wave");
    for (int64_t i = 0; i < c.start[0].count; i++) {
        const double *v = c.start[0].velocity[i];
        kinetic += 0.5 * c.start[0].mass[i] * (v[0] * v[0] + v[1] * v[1]);
    }
    is_close(kinetic / (4 * amplitude * amplitude * 2 / 16), 1, 2e-4,
             "its kinetic energy (midpoint rule: (k dp)^2/12)");
    for (int64_t i = 0; i + 201 < c.start[0].count;
         i++) /* particle i + 200 lies above i, i + 1 beside it */
        if (i % 200 < 198)
            divergence = fmax(
                divergence, fabs(c.start[0].velocity[i + 1][0] - c.start[0].velocity[i][0] +
                                 c.start[0].velocity[i + 201][0] - c.start[0].velocity[i + 200][0] +
                                 c.start[0].velocity[i + 200][1] - c.start[0].velocity[i][1] +
                                 c.start[0].velocity[i + 201][1] - c.start[0].velocity[i + 1][1]));
    ok(divergence < 1e-6 && divergence > 0, "its flow is free of divergence (%.2g of %.2g)",
       divergence, amplitude);
    sluice_case_destroy(&c);
    t.config.domain.periodic[0] = 0;
    t.config.gravity[0] = 1;
    REFUSED(&t, SLUICE_BAD_INPUT, "a gravity wave on a slope", "test.cfg:31", "gravity-wave");
}

/* rho(z) = rho0 (1 + (gamma - 1) g (H - z)/c0^2)^(1/(gamma - 1)); H = 1, c0 = 10 sqrt(2 g H):
 * 9834.32 Pa at the floor. */
static void hydrostatic(void)
{
    double miss = 0, mass = 0;
    test_wcsph(&t, 2, 1.0 / 32);
    test_domain(&t, 1, 1.25, 0);
    test_box(&t, SLUICE_SHAPE_FLUID, 0, 0, 0, 1, 1, 0);
    test_walls(&t, 7);
    test_initial(&t, SLUICE_FIELD_OF_PRESSURE, SLUICE_INITIAL_HYDROSTATIC);
    is_int(sluice_case_create(&c, &t.config, NULL), SLUICE_OK, "still water");
    const double c2 = 200 * 9.81;
    for (int64_t i = 0; i < c.start[0].count; i++) {
        double x[3];
        test_x(&c, 0, i, x);
        miss = fmax(
            miss, fabs(c.start[0].density[i] - (pow(1 + 6 * 9.81 * (1 - x[1]) / c2, 1.0 / 6) - 1)));
        mass = fmax(mass, fabs(c.start[0].mass[i] * 32 * 32 - 1000));
    }
    is_close(mass, 0, 1e-9, "masses rho0 dp^2");
    is_close(miss, 0, 1e-15, "density follows the exact profile");
    is_close(sluice_wcsph_pressure(&c.physics.wcsph, pow(1 + 6 * 9.81 / c2, 1.0 / 6) - 1), 9834.32,
             5e-3, "which has 9834.32 Pa at the floor");
    for (int64_t i = 0; i < c.start[1].count; i++)
        miss = fmax(miss, fabs(c.start[1].density[i]));
    is_close(miss, 0, 1e-15, "walls of extrapolated state start at rest");
    sluice_case_destroy(&c);
}

/* The same tank, with the masses of the compressed column. */
static void hydrostatic_masses(void)
{
    const double c2 = 200 * 9.81;
    double miss = 0, mass = 0;
    t.config.initial_count = 0;
    t.config.fluid.masses = 1;
    is_int(sluice_case_create(&c, &t.config, NULL), SLUICE_OK, "hydrostatic masses");
    for (int64_t i = 0; i < c.start[0].count; i++) {
        double x[3];
        test_x(&c, 0, i, x);
        miss = fmax(
            miss, fabs(c.start[0].density[i] - (pow(1 + 6 * 9.81 * (1 - x[1]) / c2, 1.0 / 6) - 1)));
        miss = fmax(miss,
                    fabs(c.start[0].mass[i] / (1000.0 / 32 / 32) - 1 - c.start[0].density[i]));
        mass += c.start[0].mass[i];
    }
    is_close(miss, 0, 1e-13, "m = rho(z) dp^2, with the density that goes with it");
    is_close(mass * 9.81, 9834.32, 0.05, "the weight of the column is the pressure at its floor");
    is_close(c.reference_energy, mass * 9.81, 1e-9, "reference energy from the actual masses");
    sluice_case_destroy(&c);
}

static void hydrostatic_linear(void)
{
    const double c2 = 200 * 9.81;
    double miss = 0;
    t.config.fluid.eos = SLUICE_EOS_LINEAR;
    t.config.boundary.kind = SLUICE_BOUNDARY_DYNAMIC;
    is_int(sluice_case_create(&c, &t.config, NULL), SLUICE_OK,
           "linear equation of state and dynamic walls");
    for (int type = 0; type < 2; type++)
        for (int64_t i = 0; i < c.start[type].count; i++) {
            double x[3];
            test_x(&c, type, i, x);
            const double r = x[1] < 1 ? exp(9.81 * (1 - x[1]) / c2) - 1 : 0;
            miss = fmax(miss, fabs(c.start[type].density[i] - r));
        }
    is_close(miss, 0, 1e-15, "rho0 exp(g d/c0^2) in the fluid and in dynamic walls beside it");
    sluice_case_destroy(&c);

    t.config.gravity[0] = 9.81; /* along a slope of 45 degrees */
    t.config.fluid.sound_speed = 60;
    is_int(sluice_case_create(&c, &t.config, NULL), SLUICE_OK, "gravity across the axes");
    is_close(c.fluid_depth, sqrt(2), 1e-12, "the depth is the diagonal of the square");
    sluice_case_destroy(&c);
}

/* Oil on water: the particles of each, and the exact pressure of both layers. */
static void two_layers(void)
{
    double miss = 0;
    int64_t mixed = 0;
    test_wcsph(&t, 2, 0.1);
    test_domain(&t, 1, 2, 0);
    struct sluice_config *config = &t.config;
    config->two_fluids.used = 1;
    config->two_fluids.density = 250;
    config->two_fluids.gamma = 1.4;
    config->two_fluids.alpha = 0.05;
    config->fluid.masses = SLUICE_MASSES_HYDROSTATIC;
    test_box(&t, SLUICE_SHAPE_FLUID, 0, 1, 0, 1, 2, 0)->phase = 2;
    test_box(&t, SLUICE_SHAPE_FLUID, 0, 0, 0, 1, 1, 0);
    test_walls(&t, 4);
    test_initial(&t, SLUICE_FIELD_OF_PRESSURE, SLUICE_INITIAL_HYDROSTATIC);
    is_int(sluice_case_create(&c, config, NULL), SLUICE_OK, "two fluids, one on the other");
    const struct wcsph_params *water = &c.physics.wcsph, *oil = c.physics.wcsph.second;
    is_close(water->sound_speed, 10 * sqrt(2 * 9.81 * 2), 1e-9, "c0 of the heavier: its depth's");
    is_close(oil->sound_speed, 2 * water->sound_speed, 1e-9, "as stiff: rho0 c0^2 the same");
    is_close(oil->alpha, 0.05, 0, "a viscosity of its own");
    const double c2 = oil->sound_speed * oil->sound_speed, stiff = 250 * c2 / 1.4;
    /* p/B + 1 = (1 + (gamma - 1) g d/c0^2)^(gamma/(gamma - 1)) of the oil; the same of the water,
     * beginning at the head of the pressure at the interface. */
    const double interface = stiff * (pow(1 + 0.4 * 9.81 / c2, 1.4 / 0.4) - 1);
    const double b = 1000 * water->sound_speed * water->sound_speed / 7,
                 head = (pow(1 + interface / b, 6. / 7) - 1) / 6;
    for (int64_t i = 0; i < c.start[0].count; i++) {
        const int second = c.start[0].phase[i] == 1;
        double x[3];
        test_x(&c, 0, i, x);
        mixed += second != (x[1] > 1);
        const double depth = (second ? 2 : 1) - x[1];
        const double e = head + 9.81 * depth / (water->sound_speed * water->sound_speed);
        const double p = second ? stiff * (pow(1 + 0.4 * 9.81 * depth / c2, 1.4 / 0.4) - 1)
                                : b * (pow(1 + 6 * e, 7. / 6) - 1);
        const double r = sluice_wcsph_relative_density(second ? oil : water, p);
        miss = fmax(miss, fabs(c.start[0].density[i] - r));
        miss = fmax(miss, fabs(c.start[0].mass[i] / ((second ? 2.5 : 10) * (1 + r)) - 1));
    }
    is_int(mixed, 0, "each where its shape is");
    is_close(miss, 0, 1e-12, "densities and masses are those of the exact pressure");
    sluice_case_destroy(&c);
    config->two_fluids.sound_speed = 33;
    config->fluid.background_pressure = 1e5;
    REFUSED(&t, SLUICE_BAD_INPUT, "a pressure that is too high for the second",
            "fluid.background_pressure: 100000 Pa", "33 m/s");
}

static void shifted(void)
{
    struct sluice_case there;
    int different = 0;
    square(1, 0.05);
    is_int(sluice_case_create(&c, &t.config, NULL), SLUICE_OK, "a case");
    t.config.domain.frame_shift[0] = 1000000;
    t.config.domain.frame_shift[1] = -10000;
    is_int(sluice_case_create(&there, &t.config, NULL), SLUICE_OK,
           "and the same, shifted by frames");
    for (int64_t i = 0; i < c.start[0].count; i++) {
        const struct sluice_place *a = &c.start[0].place[i], *b = &there.start[0].place[i];
        different += b->frame[0] - a->frame[0] != 1000000 || b->frame[1] - a->frame[1] != -10000 ||
                     !same_bits(a->offset, b->offset, sizeof a->offset);
    }
    is_int(different, 0, "frame indices are shifted, offsets keep their bits");
    sluice_case_destroy(&c);
    sluice_case_destroy(&there);
}

/* Builds the case and returns the warning of a missing pressure, NULL without one. */
static const char *warned(void)
{
    static char said[4096];
    if (test_create(&c, &t, said) != SLUICE_OK) {
        diag("%s", sluice_message());
        return "no case";
    }
    sluice_case_destroy(&c);
    return strstr(said, "starts without a pressure");
}

/* A tank of 2 x 1 with water 0.5 deep. */
static void tank(void)
{
    test_wcsph(&t, 2, 0.05);
    test_domain(&t, 2, 1, 0);
    test_box(&t, SLUICE_SHAPE_FLUID, 0, 0, 0, 2, 0.5, 0);
    test_walls(&t, 1 | 2 | 4);
}

static void write_column(int with_pressure)
{
    char path[300];
    snprintf(path, sizeof path, "%s/sluice-water-fields.csv",
             getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
    FILE *file = fopen(path, "w");
    if (!file)
        exit(1);
    fprintf(file, with_pressure ? "x,y,pressure\n" : "x,y\n");
    for (int k = 0; k < 4; k++)
        fprintf(file, with_pressure ? "0.525,%g,100\n" : "0.525,%g\n", 0.025 + 0.05 * k);
    fclose(file);
    strcpy(t.config.particles, path);
}

/* Water that stands on walls should start with its pressure. */
static void missing_pressure(void)
{
    tank();
    const char *said = warned();
    ok(said && strstr(said, "rings, with a period of 0.0639 s") &&
           strstr(said, "Add the line initial = ( { field = \"pressure\"; kind = "
                        "\"hydrostatic\"; } );"),
       "no pressure: 4 H/c0, and the line to add");
    test_initial(&t, SLUICE_FIELD_OF_VELOCITY, SLUICE_INITIAL_UNIFORM);
    said = warned();
    ok(said && strstr(said, "Add to the list initial: { field"), "a velocity alone: what to add");
    test_initial(&t, SLUICE_FIELD_OF_DENSITY, SLUICE_INITIAL_HYDROSTATIC);
    ok(!warned(), "a density is a pressure");
    tank();
    t.config.fluid.masses = SLUICE_MASSES_HYDROSTATIC;
    ok(!warned(), "hydrostatic masses come with theirs");
    tank();
    t.config.gravity[0] = 9.81;
    t.config.gravity[1] = 0;
    ok(warned(), "water on a wall that stands");

    tank();
    t.shape[0].max[1] = 0.2;
    test_box(&t, SLUICE_SHAPE_FLUID, 0, 0.2, 0, 0.5, 0.9, 0);
    said = warned();
    ok(said && strstr(said, "not level, by up to 0.725") && strstr(said, "column pressure") &&
           !strstr(said, "hydrostatic"),
       "a column on a layer: the field would not fit");
    tank();
    write_column(0);
    ok(warned(), "a file without pressures");
    write_column(1);
    ok(!warned(), "a file with pressures");
    remove(t.config.particles);
}

/* Unsupported fluid has no pressure to start with. */
static void nothing_to_carry(void)
{
    tank();
    t.shape[0].kind = SLUICE_SHAPE_DISC;
    t.shape[0].radius = 0.2;
    t.shape[0].centre[0] = 1;
    t.shape[0].centre[1] = 0.7;
    ok(!warned(), "a drop above the floor");
    tank();
    t.shape[1].sides = 1 | 2;
    t.shape[0].min[1] = 0.3;
    ok(!warned(), "water that falls between walls");
    tank();
    t.config.shape_count = 1;
    ok(!warned(), "water without walls");
    tank();
    t.config.domain.periodic[0] = 1;
    t.config.gravity[0] = 1;
    t.config.gravity[1] = 0;
    t.config.fluid.sound_speed = 10;
    t.shape[1].sides = 4;
    ok(!warned(), "a force along a period");
    tank();
    t.config.gravity[1] = 0;
    t.config.fluid.sound_speed = 10;
    ok(!warned(), "no gravity");
}

int main(void)
{
    fields();
    waves();
    gravity_wave();
    hydrostatic();
    hydrostatic_masses();
    hydrostatic_linear();
    two_layers();
    shifted();
    missing_pressure();
    nothing_to_carry();
    return done_testing();
}
