/* test: 0.3 s */
/* Patches on faces, from the config to their numbers, in water at rest: the mean over their area of
 * the values of points, and the fraction that is wet. */
#include <math.h>

#include "run_scene.h"

static const double dp = 0.02, depth = 0.4, rho_g = 9810;

/* The pressure is linear: rho g times the depth below 0.4 m. */
static const char basin[] = START
    "dimension = 3; gravity = [0.0, 0.0, -9.81]; domain = { max = [0.8, 0.4, 0.8]; };\n"
    "geometry = ( { shape = \"box\"; type = \"fluid\"; min = [0.0, 0.0, 0.0];\n"
    "               max = [0.8, 0.4, 0.4]; }, { name = \"tank\"; shape = \"walls\";\n"
    "               sides = [\"x-\", \"x+\", \"y-\", \"y+\", \"z-\"]; } );\n"
    "initial = ( { field = \"pressure\"; kind = \"linear\"; gradient = [0.0, 0.0, -9810.0];\n"
    "              centre = [0.0, 0.0, 0.4]; } );\n"
    "probes = (\n"
    "  { name = \"under\"; kind = \"patch\"; on = \"tank\"; face = \"x-\"; at = [0.2, 0.193];\n"
    "    size = [0.11, 0.09]; every = 1.0; },\n"
    "  { name = \"point\"; kind = \"point\"; on = \"tank\"; face = \"x-\"; at = [0.2, 0.193];\n"
    "    every = 1.0; },\n"
    "  { name = \"half\"; kind = \"patch\"; on = \"tank\"; face = \"x-\"; at = [0.2, 0.4];\n"
    "    size = [0.1, 0.24]; every = 1.0; },\n"
    "  { name = \"dry\"; kind = \"patch\"; on = \"tank\"; face = \"x-\"; at = [0.2, 0.6];\n"
    "    size = [0.1, 0.2]; every = 1.0; },\n"
    "  { name = \"disc\"; kind = \"patch\"; on = \"tank\"; face = \"x-\"; at = [0.2, 0.34];\n"
    "    size = [0.24, 0.24]; round = true; every = 1.0; },\n"
    "  { name = \"floor\"; kind = \"patch\"; on = \"tank\"; face = \"z-\"; at = [0.4, 0.2];\n"
    "    size = [0.1, 0.06]; every = 1.0; },\n"
    "  { name = \"foot\"; kind = \"point\"; on = \"tank\"; face = \"z-\"; at = [0.4, 0.2];\n"
    "    every = 1.0; } );\n";
enum { UNDER, POINT, HALF, DRY, DISC, FLOOR, FOOT };

/* The points of the patch are nine, 0.01 m apart: those of the line. */
static const char channel[] = START
    "dimension = 2; gravity = [0.0, -9.81]; domain = { max = [0.8, 0.8]; };\n"
    "geometry = ( { shape = \"box\"; type = \"fluid\"; min = [0.0, 0.0]; max = [0.8, 0.4]; },\n"
    "  { name = \"tank\"; shape = \"walls\"; sides = [\"x-\", \"x+\", \"y-\"]; } );\n"
    "initial = ( { field = \"pressure\"; kind = \"linear\"; gradient = [-300.0, -9810.0];\n"
    "              centre = [0.0, 0.4]; } );\n"
    "probes = ( { name = \"patch\"; kind = \"patch\"; on = \"tank\"; face = \"x+\"; at = 0.41;\n"
    "             size = 0.09; every = 1.0; },\n"
    "  { name = \"line\"; kind = \"line\"; from = [0.8, 0.37]; to = [0.8, 0.45]; points = 9;\n"
    "    every = 1.0; } );\n";

/* A tank that starts to move to the right at 0.3 m/s^2, with the pressure that belongs to it. The
 * lid touches the surface, the roof is a spacing above it. */
static const char pushed[] = START
    "dimension = 2; gravity = [0.0, -9.81]; domain = { max = [0.8, 0.8]; };\n"
    "geometry = ( { shape = \"box\"; type = \"fluid\"; min = [0.0, 0.0]; max = [0.8, 0.4]; },\n"
    "  { name = \"tank\"; shape = \"walls\"; sides = [\"x-\", \"x+\", \"y-\"]; },\n"
    "  { name = \"lid\"; shape = \"box\"; type = \"wall\"; min = [0.3, 0.4];\n"
    "    max = [0.5, 0.5]; },\n"
    "  { name = \"roof\"; shape = \"box\"; type = \"wall\"; min = [0.6, 0.42];\n"
    "    max = [0.7, 0.5]; } );\n"
    "motions = ( { name = \"push\"; kind = \"linear\"; carries = \"tank\";\n"
    "              acceleration = [0.3, 0.0]; } );\n"
    "initial = ( { field = \"pressure\"; kind = \"linear\"; gradient = [-300.0, -9810.0];\n"
    "              centre = [0.8, 0.4]; } );\n"
    "probes = ( { name = \"right\"; kind = \"patch\"; on = \"tank\"; face = \"x+\"; at = 0.2;\n"
    "             size = 0.08; every = 1.0; },\n"
    "  { name = \"left\"; kind = \"point\"; on = \"tank\"; face = \"x-\"; at = 0.2; every = 1.0; "
    "},\n"
    "  { name = \"lid\"; kind = \"point\"; on = \"lid\"; face = \"y-\"; at = 0.4; every = 1.0; },\n"
    "  { name = \"roof\"; kind = \"point\"; on = \"roof\"; face = \"y-\"; at = 0.65;\n"
    "    every = 1.0; } );\n";

/* Reads the case and measures it. */
static sluice_status measure_text(struct scene *s, const char *text)
{
    static char said[4096];
    SLUICE_TRY(build(s, text, said));
    return measure(s);
}

static const double *values(const struct scene *s, int probe)
{
    return sluice_probes_table(s->probes, probe)->values;
}

static void check_under_water(const struct scene *s)
{
    /* A point between the planes of the lattice is off by up to 6e-4 of the pressure over dp. */
    const double lattice = 1e-3 * rho_g * dp, *patch = values(s, UNDER);
    is_str(sluice_probes_table(s->probes, UNDER)->header, "pressure,wet", "columns");
    is_close(values(s, POINT)[0], rho_g * (depth - 0.193), lattice, "a point under water");
    is_close(patch[0], rho_g * (depth - 0.193), lattice,
             "a patch: rho g times the mean depth of its area, as well as a point");
    is_close(patch[1], 1, 0, "all of it wet");
    /* The density grows by 1e-4 from the surface to the floor. */
    is_close(values(s, FOOT)[0], rho_g * depth, lattice, "a point on the floor: all of the depth");
    is_close(values(s, FLOOR)[0], rho_g * depth, lattice, "and a patch on it");
}

/* Points have fluid up to where sum V W is 0.05: 1.01 dp over the surface at a wall (Wendland C2,
 * h = 1.5 dp, both half spaces). Points half a spacing apart, and the rows of the lattice in place
 * of a half space, move that by 0.3 dp at most. */
static void check_half_wet(const struct scene *s)
{
    const double above = 1.01 * dp, off = 0.3 * dp, high = 0.24, radius = 0.12;
    const double *half = values(s, HALF), *disc = values(s, DISC);
    is_close(half[1], 0.5 + above / high, off / high, "half wet, within a row or so");
    /* The mean is over the whole area. Near the surface points read too deep: up to 0.7 dp, over 3
     * dp. */
    is_close(half[0], rho_g * high / 8, rho_g * 0.7 * dp * 3 * dp / high,
             "the mean counts the dry part");
    ok(values(s, DRY)[0] == 0 && values(s, DRY)[1] == 0, "dry: 0");
    /* A chord of the disc at y radii above its centre. */
    const double y = (depth + above - 0.34) / radius, chord = 2 * radius * sqrt(1 - y * y),
                 wet = 1 - (acos(y) - y * sqrt(1 - y * y)) / M_PI;
    is_close(disc[1], wet, off * chord / (M_PI * radius * radius), "the wet part of a disc");
}

/* Across the surface, so that some points are dry. */
static void check_against_line(void)
{
    static struct scene s;
    double sum = 0;
    int wet = 0;
    const sluice_status status = measure_text(&s, channel);
    is_int(status, SLUICE_OK, "2-D");
    const double *line = status == SLUICE_OK ? values(&s, 1) : NULL;
    for (int k = 0; line && k < 9; k++) {
        sum += line[2 * k];
        wet += line[2 * k + 1] >= 0.05;
    }
    if (ok(wet > 0 && wet < 9, "a line with wet and dry points")) {
        is_close(values(&s, 0)[0], sum / 9, 1e-12 * rho_g, "the mean of its points is the patch's");
        is_close(values(&s, 0)[1], wet / 9.0, 1e-12, "and the fraction of wet ones");
    }
    end(&s);
}

/* The acceleration of a wall adds to gravity. */
static void check_pushed(void)
{
    static struct scene s;
    const double lattice = 1e-3 * rho_g * dp;
    if (!is_int(measure_text(&s, pushed), SLUICE_OK, "a tank that is pushed"))
        diag("%s", sluice_message());
    else {
        is_close(values(&s, 0)[0], rho_g * 0.2, lattice, "its right wall");
        is_close(values(&s, 1)[0], rho_g * 0.2 + 300 * 0.8, lattice, "its left wall");
        is_close(values(&s, 2)[0], 300 * 0.4, 0.1 * lattice + 300 * 0.02,
                 "a lid is carried to the pressure of the surface");
        ok(values(&s, 3)[0] == 0 && values(&s, 3)[1] > 0.05,
           "the surface does not pull at a roof above it: %g Pa", values(&s, 3)[0]);
    }
    end(&s);
}

/* The effective config gives the same patch. */
static void check_effective(const struct scene *s)
{
    struct sluice_config again;
    const sluice_status status = sluice_config_parse(&again, sluice_config_text(&s->config),
                                                     "effective", NULL, 0, NULL);
    ok(status == SLUICE_OK && again.probes[DISC].round && again.probes[UNDER].size[0] == 0.11 &&
           again.probes[UNDER].size[1] == 0.09,
       "the effective config is read, and its patches are the same");
    sluice_config_destroy(&again);
}

int main(void)
{
    static struct scene s;
    if (!ok(measure_text(&s, basin) == SLUICE_OK, "3-D"))
        diag("%s", sluice_message());
    else {
        check_under_water(&s);
        check_half_wet(&s);
        check_effective(&s);
    }
    end(&s);
    check_against_line();
    check_pushed();
    return done_testing();
}
