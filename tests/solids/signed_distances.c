/* test: 3 s */
/* Solids: signed distances of shapes, what is inside, combinations, and ghost nodes in surfaces. */
#include <stdio.h>
#include <unistd.h>

#include "surface/surface.h"
#include "support/case_config.h"

enum { FLUID = SLUICE_SHAPE_FLUID, WALL = SLUICE_SHAPE_WALL, VOID = SLUICE_SHAPE_VOID };
static struct test_config t;
static struct sluice_case c;
static unsigned long long seed = 1;

/* From 0 to 1, the same in each run. */
static double number(void)
{
    seed = seed * 6364136223846793005ull + 1442695040888963407ull;
    return (double)(seed >> 11) * 0x1p-53;
}

static void begin(int dimension)
{
    test_wcsph(&t, dimension, 0.05);
    test_domain(&t, 4, dimension == 3 ? 3 : 2, dimension == 3 ? 2 : 0);
}

static double distance_at(const struct sluice_shape *s, double x, double y, double z, double way[3])
{
    const double at[3] = {x, y, z};
    struct sluice_warnings warnings = {0};
    struct sluice_solid solid;
    if (sluice_solid_create(&solid, &t.config, s, &warnings) != SLUICE_OK)
        return NAN;
    const double d = sluice_solid_distance(&solid, at, way);
    sluice_solid_destroy(&solid);
    return d;
}

static void is_far(const struct sluice_shape *s, double x, double y, double z, double wanted,
                   const char *what)
{
    double way[3];
    is_close(distance_at(s, x, y, z, way), wanted, 1e-12, what);
}

/* What every distance has: the way has its length and leads to the surface, the distance does not
 * change faster than the place, its sign agrees with the volume, and the surface just fills the
 * extent. */
static void obeys_the_rules(const struct sluice_shape *s, const char *what)
{
    enum { POINTS = 20000 };
    const int dimension = t.config.dimension;
    struct sluice_warnings warnings = {0};
    struct sluice_solid solid;
    double off = 0, steep = 0, on = 0, box = 1, before[3] = {0}, last = 0, loose = 0;
    double least[3] = {INFINITY, INFINITY, INFINITY}, most[3] = {-INFINITY, -INFINITY, -INFINITY};
    int inside = 0;
    if (!is_int(sluice_solid_create(&solid, &t.config, s, &warnings), SLUICE_OK, what)) {
        diag("%s", sluice_message());
        return;
    }
    for (int a = 0; a < dimension; a++)
        box *= solid.high[a] - solid.low[a] + 0.4;
    for (int i = 0; i < POINTS; i++) {
        double x[3] = {0}, way[3], end[3] = {0}, rest[3], apart2 = 0;
        for (int a = 0; a < dimension; a++)
            x[a] = solid.low[a] - 0.2 + (solid.high[a] - solid.low[a] + 0.4) * number();
        const double d = sluice_solid_distance(&solid, x, way);
        for (int a = 0; a < dimension; a++) {
            end[a] = x[a] + way[a];
            apart2 += (x[a] - before[a]) * (x[a] - before[a]);
            least[a] = fmin(least[a], end[a]);
            most[a] = fmax(most[a], end[a]);
        }
        off = fmax(off, fabs(sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]) - fabs(d)));
        on = fmax(on, fabs(sluice_solid_distance(&solid, end, rest)));
        if (i > 0)
            steep = fmax(steep, fabs(d - last) / sqrt(apart2));
        last = d;
        memcpy(before, x, sizeof x);
        inside += d < 0;
    }
    const double counted = box * inside / POINTS;
    for (int a = 0; a < dimension; a++)
        loose = fmax(loose, fmax(fabs(least[a] - solid.low[a]), fabs(most[a] - solid.high[a])));
    if (!ok(off < 1e-12 && on < 1e-9 && loose < 0.02 && steep < 1 + 1e-9 &&
                fabs(counted / solid.volume - 1) < 0.05,
            "%s: a distance in every way, of the right volume", what))
        diag("way off by %g, ends off by %g, extent by %g, slope %g, volume %g counted, %g", off,
             on, loose, steep, counted, solid.volume);
    sluice_solid_destroy(&solid);
}

static struct sluice_shape *shape_of(int kind)
{
    struct sluice_shape *s = test_shape(&t, kind, WALL);
    s->centre[0] = s->centre[1] = 1;
    s->centre[2] = t.config.dimension == 3;
    s->radius = 0.5;
    s->length = 0.8;
    s->axis = 2;
    s->from = -SLUICE_FAR;
    s->to = SLUICE_FAR;
    return s;
}

static void set_points(struct sluice_shape *s, int count, const double (*point)[2])
{
    s->points.count = count;
    memcpy(s->points.at, point, (size_t)count * sizeof *point);
}

static const double notch[6][2] = {{0, 0}, {2, 0}, {2, 1}, {1.5, 1}, {1, 0.25}, {0.5, 1}};

static void flat(void)
{
    begin(2);
    struct sluice_shape *s = test_box(&t, WALL, 1, 1, 0, 2, 1.5, 0);
    is_far(s, 1.5, 1.4, 0, -0.1, "inside a box, to the nearest face");
    is_far(s, 2.3, 1.9, 0, 0.5, "outside, to the corner");
    obeys_the_rules(s, "box in 2-D");
    s->rotation_degrees = 17;
    s->scale = 0.7;
    s->move[0] = 0.3;
    obeys_the_rules(s, "the same, scaled, turned and moved");
    s->rotation_degrees = 90;
    s->scale = 2;
    is_far(s, 0.3 - 2.5, 3, 0, -0.5, "scaled, then turned, then moved");
    s = shape_of(SLUICE_SHAPE_DISC);
    is_far(s, 1.3, 1.4, 0, 0, "on a disc's edge");
    obeys_the_rules(s, "disc");
    s = shape_of(SLUICE_SHAPE_POLYGON);
    set_points(s, 6, notch);
    is_far(s, 1, 0.1, 0, -0.1, "below the notch of a polygon, to its foot");
    is_far(s, 1, 1.2, 0, 0.95 * 0.5 / sqrt(0.8125), "above it, to an edge beside it");
    obeys_the_rules(s, "polygon");
    for (int k = 0; k < 6; k++)
        memcpy(s->points.at[k], notch[5 - k], sizeof notch[k]);
    obeys_the_rules(s, "a polygon given clockwise");
    s = shape_of(SLUICE_SHAPE_HALF_SPACE);
    s->normal[0] = -3;
    s->normal[1] = 4;
    is_far(s, 1, 2, 0, 0.8, "outside a half-space");
    is_far(s, 2, 1, 0, -0.6, "inside it");
}

static void deep(void)
{
    begin(3);
    struct sluice_shape *s = test_box(&t, WALL, 1, 1, 1, 2, 1.5, 1.8);
    obeys_the_rules(s, "box in 3-D");
    s->rotation_degrees = 30;
    s->rotation_axis[0] = 1;
    s->rotation_axis[1] = 1;
    obeys_the_rules(s, "the same, turned");
    obeys_the_rules(shape_of(SLUICE_SHAPE_SPHERE), "sphere");
    s = shape_of(SLUICE_SHAPE_CYLINDER);
    is_far(s, 1.1, 1, 1.35, -0.05, "inside a cylinder, to its end");
    is_far(s, 1.8, 1, 1.8, 0.5, "outside, to the rim");
    obeys_the_rules(s, "cylinder");
    s->axis = 0;
    obeys_the_rules(s, "a cylinder along x");
    s = shape_of(SLUICE_SHAPE_CONE);
    obeys_the_rules(s, "cone with a tip");
    s->top_radius = 0.8;
    s->axis = 1;
    obeys_the_rules(s, "cone that widens");
    for (int axis = 0; axis < 3; axis++) {
        s = &t.shape[0]; /* again: room for eight is few */
        s->kind = SLUICE_SHAPE_POLYGON;
        s->rotation_degrees = 0;
        s->axis = axis;
        s->from = 0.5;
        s->to = 1.25;
        set_points(s, 6, notch);
        obeys_the_rules(s, "prism");
    }
    s->from = -SLUICE_FAR;
    s->to = SLUICE_FAR;
    s->axis = 1;
    is_far(s, 1, 1e6, 0.1, -0.1, "a prism without ends");
}

/* --- Ground from a table --- */

static char path[64];

static void write_table(const char *text)
{
    snprintf(path, sizeof path, "/tmp/sluice-signed-distances-%d.csv", (int)getpid());
    FILE *out = fopen(path, "w");
    fputs(text, out);
    fclose(out);
}

static void ground(void)
{
    begin(2);
    struct sluice_shape *s = shape_of(SLUICE_SHAPE_HEIGHTFIELD);
    write_table("# a beach\nx, y\n0, 0.2\n2, 0.2\n4, 1.2\n");
    strcpy(s->surface, path);
    const double slope = sqrt(1.25);
    is_far(s, 1, 0.5, 0, 0.3, "above level ground");
    is_far(s, 3, 1, 0, 0.3 / slope, "above a slope");
    is_far(s, 3, 0.2, 0, -0.5 / slope, "beneath it");
    is_far(s, 50, 1.3, 0, 0.1, "beyond the table the ground is level");
    is_far(s, 1, -3, 0, -3.2, "and has no end below");

    begin(3);
    s = shape_of(SLUICE_SHAPE_HEIGHTFIELD);
    write_table("x z\n0 0.2\n2 0.2\n4 1.2\n");
    strcpy(s->surface, path);
    is_far(s, 3, 77, 1, 0.3 / slope, "a line of heights in 3-D");
    write_table("y,x,z\n0,2,0.2\n3,4,1.2\n0,0,0.2\n3,0,0.2\n0,4,1.2\n3,2,0.2\n");
    double off = 0, way[3];
    struct sluice_shape grid = *s;
    for (int i = 0; i < 200; i++) {
        const double x = 4 * number(), y = 3 * number(), z = 2 * number();
        write_table("x z\n0 0.2\n2 0.2\n4 1.2\n");
        const double line = distance_at(s, x, y, z, way);
        write_table("y,x,z\n0,2,0.2\n3,4,1.2\n0,0,0.2\n3,0,0.2\n0,4,1.2\n3,2,0.2\n");
        off = fmax(off, fabs(distance_at(&grid, x, y, z, way) - line));
    }
    ok(off < 1e-9, "a grid of the same heights, in any order of its rows, agrees (off by %g)", off);

    static const char *const wrong[][2] = {
        {"x,z\n1,0\n0,0\n", ":3: x = 0 is not above that of the row before, 1"},
        {"x,y,z\n0,0,0\n1,0,0\n0,1,0\n", "no grid"},
        {"x,y,z\n0,0,0\n1,0,0\n0,1,0\n2,1,0\n", ":5: the heights are no grid"},
        {"x,y,z\n0,0,0\n0,0,1\n1,0,0\n1,1,0\n", ":3: x = 0, y = 0 appears twice"},
        {"x,y\n0,0\n1,1\n", "need"},
        {"x,z\n0,nan\n", ":2: number 2"},
        {"x,z\n0,1\n", "give two or more"},
        {"x,w\n", "column 'w' is unknown"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        write_table(wrong[i][0]);
        const double d = distance_at(s, 0, 0, 0, way);
        const char *word = strcmp(wrong[i][1], "need") == 0 ? "have the columns" : wrong[i][1];
        if (!ok(isnan(d) && strstr(sluice_message(), word), "a table is refused: %s", word))
            diag("%g: %s", d, sluice_message());
    }
    unlink(path);
}

/* --- On the lattice --- */

static int64_t owned_by_hand(const struct sluice_geometry *g, int shape)
{
    int64_t count = 0, cell[3] = {0, 0, 0};
    double way[3];
    const int64_t deep_cells = g->dimension == 3 ? g->n[2] : 1;
    for (cell[2] = 0; cell[2] < deep_cells; cell[2]++)
        for (cell[1] = 0; cell[1] < g->n[1]; cell[1]++)
            for (cell[0] = 0; cell[0] < g->n[0]; cell[0]++) {
                const double x[3] = {sluice_geometry_centre(g, 0, cell[0]),
                                     sluice_geometry_centre(g, 1, cell[1]),
                                     sluice_geometry_centre(g, 2, cell[2])};
                const int in = sluice_geometry_distance(g, shape, x, way) <= 1e-9 * g->spacing;
                count += in == sluice_geometry_owns(g, shape, cell);
            }
    return count - g->n[0] * g->n[1] * deep_cells;
}

static int is_refused(const char *words)
{
    const int refused = test_create(&c, &t, NULL) != SLUICE_OK;
    if (!refused)
        sluice_case_destroy(&c);
    return refused && strstr(sluice_message(), words);
}

static void build(const char *what)
{
    if (!is_int(test_create(&c, &t, NULL), SLUICE_OK, what))
        diag("%s", sluice_message());
}

static void cells(void)
{
    begin(2);
    test_box(&t, FLUID, 0, 0, 0, 4, 2, 0);
    struct sluice_shape *s = shape_of(SLUICE_SHAPE_POLYGON);
    set_points(s, 6, notch);
    s->rotation_degrees = 20;
    s->move[0] = 1;
    s->fill = SLUICE_FILL_SOLID;
    build("a turned polygon in water");
    is_int(owned_by_hand(&c.geometry, 1), 0, "owns the cells whose centres it contains");
    is_close(c.shapes[1].asked_volume, 1.375, 1e-12, "its area as asked");
    is_close(c.shapes[1].actual_volume, 1.375, 0.02, "and on the lattice");
    is_int(c.shapes[0].cut, c.shapes[1].particles, "it cuts the water");
    sluice_case_destroy(&c);
    s->fill = SLUICE_FILL_SHELL;
    build("the same as a shell");
    int64_t near = 0;
    for (int64_t i = 0; i < c.start[SLUICE_WALL].count; i++) {
        double x[3], way[3];
        test_x(&c, SLUICE_WALL, i, x);
        near += sluice_geometry_distance(&c.geometry, 1, x, way) >=
                -c.wall_layers * t.config.spacing;
    }
    is_int(near, c.start[SLUICE_WALL].count, "has particles within its layers alone");
    ok(near < c.shapes[0].cut, "and is hollow");
    sluice_case_destroy(&c);

    begin(3);
    t.config.spacing = 0.1;
    test_box(&t, FLUID, 0, 0, 0, 4, 3, 1.5);
    strcpy(shape_of(SLUICE_SHAPE_SPHERE)->name, "ball");
    t.shape[1].type = SLUICE_SHAPE_PART;
    s = test_box(&t, WALL, 0.5, 0.5, 0.5, 1, 1.5, 1.5);
    strcpy(s->without, "ball");
    s->fill = SLUICE_FILL_SOLID;
    s = test_box(&t, WALL, 1, 0.5, 0.5, 1.5, 1.5, 1.5);
    strcpy(s->within, "ball");
    s->fill = SLUICE_FILL_SOLID;
    build("boxes with and without a ball");
    is_int(c.shapes[1].particles, 0, "the ball is a part, and fills nothing");
    is_int(c.shapes[2].particles + c.shapes[3].particles, 5 * 10 * 10,
           "both halves are as many particles as a box");
    ok(c.shapes[2].particles > 0 && c.shapes[2].particles < 300, "the first has its edges");
    is_int(owned_by_hand(&c.geometry, 2) + owned_by_hand(&c.geometry, 3), 0,
           "and the distances agree");
    sluice_case_destroy(&c);
}

/* A wall on a slope: each ghost node is the mirror image in the slope itself. */
static void slopes(void)
{
    begin(2);
    t.config.boundary.kind = SLUICE_BOUNDARY_MDBC;
    test_box(&t, FLUID, 0, 0, 0, 4, 1, 0);
    struct sluice_shape *s = shape_of(SLUICE_SHAPE_HALF_SPACE);
    s->normal[0] = -1;
    s->normal[1] = 2;
    s->centre[0] = 2;
    s->centre[1] = 0.5;
    s->fill = SLUICE_FILL_SHELL;
    build("a slope of 1:2 under water");
    int64_t right = 0, all = 0;
    for (int64_t i = 0; i < c.start[SLUICE_WALL].count; i++) {
        double x[3], g[3];
        test_x(&c, SLUICE_WALL, i, x);
        test_x(&c, SLUICE_GHOST, i, g);
        if (x[0] < 0.5 || x[0] > 3.5 || x[1] < 0)
            continue; /* where the domain ends */
        const double depth = (-(x[0] - 2) + 2 * (x[1] - 0.5)) / sqrt(5);
        all++;
        right += fabs(g[0] - (x[0] + 2 * depth / sqrt(5))) < 1e-9 &&
                 fabs(g[1] - (x[1] - 4 * depth / sqrt(5))) < 1e-9;
    }
    ok(all > 100, "has %lld particles", (long long)all);
    is_int(right, all, "and all their nodes are images in its face");
    sluice_case_destroy(&c);

    t.shape[1].rotation_degrees = 20;
    build("and turned by 20 degrees");
    ok(c.start[SLUICE_WALL].count > 100, "it is still there");
    sluice_case_destroy(&c);

    begin(2);
    t.config.boundary.kind = SLUICE_BOUNDARY_MDBC;
    test_box(&t, WALL, 0, 0, 0, 4, 0.5, 0);
    static const double above[4][2] = {{0, 0.52}, {4, 0.52}, {4, 1.5}, {0, 1.5}};
    set_points(shape_of(SLUICE_SHAPE_POLYGON), 4, above);
    t.shape[1].type = FLUID;
    build("water that begins half a spacing above a flat wall");
    right = all = 0;
    for (int64_t i = 0; i < c.start[SLUICE_WALL].count; i++) {
        double x[3], g[3];
        test_x(&c, SLUICE_WALL, i, x);
        test_x(&c, SLUICE_GHOST, i, g);
        all += x[1] > 0.35; /* within the kernel's reach */
        right += x[1] > 0.35 && fabs(g[1] - (1 - x[1])) < 1e-9;
    }
    is_int(right, all, "the wall mirrors in its own face");
    sluice_case_destroy(&c);
}

/* What cannot be filled says why. */
static void refusals(void)
{
    static const double bow[4][2] = {{0.1, 0.1}, {1, 0.8}, {1, 0.1}, {0.1, 0.7}};
    begin(2);
    test_box(&t, FLUID, 2, 1, 0, 3, 1.5, 0);
    set_points(shape_of(SLUICE_SHAPE_POLYGON), 4, bow);
    ok(is_refused("the edge from corner 1 (0.1, 0.1) crosses that from corner 3 (1, 0.1)"),
       "a polygon that crosses itself is refused");

    shape_of(SLUICE_SHAPE_DISC)->rotation_degrees = 90;
    t.shape[1] = t.shape[2];
    t.config.shape_count = 2;
    t.shape[1].centre[1] = 9;
    ok(is_refused("disc 2 (test.cfg:13) lies from x = -9.5 to -8.5, beyond the domain"),
       "a wall that is nowhere in the domain is refused");

    begin(3);
    test_box(&t, FLUID, 0, 0, 0, 1, 1, 1);
    strcpy(shape_of(SLUICE_SHAPE_SPHERE)->name, "ball");
    t.shape[1].type = SLUICE_SHAPE_PART;
    strcpy(test_box(&t, VOID, -1e9, -1e9, -1e9, 1e9, 1e9, 1e9)->within, "ball");
    build("a box far beyond the domain, within a ball: the domain's cells alone count");
    sluice_case_destroy(&c);
}

/* Triangles of a cone without its base, apex first: the hole is no reason to turn it. */
static void open_cone(void)
{
    enum { CORNERS = 32 };
    const double pi = acos(-1);
    char file[64], said[4096] = "";
    snprintf(file, sizeof file, "/tmp/sluice-signed-distances-%d.obj", (int)getpid());
    FILE *out = fopen(file, "w");
    fprintf(out, "# C:\\cone\\\nv 2 1.5 1.5\n");
    for (int i = 0; i < CORNERS; i++)
        fprintf(out, "v %.17g %.17g 0.5\n", 2 + cos(2 * pi * i / CORNERS),
                1.5 + sin(2 * pi * i / CORNERS));
    for (int i = 0; i < CORNERS; i++)
        fprintf(out, "f 1 %d %d\n", i + 2, (i + 1) % CORNERS + 2);
    fclose(out);
    begin(3);
    t.config.spacing = 0.05;
    test_box(&t, FLUID, 0, 0, 0, 4, 3, 0.5);
    struct sluice_shape *s = shape_of(SLUICE_SHAPE_MESH);
    strcpy(s->surface, file);
    s->fill = SLUICE_FILL_SOLID;
    is_int(test_create(&c, &t, said), SLUICE_OK, "a cone without its base");
    ok(strstr(said, "1 hole of 32 open edges") && strstr(said, "with a smooth lid, whose form") &&
           !strstr(said, "inside out"),
       "%s", said);
    const double volume = 1.25e-4 * (double)c.shapes[1].particles;
    ok(fabs(volume / (pi / 3) - 1) < 0.05, "has its volume: %g m^3", volume);
    sluice_case_destroy(&c);
    unlink(file);
}

/* Blocks of cells across the lid of a hole are no block of one side. */
static void open_cube(void)
{
    char file[64];
    snprintf(file, sizeof file, "/tmp/sluice-signed-distances-%d.obj", (int)getpid());
    FILE *out = fopen(file, "w");
    fputs("v 1 1 .3\nv 2 1 .3\nv 2 2 .3\nv 1 2 .3\nv 1 1 1.3\nv 2 1 1.3\nv 2 2 1.3\nv 1 2 1.3\n"
          "f 1 4 3 2\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n",
          out);
    fclose(out);
    begin(3);
    t.config.spacing = 0.02;
    test_domain(&t, 3, 3, 2);
    test_box(&t, FLUID, 0, 0, 0, 0.5, 3, 0.5);
    struct sluice_shape *s = shape_of(SLUICE_SHAPE_MESH);
    strcpy(s->surface, file);
    s->fill = SLUICE_FILL_SOLID;
    build("a cube without its top");
    is_int(owned_by_hand(&c.geometry, 1), 0, "owns the cells that it contains");
    sluice_case_destroy(&c);
    unlink(file);
}

int main(void)
{
    flat();
    deep();
    ground();
    cells();
    slopes();
    refusals();
    open_cone();
    open_cube();
    return done_testing();
}
