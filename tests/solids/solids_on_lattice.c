/* test: 2 s */
/* Solids on the lattice: the cells that they own, ghost nodes in their surfaces, shapes that cannot
 * be filled, and meshes with a hole. */
#include <stdio.h>
#include <unistd.h>

#include "solid_shapes.h"
#include "surface/surface.h"

static struct sluice_case c;

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

/* Shapes that cannot be filled give the reason. */
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
    snprintf(file, sizeof file, "/tmp/sluice-solids-on-lattice-%d.obj", (int)getpid());
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

/* A block of cells across the lid of a hole lies on both sides. */
static void open_cube(void)
{
    char file[64];
    snprintf(file, sizeof file, "/tmp/sluice-solids-on-lattice-%d.obj", (int)getpid());
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
    cells();
    slopes();
    refusals();
    open_cone();
    open_cube();
    return done_testing();
}
