/* test: 3 s */
/* The volume of fluid beside fitted walls: along edges with other walls, in gaps, and over the end
 * of a period, against exact volumes. */
#include "fitted.h"

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
    ok(!strstr(said, "are placed"), "no warning: all of it has a place");
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

/* In a gap that no particle fits into, a warning gives all of its volume, and none of its fluid is
 * pressed in elsewhere, wherever the gap lies on the lattice. */
static void narrow_gap(double volume, int64_t placed, const char *what)
{
    is_int(test_create(&c, &t, said), SLUICE_OK, what);
    is_close(c.fit.fluid_due, volume, 0.05, "its volume");
    is_close(c.fit.narrow, volume - (double)placed, 0.05, "the gap's part");
    is_int(c.start[SLUICE_FLUID].count, placed, "its particles");
    ok(c.fit.fraction < 0.3, "the spring is at rest: the walls' fraction is %.2f", c.fit.fraction);
    for (int s = 2; s < t.config.shape_count; s++) /* a half for each layer of whole particles */
        is_close(c.shapes[s].actual_volume / (dp * dp), c.shapes[s].asked_volume / (dp * dp), 1.5,
                 "the wall's own volume");
    sluice_case_destroy(&c);
}

static void narrow_gaps(void)
{
    for (int k = 0; k < 2; k++) {
        const double middle = k ? 5.05 : 5; /* the centre of a cell, a face between two */
        begin(2, 10, 5, 0);
        test_box(&t, FLUID, 0, 0, 0, 10, 2.5, 0);
        test_walls(&t, 7);
        fitted_box(4, 0, 0, middle - 0.025, 2, 0);
        fitted_box(middle + 0.025, 0, 0, 6, 2, 0);
        narrow_gap(100 * 25 - 20 * 19.5, 100 * 25 - 20 * 20,
                   k ? "a gap in a row of cells" : "a gap between two rows");
    }
    for (int k = 0; k < 2; k++) {
        const double gap = k ? 0.66 : 0.64; /* the least is 0.35 + 0.85 x 0.35 = 0.6475 */
        begin(2, 10, 5, 0);
        test_box(&t, FLUID, 0, 0, 0, 10, 2.5, 0);
        test_walls(&t, 7);
        fitted_box(4, 0, 0, 5 - 0.05 * gap, 2, 0);
        fitted_box(5 + 0.05 * gap, 0, 0, 6, 2, 0);
        is_int(test_create(&c, &t, said), SLUICE_OK, "a gap at the limit");
        is_close(c.fit.narrow, k ? 0 : 20 * gap, 0.05, k ? "wide enough" : "too narrow");
        sluice_case_destroy(&c);
    }
    begin(2, 10, 5, 0);
    test_box(&t, FLUID, 0, 0, 0, 10, 2.5, 0);
    test_walls(&t, 7);
    fitted_box(3, 0.04, 0, 6, 1.5, 0);
    narrow_gap(100 * 25 - 30 * 14.6, 100 * 25 - 30 * 15, "a box that does not quite stand");
}

/* --- The volume of walls by themselves --- */

/* A shape that cuts a wall does not change the wall's own volume. */
static void cut_wall(void)
{
    begin(2, 4, 4, 0);
    struct sluice_shape *s = fitted_round(SLUICE_SHAPE_DISC, 2.01, 2.01, 0, 1.5);
    s->fill = SLUICE_FILL_SOLID;
    s = test_shape(&t, SLUICE_SHAPE_DISC, FLUID);
    s->centre[0] = s->centre[1] = 2.01;
    s->radius = 1;
    build(acos(-1) * 100, "a ring around water");
    is_close(c.shapes[0].actual_volume, acos(-1) * 2.25, 0.005 * acos(-1) * 2.25,
             "the disc that it is cut from");
    end();
}

/* A wall so deep in another one that none of it is in a layer: a warning, and no error. */
static void buried_wall(void)
{
    begin(2, 4, 4, 0);
    test_box(&t, FLUID, 0, 0, 0, 4, 3, 0);
    test_walls(&t, 7);
    for (int k = 0; k < 2; k++)
        fitted_round(SLUICE_SHAPE_DISC, 2, 2, 0, k ? 0.5 : 1);
    build(40 * 30 - acos(-1) * 100, "a disc deep in a disc");
    is_int(c.shapes[3].particles, 0, "it has no particle");
    /* The lattice has 80 cells in the circle of 5 spacings, and 12 in that of 2. */
    is_int(c.shapes[3].buried, 80 - 12, "all cells of its shell");
    ok(strstr(said, "nothing is left of disc 4") && strstr(said, "its 68 cells"),
       "a warning says so");
    is_int(c.shapes[2].buried, 0, "the outer one has all of its own");
    end();
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
        fitted_round(SLUICE_SHAPE_DISC, 0.57 + shifts[k], 0.75, 0, 0.6);
        build(area, k ? "a disc in a period" : "a disc over the end of a period");
        is_close(c.fit.fluid_due, area, 0.2, "its fluid by volume"); /* 1/200 of its surface */
        end();
    }
}

int main(void)
{
    edges();
    narrow_gaps();
    cut_wall();
    buried_wall();
    over_a_period();
    return done_testing();
}
