/* The volume of fluid beside fitted walls: along edges with other walls, in gaps, and over the end
 * of a period, against exact volumes. */
#include "t028-fitted.h"

static struct sluice_shape *fitted_box(double x0, double y0, double z0, double x1, double y1,
                                       double z1)
{
    struct sluice_shape *s = test_box(&t, WALL, x0, y0, z0, x1, y1, z1);
    s->fit = SLUICE_FIT_SURFACE;
    s->fill = SLUICE_FILL_SHELL;
    return s;
}

/* The volumes of flat faces along the axes are exact but for the least slope of the planes that cut
 * the cells, 1e-3 (1e-6 of a cell each), and parts of cells with two faces: at convex edges, 1/200
 * of a spacing squared there. Both are below 5e-4 of these volumes; what edges with the floor lost
 * is 3e-3 of the first. */
static void volume(double open, const char *what)
{
    const double due = c.fit.fluid_due;
    is_close(due, open, 5e-4 * open, what);
    ok(c.fit.fluid == fluid.count, "all fluid is in the report");
}

static void edges(void)
{
    begin(3, 2, 2, 2);
    test_box(&t, FLUID, 0, 0, 0, 2, 2, 1);
    test_walls(&t, 31);
    fitted_box(0.25, 0.25, 0, 1.75, 1.75, 0.45);
    build(20 * 20 * 10 - 15 * 15 * 4.5, "a box on the floor");
    volume(20 * 20 * 10 - 15 * 15 * 4.5, "its fluid by volume, to the floor's edges");
    ok(!strstr(said, "are placed"), "no warning: all of it is placed");
    end();

    begin(2, 10, 5, 0);
    test_box(&t, FLUID, 0, 0, 0, 10, 2.5, 0);
    test_walls(&t, 7);
    fitted_box(0, 0, 0, 4.95, 3.5, 0);
    struct sluice_shape *s = fitted_box(5.1, 0, 0, 10, 3.5, 0);
    build(1.5 * 25, "a gap of 1.5 spacings");
    volume(1.5 * 25, "its fluid by volume");
    end();
    t.shape[2].max[0] = 4.975;
    s->min[0] = 5.025;
    t.shape[2].max[1] = s->max[1] = 2;
    is_int(test_create(&c, &t, said), SLUICE_OK, "a gap of half a spacing");
    is_close(c.fit.fluid_due, 100 * 5 + 0.5 * 20, 0.5, "the gap's fluid is in the volume");
    is_close((double)c.start[SLUICE_FLUID].count, 500, 1, "no particle is pressed in elsewhere");
    ok(strstr(said, "510.0 particles") && strstr(said, "are placed"),
       "and a warning says what is missing");
    sluice_case_destroy(&c);
}

/* A disc that reaches a little over the end of a period has the volume that it has elsewhere. */
static void over_a_period(void)
{
    const double shifts[2] = {0, 2.5}, area = 100 * 30 - acos(-1) * 36;
    for (int k = 0; k < 2; k++) {
        begin(2, 10, 5, 0);
        t.config.domain.periodic[0] = 1;
        test_box(&t, FLUID, 0, 0, 0, 10, 3, 0);
        test_walls(&t, 4);
        struct sluice_shape *s = fitted(SLUICE_SHAPE_DISC);
        s->centre[0] = 0.57 + shifts[k];
        s->centre[1] = 0.75;
        s->radius = 0.6;
        build(area, k ? "a disc in a period" : "a disc over the end of a period");
        is_close(c.fit.fluid_due, area, 0.2, "its fluid by volume"); /* 1/200 of its surface */
        end();
    }
}

int main(void)
{
    edges();
    over_a_period();
    return done_testing();
}
