/* test: 2 s */
/* Shapes on the lattice: counts, faces and masses against closed forms. */
#include "support/case_config.h"

enum { FLUID = SLUICE_SHAPE_FLUID, WALL = SLUICE_SHAPE_WALL, VOID = SLUICE_SHAPE_VOID };
static struct test_config t;
static char said[4096];

/* Water under gravity starts with its pressure: no warning of that. */
static void begin(int dimension, double spacing)
{
    test_wcsph(&t, dimension, spacing);
    test_initial(&t, SLUICE_FIELD_OF_PRESSURE, SLUICE_INITIAL_HYDROSTATIC);
}

/* The dam break of the documentation: Martin & Moyce, n^2 = 2, a/40. */
static void dam_break_2d(void)
{
    struct sluice_case c;
    double x[3];
    begin(2, 0.00142875);
    test_domain(&t, 0.5715, 0.2286, 0);
    test_box(&t, FLUID, 0, 0, 0, 0.05715, 0.1143, 0);
    test_walls(&t, 1 | 2 | 4);
    is_int(test_create(&c, &t, said), SLUICE_OK, "dam break is built");
    is_str(said, "", "without a warning");
    is_int(c.start[SLUICE_FLUID].count, 40 * 80, "40 x 80 particles of fluid");
    is_int(c.wall_layers, 3, "ceil(2h/dp) layers");
    is_int(c.start[SLUICE_WALL].count, (400 + 6) * 3 + 2 * 3 * 160,
           "walls left, right, below with filled corners");
    is_close(c.fluid_depth, 0.1143, 1e-12, "depth of the fluid");
    is_close(c.physics.wcsph.sound_speed, 10 * sqrt(2 * 9.81 * 0.1143), 1e-9,
             "c0 = 10 sqrt(2 g H)");
    is_close(c.cutoff, 2 * 1.5 * 0.00142875, 1e-15, "cutoff 2h");
    is_close(c.reference_energy, 1000 * 0.05715 * 0.1143 * 9.81 * 0.1143, 1e-9,
             "reference energy M g H");
    is_close(c.neighbours, 3.14159265358979 * 9, 1e-9, "neighbours: pi (2h/dp)^2");
    test_x(&c, SLUICE_FLUID, 0, x);
    is_close(x[0], 0.5 * 0.00142875, 1e-15, "first particle half a spacing from the wall, x");
    is_close(x[1], 0.5 * 0.00142875, 1e-15, "and y");
    ok(c.grid.low[0] < -2.9 * 0.00142875 && c.grid.high[1] < 0.2287,
       "the search's domain holds the wall layers");
    double low[2] = {1, 1}, high[2] = {0, 0};
    for (int64_t i = 0; i < c.start[SLUICE_WALL].count; i++) {
        test_x(&c, SLUICE_WALL, i, x);
        for (int a = 0; a < 2; a++) {
            low[a] = fmin(low[a], x[a] / 0.00142875);
            high[a] = fmax(high[a], x[a] / 0.00142875);
        }
        if (i == 0)
            ok(x[0] < 0, "the first wall particle lies outside the domain");
    }
    is_close(low[0], -2.5, 1e-9, "left layers end at -3 dp");
    is_close(high[0], 402.5, 1e-9, "right layers");
    is_close(low[1], -2.5, 1e-9, "floor");
    is_close(high[1], 159.5, 1e-9, "no wall above the open end");
    sluice_case_destroy(&c);
}

/* Ids unique, places unique: every pair of particles at least a spacing apart, by sorting cells. */
static int compare_cells(const void *a, const void *b)
{
    return memcmp(a, b, 3 * sizeof(long));
}

static void check_distinct(const struct sluice_case *c, double spacing, const char *what)
{
    const int64_t n = c->start[0].count + c->start[1].count;
    long(*cell)[3] = calloc((size_t)n, sizeof *cell);
    unsigned char *seen = calloc((size_t)n, 1);
    struct sluice_grid grid;
    int64_t k = 0, twice = 0;
    if (sluice_grid_create(&grid, &c->grid) != SLUICE_OK)
        exit(1);
    for (int type = 0; type < SLUICE_TYPE_COUNT; type++)
        for (int64_t i = 0; i < c->start[type].count; i++, k++) {
            double x[3];
            sluice_grid_coordinates(&grid, &c->start[type].place[i], x);
            for (int a = 0; a < 3; a++)
                cell[k][a] = lround(4 * x[a] / spacing);
            twice += seen[c->start[type].id[i]]++;
        }
    qsort(cell, (size_t)n, sizeof *cell, compare_cells);
    for (k = 1; k < n; k++)
        twice += compare_cells(cell[k], cell[k - 1]) == 0;
    ok(n > 0 && twice == 0, "%s: no id and no place twice among %lld", what, (long long)n);
    free(cell);
    free(seen);
    sluice_grid_destroy(&grid);
}

/* A box with walls on all sides, in 3-D: a filled shell. */
static void closed_box(void)
{
    struct sluice_case c;
    begin(3, 0.1);
    test_domain(&t, 1, 0.8, 0.6);
    test_box(&t, FLUID, 0, 0, 0, 1, 0.8, 0.3);
    test_walls(&t, 63);
    is_int(test_create(&c, &t, NULL), SLUICE_OK, "a closed box is built");
    is_int(c.start[SLUICE_WALL].count, 16 * 14 * 12 - 10 * 8 * 6,
           "walls on six sides, corners filled");
    is_int(c.start[SLUICE_FLUID].count, 10 * 8 * 3, "fluid");
    check_distinct(&c, 0.1, "closed box");
    sluice_case_destroy(&c);

    t.shape[1].sides = 1 | 4; /* two shapes that meet in a corner */
    test_walls(&t, 16);
    is_int(test_create(&c, &t, NULL), SLUICE_OK, "walls in two shapes");
    is_int(c.start[SLUICE_WALL].count, 13 * 11 * 9 - 10 * 8 * 6,
           "x- y- and z- of two shapes: one filled corner, open ends flush");
    check_distinct(&c, 0.1, "two shapes of walls");
    sluice_case_destroy(&c);

    t.config.domain.periodic[0] = 1;
    t.shape[1].sides = 4 | 8;
    is_int(test_create(&c, &t, NULL), SLUICE_OK, "walls along a periodic axis");
    is_int(c.start[SLUICE_WALL].count, 10 * (14 * 9 - 8 * 6),
           "the layer covers exactly the period");
    check_distinct(&c, 0.1, "periodic walls");
    sluice_case_destroy(&c);
}

/* SPHERIC test 2 at dp 0.006, on the lattice of the published GPU runs (203 x 165 x 90), its box a
 * shell open below. */
static void spheric_2(void)
{
    const double dp = 0.006;
    struct sluice_case c;
    begin(3, dp);
    test_domain(&t, 3.22, 1, 2);
    t.config.kernel.h_over_dp = 2;
    t.config.boundary.layers = 3;
    test_box(&t, FLUID, 0, 0, 0, 203 * dp, 165 * dp, 90 * dp);
    test_walls(&t, 63);
    struct sluice_shape *box = test_box(&t, WALL, 2.3955, 0.295, 0, 2.5565, 0.698, 0.161);
    box->fill = SLUICE_FILL_SHELL;
    strcpy(box->name, "obstacle");
    struct sluice_probe *p = &t.probe[t.config.probe_count++];
    strcpy(p->name, "P1");
    strcpy(p->on, "obstacle");
    p->face = 0;
    p->at[0] = 0.529;
    p->at[1] = 0.021;
    is_int(test_create(&c, &t, said), SLUICE_OK, "SPHERIC 2 is built");
    ok(c.warning_count == 1 && strstr(said, "boundary.layers: 3"),
       "one warning: three layers where the kernel reaches over 4");
    is_int(c.start[SLUICE_FLUID].count, 3014550, "203 x 165 x 90 fluid particles");
    const long nx = 537, ny = 167, nz = 333, bx = 426 - 399, by = 116 - 49, bz = 27;
    is_int(c.start[SLUICE_WALL].count,
           (nx + 6) * (ny + 6) * (nz + 6) - nx * ny * nz + bx * by * bz -
               (bx - 6) * (by - 6) * (bz - 3),
           "tank with a lid and the box as a shell open below");
    is_close(c.shapes[2].actual_min[0], 399 * dp, 1e-12, "actual front face of the box");
    is_close(c.shapes[2].actual_max[2], 27 * dp, 1e-12, "actual top face of the box");
    is_close(c.shapes[2].actual_min[2], 0, 1e-12, "the box stands on the floor");
    is_close(c.probes[0].x[0], 399 * dp, 1e-12, "P1 sits on the actual face");
    is_close(c.probes[0].x[1], 0.529, 1e-15, "where asked along it, y");
    is_close(c.probes[0].x[2], 0.021, 1e-15, "and z");
    sluice_case_destroy(&c);
}

static void masses(void)
{
    struct sluice_case c;
    begin(3, 0.02);
    test_domain(&t, 3.22, 1, 1);
    test_box(&t, FLUID, 0, 0, 0, 1.228, 1, 0.55);
    test_walls(&t, 1 | 2 | 4 | 8 | 16);
    is_int(test_create(&c, &t, said), SLUICE_OK, "SPHERIC 2 at dp 0.02");
    is_int(c.start[SLUICE_FLUID].count, 61 * 50 * 28,
           "1.228 x 1 x 0.55 becomes 61 x 50 x 28 (halves go up)");
    is_close(c.shapes[0].asked_mass, 675.4, 1e-9, "asked mass");
    is_close(c.shapes[0].actual_mass, 683.2, 1e-9, "actual mass");
    is_close(c.shapes[0].actual_max[2], 0.56, 1e-12, "actual face above");
    ok(c.warning_count == 1 &&
           strstr(said, "box 1 (test.cfg:11) holds 683.2 of mass on the lattice instead of 675.4"),
       "over 1%% of mass error: a warning");
    diag("%s", said);
    sluice_case_destroy(&c);

    t.config.spacing = 0.1;
    REFUSED(&t, SLUICE_BAD_INPUT, "a mass error over 5%", "box 1 (test.cfg:11)", "720 of mass",
            "675.4", "6.6% off");
    t.config.spacing = 0.0115;
    t.shape[0].max[0] = 0.005;
    REFUSED(&t, SLUICE_BAD_INPUT, "a shape between two rows", "box 1 (test.cfg:11)",
            "no particle of the lattice");
}

static void later_shapes_win(void)
{
    struct sluice_case c;
    begin(2, 0.1);
    test_domain(&t, 4, 2, 0);
    test_box(&t, FLUID, 0, 0, 0, 4, 1, 0);
    test_box(&t, WALL, 1, 0, 0, 2, 0.5, 0);
    test_box(&t, VOID, 3, 0, 0, 3.5, 1, 0);
    test_box(&t, FLUID, 3.2, 0, 0, 3.3, 1, 0);
    test_walls(&t, 4);
    is_int(test_create(&c, &t, said), SLUICE_OK, "shapes over each other");
    is_str(said, "", "no warning: the obstacle stands on a wall and is wide enough");
    is_int(c.start[SLUICE_FLUID].count, 400 - 50 - 50 + 10,
           "an obstacle and a void cut, a later fluid fills again");
    is_int(c.start[SLUICE_WALL].count, 50 + 3 * 40, "the obstacle and the floor");
    is_int(c.shapes[0].particles, 300, "the first shape's own particles");
    is_close(c.shapes[0].actual_mass, 4000, 1e-9, "its mass before the cuts");
    check_distinct(&c, 0.1, "overlapping shapes");
    sluice_case_destroy(&c);

    t.shape[1].max[0] = 1.2;
    is_int(test_create(&c, &t, said), SLUICE_OK, "a thin obstacle");
    ok(c.warning_count == 1 && strstr(said, "2 particles thick along x"), "is warned about");
    sluice_case_destroy(&c);
    t.shape[1].max[0] = 1.1;
    is_int(test_create(&c, &t, said), SLUICE_OK, "a thinner one");
    ok(strstr(said, "1 particle thick along x") != NULL, "has one particle, not particles");
    sluice_case_destroy(&c);
    t.shape[1].max[0] = 1.5;
    t.config.boundary.kind = SLUICE_BOUNDARY_MDBC;
    is_int(test_create(&c, &t, said), SLUICE_OK, "one of ghost nodes, that must be twice as thick");
    ok(c.warning_count == 1 && strstr(said, "5 particles thick along x, the kernel reaches over 3: "
                                            "with ghost nodes half"),
       "is warned about");
    diag("%s", said);
    sluice_case_destroy(&c);
    t.shape[1].max[0] = 1.2;
    t.config.boundary.kind = SLUICE_BOUNDARY_ADAMI;

    t.shape[2].min[1] = -1; /* the void now cuts the floor too */
    is_int(test_create(&c, &t, NULL), SLUICE_OK, "a void before the walls");
    is_int(c.start[SLUICE_WALL].count, 2 * 5 + 3 * 40, "does not cut walls that come after it");
    sluice_case_destroy(&c);
    const struct sluice_shape hole = t.shape[2];
    t.shape[5] = hole;
    t.config.shape_count = 6;
    is_int(test_create(&c, &t, NULL), SLUICE_OK, "a void after the walls");
    is_int(c.start[SLUICE_WALL].count, 2 * 5 + 3 * 35, "cuts a hole into them");
    sluice_case_destroy(&c);
}

/* Lattice points in a circle and a sphere, counted here by their distances; volumes by the closed
 * form. */
static void round_shapes(void)
{
    struct sluice_case c;
    long disc = 0, sphere = 0, shell = 0;
    begin(2, 0.04);
    t.config.gravity[1] = 0;
    t.config.initial_count = 0;
    t.config.fluid.sound_speed = 10;
    test_domain(&t, 2, 2, 0);
    t.config.domain.min[0] = t.config.domain.min[1] = -2;
    struct sluice_shape *s = test_shape(&t, SLUICE_SHAPE_DISC, FLUID);
    s->radius = 1;
    for (int j = -50; j < 50; j++)
        for (int i = -50; i < 50; i++)
            disc += (i + 0.5) * (i + 0.5) + (j + 0.5) * (j + 0.5) < 25 * 25;
    is_int(test_create(&c, &t, NULL), SLUICE_OK, "a disc");
    is_int(c.start[SLUICE_FLUID].count, disc, "lattice points in the circle");
    is_close(c.shapes[0].asked_mass, 3141.592653589793, 1e-9, "asked mass of a disc");
    is_close(c.shapes[0].actual_max[0], 1, 1e-12, "face of the disc");
    is_close(c.reference_energy, 0, 0, "no reference energy without gravity");
    sluice_case_destroy(&c);

    begin(3, 0.1);
    test_domain(&t, 4, 4, 4);
    s = test_shape(&t, SLUICE_SHAPE_SPHERE, WALL);
    s->fill = SLUICE_FILL_SHELL;
    s->radius = 1;
    s->centre[0] = s->centre[1] = s->centre[2] = 2;
    test_box(&t, FLUID, 0, 0, 0, 1, 1, 1);
    for (int k = -20; k < 20; k++)
        for (int j = -20; j < 20; j++)
            for (int i = -20; i < 20; i++) {
                const double d2 = (i + 0.5) * (i + 0.5) + (j + 0.5) * (j + 0.5) +
                                  (k + 0.5) * (k + 0.5);
                sphere += d2 < 100;
                shell += d2 < 100 && d2 > 49;
            }
    is_int(test_create(&c, &t, NULL), SLUICE_OK, "a sphere as a shell");
    is_int(c.start[SLUICE_WALL].count, shell, "three layers of it");
    t.shape[0].fill = SLUICE_FILL_SOLID;
    sluice_case_destroy(&c);
    is_int(test_create(&c, &t, NULL), SLUICE_OK, "a solid sphere");
    is_int(c.start[SLUICE_WALL].count, sphere, "all of it");
    sluice_case_destroy(&c);

    s->kind = SLUICE_SHAPE_CYLINDER;
    s->type = FLUID;
    s->axis = 1;
    s->length = 2;
    disc = 0;
    for (int j = -20; j < 20; j++)
        for (int i = -20; i < 20; i++)
            disc += (i + 0.5) * (i + 0.5) + (j + 0.5) * (j + 0.5) < 100;
    is_int(test_create(&c, &t, NULL), SLUICE_OK, "a cylinder along y");
    is_int(c.shapes[0].particles, 20 * disc, "its cross-section times its length");
    is_close(c.shapes[0].asked_mass, 1000 * 3.141592653589793 * 2, 1e-6,
             "asked mass of a cylinder");
    is_close(c.shapes[0].actual_min[1], 1, 1e-12, "snapped along its axis");
    sluice_case_destroy(&c);
}

/* Walls are judged by their volume as fluid is by its mass. A flat wall that is over 5% off is
 * refused, with the faces that fit; a round one gives a warning. */
static void volumes_of_walls(void)
{
    struct sluice_case c;
    begin(2, 0.1);
    test_domain(&t, 4, 2, 0);
    test_box(&t, FLUID, 0, 0, 0, 4, 1, 0);
    test_walls(&t, 1 | 2 | 4);
    struct sluice_shape *box = test_box(&t, WALL, 1, 0, 0, 1.25, 0.5, 0);
    REFUSED(&t, SLUICE_BAD_INPUT, "a plate of two and a half spacings", "box 3 (test.cfg:13)",
            "an area of 0.15 on the lattice instead of 0.125, 20% off (the limit is 5%)",
            "(it is 0.1)", "min = [1, 0], max = [1.3, 0.5]");
    box->max[0] = 1.05;
    REFUSED(&t, SLUICE_BAD_INPUT, "a plate of half a spacing", "100% off",
            "min = [1, 0], max = [1.1, 0.5]");
    box->max[0] = 2.02;
    is_int(test_create(&c, &t, said), SLUICE_OK, "an obstacle that is 2%% off");
    ok(c.warning_count == 1 && strstr(said, "0.5 on the lattice instead of 0.51, 2% off (over 1%)"),
       "is warned of: %s", said);
    is_close(c.shapes[2].asked_volume, 0.51, 1e-12, "its area as asked");
    is_close(c.shapes[2].actual_volume, 0.5, 1e-12, "and on the lattice");
    is_int(c.shapes[0].cut, 50, "the cells that it cuts from the water");
    sluice_case_destroy(&c);

    box->fill = SLUICE_FILL_SHELL; /* water sees the same solid */
    box->min[1] = -0.5;            /* and its part in the floor is a part of it */
    is_int(test_create(&c, &t, NULL), SLUICE_OK, "a shell that begins below the floor");
    is_close(c.shapes[2].asked_volume, 1.02, 1e-12, "the area of the solid, asked");
    is_close(c.shapes[2].actual_volume, 1, 1e-12, "and on the lattice");
    sluice_case_destroy(&c);

    memset(box, 0, sizeof *box);
    box->scale = 1;
    box->kind = SLUICE_SHAPE_DISC;
    box->type = WALL;
    box->radius = 0.25;
    box->centre[0] = 2;
    box->centre[1] = 0.5;
    strcpy(box->name, "pile");
    is_int(test_create(&c, &t, said), SLUICE_OK, "a disc of two and a half spacings");
    is_close(c.shapes[2].actual_volume, 16 * 0.01, 1e-12, "is a square of 4 x 4");
    ok(c.warning_count == 1 && strstr(said, "disc 3 'pile'") &&
           strstr(said, "0.16 on the lattice instead of 0.19635, 19% off (over 1%)") &&
           strstr(said, "its radius is 2.5 spacings"),
       "is warned of: %s", said);
    sluice_case_destroy(&c);
}

/* The space between walls is off where the upper one has moved. */
static void space_between_walls(void)
{
    struct sluice_case c;
    begin(2, 0.1);
    test_domain(&t, 4, 1.02, 0);
    test_box(&t, FLUID, 0, 0, 0, 4, 1, 0);
    test_walls(&t, 4);
    is_int(test_create(&c, &t, said), SLUICE_OK, "a tank that is open above");
    is_str(said, "", "the wall that is not there is nowhere else");
    sluice_case_destroy(&c);
    test_walls(&t, 8);
    is_int(test_create(&c, &t, said), SLUICE_OK, "one with a lid");
    ok(c.warning_count == 1 &&
           strstr(said, "walls 3 (test.cfg:13) encloses an area of 4 on the "
                        "lattice instead of 4.08, 2% off (over 1%)") &&
           strstr(said, "domain.max = [4, 1]"),
       "is warned of once: %s", said);
    sluice_case_destroy(&c);
    t.config.domain.max[1] = 0.34;
    t.shape[0].max[1] = 0.3;
    REFUSED(&t, SLUICE_BAD_INPUT, "a channel that is over 5% off", "walls 3 (test.cfg:13)",
            "12% off (the limit is 5%)", "domain.max = [4, 0.3]");
}

/* Shapes that are left without a cell. */
static void lost_shapes(void)
{
    struct sluice_case c;
    begin(2, 0.1);
    test_domain(&t, 4, 2, 0);
    test_box(&t, WALL, 1, 0, 0, 2, 0.5, 0);
    test_box(&t, FLUID, 0, 0, 0, 4, 1, 0);
    test_walls(&t, 4);
    is_int(test_create(&c, &t, said), SLUICE_OK, "an obstacle that the water comes after");
    ok(c.warning_count == 1 &&
           strstr(said, "nothing is left of box 1 (test.cfg:11): shapes that come after it take "
                        "all of its 50 cells"),
       "is warned of: %s", said);
    sluice_case_destroy(&c);
    t.shape[0].type = VOID;
    is_int(test_create(&c, &t, said), SLUICE_OK, "a void that the water comes after");
    ok(c.warning_count == 1 && strstr(said, "nothing is left of box 1"), "is warned of");
    sluice_case_destroy(&c);
    t.shape[0] = t.shape[1];
    struct sluice_shape *cut = &t.shape[1];
    cut->type = VOID;
    cut->min[0] = 1;
    cut->max[0] = 1.01;
    is_int(test_create(&c, &t, said), SLUICE_OK, "a void between two rows");
    ok(c.warning_count == 1 && strstr(said, "box 2 (test.cfg:12) is so small that it cuts nothing"),
       "is warned of: %s", said);
    sluice_case_destroy(&c);
    cut->max[0] = 1.25;
    is_int(test_create(&c, &t, said), SLUICE_OK, "a void of two and a half spacings");
    ok(c.warning_count == 1 && strstr(said, "20% off (over 1%)"), "is warned of: %s", said);
    is_int(c.shapes[0].cut, 30, "the cells that it cuts");
    sluice_case_destroy(&c);
}

static void periodic_lengths(void)
{
    struct sluice_case c;
    double x[3];
    begin(2, 0.03);
    t.config.gravity[1] = 0;
    t.config.initial_count = 0;
    t.config.fluid.sound_speed = 10;
    t.config.domain.periodic[0] = t.config.domain.periodic[1] = 1;
    test_domain(&t, 1, 2, 0);
    test_box(&t, FLUID, 0, 0, 0, 1, 2, 0);
    REFUSED(&t, SLUICE_BAD_INPUT, "a period that is no multiple of the spacing", "spacing",
            "along x", "33.333333", "0.0294117647 and 0.0303030303");
    test_domain(&t, 1, 0.999, 0);
    t.shape[0].max[1] = 0.999;
    REFUSED(&t, SLUICE_BAD_INPUT, "two periods of which no spacing near is a part",
            "no spacing near it fits all periodic lengths");
    test_domain(&t, 1, 2, 0);
    t.shape[0].max[1] = 2;
    t.config.spacing = 0.0333333; /* as typed by hand */
    is_int(test_create(&c, &t, said), SLUICE_OK, "a spacing rounded to six digits fits");
    is_str(said, "", "without a warning");
    is_int(c.start[SLUICE_FLUID].count, 30 * 60, "30 x 60 particles");
    test_x(&c, SLUICE_FLUID, 29, x);
    is_close(x[0], 1 - 1.0 / 60, 1e-14, "the rows share the period evenly");
    sluice_case_destroy(&c);
}

static void wrong_shapes(void)
{
    begin(2, 0.1);
    test_domain(&t, 1, 1, 0);
    REFUSED(&t, SLUICE_BAD_INPUT, "no fluid", "no fluid particles");
    test_box(&t, FLUID, 0, 0, 0, 1.5, 1, 0);
    REFUSED(&t, SLUICE_BAD_INPUT, "fluid beyond the domain", "box 1 (test.cfg:11)", "x = 1.5",
            "domain.max = 1");
    t.shape[0].max[0] = 1;
    t.config.gravity[1] = 0;
    t.config.initial_count = 0;
    REFUSED(&t, SLUICE_BAD_INPUT, "a sound speed out of nothing", "fluid.sound_speed", "gravity");
    t.config.gravity[1] = -9.81;
    t.config.initial_count = 1;
    t.config.spacing = 1e-8;
    REFUSED(&t, SLUICE_BAD_INPUT, "more particles than ids", "about 1e+16 particles",
            SLUICE_ID_MAX_TEXT);
    t.config.spacing = 1.6e-5;
    REFUSED(&t, SLUICE_DEVICE, "more particles than memory", "about 3.906e+09 particles", "GB",
            "spacing");
    strcpy(t.probe[0].name, "P");
    strcpy(t.probe[0].on, "nothing");
    t.config.probe_count = 1;
    t.config.spacing = 0.1;
    REFUSED(&t, SLUICE_BAD_INPUT, "a probe on no shape", "probe 'P'", "'nothing'");
}

int main(void)
{
    dam_break_2d();
    closed_box();
    spheric_2();
    masses();
    later_shapes_win();
    round_shapes();
    volumes_of_walls();
    space_between_walls();
    lost_shapes();
    periodic_lengths();
    wrong_shapes();
    return done_testing();
}
