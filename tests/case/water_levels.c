/* test: 0.1 s */
/* Levels of water at rest: which shapes share one, and entries of `initial` for a single shape. */
#include "initial_fields.h"

/* A reservoir of 0.5 m beside a basin of 0.2 m. */
static const double *levels; /* of the left and the right half, m */

/* rho c0^2/7 ((rho/rho0)^7 - 1) with dp/dz = -rho g: (1 + 6 g d/c0^2)^(1/6). */
static void two_levels(const double x[3], double v[3], double *r)
{
    (void)v;
    const double depth = levels[x[0] > 0.5] - x[1];
    *r = depth > 0 ? expm1(log1p(6 * 9.81 * depth / 1600) / 6) : 0;
}

static void basins(void)
{
    test_wcsph(&t, 2, 0.02);
    test_domain(&t, 1.5, 1, 0);
    t.config.fluid.sound_speed = 40;
    strcpy(test_box(&t, SLUICE_SHAPE_FLUID, 0, 0, 0, 0.5, 0.5, 0)->name, "reservoir");
    strcpy(test_box(&t, SLUICE_SHAPE_FLUID, 0.5, 0, 0, 1.5, 0.2, 0)->name, "basin");
    test_walls(&t, 1 | 2 | 4);
    test_initial(&t, SLUICE_FIELD_OF_PRESSURE, SLUICE_INITIAL_HYDROSTATIC);
}

static void check_levels(double left, double right, int warnings, const char *name)
{
    const double own[] = {left, right};
    char said[4096] = "";
    levels = own;
    is_int(test_create(&c, &t, said), SLUICE_OK, name);
    is_close(worst(two_levels), 0, 1e-14, "the pressure of each level");
    is_int(c.warning_count, warnings, "warnings");
    if (c.warning_count != warnings)
        diag("%s", said);
    sluice_case_destroy(&c);
}

static void water_levels(void)
{
    basins();
    check_levels(0.5, 0.2, 0, "two basins that meet at an upright face");
    strcpy(t.shape[1].name, "reservoir");
    check_levels(0.5, 0.2, 0, "two basins of one name");
    t.config.fluid.masses = SLUICE_MASSES_HYDROSTATIC;
    check_levels(0.5, 0.2, 0, "with hydrostatic masses");

    basins();
    t.shape[0].min[1] =
        0.2; /* the reservoir stands on a part of the basin, which reaches below it */
    t.shape[1].min[0] = 0;
    check_levels(0.5, 0.5, 1, "water below other water shares its level");
    t.initial[0].level = 0.2;
    strcpy(test_initial(&t, SLUICE_FIELD_OF_PRESSURE, SLUICE_INITIAL_HYDROSTATIC)->on, "reservoir");
    t.initial[1].level = 0.2;
    check_levels(0.2, 0.2, 0, "unless an entry has a level: the heap above it has no pressure");

    basins();
    test_box(&t, SLUICE_SHAPE_WALL, 0.5, 0.2, 0, 1.5, 0.4, 0); /* the basin is a duct */
    check_levels(0.5, 0.5, 0, "a duct has the level of what it meets");

    basins();
    test_box(&t, SLUICE_SHAPE_WALL, 0.9, 0.1, 0, 1.1, 0.3, 0); /* something that floats in it */
    check_levels(0.5, 0.2, 0, "a float does not close the surface");

    basins();
    t.config.boundary.kind = SLUICE_BOUNDARY_DYNAMIC;
    is_int(sluice_case_create(&c, &t.config, NULL), SLUICE_OK, "walls with a density");
    double miss = 0;
    levels = (const double[]){0.5, 0.2};
    for (int64_t i = 0; i < c.start[SLUICE_WALL].count; i++) {
        double x[3], r = 0, none[3];
        test_x(&c, SLUICE_WALL, i, x);
        two_levels(x, none, &r);
        if (fabs(x[0] - 0.5) > 0.05 && x[1] < 0.15) /* beside both, the nearer water counts */
            miss = fmax(miss, fabs(c.start[SLUICE_WALL].density[i] - r));
    }
    is_close(miss, 0, 1e-14, "start with that of the water beside them");
    sluice_case_destroy(&c);

    strcpy(t.initial[0].on,
           "reservoir"); /* the basin begins without a pressure, and its walls too */
    is_int(sluice_case_create(&c, &t.config, NULL), SLUICE_OK, "an entry on one shape");
    levels = (const double[]){0.5, 0};
    miss = 0;
    for (int64_t i = 0; i < c.start[SLUICE_WALL].count; i++) {
        double x[3], r = 0, none[3];
        test_x(&c, SLUICE_WALL, i, x);
        two_levels(x, none, &r);
        if (fabs(x[0] - 0.5) > 0.05 && x[1] < 0.15)
            miss = fmax(miss, fabs(c.start[SLUICE_WALL].density[i] - (x[0] > 0.5 ? 0 : r)));
    }
    is_close(miss, 0, 1e-14, "the walls of the other one begin without a pressure");
    sluice_case_destroy(&c);

    basins();
    test_box(&t, SLUICE_SHAPE_WALL, 0.56, 0, 0, 1.5, 0.4, 0);
    check_levels(0.5, 0.2, 0, "a basin three cells wide");

    basins();
    t.initial[0].kind = SLUICE_INITIAL_UNIFORM;
    strcpy(t.initial[0].on, "pond");
    REFUSED(&t, SLUICE_BAD_INPUT, "a name of no fluid", "test.cfg:31",
            "on = 'pond' is the name of no fluid; fluids are named \"reservoir\", \"basin\"");
}

static void moving_drop(const double x[3], double v[3], double *r)
{
    (void)r;
    v[1] = x[1] > 0.5 ? -3 : 0;
}

static void velocity_of_a_shape(void)
{
    basins();
    t.config.initial_count = 0;
    strcpy(test_box(&t, SLUICE_SHAPE_FLUID, 0.1, 0.7, 0, 0.3, 0.9, 0)->name, "drop");
    struct sluice_initial *f = test_initial(&t, SLUICE_FIELD_OF_VELOCITY, SLUICE_INITIAL_UNIFORM);
    f->value[0] = 0;
    f->value[1] = -3;
    strcpy(f->on, "drop");
    is_int(sluice_case_create(&c, &t.config, NULL), SLUICE_OK, "a drop that falls into a basin");
    is_close(worst(moving_drop), 0, 1e-14, "it alone moves");
    sluice_case_destroy(&c);
}

int main(void)
{
    water_levels();
    velocity_of_a_shape();
    return done_testing();
}
