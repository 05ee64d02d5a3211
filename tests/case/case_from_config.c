/* test: 0.4 s */
/* From the text of a config to a case: the case gets what it expects from the reader. */
#include "probes/probe_report.h"
#include "support/case_config.h"

static struct sluice_config config;
static struct sluice_case c;
static char said[4096];

static int create(const char *text, const char *const *set, int sets)
{
    memset(said, 0, sizeof said);
    if (sluice_config_parse(&config, text, "case.cfg", set, sets, NULL) != SLUICE_OK) {
        diag("%s", sluice_message());
        return SLUICE_BAD_INPUT;
    }
    FILE *warnings = fmemopen(said, sizeof said, "w");
    sluice_status status = sluice_case_create(&c, &config, warnings);
    if (status == SLUICE_OK)
        status = sluice_probes_check(&c, warnings);
    fclose(warnings);
    if (status != SLUICE_OK) {
        diag("%s", sluice_message());
        sluice_config_destroy(&config);
    }
    return status;
}

static void destroy(void)
{
    sluice_case_destroy(&c);
    sluice_config_destroy(&config);
}

static const char dam_break[] =
    "title = \"Dam break\"; model = \"wcsph\"; dimension = 2; spacing = 0.00142875;\n"
    "domain = { min = [0.0, 0.0]; max = [0.5715, 0.2286]; periodic = [false, false]; };\n"
    "gravity = [0.0, -9.81];\n"
    "geometry = ( { shape = \"box\"; type = \"fluid\"; min = [0.0, 0.0]; max = [0.05715, 0.1143]; "
    "},\n"
    "             { shape = \"walls\"; sides = [\"x-\", \"right\", \"bottom\"]; } );\n"
    "probes = ( { name = \"front\"; kind = \"front\"; axis = \"x\"; above = 0.002286; every = "
    "0.001; },\n"
    "           { kind = \"height\"; at = [0.1]; every = 0.01; } );\n"
    "time = { end = 0.5; }; output = { every = 0.01; };\n";

static const char spheric[] =
    "model = \"wcsph\"; dimension = 3; spacing = 0.02;\n"
    "domain = { min = [0.0, 0.0, 0.0]; max = [3.22, 1.0, 1.0]; };\n"
    "gravity = [0.0, 0.0, -9.81];\n"
    "geometry = ( { shape = \"box\"; type = \"fluid\"; min = [0.0, 0.0, 0.0]; max = [1.22, 1.0, "
    "0.54]; },\n"
    "             { shape = \"walls\"; sides = [\"x-\", \"x+\", \"y-\", \"y+\", \"z-\"]; },\n"
    "             { name = \"obstacle\"; shape = \"box\"; type = \"wall\"; fill = \"shell\";\n"
    "               min = [2.3955, 0.295, 0.0]; max = [2.5565, 0.698, 0.161]; } );\n"
    "initial = ( { field = \"pressure\"; kind = \"hydrostatic\"; } );\n"
    "probes = ( { name = \"P1\"; kind = \"point\"; on = \"obstacle\"; face = \"x-\"; at = [0.529, "
    "0.021]; every = 0.001; },\n"
    "           { name = \"H4\"; kind = \"height\"; at = [0.582, 0.5]; every = 0.01; } );\n"
    "time = { end = 2.0; }; output = { every = 0.02; };\n";

static const char lennard_jones[] =
    "model = \"lj\"; units = \"lj\"; dimension = 3;\n"
    "pair = { name = \"lj\"; cutoff = 2.5; mass = 1.0; };\n"
    "lattice = { kind = \"fcc\"; cells = [10, 10, 10]; density = 0.8442; };\n"
    "thermal = { temperature = 1.44; seed = 1; };\n"
    "time = { end = 0.5; step = 0.005; }; output = { every = 0.1; };\n";

/* The line in the warning can be added to the config as it stands. */
static void line_to_add(void)
{
    static char text[4096];
    is_int(create(dam_break, NULL, 0), SLUICE_OK, "a dam break without a pressure");
    const char *line = strstr(said, "initial = (");
    ok(line, "the line to add: %s", said);
    snprintf(text, sizeof text, "%s%s", dam_break, line ? line : "");
    destroy();
    is_int(create(text, NULL, 0), SLUICE_OK, "with the line");
    is_str(said, "", "there is no warning");
    is_close(c.start[SLUICE_FLUID].density[0], pow(1 + 6 * (1 - 0.5 / 80) / 200, 1.0 / 6) - 1,
             1e-12, "and the pressure is there");
    destroy();
}

/* A tank 1 m long, with walls three particles thick, and water 0.2 m deep. */
static const char flume[] =
    "model = \"wcsph\"; dimension = 2; spacing = 0.02; gravity = [0.0, -9.81];\n"
    "domain = { min = [0.0, 0.0]; max = [1.0, 0.5]; };\n"
    "geometry = ( { shape = \"box\"; type = \"fluid\"; min = [0.0, 0.0]; max = [1.0, 0.2]; },\n"
    "  { shape = \"box\"; type = \"wall\"; min = [0.6, 0.0]; max = [0.8, 0.5]; },\n"
    "  { name = \"tank\"; shape = \"walls\"; sides = [\"left\", \"right\", \"bottom\"]; } );\n"
    "initial = ( { field = \"pressure\"; kind = \"hydrostatic\"; } );\n"
    "probes = ( { name = \"Q\"; kind = \"flux\"; from = [0.5, -0.2]; to = [0.5, 0.9]; every = "
    "0.01; },\n"
    "  { name = \"h\"; kind = \"height\"; at = [0.3]; every = 0.01; },\n"
    "  { name = \"p\"; kind = \"patch\"; on = \"tank\"; face = \"left\"; at = 0.1; size = 0.2;\n"
    "    every = 0.01; } );\n"
    "time = { end = 1.0; }; output = { every = 0.1; };\n";

/* The face reaches from 0 to 0.5. */
static void check_patch_warnings(void)
{
    const char *const beyond[] = {"probes.p.at=0.48", "probes.p.size=0.16"},
                      *const small[] = {"probes.p.size=0.019"},
                      *const large[] = {"probes.p.size=2e5"};
    is_int(create(flume, beyond, 2), SLUICE_OK, "a patch past the end of its face");
    ok(strstr(said, "probe 'p': 37.5% of its side along y, from 0.4 to 0.56, lies beyond the face "
                    "of 'tank', which reaches from 0 to 0.5: move it or give a smaller size"),
       "warns: %s", said);
    destroy();
    is_int(create(flume, small, 1), SLUICE_OK, "a patch smaller than the spacing");
    ok(strstr(said, "probe 'p': its longest side, 0.019 m, is shorter than the spacing of 0.02 m: "
                    "it measures what a point does"),
       "warns: %s", said);
    destroy();
    is_int(create(flume, large, 1), SLUICE_BAD_INPUT, "a patch of too many points");
    ok(strstr(sluice_message(), "probe 'p': its size takes 2e+07 points half a spacing apart, at "
                                "most 1e+06 are allowed"),
       "says so: %s", sluice_message());
    destroy();
}

static void check_probe_warnings(void)
{
    is_int(create(flume, NULL, 0), SLUICE_OK, "a section that reaches past walls");
    is_str(said, "", "has no warning");
    destroy();
    const char *const beyond[] = {"probes.Q.from=[0.5,0.6]"};
    is_int(create(flume, beyond, 1), SLUICE_OK, "a section above the domain");
    ok(strstr(said, "probe 'Q': the section lies beyond the domain along y"), "warns: %s", said);
    destroy();
    const char *const inside[] = {"probes.h.at=[0.7]"};
    is_int(create(flume, inside, 1), SLUICE_OK, "a height in a wall up to the top");
    ok(strstr(said, "probe 'h': a wall fills the whole height of the domain"), "warns: %s", said);
    destroy();
    check_patch_warnings();
}

/* A strategy by name that has over ten times the default's work is warned of, on the CPU from few
 * particles on. */
static void slow_strategy(void)
{
    const char *const tiled[] = {"backend.strategy=\"tiled\"", "fluid.masses=\"hydrostatic\"",
                                 "backend.name=\"cpu\"", "spacing=0.01905"};
    const char *const window[] = {"backend.strategy=\"window\"", tiled[1], tiled[2]};
    is_int(create(dam_break, tiled, 3), SLUICE_OK, "all pairs of 3200 and 2178 particles");
    ok(c.warning_count == 1 &&
           strstr(said, "backend.strategy: \"tiled\" tests about 2.4e+07 pairs") &&
           strstr(said, "\"window\", the default, about 3e+05, 80 times fewer: leave"),
       "are warned of, with both numbers: %s", said);
    destroy();
    is_int(create(dam_break, window, 3), SLUICE_OK, "the default by its name");
    is_str(said, "", "has no warning");
    destroy();
    is_int(create(dam_break, tiled + 1, 2), SLUICE_OK, "auto");
    is_str(said, "", "neither");
    destroy();
    is_int(create(dam_break, tiled, 4), SLUICE_OK, "all pairs of few particles");
    is_str(said, "", "neither");
    destroy();
}

/* A filter of the diffusion that leaves nothing to diffuse is warned of. */
static void short_filter(void)
{
    const char *const set[] = {"fluid.diffusion.filter=0.001", "fluid.masses=\"hydrostatic\""};
    const char *const enough[] = {"fluid.diffusion.filter=0.1", set[1]};
    is_int(create(dam_break, set, 2), SLUICE_OK, "a filter of 0.001 s");
    ok(strstr(said, "fluid.diffusion.filter: 0.001 s is below 0.002862 s, 20 h/c0"), "warns: %s",
       said);
    destroy();
    is_int(create(dam_break, enough, 2), SLUICE_OK, "a filter of 0.1 s");
    is_str(said, "", "has no warning");
    destroy();
}

/* The shipped cases of a gas: their lattices fit, so nothing is warned of. */
static void gases(void)
{
    static const char *const path[] = {"configs/sod.cfg", "configs/sedov.cfg", "configs/vortex.cfg",
                                       "configs/kelvin_helmholtz.cfg"};
    const double mass[] = {0.0390625 * 0.0390625 * (0.5 + 0.125 * 0.75), 1, 1, 1.5};
    for (size_t i = 0; i < sizeof path / sizeof *path; i++) {
        if (!ok(sluice_config_read(&config, path[i], NULL, 0, stderr) == SLUICE_OK, "%s", path[i]))
            continue;
        const sluice_status status = sluice_case_create(&c, &config, stderr);
        if (ok(status == SLUICE_OK && c.warning_count == 0, "fills, without a warning")) {
            /* 130,000 masses are added up */
            is_close(c.fluid_mass[0] / mass[i], 1, 1e-10, "its mass");
            ok(c.gas.density[0] > 0 && c.gas.energy[0] > 0 && c.gas.h[1] < 2.1 * c.gas.h[0],
               "has densities, energies, and smoothing lengths");
            sluice_case_destroy(&c);
        }
        sluice_config_destroy(&config);
    }
}

int main(void)
{
    line_to_add();
    short_filter();
    check_probe_warnings();
    slow_strategy();
    is_int(create(dam_break, NULL, 0), SLUICE_OK, "the dam break of the documentation");
    is_int(c.warning_count, 1, "has one warning, of no pressure at the start");
    is_int(c.start[SLUICE_FLUID].count, 3200, "its fluid");
    is_int(c.start[SLUICE_WALL].count, 406 * 3 + 6 * 160, "its walls, sides by either name");
    ok(c.physics.wcsph.alpha == 0.02 && c.physics.wcsph.delta == 0.1 &&
           c.physics.wcsph.hydrostatic_diffusion && c.physics.wcsph.ghost && c.physics.wcsph.slip &&
           c.physics.wcsph.spring && c.physics.wcsph.nu == 0,
       "the default formulation reaches the pairs' parameters");
    is_close(c.probes[1].x[0], 0.1, 0, "foot of a height probe, x");
    is_close(c.probes[1].x[1], 0, 0, "and y: the floor");
    ok(c.grid.frame_cutoffs == 8 && c.grid.bins_per_cutoff[0] == 8, "search");
    is_close(c.grid.bins_per_cutoff[1], 1.0, 0.1, "rows 3 spacings thick");
    destroy();

    const char *const set[] = {"spacing=0.0028575", "backend.bins=[4,1]",
                               "domain.frame_shift=[10000,-3]", "boundary.kind=\"dynamic\"",
                               "fluid.masses=\"hydrostatic\""};
    is_int(create(dam_break, set, 5), SLUICE_OK, "the same with overrides");
    is_int(c.start[SLUICE_FLUID].count, 800, "a coarser lattice");
    ok(c.grid.bins_per_cutoff[0] == 4 && c.grid.bins_per_cutoff[1] == 1 &&
           c.grid.shift[0] == 10000 && c.grid.shift[1] == -3,
       "bins and shift");
    ok(!c.physics.wcsph.ghost && c.start[SLUICE_FLUID].mass[0] > 1000 * 0.0028575 * 0.0028575,
       "dynamic walls, hydrostatic masses");
    destroy();

    is_int(create(spheric, NULL, 0), SLUICE_OK, "SPHERIC 2");
    ok(c.warning_count == 1 && strstr(said, "box 3 'obstacle' (case.cfg:6) has a volume of 0.01024 "
                                            "on the lattice instead of 0.0104462, 2% off"),
       "has one warning, of its box");
    is_int(c.start[SLUICE_FLUID].count, 61 * 50 * 27, "its fluid");
    is_int(c.start[SLUICE_WALL].count, 167 * 56 * 53 - 161 * 50 * 50 + 8 * 20 * 8 - 2 * 14 * 5,
           "its tank and box");
    is_close(c.probes[0].x[0], 2.40, 1e-12, "P1 on the actual face of the box");
    is_close(c.probes[0].x[2], 0.021, 1e-12, "at its height");
    is_close(c.probes[1].x[1], 0.5, 1e-12, "H4");
    is_close(c.start[SLUICE_FLUID].density[0],
             pow(1 + 6 * 9.81 * 0.53 / (200 * 9.81 * 0.54), 1.0 / 6) - 1, 1e-12,
             "hydrostatic start");
    destroy();

    is_int(create(lennard_jones, NULL, 0), SLUICE_OK, "Lennard-Jones");
    is_int(c.start[SLUICE_FLUID].count, 4000, "its particles");
    is_close(c.grid.high[0] - c.grid.low[0], 10 * cbrt(4 / 0.8442), 1e-12, "its box");
    is_close(c.cutoff, 2.5, 0, "its cutoff");
    double square = 0;
    for (int64_t i = 0; i < 4000; i++)
        for (int a = 0; a < 3; a++)
            square += c.start[0].velocity[i][a] * c.start[0].velocity[i][a];
    is_close(square / (3 * 3999.0), 1.44, 1e-12, "its temperature");
    destroy();
    gases();
    return done_testing();
}
