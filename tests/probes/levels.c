/* test: 1 s */
/* Heights, depths and run-up over walls: steps, shells, lids, decks, slopes, walls of a file, and
 * walls that move. Each bed is known in closed form; the water is placed by hand. */
#include "probes/probe.h"
#include "support/run_fixture.h"
#include "support/tap.h"

static const double dp = 0.02;

/* Everything but geometry, water and probes; water fills a box and the walls cut it. */
#define CASE_2D                                                                                    \
    "model = \"wcsph\"; dimension = 2; spacing = 0.02; gravity = [0.0, -9.81];\n"                  \
    "fluid = { sound_speed = 30.0; };\n"                                                           \
    "time = { end = 10.0; }; output = { every = 0.0; };\n"
#define DOMAIN "domain = { min = [0.0, 0.0]; max = [2.0, 1.0]; };\n"
#define TANK   "{ shape = \"walls\"; sides = [\"left\", \"right\", \"bottom\"]; }"
#define WATER(x0, y0, x1, y1)                                                                      \
    "{ shape = \"box\"; type = \"fluid\"; min = [" #x0 ", " #y0 "]; max = [" #x1 ", " #y1 "]; }, "
#define WALL(x0, y0, x1, y1, more)                                                                 \
    "{ shape = \"box\"; type = \"wall\"; min = [" #x0 ", " #y0 "]; max = [" #x1 ", " #y1           \
    "]; " more "}, "
#define HEIGHT(x) "{ kind = \"height\"; at = [" #x "]; every = 0.1; }"

struct scene {
    struct sluice_config config;
    struct sluice_case setup;
    struct sluice_host_particles p;
    struct sluice_probes *probes;
};

/* The case of a text, with its fluid as it starts. */
static int begin(struct scene *s, const char *text)
{
    struct sluice_grid grid;
    memset(s, 0, sizeof *s);
    if (sluice_config_parse(&s->config, text, "case", NULL, 0, stderr) != SLUICE_OK ||
        sluice_case_create(&s->setup, &s->config, NULL) != SLUICE_OK ||
        sluice_probes_create(&s->probes, &s->setup) != SLUICE_OK ||
        sluice_grid_create(&grid, &s->setup.grid) != SLUICE_OK)
        return ok(0, "a case: %s", sluice_message());
    const struct sluice_start *fluid = &s->setup.start[SLUICE_FLUID];
    if (sluice_host_particles_reserve(&s->p, fluid->count) != SLUICE_OK)
        abort();
    s->p.dimension = s->config.dimension;
    s->p.has_density = 1;
    s->p.count = s->p.type_count[SLUICE_FLUID] = fluid->count;
    for (int64_t i = 0; i < fluid->count; i++) {
        sluice_grid_coordinates(&grid, &fluid->place[i], s->p.x[i]);
        s->p.density[i] = s->setup.physics.wcsph.rho0;
        s->p.mass[i] = fluid->mass[i];
        s->p.id[i] = fluid->id[i];
        s->p.type[i] = SLUICE_FLUID;
    }
    sluice_grid_destroy(&grid);
    return 1;
}

static void end(struct scene *s)
{
    sluice_probes_destroy(&s->probes);
    sluice_host_particles_destroy(&s->p);
    sluice_case_destroy(&s->setup);
    sluice_config_destroy(&s->config);
}

static void measure(struct scene *s, double time)
{
    ok(sluice_probes_measure(s->probes, &s->p, time, NULL) == SLUICE_OK, "measured at %g s", time);
}

static void move_water(struct scene *s, double x, double y)
{
    for (int64_t i = 0; i < s->p.count; i++) {
        s->p.x[i][0] += x;
        s->p.x[i][1] += y;
    }
}

/* A level is up to a quarter of a spacing above the lattice's surface: 0.19 dp with this kernel. */
static void is_wet(const struct scene *s, int probe, double level, double bed, const char *name)
{
    const double *v = sluice_probes_table(s->probes, probe)->values;
    ok(fabs(v[0] - level - 0.19 * dp) < 0.06 * dp, "%s: height %.5g", name, v[0]);
    ok(fabs(v[1] - bed) < 1e-12, "%s: bed %.17g", name, v[1]);
    ok(v[2] == v[0] - v[1], "%s: depth is their difference, %g", name, v[2]);
}

static void is_dry(const struct scene *s, int probe, double bed, const char *name)
{
    const double *v = sluice_probes_table(s->probes, probe)->values;
    ok(isnan(v[0]) && v[2] == 0, "%s: dry, no height, depth 0 (%g, %g)", name, v[0], v[2]);
    ok(fabs(v[1] - bed) < 1e-12, "%s: bed %.17g", name, v[1]);
}

/* Steps in a tank, of which one is a shell, and the places beside them. */
static void check_steps(void)
{
    struct scene s;
    if (!begin(&s,
               CASE_2D DOMAIN "geometry = ( " WATER(0.0, 0.0, 2.0, 0.4) WALL(1.0, 0.0, 2.0, 0.1, "")
                   WALL(1.2, 0.0, 2.0, 0.3, "fill = \"shell\"; ") WALL(1.6, 0.0, 2.0, 0.5, "") TANK
               " );\nprobes = ( " HEIGHT(0.5) "," HEIGHT(1.1) "," HEIGHT(1.4) "," HEIGHT(
                   1.8) "," HEIGHT(0.0) "," HEIGHT(0.997) "," HEIGHT(1.599) "," HEIGHT(2.0) ");"))
        return;
    is_str(sluice_probes_table(s.probes, 0)->header, "height,bed,depth", "columns of a height");
    measure(&s, 0);
    is_wet(&s, 0, 0.4, 0, "the open floor");
    is_wet(&s, 1, 0.4, 0.1, "a step");
    is_wet(&s, 2, 0.4, 0.3, "a hollow shell");
    is_dry(&s, 3, 0.5, "a step above the water");
    is_close(sluice_probes_table(s.probes, 4)->values[2], 0.4, 0.25 * dp,
             "on the tank's wall: depth");
    is_close(sluice_probes_table(s.probes, 5)->values[2], 0.4, 0.25 * dp, "beside a step: depth");
    is_close(sluice_probes_table(s.probes, 6)->values[2], 0.1, 0.25 * dp,
             "beside a step on a step");
    is_dry(&s, 7, 0.5, "on the tank's wall, above a step");
    end(&s);
}

/* The lowest surface that has water on it; never a level inside a wall above. */
static void check_decks(void)
{
    struct scene s;
    if (!begin(
            &s, CASE_2D DOMAIN "geometry = ( " WATER(0.0, 0.0, 1.0, 0.6) WATER(1.5, 0.56, 2.0, 0.7)
                    WALL(0.3, 0.3, 0.7, 0.4, "") WALL(1.2, 0.5, 2.0, 0.56, "") TANK
            " );\nprobes = ( " HEIGHT(0.1) "," HEIGHT(0.5) "," HEIGHT(1.3) "," HEIGHT(1.8) " );"))
        return;
    measure(&s, 0);
    is_wet(&s, 0, 0.6, 0, "beside a deck under water");
    const double *v = sluice_probes_table(s.probes, 1)->values;
    ok(fabs(v[0] - 0.3) < 1e-12 && v[1] == 0, "water on both sides of a deck: to its underside");
    is_dry(&s, 2, 0, "under a dry deck");
    is_wet(&s, 3, 0.7, 0.56, "water on a deck over a dry floor");
    end(&s);

    if (!begin(&s, CASE_2D DOMAIN "geometry = ( " WATER(
                       0.0, 0.0, 2.0, 1.0) "{ shape = \"walls\"; sides = "
                                           "[\"left\", \"right\", \"bottom\", \"top\"]; } );\n"
                                           "probes = ( " HEIGHT(0.5) " );"))
        return;
    measure(&s, 0);
    is_close(sluice_probes_table(s.probes, 0)->values[0], 1, 1e-12, "a tank full up to its lid");
    end(&s);
}

/* A hole under a dry beach is no bed, however its roof is made; a way under a bridge is. */
static void check_holes(void)
{
    struct scene s;
    if (!begin(&s, CASE_2D DOMAIN "geometry = ( " WATER(0.0, 0.0, 0.4, 0.2)
                       WALL(1.0, 0.0, 1.1, 0.3, "") WALL(1.1, 0.2, 2.0, 0.3, "") TANK
               " );\nprobes = ( " HEIGHT(1.5) "," HEIGHT(0.7) " );"))
        return;
    for (int k = 0; k < 2; k++) {
        measure(&s, 0);
        is_dry(&s, 0, 0.3, "a beach with a hole in it");
        is_dry(&s, 1, 0, "the floor before it");
    }
    end(&s);
    if (!begin(&s, CASE_2D DOMAIN "geometry = ( " WATER(0.0, 0.0, 0.4, 0.2)
                       WALL(1.0, 0.06, 1.1, 0.3, "") WALL(1.1, 0.2, 2.0, 0.3, "") TANK
               " );\nprobes = ( " HEIGHT(1.5) " );"))
        return;
    measure(&s, 0);
    is_dry(&s, 0, 0, "a hole with a way in");
    end(&s);
}

/* Splashes are no water on the bed; a film of one layer is one spacing deep. */
static void check_films(void)
{
    struct scene s;
    if (!begin(&s, CASE_2D DOMAIN "geometry = ( " WATER(0.0, 0.1, 1.0, 0.12)
                       WATER(1.4, 0.3, 1.6, 0.4) WALL(0.0, 0.0, 2.0, 0.1, "") TANK
               " );\nprobes = ( " HEIGHT(0.5) "," HEIGHT(1.5) " );"))
        return;
    measure(&s, 0);
    is_close(sluice_probes_table(s.probes, 0)->values[2], dp, 0.1 * dp,
             "a film of one layer: depth");
    is_dry(&s, 1, 0.1, "a splash in the air");
    end(&s);
}

/* A floor that rises under the water, a tank that sways over the probe, a flap that turns. */
static void check_motions(void)
{
    struct scene s;
    if (!begin(&s, CASE_2D DOMAIN "geometry = ( " WATER(1.0, 0.1, 2.0, 0.3)
                       WALL(1.0, 0.0, 2.0, 0.1, "motion = \"up\"; ")
                           WALL(0.0, 0.4, 0.6, 0.6, "motion = \"flap\"; ") TANK
               " );\n"
               "motions = ( { name = \"up\"; kind = \"linear\"; velocity = [0.0, "
               "0.05]; },\n"
               "  { name = \"flap\"; kind = \"rotation\"; centre = [0.0, 0.4]; rate = "
               "-0.1; } );\n"
               "probes = ( " HEIGHT(1.5) "," HEIGHT(0.9) "," HEIGHT(0.4) " );"))
        return;
    measure(&s, 0);
    is_wet(&s, 0, 0.3, 0.1, "a floor that will rise");
    is_dry(&s, 1, 0, "beside it");
    move_water(&s, 0, 0.13);
    measure(&s, 2.6);
    is_wet(&s, 0, 0.43, 0.23, "a floor that has risen");
    is_dry(&s, 1, 0, "beside it");
    is_dry(&s, 2, 0, "under a flap that turns");
    end(&s);

    if (!begin(&s, CASE_2D DOMAIN "geometry = ( " WATER(0.0, 0.0, 1.0, 0.3)
                       WALL(1.0, 0.0, 1.6, 0.5, "motion = \"tip\"; ") TANK
               " );\nmotions = ( { name = \"tip\"; kind = \"rotation\"; centre = [1.0, 0.0]; "
               "rate = -0.1; } );\nprobes = ( " HEIGHT(1.3) "," HEIGHT(1.55) " );"))
        return;
    measure(&s, 3); /* the top is a line through (1, 0) + R (0, 0.5), down the slope tan 0.3 */
    const double top = 0.5 / cos(0.3);
    is_close(sluice_probes_table(s.probes, 0)->values[1], top - 0.3 * tan(0.3), 1e-9,
             "a tilted block: bed");
    is_close(sluice_probes_table(s.probes, 1)->values[1], top - 0.55 * tan(0.3), 1e-9,
             "farther down");
    end(&s);

    if (!begin(&s, CASE_2D DOMAIN "geometry = ( " WATER(
                       0.0, 0.0, 2.0,
                       0.3) "{ shape = \"walls\"; motion = \"sway\"; sides = "
                            "[\"left\", \"right\", \"bottom\"]; } );\n"
                            "motions = ( { name = \"sway\"; kind = \"sine\"; amplitude = "
                            "[0.1, 0.05]; period = "
                            "4.0; } );\nprobes = ( " HEIGHT(0.08) "," HEIGHT(1.0) " );"))
        return;
    measure(&s, 0);
    is_wet(&s, 0, 0.3, 0, "a tank at rest");
    move_water(&s, 0.1, 0.05);
    measure(&s, 1);
    is_dry(&s, 0, 1.05, "where the tank's side has moved to");
    is_wet(&s, 1, 0.35, 0.05, "a tank that has risen");
    move_water(&s, -0.2, -0.1);
    measure(&s, 3);
    is_wet(&s, 0, 0.25, -0.05, "a tank that has sunk below the foot");
    end(&s);
}

/* A body goes round a period. */
static void check_periods(void)
{
    struct scene s;
    if (!begin(&s, CASE_2D
               "domain = { min = [0.0, 0.0]; max = [2.0, 1.0]; periodic = [true, false]; "
               "};\n"
               "geometry = ( " WATER(0.0, 0.0, 0.5, 0.4) WALL(
                   1.8, 0.0, 2.0, 0.1, "motion = \"go\"; ") "{ shape = \"walls\"; sides "
                                                            "= [\"bottom\"]; } );\nmotions = ( { "
                                                            "name = \"go\"; kind = \"linear\"; "
                                                            "velocity = [1.0, 0.0]; } );\n"
                                                            "probes = ( " HEIGHT(0.1) " );"))
        return;
    measure(&s, 0);
    is_wet(&s, 0, 0.4, 0, "beside a body");
    measure(&s, 0.2);
    is_close(sluice_probes_table(s.probes, 0)->values[1], 0.1, 1e-12,
             "over the seam of the period: bed");
    measure(&s, 4.2);
    is_close(sluice_probes_table(s.probes, 0)->values[1], 0.1, 1e-12, "two periods later: bed");
    measure(&s, 4.6);
    is_wet(&s, 0, 0.4, 0, "and gone");
    end(&s);
}

/* Stairs of boxes from x = 0.6, so many spacings wide and high, in water up to `line`. */
static int begin_slope(struct scene *s, int wide, int high, double line, int dimension, int dry)
{
    static char text[16384];
    const int three = dimension == 3;
    size_t n = (size_t)snprintf(
        text, sizeof text,
        "model = \"wcsph\"; dimension = %d; spacing = 0.02; gravity = [0.0, %s -9.81];\n"
        "fluid = { sound_speed = 30.0; }; domain = { min = [0.0, %s 0.0]; max = [2.0, %s 1.0]; };\n"
        "time = { end = 1.0; }; output = { every = 0.0; };\ngeometry = ( { shape = \"box\"; type = "
        "\"fluid\"; min = [0.0, %s 0.0]; max = [%s, %s %.9f]; }",
        dimension, three ? "0.0," : "", three ? "0.0," : "", three ? "0.2," : "",
        three ? "0.0," : "", dry ? "0.4" : "2.0", three ? "0.2," : "", line);
    for (int k = 1; k * high * dp < 0.8 && 0.6 + k * wide * dp < 2; k++)
        n += (size_t)snprintf(text + n, sizeof text - n,
                              ",\n{ shape = \"box\"; type = \"wall\"; min = [%.9f, %s 0.0]; max = "
                              "[2.0, %s %.9f]; }",
                              0.6 + (k - 1) * wide * dp, three ? "0.0," : "", three ? "0.2," : "",
                              k * high * dp);
    snprintf(
        text + n, sizeof text - n,
        " );\nprobes = ( { kind = \"runup\"; from = [0.5, %s 0.0]; to = [1.99, %s 0.7]; points "
        "= 300; every = 0.1; } );",
        three ? "0.11," : "", three ? "0.11," : "");
    return begin(s, text);
}

/* Stairs: the line where the water meets them is known, and the run-up is within one spacing of it.
 */
static void check_slopes(void)
{
    static const int slope[][2] = {{1, 1}, {2, 1}, {3, 1}, {5, 1}, {1, 2}, {4, 3}, {10, 1}};
    struct scene s;
    for (size_t k = 0; k < sizeof slope / sizeof *slope; k++) {
        const int wide = slope[k][0], high = slope[k][1];
        const double line = wide < 10 ? 0.24 : 0.12, steps = floor(line / (high * dp) - 1e-9);
        if (!begin_slope(&s, wide, high, line, 2, 0))
            continue;
        measure(&s, 0);
        const double *v = sluice_probes_table(s.probes, 0)->values;
        is_str(sluice_probes_table(s.probes, 0)->header, "runup,x", "columns of a run-up");
        ok(v[0] <= line + 1e-9 && line - v[0] < dp * (1 + 1e-9),
           "slope %d:%d: %g, the water's line less a spacing at most", high, wide, v[0]);
        /* to the distance of the points */
        is_close(v[1], 0.6 + steps * wide * dp, 1.49 / 299, "x is the face that holds the water");
        end(&s);
    }
    if (begin_slope(&s, 3, 1, 0.24, 3, 0)) {
        measure(&s, 0);
        const double *v = sluice_probes_table(s.probes, 0)->values;
        is_str(sluice_probes_table(s.probes, 0)->header, "runup,x,y", "columns in 3-D");
        ok(v[0] <= 0.24 + 1e-9 && v[0] > 0.22 - 1e-9, "in 3-D: %g", v[0]);
        is_close(v[2], 0.11, 1e-12, "its y");
        end(&s);
    }
    if (begin_slope(&s, 3, 1, 0.24, 2, 1)) {
        measure(&s, 0);
        const double *v = sluice_probes_table(s.probes, 0)->values;
        ok(isnan(v[0]) && isnan(v[1]), "no point is under water: no value");
        end(&s);
    }
}

/* Puts a row of n particles on a slope of 1:4 from x = 0.6 on, a spacing apart, and the rest far
 * below. The last one's centre is at returned x. */
static double lay_tongue(struct scene *s, int n)
{
    const double length = hypot(4, 1), along[2] = {4 / length, 1 / length};
    double x = 0;
    for (int64_t k = 0; k < s->p.count; k++) {
        const double at = k < n ? 0.7 + (double)k * dp : 0;
        s->p.x[k][0] = k < n ? 0.6 + at * along[0] - 0.5 * dp * along[1] : -5;
        s->p.x[k][1] = k < n ? at * along[1] + 0.5 * dp * along[0] : -5;
        x = k < n ? s->p.x[k][0] : x;
    }
    return x;
}

/* The end of a thin tongue on a smooth slope, finer than a spacing; drops ahead; a deeper mark. */
static void check_tongue(const char *fit)
{
    struct scene s;
    char text[1600];
    snprintf(
        text, sizeof text,
        CASE_2D DOMAIN "geometry = ( " WATER(0.0, 0.0, 0.7, 0.3) TANK
        ", { name = \"beach\"; shape = \"polygon\"; type = \"wall\"; %s\n"
        "points = ([0.6, 0.0], [2.2, 0.4], [2.2, -0.2], [0.6, -0.2]); } );\nprobes = (\n"
        "{ kind = \"runup\"; from = [0.7, 0.025]; to = [1.9, 0.325]; points = 241; every = 0.1; "
        "},\n"
        "{ kind = \"runup\"; from = [0.7, 0.025]; to = [1.9, 0.325]; points = 241; every = 0.1;\n"
        "  depth = 0.03; }, " HEIGHT(1.234) " );",
        fit);
    if (!begin(&s, text))
        return;
    const double *v = sluice_probes_table(s.probes, 0)->values,
                 *deep = sluice_probes_table(s.probes, 1)->values,
                 *bed = sluice_probes_table(s.probes, 2)->values;
    for (int k = 0; k < 5; k++) { /* the row of the lattice does not matter */
        const double last = lay_tongue(&s, 20 + k), end = last + 0.5 * dp;
        measure(&s, 0);
        is_close(bed[1], (1.234 - 0.6) / 4, 1e-9, "the bed is the true surface");
        is_close(v[1], end, 0.1 * dp, "a tongue ends half a spacing beyond its last particle");
        is_close(v[0], (v[1] - 0.6) / 4, 1e-9, "and the run-up is the bed there");
        ok(isnan(deep[0]), "one row is not 1.5 spacings deep");
    }
    const double last = lay_tongue(&s, 20);
    s.p.x[30][0] = last + 3 * dp; /* drops on the slope ahead, and a jet over it */
    s.p.x[30][1] = (last + 3 * dp - 0.6) / 4 + 0.5 * dp;
    s.p.x[31][0] = last + dp;
    s.p.x[31][1] = (last + dp - 0.6) / 4 + 4 * dp;
    measure(&s, 0);
    is_close(v[1], last + 0.5 * dp, 0.1 * dp,
             "drops ahead of the tongue, or over it, are none of it");
    end(&s);
}

/* Walls of a file, rows of particles along a slope of 20 degrees that a motion lifts, in the
 * geometry's tank. */
static void check_file(void)
{
    struct scene s;
    char path[600], text[2000];
    const char *folder = fixture_folder();
    const double slope = 20 * M_PI / 180, along[2] = {cos(slope), sin(slope)};
    snprintf(path, sizeof path, "%s/walls.csv", folder);
    FILE *file = fopen(path, "w");
    if (!file)
        return;
    fputs("type,shape,x,y\n", file);
    for (int row = 0; row < 4; row++)
        for (int k = -10; k < 50; k++)
            fprintf(file, "1,beach,%.17g,%.17g\n",
                    0.8 + k * dp * along[0] + (row + 0.5) * dp * along[1],
                    0.2 + k * dp * along[1] - (row + 0.5) * dp * along[0]);
    fclose(file);
    snprintf(text, sizeof text,
             CASE_2D DOMAIN "particles = \"%s\";\n"
                            "geometry = ( " WATER(0.0, 0.0, 0.4, 0.3) TANK
             " );\nmotions = ( { name = \"lift\"; carries = \"beach\"; kind = \"linear\"; "
             "velocity = [0.0, 0.1]; } );\n"
             "probes = ( " HEIGHT(0.7) "," HEIGHT(1.0) "," HEIGHT(1.503) "," HEIGHT(0.2) " );",
             path);
    if (begin(&s, text)) {
        for (int t = 0; t < 2; t++) {
            measure(&s, t);
            for (int i = 0; i < 3; i++) {
                const double x = s.setup.probes[i].x[0];
                const double top = 0.2 + 0.1 * t + (x - 0.8) * tan(slope);
                const double *v = sluice_probes_table(s.probes, i)->values;
                /* under the slope there is the tank's floor, which is the lowest surface */
                ok(i < 3 && v[1] == 0 && isnan(v[0]), "dry under the slope: the floor, %g", v[1]);
                for (int64_t k = 0; k < s.p.count; k++) { /* a pond on it */
                    s.p.x[k][0] = x + ((double)(k % 20) - 9.5) * dp;
                    s.p.x[k][1] = top + 0.1 + ((double)(k / 20) - 9.5) * dp;
                }
                measure(&s, t);
                is_close(v[1], top, dp, "a slope from a file under water: bed");
                ok(v[0] > v[1], "and water on it");
                move_water(&s, 0, 1);
                measure(&s, t);
            }
        }
        ok(sluice_probes_table(s.probes, 3)->values[1] == 0, "the geometry's floor beside it");
        end(&s);
    }
    fixture_remove(folder);
}

/* A block of a file, with the numbers as people write them: no place between its columns is open.
 */
static void check_block(void)
{
    struct scene s;
    char path[600], text[2000];
    const char *folder = fixture_folder();
    snprintf(path, sizeof path, "%s/block.csv", folder);
    FILE *file = fopen(path, "w");
    if (!file)
        return;
    fputs("type,shape,x,y\n", file);
    for (int i = 0; i < 10; i++)
        for (int j = 0; j < 10; j++)
            fprintf(file, "wall,weir,%.3f,%.3f\n", 0.4 + (i + 0.5) * dp, (j + 0.5) * dp);
    fclose(file);
    snprintf(
        text, sizeof text,
        CASE_2D DOMAIN "particles = \"%s\";\n"
                       "geometry = ( " WATER(0.0, 0.0, 0.2, 0.3) TANK
        " );\n"
        "probes = ( " HEIGHT(0.42) "," HEIGHT(0.44) "," HEIGHT(0.46) "," HEIGHT(0.48) "," HEIGHT(
            0.5) "," HEIGHT(0.52) "," HEIGHT(0.54) "," HEIGHT(0.56) "," HEIGHT(0.58) " );",
        path);
    if (begin(&s, text)) {
        measure(&s, 0);
        for (int i = 0; i < 9; i++) {
            const double bed = sluice_probes_table(s.probes, i)->values[1];
            ok(fabs(bed - 10 * dp) < 1e-6, "between columns of a file's block: bed %.9g", bed);
        }
        end(&s);
    }
    fixture_remove(folder);
}

int main(void)
{
    check_steps();
    check_decks();
    check_holes();
    check_films();
    check_motions();
    check_periods();
    check_slopes();
    check_tongue("fit = \"surface\";");
    check_tongue("");
    check_file();
    check_block();
    return done_testing();
}
