/* test: 3 s, sanitize-slow, emulator-slow */
/* Forces where one wall stands on another: each shape gets the force of the water that touches it,
 * and the sum is the force on all wall particles. For every kind of wall, at rest and moving. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "probes/probe.h"
#include "probes/standing_water.h"
#include "sim/sim.h"
#include "support/tap.h"

enum { VALUES = 3, TANK = 0, CAISSON = 1, SETTINGS = 6 };

/* Water 0.2 m deep on both sides of a caisson of slope 1:1, whose top is dry. The names of the
 * caisson and of its motion, and its foot's corners, are open. */
#define CASE                                                                                       \
    "model = \"wcsph\"; dimension = 2; spacing = 0.02; gravity = [0.0, -9.81];\n"                  \
    "fluid = { masses = \"hydrostatic\"; };\n"                                                     \
    "domain = { min = [0.0, 0.0]; max = [1.4, 0.5]; };\n"                                          \
    "geometry = ( { name = \"water\"; shape = \"box\"; type = \"fluid\"; min = [0.0, 0.0];\n"      \
    "    max = [1.4, 0.2]; },\n"                                                                   \
    "  { name = \"%s\"; shape = \"walls\"; sides = [\"x-\", \"x+\", \"y-\"]; },\n"                 \
    "  { name = \"%s\"; shape = \"polygon\"; type = \"wall\"; %s %s\n"                             \
    "    points = ([%.3f, %.3f], [0.95, %.3f], [0.95, 0.3], [0.7, 0.3]); } );\n"                   \
    "initial = ( { field = \"pressure\"; kind = \"hydrostatic\"; } );\n"                           \
    "time = { end = 9.0; }; output = { every = 0.0; };\n"
#define MOTION          "motions = ( { name = \"lift\"; kind = \"linear\"; velocity = [0.0, 0.5]; } );\n"
#define PROBE(name, on) "{ name = \"" name "\"; kind = \"force\"; on = \"" on "\"; every = 1e-6; }"
#define TWO             "probes = ( " PROBE("t", "tank") ", " PROBE("c", "caisson") " );\n"
#define ONE             "probes = ( " PROBE("all", "all") " );\n"

struct run {
    struct sluice_config config;
    struct sluice_case setup;
    struct sluice_sim sim;
    struct sluice_probes *probes;
    struct sluice_host_particles near;
};

static sluice_status begin(struct run *r, const char *text, const char *const *set, int settings)
{
    memset(r, 0, sizeof *r);
    SLUICE_TRY(sluice_config_parse(&r->config, text, "case", set, settings, NULL));
    SLUICE_TRY(sluice_case_create(&r->setup, &r->config, NULL));
    SLUICE_TRY(sluice_sim_create(&r->sim, &r->config, &r->setup, NULL));
    SLUICE_TRY(sluice_probes_create(&r->probes, &r->setup));
    return sluice_sim_start(&r->sim);
}

static sluice_status measure(struct run *r)
{
    const unsigned char due[2] = {1, 1};
    SLUICE_TRY(sluice_probes_prepare(r->probes, r->sim.support, r->sim.time));
    SLUICE_TRY(
        sluice_probes_fetch(r->probes, &r->sim.backend, &r->sim.grid, r->sim.set, due, &r->near));
    return sluice_probes_measure(r->probes, &r->near, r->sim.time, due);
}

static void end(struct run *r)
{
    sluice_probes_destroy(&r->probes);
    sluice_host_particles_destroy(&r->near);
    sluice_sim_destroy(&r->sim);
    sluice_case_destroy(&r->setup);
    sluice_config_destroy(&r->config);
}

/* The forces of a case after some steps: [probe][value]. */
static int forces(const char *text, const char *const *set, int settings, int steps,
                  double out[2][VALUES])
{
    static struct run r;
    sluice_status status = begin(&r, text, set, settings);
    for (int n = 0; n < steps && status == SLUICE_OK; n++)
        status = sluice_sim_step(&r.sim);
    if (status == SLUICE_OK)
        status = measure(&r);
    for (int i = 0; i < r.config.probe_count && status == SLUICE_OK; i++)
        memcpy(out[i], sluice_probes_table(r.probes, i)->values, VALUES * sizeof **out);
    if (status != SLUICE_OK)
        diag("%s", sluice_message());
    end(&r);
    return status == SLUICE_OK;
}

/* Forces at the start, before anything moves. On the slope lie 1/2 rho g d^2 of water, whose middle
 * is a third of d from the toe: a torque of 2 d/3 of its weight about the toe, less d/3 by the back
 * face. */
static void check_still(void)
{
    static const struct {
        const char *name, *fit;
        double toe, foot; /* of the slope; z of the base */
        double off;       /* relative */
        int second;       /* the fluid is the second one */
    } kinds[] = {
        {"fitted, on the floor", "fit = \"surface\";", 0.4, 0, 0.05, 0},
        {"fitted, base below it", "fit = \"surface\";", 0.35, -0.05, 0.08, 0},
        /* Cells whose centre is on the slope are walls: half a spacing of water less. */
        {"on the lattice", "", 0.4, 0, 0.12, 0},
        {"on the lattice, base below it", "", 0.35, -0.05, 0.12, 0},
        {"fitted, on the floor, in the second fluid", "fit = \"surface\";", 0.4, 0, 0.05, 1}};
    const char *const set[] = {"backend.precision=\"double\"", "backend.strategy=\"window\"",
                               "geometry.[0].phase=2", "fluid.second.density=500.0"};
    const double d = 0.2;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        char text[2400];
        double f[2][VALUES];
        const double weight = 0.5 * (kinds[k].second ? 500 : 1000) * 9.81 * d * d;
        snprintf(text, sizeof text, CASE TWO, "tank", "caisson", kinds[k].fit, "", kinds[k].toe,
                 kinds[k].foot, kinds[k].foot);
        if (!ok(forces(text, set, kinds[k].second ? 4 : 2, 0, f), "%s", kinds[k].name))
            continue;
        is_close(f[CAISSON][1], -weight, kinds[k].off * weight, "the weight of the water on it");
        is_close(f[CAISSON][2], -weight * (0.4 + d / 3),
                 1.2 * kinds[k].off * weight * (0.4 + d / 3), "and its torque");
    }
}

/* The same walls under one name have the sum. */
static void check_sum(const char *boundary, const char *viscosity, const char *precision, int moves,
                      double off)
{
    const char *const set[SETTINGS] = {
        boundary,      viscosity, precision, "backend.threads=1", "backend.strategy=\"window\"",
        "time.cfl=0.2"};
    char text[2400];
    double f[2][VALUES], all[2][VALUES], again[2][VALUES];
    const char *motion = moves ? MOTION : "", *carried = moves ? "motion = \"lift\";" : "";
    int known = 1;
    for (int whole = 1; whole >= 0; whole--) {
        snprintf(text, sizeof text, CASE "%s%s", whole ? "all" : "tank", whole ? "all" : "caisson",
                 "", carried, 0.4, 0.0, 0.0, motion, whole ? ONE : TWO);
        known &= forces(text, set, SETTINGS, 20, whole ? all : f);
    }
    if (!ok(known, "%s, %s, %s, %s", boundary, viscosity, precision, moves ? "lifted" : "at rest"))
        return;
    for (int c = 0; c < VALUES; c++)
        is_close(f[TANK][c] + f[CAISSON][c], all[0][c], off * 2500, "the sum of both");
    ok(f[CAISSON][1] < -40, "and the caisson has its water: %g", f[CAISSON][1]);
    const char *const more[SETTINGS] = {
        boundary,      viscosity, precision, "backend.threads=3", "backend.strategy=\"window\"",
        "time.cfl=0.2"};
    ok(forces(text, more, SETTINGS, 20, again) && memcmp(again, f, sizeof f) == 0,
       "the same bits with more threads");
}

/* A sill whose end is the end of a period has the force of one in the middle: fluid beyond the seam
 * touches it, too. */
static void check_period(void)
{
    static const double places[] = {0.6, 1.28, 0};
    const char *const set[] = {"backend.precision=\"double\"", "backend.strategy=\"window\""};
    double f[3][2][VALUES];
    int known = 1;
    for (int k = 0; k < 3; k++) {
        char text[1600];
        snprintf(
            text, sizeof text,
            "model = \"wcsph\"; dimension = 2; spacing = 0.02; gravity = [0.0, -9.81];\n"
            "fluid = { masses = \"hydrostatic\"; };\n"
            "domain = { min = [0.0, 0.0]; max = [1.4, 0.5]; periodic = [true, false]; };\n"
            "geometry = ( { shape = \"box\"; type = \"fluid\"; min = [0.0, 0.0];\n"
            "    max = [1.4, 0.2]; }, { name = \"tank\"; shape = \"walls\"; sides = [\"y-\"]; },\n"
            "  { name = \"caisson\"; shape = \"box\"; type = \"wall\"; min = [%.3f, 0.0];\n"
            "    max = [%.3f, 0.1]; } );\n"
            "initial = ( { field = \"pressure\"; kind = \"hydrostatic\"; } );\n"
            "time = { end = 9.0; }; output = { every = 0.0; };\n" TWO,
            places[k], places[k] + 0.12);
        known &= forces(text, set, 2, 3, f[k]);
    }
    if (!ok(known, "a sill at three places of a period"))
        return;
    for (int k = 1; k < 3; k++)
        for (int i = TANK; i <= CAISSON; i++)
            is_close(f[k][i][1], f[0][i][1], 1e-9, "the same force at the seam");
}

/* Water 0.3 m deep, and a body of 0.2 m in it that is held at some height over the floor: on the
 * floor no water is beneath it, and the water above presses it down. */
static void check_lift(void)
{
    static const struct {
        const char *name;
        double gap, lift, off; /* m; what presses from below over rho g times its depth */
    } places[] = {{"on the floor", 0, 0, 0.03},
                  {"a spacing above it", 0.02, 0.84, 0.06},
                  {"two spacings", 0.04, 1, 0.03},
                  {"three spacings", 0.06, 1, 0.03}};
    const char *const set[] = {"backend.precision=\"double\"", "backend.strategy=\"window\"",
                               "fluid.viscosity.alpha=0.2"};
    for (size_t k = 0; k < sizeof places / sizeof *places; k++) {
        char text[1600];
        double f[2][VALUES];
        const double gap = places[k].gap, above = 9810 * 0.2 * (0.3 - 0.2 - gap),
                     beneath = 9810 * 0.2 * (0.3 - gap);
        snprintf(text, sizeof text,
                 "model = \"wcsph\"; dimension = 2; spacing = 0.02; gravity = [0.0, -9.81];\n"
                 "fluid = { masses = \"hydrostatic\"; };\n"
                 "domain = { min = [0.0, 0.0]; max = [1.0, 0.5]; };\n"
                 "geometry = ( { shape = \"box\"; type = \"fluid\"; min = [0.0, 0.0];\n"
                 "    max = [1.0, 0.3]; }, { name = \"tank\"; shape = \"walls\";\n"
                 "    sides = [\"x-\", \"x+\", \"y-\"]; },\n"
                 "  { name = \"caisson\"; shape = \"box\"; type = \"body\"; min = [0.4, %.3f];\n"
                 "    max = [0.6, %.3f]; } );\n"
                 "bodies = ( { name = \"caisson\"; density = 2000.0; release = 9.0; } );\n"
                 "initial = ( { field = \"pressure\"; kind = \"hydrostatic\"; } );\n"
                 "time = { end = 9.5; }; output = { every = 0.0; };\n" TWO,
                 gap, gap + 0.2);
        if (ok(forces(text, set, 3, 600, f), "%s", places[k].name))
            is_close((f[CAISSON][1] + above) / beneath, places[k].lift, places[k].off,
                     "the pressure from below");
    }
}

/* Steps of cells hold less water than the slope. */
static void check_standing(void)
{
    static const struct {
        const char *fit;
        double steps; /* cells in the columns over the slope, 0 without an answer */
    } kinds[] = {{"", 9 + 8 + 7 + 6 + 5 + 4 + 3 + 2 + 1}, {"fit = \"surface\";", 0}};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        static struct run r;
        char text[2400];
        snprintf(text, sizeof text, CASE TWO, "tank", "caisson", kinds[k].fit, "", 0.4, 0.0, 0.0);
        memset(&r, 0, sizeof r);
        if (ok(sluice_config_parse(&r.config, text, "case", NULL, 0, NULL) == SLUICE_OK &&
                   sluice_case_create(&r.setup, &r.config, NULL) == SLUICE_OK,
               "%s", sluice_message())) {
            const struct sluice_standing_water w = sluice_find_standing_water(&r.setup, "caisson");
            ok((w.shape >= 0) == (kinds[k].steps > 0), "a slope on the lattice, if it is there");
            is_close(w.on_steps, kinds[k].steps * 9810 * 0.02 * 0.02, 1e-6, "on its steps");
            is_close(w.on_surface, kinds[k].steps > 0 ? 9810 * 0.2 * 0.2 / 2 : 0, 0.5,
                     "and on the slope");
        }
        sluice_case_destroy(&r.setup);
        sluice_config_destroy(&r.config);
    }
}

int main(void)
{
    static const char *const boundary[] = {"boundary.kind=\"adami\"", "boundary.kind=\"dynamic\"",
                                           "boundary.kind=\"repulsive\"", "boundary.kind=\"mdbc\""};
    static const char artificial[] = "fluid.viscosity.kind=\"artificial\"";
    check_still();
    check_standing();
    check_lift();
    check_period();
    for (int k = 0; k < 4; k++)
        check_sum(boundary[k], artificial, "backend.precision=\"double\"", 0, 1e-12);
    check_sum(boundary[0], artificial, "backend.precision=\"double\"", 1, 1e-12);
    check_sum(boundary[0], artificial, "backend.precision=\"float\"", 0, 1e-5);
    return done_testing();
}
