/* test: 0.2 s */
/* Meshes of several parts: which of them are solid, cavities, or inside out. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/vector.h"
#include "solids/solid.h"
#include "support/tap.h"

/* A cube about a centre; sense -1: its faces look inwards; open: without its top. */
struct cube {
    double x, half;
    int sense, open;
};
static char said[4096];
static int loose; /* triangles of their own beside the cubes */

static void write_cubes(const char *path, const struct cube *cube, int n)
{
    static const int face[6][4] = {{1, 4, 3, 2}, {5, 6, 7, 8}, {1, 2, 6, 5},
                                   {2, 3, 7, 6}, {3, 4, 8, 7}, {4, 1, 5, 8}};
    FILE *out = fopen(path, "w");
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 8; k++)
            fprintf(out, "v %.17g %.17g %.17g\n",
                    cube[i].x + (k % 4 == 1 || k % 4 == 2 ? 1 : -1) * cube[i].half,
                    1 + (k % 4 > 1 ? 1 : -1) * cube[i].half, 1 + (k > 3 ? 1 : -1) * cube[i].half);
    for (int i = 0; i < n; i++)
        for (int f = 0; f < 6; f++) {
            if (cube[i].open && f == 1)
                continue;
            fputs("f", out);
            for (int k = 0; k < 4; k++)
                fprintf(out, " %d", 8 * i + face[f][cube[i].sense > 0 ? k : 3 - k]);
            fputc('\n', out);
        }
    for (int i = 0; i < loose; i++) {
        const double x = 1 + 0.0071 * i, z = 1.7 + 0.0031 * i;
        fprintf(out, "v %.17g 1 %.17g\nv %.17g 1.17 %.17g\nv %.17g 1.3 %.17g\nf -3 -2 -1\n", x, z,
                x + 0.1, z + 0.03, x + 0.03, z);
    }
    fclose(out);
}

/* Makes the solid, and compares its volume and what is inside: at each of the places x, at y = z =
 * 1, 1 is inside. */
static void holds(const struct cube *cube, int n, double volume, int places, const double *x,
                  const int *inside, const char *what)
{
    struct sluice_config config = {.dimension = 3, .spacing = 0.1, .domain = {.max = {4, 2, 2}}};
    struct sluice_shape shape = {
        .kind = SLUICE_SHAPE_MESH, .scale = 1, .base = INFINITY, .move = {0.25, 0, 0}};
    struct sluice_warnings warnings = {.out = fmemopen(said, sizeof said, "w")};
    struct sluice_solid solid;
    int right = 1;
    *said = 0;
    snprintf(shape.surface, sizeof shape.surface, "/tmp/sluice-mesh-parts-%d.obj", (int)getpid());
    write_cubes(shape.surface, cube, n);
    const sluice_status status = sluice_solid_create(&solid, &config, &shape, &warnings);
    fclose(warnings.out);
    unlink(shape.surface);
    if (!warnings.count)
        *said = 0;
    if (!is_int(status, SLUICE_OK, what)) {
        diag("%s", sluice_message());
        return;
    }
    for (int i = 0; i < places; i++) {
        const double at[3] = {x[i] + 0.25, 1, 1};
        double way[3];
        const double d = sluice_solid_distance(&solid, at, way);
        right &= (d < 0) == inside[i];
    }
    if (!ok(right && fabs(solid.volume - volume) < 1e-12, "%s: volume %g", what, volume))
        diag("volume %g, places %s\n%s", solid.volume, right ? "right" : "wrong", said);
    sluice_solid_destroy(&solid);
}

/* A cube with a corner in the middle of an edge, which the face on one side does not have. */
static void t_joint(void)
{
    static const char cube[] =
        "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\nv .5 0 0\n"
        "f 1 4 3 2\nf 5 6 7 8\nf 9 2 6\nf 9 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";
    static const char *const rest[] = {"f 9 5 1\n", "f 9 5 1\nf 1 2 9\n",
                                       "v .2 0 0\nf 9 5 10\nf 10 5 1\nf 1 2 9\nf 1 9 10\n"};
    struct sluice_config config = {.dimension = 3, .spacing = 0.1, .domain = {.max = {4, 2, 2}}};
    for (int i = 0; i < 3; i++) {
        struct sluice_shape shape = {.kind = SLUICE_SHAPE_MESH, .scale = 1, .base = INFINITY};
        struct sluice_warnings warnings = {.out = fmemopen(said, sizeof said, "w")};
        struct sluice_solid solid;
        *said = 0;
        snprintf(shape.surface, sizeof shape.surface, "/tmp/sluice-mesh-parts-%d.obj",
                 (int)getpid());
        FILE *out = fopen(shape.surface, "w");
        fprintf(out, "%s%s", cube, rest[i]);
        fclose(out);
        is_int(sluice_solid_create(&solid, &config, &shape, &warnings), SLUICE_OK, "a T-joint");
        fclose(warnings.out);
        unlink(shape.surface);
        if (i == 0)
            ok(strstr(said, "1 hole of 3 open edges"), "warns: %s", said);
        else
            ok(!strstr(said, "hole") && !strstr(said, "more than two"),
               "that %d flat triangles close is no hole: %s", i, said);
        is_close(solid.volume, 1, 1e-12, "its volume");
        sluice_solid_destroy(&solid);
    }
}

/* Cubes whose faces and edges lie in planes of others, or just touch. */
static void aligned(void)
{
    static const double x[2] = {0.5, 1.2};
    const struct cube shifted[2] = {{1, 0.5, 1, 0}, {1.75, 0.5, 1, 0}};
    holds(shifted, 2, 2, 2, x, (const int[]){0, 1}, "two cubes along one line that cross");
    ok(strstr(said, "pairs of triangles lie over each other in one plane"), "warns: %s", said);
    const struct cube within[2] = {{1, 0.5, 1, 0}, {1.625, 0.25, 1, 0}};
    holds(within, 2, 1.125, 2, x, (const int[]){0, 1}, "a small one stuck into a large one");
    ok(strstr(said, "crosses itself") && !strstr(said, "one plane"), "warns: %s", said);
    const struct cube touching[2] = {{1, 0.5, 1, 0}, {1.75, 0.25, 1, 0}};
    holds(touching, 2, 1.125, 2, x, (const int[]){0, 1}, "a small one stuck to a large one");
    ok(strstr(said, "in one plane") && !strstr(said, "crosses"), "warns: %s", said);
    const struct cube apart[2] = {{1, 0.5, 1, 0}, {2.5, 0.5, 1, 0}};
    holds(apart, 2, 2, 2, x, (const int[]){0, 1}, "two cubes in one plane, apart");
    is_str(said, "", "are fine");
}

static void write_prism(FILE *out, int n, double x, int before)
{
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 2; k++)
            fprintf(out, "v %.9g %.9g %d\n", x + cos(2 * acos(-1) * i / n),
                    1 + sin(2 * acos(-1) * i / n), k);
    for (int i = 0; i < n; i++) {
        const int a = before + 2 * i + 1, b = before + 2 * ((i + 1) % n) + 1;
        fprintf(out, "f %d %d %d\nf %d %d %d\n", a, b, b + 1, a, b + 1, a + 1);
        if (i > 0 && i < n - 1)
            fprintf(out, "f %d %d %d\nf %d %d %d\n", before + 1, b, a, before + 2, a + 1, b + 1);
    }
}

/* Two equal prisms over each other: the fans of their caps meet in tens of thousands of pairs. */
static void equal_prisms(void)
{
    struct sluice_config config = {.dimension = 3, .spacing = 0.1, .domain = {.max = {4, 2, 2}}};
    struct sluice_shape shape = {.kind = SLUICE_SHAPE_MESH, .scale = 1, .base = INFINITY};
    struct sluice_warnings warnings = {.out = fmemopen(said, sizeof said, "w")};
    struct sluice_solid solid;
    *said = 0;
    snprintf(shape.surface, sizeof shape.surface, "/tmp/sluice-mesh-parts-%d.obj", (int)getpid());
    FILE *out = fopen(shape.surface, "w");
    write_prism(out, 300, 1, 0);
    write_prism(out, 300, 1.5, 600);
    fclose(out);
    is_int(sluice_solid_create(&solid, &config, &shape, &warnings), SLUICE_OK, "equal prisms");
    fclose(warnings.out);
    unlink(shape.surface);
    ok(strstr(said, "crosses itself") && strstr(said, "in one plane") && !strstr(said, "only"),
       "all of their triangles are looked at: %s", said);
    sluice_solid_destroy(&solid);
}

/* A right cube, and n that are inside out: a warning names at most 10 of them, and then their
 * number. */
static void many(void)
{
    struct cube row[12] = {{0.1, 0.1, 1, 0}};
    for (int i = 1; i < 12; i++)
        row[i] = (struct cube){0.1 + 0.3 * i, 0.1, -1, 0};
    holds(row, 11, 11 * 0.008, 1, &row[10].x, (const int[]){1}, "ten are inside out");
    ok(strstr(said, "part 11 of 11") && !strstr(said, "in all"), "warns of all: %s", said);
    holds(row, 12, 12 * 0.008, 1, &row[11].x, (const int[]){1}, "eleven are inside out");
    ok(!strstr(said, "part 12 of 12") && strstr(said, "in all 11 of 12 parts were turned"),
       "warns of ten: %s", said);
}

/* Triangles on their own enclose nothing: the sign of their volume is rounding. */
static void single_triangles(void)
{
    const struct cube one = {1, 0.5, 1, 0};
    loose = 40;
    holds(&one, 1, 1, 1, &one.x, (const int[]){1}, "a cube and 40 loose triangles");
    loose = 0;
    ok(strstr(said, "40 of 41 parts are flat") && !strstr(said, "inside out"),
       "one line counts them: %s", said);
}

int main(void)
{
    static const double two[3] = {0.5, 2.0, 3.0}, nested[3] = {0.1, 0.5, 1.0},
                        three[4] = {0.05, 0.3, 0.6, 1.0};
    const struct cube apart[2] = {{0.5, 0.25, 1, 0}, {3, 0.5, -1, 0}};
    holds(apart, 2, 1.125, 3, two, (const int[]){1, 0, 1}, "two cubes, one of them inside out");
    ok(strstr(said, "part 2 of 2, of 12 triangles about (3.25, 1, 1), is inside out: it encloses "
                    "1 m^3") &&
           !strstr(said, "part 1"),
       "warns: %s", said);

    const struct cube reversed[2] = {{0.5, 0.25, -1, 0}, {3, 0.5, -1, 0}};
    holds(reversed, 2, 1.125, 3, two, (const int[]){1, 0, 1}, "both inside out");
    ok(strstr(said, "the surface is inside out") && !strstr(said, "part "), "warns: %s", said);

    const struct cube hollow[2] = {{1, 0.95, 1, 0}, {1, 0.75, -1, 0}};
    holds(hollow, 2, 8 * (0.857375 - 0.421875), 3, nested, (const int[]){1, 0, 0},
          "a hollow cube: the inner one faces inwards");
    is_str(said, "", "and is a cavity");
    const struct cube shut[2] = {{1, 0.75, -1, 0}, {1, 0.95, -1, 0}};
    holds(shut, 2, 8 * (0.857375 - 0.421875), 3, nested, (const int[]){1, 0, 0},
          "both face inwards: the outer one is turned, the inner one a cavity");
    ok(strstr(said, "part 2 of 2") && !strstr(said, "part 1"), "warns: %s", said);
    const struct cube inside_out[2] = {{1, 0.95, -1, 0}, {1, 0.75, 1, 0}};
    holds(inside_out, 2, 8 * (0.857375 - 0.421875), 3, nested, (const int[]){1, 0, 0},
          "a hollow cube that is inside out altogether");
    ok(strstr(said, "the surface is inside out"), "warns: %s", said);
    const struct cube filled[2] = {{1, 0.95, 1, 0}, {1, 0.75, 1, 0}};
    holds(filled, 2, 8 * (0.857375 + 0.421875), 3, nested, (const int[]){1, 1, 1},
          "both face outwards: solid in solid");
    ok(strstr(said, "part 2 of 2, of 12 triangles about (1.25, 1, 1), of 3.375 m^3, lies within "
                    "the solid and faces outwards"),
       "warns: %s", said);

    const struct cube island[3] = {{1, 0.975, 1, 0}, {1, 0.8, -1, 0}, {1, 0.5, -1, 0}};
    holds(island, 3, 8 * (0.926859375 - 0.512 + 0.125), 4, three, (const int[]){1, 0, 1, 1},
          "an island in a cavity, inside out");
    ok(strstr(said, "part 3 of 3") && !strstr(said, "part 2"), "warns: %s", said);

    const struct cube crossing[2] = {{1, 0.5, 1, 0}, {1.75, 0.5, -1, 0}};
    const double across[4] = {0.6, 1.4, 2.0, 2.5};
    holds(crossing, 2, 2, 4, across, (const int[]){1, 1, 1, 0}, "two that cross, one inside out");
    ok(strstr(said, "part 2 of 2") && !strstr(said, "part 1"), "warns: %s", said);

    const struct cube bowl[2] = {{0.5, 0.25, 1, 0}, {3, 0.5, -1, 1}};
    holds(bowl, 2, 1.125, 3, two, (const int[]){1, 0, 1}, "a cube without its top, inside out");
    ok(strstr(said, "part 2 of 2, of 10 triangles"), "warns: %s", said);
    const struct cube leaky[2] = {{1, 0.95, 1, 0}, {1, 0.75, -1, 1}};
    holds(leaky, 2, 8 * (0.857375 - 0.421875), 3, nested, (const int[]){1, 0, 0},
          "a cavity without its top");
    ok(!strstr(said, "inside out"), "stays: %s", said);
    many();
    single_triangles();
    equal_prisms();
    t_joint();
    aligned();
    return done_testing();
}
