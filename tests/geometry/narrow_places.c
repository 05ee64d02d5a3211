/* test: 1 s */
/* Gaps and plates that are too narrow for the kernel, of all shapes: how wide, and where. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "geometry/narrow.h"
#include "support/case_config.h"

enum { FLUID = SLUICE_SHAPE_FLUID, WALL = SLUICE_SHAPE_WALL, VOID = SLUICE_SHAPE_VOID };
enum { GAP = SLUICE_NARROW_GAP, PLATE = SLUICE_NARROW_PLATE, FLOOR = SLUICE_NARROW_FLOOR };
static struct test_config t;
static struct sluice_case c;
static struct sluice_narrow *found;
static int64_t count;
static char said[4096], file[64];

/* Spacing 0.05, the kernel reaches over 0.15: limits of 0.15. */
static void begin(int dimension)
{
    test_wcsph(&t, dimension, 0.05);
    test_domain(&t, 4, 2, dimension == 3 ? 2 : 0);
    test_box(&t, FLUID, 0, 0, 0, 4, 2, dimension == 3 ? 2 : 0);
}

static struct sluice_shape *wall(int kind)
{
    struct sluice_shape *s = test_shape(&t, kind, WALL);
    s->from = -SLUICE_FAR;
    s->to = SLUICE_FAR;
    s->axis = 2;
    return s;
}

static struct sluice_shape *polygon(int n, const double (*point)[2])
{
    struct sluice_shape *s = wall(SLUICE_SHAPE_POLYGON);
    s->points.count = n;
    memcpy(s->points.at, point, (size_t)n * sizeof *point);
    return s;
}

static struct sluice_shape *round_wall(int kind, double x, double y, double z, double radius)
{
    struct sluice_shape *s = wall(kind);
    s->centre[0] = x;
    s->centre[1] = y;
    s->centre[2] = z;
    s->radius = radius;
    return s;
}

static void seek(const char *what)
{
    const struct sluice_narrow_limits limits = {0.15, 0.15, 0.15};
    free(found);
    found = NULL;
    count = 0;
    if (!is_int(test_create(&c, &t, said), SLUICE_OK, what)) {
        diag("%s", sluice_message());
        return;
    }
    if (sluice_geometry_find_narrow(&c.geometry, &limits, &found, &count) != SLUICE_OK)
        diag("%s", sluice_message());
    sluice_case_destroy(&c);
}

static void show(void)
{
    for (int64_t i = 0; i < count; i++)
        diag("kind %d, width %g at (%g, %g, %g), shapes %d and %d, %lld places", found[i].kind,
             found[i].width, found[i].x[0], found[i].x[1], found[i].x[2], found[i].shape,
             found[i].other, (long long)found[i].places);
    diag("%s", said);
}

/* Nothing, or one place of this kind and width. Its middle is at x, y and z; NAN: anywhere along
 * that axis. */
static void is_one(int kind, double width, double x, double y, double z, const char *what)
{
    const double at[3] = {x, y, z};
    int right = count == 1 && found[0].kind == kind && found[0].width >= width - 1e-6 &&
                found[0].width < width + 1e-6;
    for (int a = 0; a < 3 && right; a++)
        right = isnan(at[a]) || fabs(found[0].x[a] - at[a]) < 0.03;
    if (!ok(right, "%s: one, %g wide", what, width))
        show();
}

static void is_none(const char *what)
{
    if (!ok(count == 0, "%s: none", what))
        show();
}

static void plates(void)
{
    begin(2);
    struct sluice_shape *s = test_box(&t, WALL, 1, 0.9, 0, 2, 1, 0);
    seek("a plate on the lattice");
    is_one(PLATE, 0.1, NAN, 0.95, 0, "box");
    ok(found && found[0].axis == 1, "across y");
    ok(strstr(said, "box 2 (test.cfg:12) is 2 particles thick along y, the kernel reaches over 3"),
       "warns: %s", said);
    s->rotation_degrees = 17;
    seek("the same, turned by 17 degrees");
    is_one(PLATE, 0.1, NAN, NAN, 0, "turned box");
    ok(strstr(said, "box 2 (test.cfg:12) is 2 spacings thick, 0.1 m"), "is warned of: %s", said);
    s->min[1] = 0.8;
    seek("a plate of four spacings");
    is_none("thick enough");
    t.config.boundary.kind = SLUICE_BOUNDARY_MDBC;
    seek("with ghost nodes");
    ok(strstr(said, "4 spacings thick") && strstr(said, "ghost nodes"), "it is too thin: %s", said);

    begin(2);
    static const double fin[8][2] = {{0.5, 0},    {2, 0},      {2, 0.5},   {1.5, 0.5},
                                     {1.55, 1.5}, {1.45, 1.5}, {1.4, 0.5}, {0.5, 0.5}};
    test_walls(&t, 4);
    polygon(8, fin);
    seek("a fin on a block");
    is_one(PLATE, 0.1 / sqrt(1.0025), NAN, NAN, 0, "fin");

    begin(2);
    static const double blade[4][2] = {{1, 0.5}, {2.5, 1.1}, {2.49, 1.115}, {0.99, 0.515}};
    polygon(4, blade);
    seek("a blade so thin that the lattice loses it in places");
    is_one(PLATE, (1.5 * 0.015 + 0.01 * 0.6) / hypot(1.5, 0.6), NAN, NAN, 0, "blade");
    ok(strstr(said, "spacings thick") && strstr(said, "polygon 2"), "warns: %s", said);

    begin(2);
    static const double wedge[3][2] = {{1, 0.5}, {2, 0.5}, {1.5, 1.8}};
    polygon(3, wedge);
    seek("a wedge of 2 atan(5/13) = 42 degrees");
    ok(count == 1 && found[0].kind == PLATE && fabs(found[0].edge - 2 * atan(5 / 13.0)) < 1e-6,
       "one edge, and its angle");
    ok(strstr(said, "polygon 2 (test.cfg:12) ends in an edge of 42 degrees: where it is thinner "
                    "than 3 spacings, fluid") &&
           !strstr(said, "spacings thick"),
       "warns of an edge: %s", said);
    static const double rhomb[4][2] = {{0.5, 1}, {2, 0.7}, {3.5, 1}, {2, 1.3}};
    begin(2);
    polygon(4, rhomb);
    seek("a rhomb with two edges of 23 degrees");
    const char *edge = strstr(said, "ends in an edge of 23 degrees, one of 2 such edges");
    ok(count == 2 && edge && !strstr(edge + 12, "edge of"), "both are in one warning: %s", said);
    /* The lattice meets the wide edge nearer to its tip, so its place is the narrowest one. */
    static const double kite[4][2] = {{0.525, 1}, {1.1, 0.84}, {2.525, 1}, {1.1, 1.16}};
    begin(2);
    polygon(4, kite);
    seek("a kite with edges of 31 and 13 degrees");
    ok(count == 2 && found[0].edge > found[1].edge, "the narrowest place is at the wide edge");
    edge = strstr(said, "ends in an edge of 13 degrees, one of 2 such edges");
    ok(edge && !strstr(edge + 12, "edge of"), "only the sharpest edge is warned of: %s", said);
    static const double blunt[4][2] = {{1, 0.5}, {2, 0.5}, {1.52, 1.8}, {1.48, 1.8}};
    begin(2);
    polygon(4, blunt);
    seek("a wedge whose end is 0.04 wide");
    ok(count == 1 && found[0].edge == 0 && strstr(said, "spacings thick"), "is a plate: %s", said);

    begin(2);
    round_wall(SLUICE_SHAPE_DISC, 1, 1, 0, 0.06);
    seek("a thin post");
    is_one(PLATE, 0.12, 1, 1, 0, "disc");

    begin(2);
    round_wall(SLUICE_SHAPE_DISC, 1.5, 1, 0, 0.5)->type = SLUICE_SHAPE_PART;
    strcpy(t.shape[1].name, "hole");
    s = test_box(&t, WALL, 0.9, 0, 0, 2.1, 2, 0);
    strcpy(s->without, "hole");
    test_walls(&t, 12);
    seek("a box without a disc");
    ok(count == 2 && found[1].kind == PLATE && fabs(found[0].width - 0.1) < 2e-3 &&
           fabs(found[0].x[0] + found[1].x[0] - 3) < 1e-6 && fabs(found[0].x[1] - 1) < 0.03,
       "both sides of the hole are found");
}

/* Walls and gaps that are wide enough give no warning. */
static void enough(void)
{
    static const double beach[3][2] = {{1.5, 0}, {4, 0}, {4, 1.25}},
                        diamond[4][2] = {{1, 0.2}, {1.6, 0.8}, {1, 1.4}, {0.4, 0.8}};
    begin(2);
    polygon(3, beach);
    test_walls(&t, 7);
    seek("a beach on a floor, in a tank");
    is_none("beach");
    begin(2);
    polygon(4, diamond);
    round_wall(SLUICE_SHAPE_DISC, 2.5, 1, 0, 0.5);
    test_walls(&t, 15);
    seek("a diamond and a disc");
    is_none("corners of 90 degrees, and a round one");
    begin(2);
    for (int i = 0; i < 4; i++)
        test_box(&t, WALL, 1 + 0.1 * i, 0, 0, 1.1 + 0.1 * i, 1, 0);
    seek("thin boxes side by side");
    is_none("one thick wall");
    begin(2);
    test_box(&t, WALL, 0, 0, 0, 4, 0.1, 0);
    seek("a floor of two layers, on the open end of the domain");
    is_one(FLOOR, 0.1, NAN, 0.05, 0, "floor");
    t.shape[1].max[1] = 0.15;
    seek("of three layers");
    is_none("floor");
}

/* Bodies move, so only plates and gaps within one body count. */
static void bodies(void)
{
    struct sluice_geometry *g = &c.geometry;
    const struct sluice_narrow_limits limits = {0.15, 0.15, 0.15};
    struct sluice_warnings warnings = {0};
    begin(2);
    test_box(&t, WALL, 1, 0.5, 0, 1.5, 1, 0);
    test_box(&t, WALL, 1.6, 0.5, 0, 2.1, 1, 0);
    test_box(&t, WALL, 3, 0.5, 0, 3.1, 1, 0);
    for (int other = 2; other >= 1; other--) {
        free(found);
        t.shape[1].body = 1;
        t.shape[2].body = other;
        t.shape[3].body = 3;
        is_int(sluice_geometry_create(g, &t.config, 3, &warnings), SLUICE_OK,
               "two boxes 0.1 apart, and a thin one");
        is_int(sluice_geometry_find_narrow(g, &limits, &found, &count), SLUICE_OK, "looked for");
        int gap = 0, plate = 0;
        for (int64_t i = 0; i < count; i++) {
            gap += found[i].kind == GAP;
            plate += found[i].kind == PLATE && found[i].shape == 3;
        }
        is_int(gap, other == 1, other == 1 ? "the gap within a body" : "no gap of two bodies");
        is_int(plate, 1, "and the thin body");
        sluice_geometry_destroy(g);
        t.shape[1].body = t.shape[2].body = t.shape[3].body = 0;
    }
}

static void gaps(void)
{
    static const double left[4][2] = {{0.5, 0.3}, {1.5, 0.3}, {1.7, 1.3}, {0.5, 1.3}},
                        right[4][2] = {{1.6, 0.3}, {2.5, 0.3}, {2.5, 1.3}, {1.8, 1.3}};
    begin(2);
    polygon(4, left);
    polygon(4, right);
    seek("two polygons side by side");
    is_one(GAP, 0.1 / sqrt(1.04), NAN, NAN, 0, "oblique gap");
    ok(found && found[0].shape == 1 && found[0].other == 2 && found[0].places > 20, "of both");
    ok(strstr(said, "between polygon 2 (test.cfg:12) and polygon 3 (test.cfg:13)") &&
           strstr(said, "1.96 spacings"),
       "warns: %s", said);

    begin(2);
    round_wall(SLUICE_SHAPE_DISC, 1, 1, 0, 0.4);
    round_wall(SLUICE_SHAPE_DISC, 1.88, 1, 0, 0.4);
    seek("two discs");
    is_one(GAP, 0.08, 1.44, 1, 0, "between discs");

    begin(2);
    round_wall(SLUICE_SHAPE_DISC, 1.013, 1.008, 0, 0.17);
    round_wall(SLUICE_SHAPE_DISC, 1.437, 1.017, 0, 0.17);
    seek("two small discs off the lattice");
    is_one(GAP, hypot(0.424, 0.009) - 0.34, 1.225, 1.0125, 0, "between small discs");

    begin(2);
    test_box(&t, WALL, 1, 0.5, 0, 3, 1.5, 0);
    struct sluice_shape *s = test_box(&t, VOID, 0.5, 0.95, 0, 3.5, 1.05, 0);
    s->rotation_degrees = 5;
    s->move[1] = -0.17;
    seek("a slot that a turned void cuts");
    is_one(GAP, 0.1, NAN, NAN, 0, "slot");

    begin(2);
    s = wall(SLUICE_SHAPE_HALF_SPACE);
    s->normal[0] = -1;
    s->centre[0] = 3.9;
    test_walls(&t, 1);
    round_wall(SLUICE_SHAPE_DISC, 0.37, 1, 0, 0.3);
    seek("a disc beside the domain's wall, and a half-space that goes on beyond its open end");
    is_one(GAP, 0.07, 0.035, 1, 0, "disc and wall");

    begin(2);
    t.config.domain.periodic[0] = 1;
    test_box(&t, WALL, 0, 0, 0, 0.5, 1, 0);
    static const double across[4][2] = {{3, 0}, {3.9, 0}, {3.9, 1}, {3, 1}};
    polygon(4, across);
    seek("a gap through the period");
    is_one(GAP, 0.1, 3.95, NAN, 0, "periodic");

    begin(2);
    test_walls(&t, 12);
    t.shape[0].max[1] = t.config.domain.max[1] = 0.1;
    seek("a channel of two particles");
    is_one(GAP, 0.1, NAN, 0.05, 0, "between walls of the domain");
}

static void write_file(const char *suffix, const char *text)
{
    snprintf(file, sizeof file, "/tmp/sluice-narrow-places-%d%s", (int)getpid(), suffix);
    FILE *out = fopen(file, "w");
    fputs(text, out);
    fclose(out);
}

static void deep(void)
{
    begin(3);
    struct sluice_shape *s = round_wall(SLUICE_SHAPE_CONE, 1, 1, 1, 0.5);
    s->length = 1;
    s->top_radius = 0.3;
    s = test_box(&t, WALL, 1.45, 0.5, 0.5, 2.5, 1.5, 1.5);
    s->rotation_degrees = 0;
    seek("a cone beside a box");
    ok(count == 1 && found[0].kind == GAP && found[0].width < 0.01,
       "the wedge between the two is found");
    t.shape[2].min[0] = 1.6;
    seek("a cone that a gap parts from a box");
    is_one(GAP, 0.1, 1.55, 1, 0.5, "cone");

    begin(3);
    write_file(".obj", "v 0.5 0.5 0.5\nv 1.5 0.5 0.5\nv 1.5 0.6 0.5\nv 0.5 0.6 0.5\n"
                       "v 0.5 0.5 1.5\nv 1.5 0.5 1.5\nv 1.5 0.6 1.5\nv 0.5 0.6 1.5\n"
                       "f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n");
    s = wall(SLUICE_SHAPE_MESH);
    strcpy(s->surface, file);
    s->rotation_degrees = 20;
    s->rotation_axis[2] = 1;
    seek("a plate from a file");
    is_one(PLATE, 0.1, NAN, NAN, NAN, "mesh");
    unlink(file);

    begin(3);
    write_file(".csv", "x,z\n0,0.2\n1,0.2\n1.001,1\n1.101,1\n1.102,0.2\n4,0.2\n");
    s = wall(SLUICE_SHAPE_HEIGHTFIELD);
    strcpy(s->surface, file);
    test_walls(&t, 16);
    seek("a thin ridge on the ground");
    ok(count == 1 && found[0].kind == PLATE && fabs(found[0].width - 0.1) < 3e-3, "heightfield");
    show();
    unlink(file);

    begin(3);
    s = round_wall(SLUICE_SHAPE_CYLINDER, 1, 1, 1, 0.5);
    s->length = 0.1;
    s->rotation_degrees = 30;
    s->rotation_axis[0] = 1;
    s->move[1] = 0.6;
    s->move[2] = -0.5;
    seek("a turned coin");
    is_one(PLATE, 0.1, NAN, NAN, NAN, "cylinder");
    s = round_wall(SLUICE_SHAPE_SPHERE, 2.5, 1, 1, 0.5);
    t.shape[1].type = VOID;
    t.shape[1].rotation_degrees = 0;
    t.shape[1].move[1] = t.shape[1].move[2] = 0;
    t.shape[1].radius = 0.05;
    t.shape[1].length = 4;
    t.shape[1].axis = 0;
    t.shape[1].centre[0] = 2.5;
    const struct sluice_shape hole = t.shape[1];
    t.shape[1] = *s;
    t.shape[2] = hole;
    seek("a thin pipe through a ball");
    is_one(GAP, 0.1, NAN, 1, 1, "pipe");
}

int main(void)
{
    plates();
    enough();
    gaps();
    bodies();
    deep();
    free(found);
    return done_testing();
}
