/* test: 4 s */
/* Fitted walls: depths of their layers, numbers of particles, distances, volumes, against closed
 * forms and against all pairs. */
#include <unistd.h>

#include "fitted.h"

/* How many fitted particles have this depth; -1: some have none of the first `layers`. The places
 * of particles are rounded to 1e-15 of a frame. */
static void count_layers(double (*depth)(const double x[3]), int layers, int64_t *count)
{
    double worst = 0;
    memset(count, 0, (size_t)layers * sizeof *count);
    for (int64_t i = wall.lattice; i < wall.count; i++) {
        const double d = depth(wall.x[i]);
        const int k = (int)floor(d);
        worst = fmax(worst, fabs(d - floor(d) - 0.5));
        if (k >= 0 && k < layers)
            count[k]++;
        else
            worst = 1;
    }
    ok(worst < 1e-9, "layers are at dp/2, 3 dp/2, ... from the surface, to %.1e dp", worst);
}

/* --- A disc, alone --- */

static double disc_depth(const double x[3])
{
    return 7.3 - hypot(x[0] - 15.23, x[1] - 12.41);
}

static void disc(void)
{
    const double pi = acos(-1);
    int64_t count[3];
    begin(2, 3, 3, 0);
    test_box(&t, FLUID, 0, 0, 0, 3, 2.5, 0);
    test_walls(&t, 7);
    struct sluice_shape *s = fitted_round(SLUICE_SHAPE_DISC, 1.523, 1.241, 0, 0.73);
    build(30 * 25 - pi * 7.3 * 7.3, "a disc");
    count_layers(disc_depth, 3, count);
    for (int k = 0; k < 3; k++)
        is_close((double)count[k], 2 * pi * (6.8 - k), 1, "particles on a circle of the disc");
    is_close(c.shapes[2].actual_volume, c.shapes[2].asked_volume, 0.01 * pi * 0.73 * 0.73,
             "its area");
    is_close(c.shapes[2].actual_max[0], 2.253, 1e-12, "its face is where it was asked for");
    ok(!strstr(said, "whole cells"), "no warning of stairs");
    end();
    s->fill = SLUICE_FILL_SOLID;
    build(30 * 25 - pi * 7.3 * 7.3, "a solid disc");
    is_close((double)c.fit.walls, pi * 7.3 * 7.3, 4, "all of it is filled");
    end();
}

/* The image in the circle is as far outside as the particle is inside. */
static void nodes_of_disc(void)
{
    begin(2, 3, 3, 0);
    test_box(&t, FLUID, 0, 0, 0, 3, 2.5, 0);
    test_walls(&t, 7);
    t.config.boundary.kind = SLUICE_BOUNDARY_MDBC;
    fitted_round(SLUICE_SHAPE_DISC, 1.523, 1.241, 0, 0.73);
    is_int(test_create(&c, &t, said), SLUICE_OK, "a disc with ghost nodes");
    const struct sluice_start *w = &c.start[SLUICE_WALL];
    double worst = 0;
    for (int64_t i = w->count - c.fit.walls; i < w->count; i++) {
        double x[3], g[3];
        test_x(&c, SLUICE_WALL, i, x);
        test_x(&c, SLUICE_GHOST, i, g);
        const double r = hypot(x[0] - 1.523, x[1] - 1.241),
                     image = hypot(g[0] - 1.523, g[1] - 1.241);
        worst = fmax(worst, fabs(r + image - 2 * 0.73));
    }
    ok(c.fit.walls > 0 && worst < 1e-12, "nodes are images in the circle, to %.1e m", worst);
    sluice_case_destroy(&c);
}

/* --- A sphere --- */

static double sphere_depth(const double x[3])
{
    return 5.2 - sqrt(pow(x[0] - 8.03, 2) + pow(x[1] - 8.21, 2) + pow(x[2] - 7.6, 2));
}

static void sphere(void)
{
    const double pi = acos(-1);
    int64_t count[3];
    begin(3, 1.6, 1.6, 1.6);
    test_box(&t, FLUID, 0, 0, 0, 1.6, 1.6, 1.4);
    test_walls(&t, 31);
    fitted_round(SLUICE_SHAPE_SPHERE, 0.803, 0.821, 0.76, 0.52);
    build(16 * 16 * 14 - 4 * pi / 3 * pow(5.2, 3), "a sphere");
    count_layers(sphere_depth, 3, count);
    for (int k = 0; k < 3; k++) /* the shell's volume, 4 pi (r^2 + 1/12); planes: 1% */
        is_close((double)count[k], 4 * pi * (pow(4.7 - k, 2) + 1.0 / 12),
                 0.01 * (double)count[k] + 1, "particles on a sphere of it");
    end();
}

/* --- A wedge that stands in the floor --- */

static const double corner[4][2] = {{8, -5}, {8, 0}, {18, 9.3}, {26.2, -5}};

/* The floor and the wedge together. */
static double wedge_depth(const double x[3])
{
    double least = INFINITY; /* how deep in the wedge */
    for (int k = 0; k < 4; k++) {
        const double *a = corner[k], *b = corner[(k + 1) % 4];
        const double ab[2] = {b[0] - a[0], b[1] - a[1]};
        least = fmin(least, (ab[1] * (x[0] - a[0]) - ab[0] * (x[1] - a[1])) / hypot(ab[0], ab[1]));
    }
    return fmax(least, -x[1]);
}

static void wedge(void)
{
    int64_t count[8];
    begin(2, 3.2, 2, 0);
    test_box(&t, FLUID, 0, 0, 0, 3.2, 1.5, 0);
    test_walls(&t, 7);
    struct sluice_shape *s = fitted(SLUICE_SHAPE_POLYGON);
    s->points.count = 4;
    for (int k = 0; k < 4; k++)
        for (int a = 0; a < 2; a++)
            s->points.at[k][a] = corner[k][a] * dp;
    /* Above the floor it is a triangle: its right side meets the floor at x = 26.2 - 8.2 5/14.3. */
    const double foot = 26.2 - 8.2 * 5 / 14.3;
    build(32 * 15 - 0.5 * (foot - 8) * 9.3, "a wedge in the floor");
    count_layers(wedge_depth, 3, count);
    end();
    t.config.boundary.kind = SLUICE_BOUNDARY_MDBC;
    build(32 * 15 - 0.5 * (foot - 8) * 9.3, "with ghost nodes");
    int64_t open = 0, as_far = 0, buried = 0;
    for (int64_t i = wall.lattice; i < wall.count; i++) {
        const double *x = wall.x[i];
        double g[3];
        test_x(&c, SLUICE_GHOST, i, g);
        for (int a = 0; a < 2; a++)
            g[a] /= dp;
        /* Between floor and base, over three layers from any water: the node stays there. */
        buried += x[1] < -2.4 && x[0] > 14 && x[0] < 20 && hypot(g[0] - x[0], g[1] - x[1]) < 1e-9;
        open += wedge_depth(g) < 1e-9;
        as_far += hypot(g[0] - x[0], g[1] - x[1]) > 2 * wedge_depth(x) - 1e-9;
    }
    is_int(open + buried, c.fit.walls, "nodes are outside of the walls, in corners as well");
    is_int(as_far + buried, c.fit.walls, "as far from their particles as two depths, or farther");
    end();
}

/* --- A box that no face of the lattice fits, and one that fills a period --- */

static double box_depth(const double x[3])
{
    return fmin(fmin(x[0] - 6.37, 17.81 - x[0]), fmin(x[1] - 4.55, 12.33 - x[1]));
}

static void boxes(void)
{
    int64_t count[3];
    begin(2, 2.5, 2, 0);
    test_box(&t, FLUID, 0, 0, 0, 2.5, 1.8, 0);
    test_walls(&t, 7);
    struct sluice_shape *s = test_box(&t, WALL, 0.637, 0.455, 0, 1.781, 1.233, 0);
    s->fit = SLUICE_FIT_SURFACE;
    s->fill = SLUICE_FILL_SHELL;
    const double wide = 17.81 - 6.37, high = 12.33 - 4.55;
    build(25 * 18 - wide * high, "a box off the lattice");
    count_layers(box_depth, 3, count);
    for (int k = 0; k < 3; k++)
        is_close((double)count[k],
                 (wide - 2 * k) * (high - 2 * k) - (wide - 2 * k - 2) * (high - 2 * k - 2), 1.5,
                 "particles on a rectangle of it");
    is_close(c.shapes[2].actual_min[0], 0.637, 1e-12, "its face does not move");
    end();

    begin(3, 1.2, 0.8, 1.2);
    t.config.domain.periodic[1] = 1;
    test_box(&t, FLUID, 0, 0, 0, 1.2, 0.8, 1);
    test_walls(&t, 1 | 2 | 16);
    s = fitted(SLUICE_SHAPE_CYLINDER);
    s->centre[0] = 0.61;
    s->centre[1] = 0.4;
    s->centre[2] = 0.55;
    s->radius = 0.33;
    s->length = 0.8;
    s->axis = 1;
    build(12 * 8 * 10 - acos(-1) * 3.3 * 3.3 * 8, "a cylinder across a period");
    /* No caps: there are only the three layers of the side, over one period. */
    is_close((double)c.fit.walls, acos(-1) * (3.3 * 3.3 - 0.3 * 0.3) * 8, 5, "it has no caps");
    end();
}

/* --- A hole that a void cuts, half full --- */

static double hole_depth(const double x[3])
{
    const double hole = hypot(x[0] - 15, x[1] - 14.2) - 8.3,
                 box = fmin(fmin(x[0] - 1, 29 - x[0]), fmin(x[1] - 1, 29 - x[1]));
    return fmin(hole, box);
}

static void hole(void)
{
    int64_t count[16];
    begin(2, 3, 3, 0);
    struct sluice_shape *s = test_box(&t, WALL, 0.1, 0.1, 0, 2.9, 2.9, 0);
    s->fit = SLUICE_FIT_SURFACE;
    s->fill = SLUICE_FILL_SOLID;
    s = test_shape(&t, SLUICE_SHAPE_DISC, VOID);
    s->centre[0] = 1.5;
    s->centre[1] = 1.42;
    s->radius = 0.83;
    struct sluice_shape *half = test_box(&t, SLUICE_SHAPE_PART, 0, 0, 0, 3, 1.4, 0);
    strcpy(half->name, "half");
    s = test_shape(&t, SLUICE_SHAPE_DISC, FLUID);
    *s = t.shape[1];
    s->type = FLUID;
    strcpy(s->within, "half");
    const double below = 0.2, r = 8.3; /* the level is 0.2 below the centre */
    build(r * r * acos(below / r) - below * sqrt(r * r - below * below), "a hole");
    count_layers(hole_depth, 16, count);
    is_close((double)count[0], 4 * 27 + 2 * acos(-1) * 8.8, 2, "its first layer and the block's");
    end();
}

/* --- A mesh: a cube that is turned --- */

static void cube(void)
{
    static const char faces[] =
        "f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";
    char path[] = "/tmp/sluice-fitted-walls-XXXXXX";
    const int file = mkstemp(path);
    FILE *out = file < 0 ? NULL : fdopen(file, "w");
    char name[64];
    snprintf(name, sizeof name, "%s.obj", path);
    if (!out || rename(path, name) != 0)
        exit(1);
    for (int k = 0; k < 8; k++)
        fprintf(out, "v %d %d %d\n", k == 1 || k == 2 || k == 5 || k == 6,
                k == 2 || k == 3 || k == 6 || k == 7, k > 3);
    fputs(faces, out);
    fclose(out);
    begin(3, 1.6, 1.6, 1.6);
    test_box(&t, FLUID, 0, 0, 0, 1.6, 1.6, 1.4);
    test_walls(&t, 31);
    struct sluice_shape *s = fitted(SLUICE_SHAPE_MESH);
    strcpy(s->surface, name);
    s->scale = 0.73;
    s->rotation_degrees = 30;
    s->move[0] = 0.6;
    s->move[1] = 0.3;
    s->move[2] = 0.33;
    build(16 * 16 * 14 - pow(7.3, 3), "a turned cube from a file");
    is_close((double)c.fit.walls, pow(7.3, 3) - pow(1.3, 3), 12,
             "its layers, less than 3% left out at edges");
    remove(name);
    end();
}

/* --- The same bits, and what is refused --- */

static void same_for_threads(void)
{
    struct sluice_case other;
    begin(3, 1.6, 1.6, 1.6);
    test_box(&t, FLUID, 0, 0, 0, 1.6, 1.6, 1.4);
    test_walls(&t, 31);
    fitted_round(SLUICE_SHAPE_SPHERE, 0.78, 0.78, 0.78, 0.5);
    is_int(test_create(&c, &t, NULL), SLUICE_OK, "one thread");
    t.config.backend.threads = 3;
    is_int(test_create(&other, &t, NULL), SLUICE_OK, "three threads");
    int same = 1;
    for (int type = 0; type <= SLUICE_WALL; type++)
        same &= c.start[type].count == other.start[type].count &&
                same_bits(c.start[type].place, other.start[type].place,
                          (size_t)c.start[type].count * sizeof *c.start[type].place) &&
                same_bits(c.start[type].id, other.start[type].id,
                          (size_t)c.start[type].count * sizeof *c.start[type].id);
    ok(same, "the same bits of all places and ids");
    sluice_case_destroy(&other);
    sluice_case_destroy(&c);
}

static void refused(void)
{
    begin(2, 3, 3, 0);
    test_box(&t, FLUID, 0, 0, 0, 3, 2.5, 0);
    test_walls(&t, 7);
    struct sluice_shape *s = test_box(&t, WALL, 1, 0.5, 0, 1.09, 2, 0);
    s->fit = SLUICE_FIT_SURFACE;
    REFUSED(&t, SLUICE_BAD_INPUT, "a plate thinner than a spacing", "box 3", "thicker",
            "(0.05) deep", "lattice");
    s->max[0] = 1.5;
    strcpy(t.config.particles, "start.csv");
    REFUSED(&t, SLUICE_BAD_INPUT, "a particle file beside it", "box 3", "start.csv", "lattice");
    t.config.particles[0] = 0;
    s->max[0] = 1.28; /* it has no place at 3 dp/2, for the volume deeper than dp */
    is_int(test_create(&c, &t, said), SLUICE_OK, "a plate of almost three spacings is built");
    ok(strstr(said, "have no place"), "with a warning of what is missing");
    sluice_case_destroy(&c);
}

int main(void)
{
    disc();
    nodes_of_disc();
    sphere();
    wedge();
    boxes();
    hole();
    cube();
    same_for_threads();
    refused();
    return done_testing();
}
