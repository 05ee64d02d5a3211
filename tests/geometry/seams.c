/* test: 0.9 s */
/* Shapes that are put together: the seam of two parts, or of a shape and its periodic image, is no
 * surface. A shell has no layers there, and ghost nodes are images in the true surface. */
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "support/case_config.h"

enum { FLUID = SLUICE_SHAPE_FLUID, WALL = SLUICE_SHAPE_WALL, PART = SLUICE_SHAPE_PART };
static struct test_config t;
static struct sluice_case c;

static void begin(int dimension)
{
    test_wcsph(&t, dimension, 0.05);
    test_domain(&t, 4, 2, dimension == 3 ? 2 : 0);
    test_box(&t, FLUID, 0, 0, 0, 4, 2, dimension == 3 ? 2 : 0);
}

static struct sluice_shape *polygon(int type, int n, const double (*point)[2])
{
    struct sluice_shape *s = test_shape(&t, SLUICE_SHAPE_POLYGON, type);
    s->fill = SLUICE_FILL_SHELL;
    s->from = -SLUICE_FAR;
    s->to = SLUICE_FAR;
    s->axis = 2;
    s->points.count = n;
    memcpy(s->points.at, point, (size_t)n * sizeof *point);
    return s;
}

static int64_t walls(const char *what)
{
    if (!is_int(test_create(&c, &t, NULL), SLUICE_OK, what)) {
        diag("%s", sluice_message());
        return -1;
    }
    return c.start[SLUICE_WALL].count;
}

/* Ground that reaches from period to period, and deep below the domain: its shell is three rows
 * under its face, y = 0.6 or a slope. */
static void periods(void)
{
    static const double level[4][2] = {{0, -1}, {4, -1}, {4, 0.6}, {0, 0.6}};
    begin(2);
    t.config.domain.periodic[0] = 1;
    t.config.boundary.kind = SLUICE_BOUNDARY_MDBC;
    polygon(WALL, 4, level);
    is_int(walls("level ground over a period"), 80 * 3, "has three rows");
    int64_t right = 0;
    for (int64_t i = 0; i < c.start[SLUICE_WALL].count; i++) {
        double x[3], g[3];
        test_x(&c, SLUICE_WALL, i, x);
        test_x(&c, SLUICE_GHOST, i, g);
        right += fabs(g[0] - x[0]) < 1e-9 && fabs(g[1] - (1.2 - x[1])) < 1e-9;
    }
    is_int(right, 80 * 3, "and their nodes are straight above");
    double way[3];
    const double deep[3] = {0.02, 0.45, 0}, corner[3] = {3.99, 0.5, 0};
    is_close(sluice_geometry_distance(&c.geometry, 1, deep, way), -0.15, 1e-9,
             "nearer to the seam than to the face: the face counts");
    ok(fabs(way[0]) < 1e-9 && fabs(way[1] - 0.15) < 1e-9, "and the vector leads to it");
    is_close(sluice_geometry_distance(&c.geometry, 1, corner, way), -0.1, 1e-9, "at the other end");
    sluice_case_destroy(&c);

    /* Waves of ground: at both ends as high, and with one slope. */
    static const double wave[6][2] = {{0, -1}, {4, -1}, {4, 0.5}, {3, 0.2}, {1, 0.8}, {0, 0.5}};
    begin(2);
    t.config.domain.periodic[0] = 1;
    polygon(WALL, 6, wave);
    const int64_t n = walls("waves of ground");
    int64_t near = 0;
    for (int64_t i = 0; i < n; i++) {
        double x[3];
        test_x(&c, SLUICE_WALL, i, x);
        const double z = x[0] < 1   ? x[0]
                         : x[0] > 3 ? x[0] - 4
                                    : 2 - x[0],
                     depth = (0.5 + 0.3 * z - x[1]) / hypot(1, 0.3);
        near += depth < 0.15 + 1e-9;
    }
    ok(n > 80 * 3, "there are %lld particles", (long long)n);
    is_int(near, n, "all within three spacings of the face");
    sluice_case_destroy(&c);
}

static void mesh(void)
{
    char file[64];
    snprintf(file, sizeof file, "/tmp/sluice-seams-%d.obj", (int)getpid());
    FILE *out = fopen(file, "w");
    fputs("v 0 0 -1\nv 4 0 -1\nv 4 2 -1\nv 0 2 -1\nv 0 0 .6\nv 4 0 .6\nv 4 2 .6\nv 0 2 .6\n"
          "f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n",
          out);
    fclose(out);
    begin(3);
    t.config.spacing = 0.2;
    t.config.domain.periodic[0] = t.config.domain.periodic[1] = 1;
    struct sluice_shape *s = test_shape(&t, SLUICE_SHAPE_MESH, WALL);
    s->fill = SLUICE_FILL_SHELL;
    strcpy(s->surface, file);
    is_int(walls("a mesh over two periods"), 20 * 10 * 4,
           "has three layers at its top, and at its bottom the one that fits");
    sluice_case_destroy(&c);
    unlink(file);
}

/* A body of two parts has the shell of one part. */
static int64_t body(int parts, double degrees)
{
    static const double whole[4][2] = {{1, 0.5}, {3, 0.5}, {3, 1.5}, {1, 1.5}},
                        half[2][4][2] = {{{1, 0.5}, {1.8, 0.5}, {2.1, 1.5}, {1, 1.5}},
                                         {{1.8, 0.5}, {3, 0.5}, {3, 1.5}, {2.1, 1.5}}};
    begin(2);
    for (int k = 0; k < parts; k++) {
        struct sluice_shape *s = polygon(PART, 4, parts == 1 ? whole : half[k]);
        strcpy(s->name, "body");
        s->rotation_degrees = degrees;
    }
    struct sluice_shape *s = test_box(&t, WALL, -5, -5, 0, 9, 7, 0);
    s->rotation_degrees = 1; /* not on the lattice */
    s->fill = SLUICE_FILL_SHELL;
    strcpy(s->within, "body");
    return walls("a shell within parts");
}

static void parts(void)
{
    for (int i = 0; i < 3; i++) {
        const double degrees = i == 0 ? 0 : i == 1 ? 10 : -13;
        const int64_t one = body(1, degrees);
        sluice_case_destroy(&c);
        const int64_t two = body(2, degrees);
        ok(one > 200, "%lld particles", (long long)one);
        is_int(two, one, "two parts have the shell of their union");
        sluice_case_destroy(&c);
    }
}

int main(void)
{
    periods();
    mesh();
    parts();
    return done_testing();
}
