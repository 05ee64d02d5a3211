/* test: 3 s */
/* Solids: signed distances of shapes, in closed form, and of ground from a table. */
#include <stdio.h>
#include <unistd.h>

#include "solid_shapes.h"

static unsigned long long seed = 1;

/* From 0 to 1, the same in each run. */
static double number(void)
{
    seed = seed * 6364136223846793005ull + 1442695040888963407ull;
    return (double)(seed >> 11) * 0x1p-53;
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

/* The rules of every distance: the vector to the surface is as long as the distance, and leads to
 * the surface; the distance changes no faster than the place; its sign agrees with the volume; and
 * the surface just fills the extent. */
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
            "%s: obeys all rules of a distance, and has the right volume", what))
        diag("way off by %g, ends off by %g, extent by %g, slope %g, volume %g counted, %g", off,
             on, loose, steep, counted, solid.volume);
    sluice_solid_destroy(&solid);
}

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
        s = &t.shape[0]; /* reuses the shape: at most eight fit */
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

int main(void)
{
    flat();
    deep();
    ground();
    return done_testing();
}
