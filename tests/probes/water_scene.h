/* A case whose beds are known and whose water is placed by hand: only the clock moves. */
#ifndef SLUICE_TESTS_WATER_SCENE_H
#define SLUICE_TESTS_WATER_SCENE_H
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
__attribute__((unused)) static int begin(struct scene *s, const char *text)
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

__attribute__((unused)) static void end(struct scene *s)
{
    sluice_probes_destroy(&s->probes);
    sluice_host_particles_destroy(&s->p);
    sluice_case_destroy(&s->setup);
    sluice_config_destroy(&s->config);
}

__attribute__((unused)) static void measure(struct scene *s, double time)
{
    ok(sluice_probes_measure(s->probes, &s->p, time, NULL) == SLUICE_OK, "measured at %g s", time);
}

__attribute__((unused)) static void move_water(struct scene *s, double x, double y)
{
    for (int64_t i = 0; i < s->p.count; i++) {
        s->p.x[i][0] += x;
        s->p.x[i][1] += y;
    }
}

/* A level is up to a quarter of a spacing above the lattice's surface: 0.19 dp with this kernel. */
__attribute__((unused)) static void is_wet(const struct scene *s, int probe, double level,
                                           double bed, const char *name)
{
    const double *v = sluice_probes_table(s->probes, probe)->values;
    ok(fabs(v[0] - level - 0.19 * dp) < 0.06 * dp, "%s: height %.5g", name, v[0]);
    ok(fabs(v[1] - bed) < 1e-12, "%s: bed %.17g", name, v[1]);
    ok(v[2] == v[0] - v[1], "%s: depth is their difference, %g", name, v[2]);
}

__attribute__((unused)) static void is_dry(const struct scene *s, int probe, double bed,
                                           const char *name)
{
    const double *v = sluice_probes_table(s->probes, probe)->values;
    ok(isnan(v[0]) && v[2] == 0, "%s: dry, no height, depth 0 (%g, %g)", name, v[0], v[2]);
    ok(fabs(v[1] - bed) < 1e-12, "%s: bed %.17g", name, v[1]);
}
#endif
