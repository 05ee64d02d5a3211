/* test: 3 s */
/* Points and patches on surfaces other than planes of the lattice: their places, and the pressure
 * of a patch on a slope at its depth. */
#include <math.h>
#include <unistd.h>

#include "run_scene.h"

/* A slope of 3:4, under water whose pressure is linear. The patch of length 0.1 on it has ten
 * points, 0.01 m apart. Its middle is at x = 0.6: y = (0.6 - 0.2) 3/4 = 0.3. */
static const char slope[] = START
    "dimension = 2; gravity = [0.0, -9.81]; domain = { max = [1.0, 0.8]; };\n"
    "geometry = ( { shape = \"box\"; type = \"fluid\"; min = [0.0, 0.0]; max = [1.0, 0.6]; },\n"
    "  { name = \"beach\"; shape = \"polygon\"; type = \"wall\"; fill = \"solid\";\n"
    "    points = ([0.2, 0.0], [1.2, 0.0], [1.2, 0.75]); },\n"
    "  { name = \"tank\"; shape = \"walls\"; sides = [\"x-\", \"x+\", \"y-\"]; } );\n"
    "initial = ( { field = \"pressure\"; kind = \"linear\"; gradient = [-300.0, -9810.0];\n"
    "              centre = [0.0, 0.6]; } );\n"
    "probes = ( { name = \"patch\"; kind = \"patch\"; on = \"beach\"; face = \"y+\"; at = 0.6;\n"
    "             size = 0.1; every = 1.0; },\n"
    "  { name = \"line\"; kind = \"line\"; from = [0.564, 0.273]; to = [0.636, 0.327];\n"
    "    points = 10; every = 1.0; },\n"
    "  { name = \"point\"; kind = \"point\"; on = \"beach\"; face = \"x-\"; at = 0.3;\n"
    "    every = 1.0; } );\n";

/* A pier, a cone, a ball of two shapes' name with a box, and the ground. */
static const char harbour[] = START
    "dimension = 3; gravity = [0.0, 0.0, -9.81]; domain = { max = [2.0, 1.0, 1.0]; };\n"
    "geometry = ( { shape = \"box\"; type = \"fluid\"; min = [0.0, 0.0, 0.0];\n"
    "               max = [2.0, 1.0, 0.6]; },\n"
    "  { name = \"pier\"; shape = \"cylinder\"; type = \"wall\"; centre = [0.5, 0.5, 0.5];\n"
    "    radius = 0.2; length = 1.0; axis = \"z\"; },\n"
    "  { name = \"cone\"; shape = \"cone\"; type = \"wall\"; centre = [1.0, 0.5, 0.4];\n"
    "    radius = 0.3; top_radius = 0.0; length = 0.4; axis = \"z\"; },\n"
    "  { name = \"block\"; shape = \"sphere\"; type = \"wall\"; centre = [1.6, 0.5, 0.5];\n"
    "    radius = 0.2; },\n"
    "  { name = \"block\"; shape = \"box\"; type = \"wall\"; min = [1.3, 0.5, 0.4];\n"
    "    max = [1.5, 0.9, 0.6]; },\n"
    "  { name = \"ground\"; shape = \"heightfield\"; type = \"wall\"; file = \"%s\"; } );\n"
    "probes = ( { name = \"a\"; kind = \"point\"; on = \"pier\"; face = \"x-\"; at = [0.6, 0.5];\n"
    "             every = 1.0; },\n"
    "  { name = \"b\"; kind = \"patch\"; on = \"pier\"; face = \"x-\"; at = [0.6, 0.5];\n"
    "    size = [0.06, 0.04]; every = 1.0; },\n"
    "  { name = \"c\"; kind = \"patch\"; on = \"cone\"; face = \"y+\"; at = [1.0, 0.4];\n"
    "    size = [0.02, 0.06]; every = 1.0; },\n"
    "  { name = \"d\"; kind = \"point\"; on = \"block\"; face = \"x-\"; at = [0.4, 0.5];\n"
    "    every = 1.0; },\n"
    "  { name = \"e\"; kind = \"point\"; on = \"block\"; face = \"x-\"; at = [0.6, 0.5];\n"
    "    every = 1.0; },\n"
    "  { name = \"f\"; kind = \"point\"; on = \"ground\"; face = \"z+\"; at = [1.9, 0.2];\n"
    "    every = 1.0; } );\n";

static char said[4096], file[64];

static void is_at(const struct scene *s, int probe, double x, double y, double z, const char *what)
{
    const double *at = s->setup.probes[probe].x,
                 off = fabs(at[0] - x) + fabs(at[1] - y) + fabs(at[2] - z);
    if (!ok(off < 1e-8, "%s: at (%g, %g, %g)", what, x, y, z))
        diag("(%.12g, %.12g, %.12g)", at[0], at[1], at[2]);
}

/* The corners of a patch about a point: across this normal, and of these sides. */
static void is_tangent(const struct scene *s, int probe, const double x[3], const double n[3],
                       double one, double other, const char *what)
{
    const struct sluice_case_probe *p = &s->setup.probes[probe];
    double length[2] = {0, 0}, along[2] = {0, 0}, square = 0, off = 0;
    for (int a = 0; a < 3; a++) {
        const double u = p->side[0][a] - p->x[a], v = p->side[1][a] - p->x[a];
        length[0] += u * u;
        length[1] += v * v;
        along[0] += u * n[a];
        along[1] += v * n[a];
        square += u * v;
        off += fabs((p->x[a] + p->to[a]) / 2 - x[a]);
    }
    if (!ok(off < 1e-7 && fabs(along[0]) + fabs(along[1]) + fabs(square) < 1e-7 &&
                fabs(sqrt(length[0]) - one) < 1e-9 && fabs(sqrt(length[1]) - other) < 1e-9,
            "%s: a patch in the tangent plane", what))
        diag("off %g, sides %g, %g, along the normal %g, %g", off, sqrt(length[0]), sqrt(length[1]),
             along[0], along[1]);
}

static void places(void)
{
    static struct scene s;
    static char text[4096];
    snprintf(file, sizeof file, "/tmp/sluice-surface-probes-%d.csv", (int)getpid());
    FILE *out = fopen(file, "w");
    fputs("x,z\n0,0.1\n2,0.3\n", out);
    fclose(out);
    snprintf(text, sizeof text, harbour, file);
    if (!is_int(build(&s, text, said), SLUICE_OK, "a harbour"))
        diag("%s", sluice_message());
    else {
        const double x = 0.5 - sqrt(0.03), on[3] = {x, 0.6, 0.5},
                     out_of_pier[3] = {(x - 0.5) / 0.2, 0.5, 0}, slant = hypot(0.3, 0.4),
                     on_cone[3] = {1, 0.65, 0.4}, out_of_cone[3] = {0, 0.4 / slant, 0.3 / slant};
        is_at(&s, 0, x, 0.6, 0.5, "on a cylinder");
        is_tangent(&s, 1, on, out_of_pier, 0.06, 0.04, "on it");
        is_tangent(&s, 2, on_cone, out_of_cone, 0.02, 0.06, "on a cone");
        is_at(&s, 3, 1.6 - sqrt(0.03), 0.4, 0.5, "on a ball, the first of two shapes");
        is_at(&s, 4, 1.3, 0.6, 0.5, "on the box of that name, which is in front of it");
        is_at(&s, 5, 1.9, 0.2, 0.29, "on the ground");
        if (!ok(!strstr(said, "probe '"), "and nothing is wrong with any"))
            diag("%s", said);
    }
    end(&s);

    static const char *const wrong[][2] = {
        {"face = \"x-\"; at = [0.8, 0.5]", "seen from x-, nothing of 'pier' is at its place"},
        {"face = \"x-\"; at = [0.6999, 0.5]", "lies almost along x"},
        {"face = \"z+\"; at = [1.0, 0.2]", "seen from z+"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        snprintf(text, sizeof text, harbour, file);
        char *at = strstr(text, "face = \"x-\"; at = [0.6, 0.5];"), rest[2048];
        snprintf(rest, sizeof rest, "%s%s", wrong[i][0], strchr(at, ']') + 1);
        strcpy(at, rest);
        const int refused = build(&s, text, said) != SLUICE_OK;
        if (!ok(refused && strstr(sluice_message(), wrong[i][1]), "refused: %s", wrong[i][1]))
            diag("%s", refused ? sluice_message() : "accepted");
        end(&s);
    }
    snprintf(text, sizeof text, harbour, file);
    strstr(text, "size = [0.06, 0.04]")[strlen("size = [0.")] = '2';
    is_int(build(&s, text, said), SLUICE_OK, "a patch that is large for its cylinder");
    ok(strstr(said, "probe 'b': the patch is flat, and its edge is up to 0.03854 m, 1.9 spacings"),
       "warns: %s", said);
    end(&s);
    unlink(file);
}

static void on_slope(void)
{
    static struct scene s;
    double sum = 0;
    sluice_status status = build(&s, slope, said);
    if (status == SLUICE_OK)
        status = measure(&s);
    if (!is_int(status, SLUICE_OK, "a slope under water"))
        diag("%s", sluice_message());
    else {
        const double *line = sluice_probes_table(s.probes, 1)->values,
                     *patch = sluice_probes_table(s.probes, 0)->values, exact = 9810 * 0.3 - 180;
        for (int k = 0; k < 10; k++)
            sum += line[2 * k];
        is_close(patch[1], 1, 0, "all of it wet");
        /* The mean of one side's fluid is that of a place 0.69 dp off the slope of 3:4, so the line
         * reads 0.55 dp too low. The rows of the lattice move either by some 0.02 dp; the part of
         * the gradient along x that gravity does not balance is 0.01 dp. */
        is_close(sum / 10, exact - 9810 * 0.55 * 0.02, 9810 * 0.05 * 0.02,
                 "a line on the slope has the mean of the water above");
        is_close(patch[0], exact, 9810 * 0.05 * 0.02, "a patch has the pressure at its depth");
        is_at(&s, 2, 0.6, 0.3, 0, "a point seen from the side");
    }
    end(&s);
}

int main(void)
{
    places();
    on_slope();
    return done_testing();
}
