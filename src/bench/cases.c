/* The configs that benchmarks measure, and disorder for their particles. */
#include <math.h>

#include "bench/benchmark.h"
#include "core/hash.h"
#include "sim/tune.h"

static const char cube[] =
    "title = \"bench: periodic cube\"; model = \"wcsph\"; dimension = 3; spacing = 0.01;\n"
    "domain = { min = [0.0, 0.0, 0.0]; max = [%.10g, %.10g, %.10g];\n"
    "  periodic = [true, true, true]; };\n"
    "kernel = { name = \"%s\"; h_over_dp = %.10g; };\n"
    "fluid = { sound_speed = 10.0; viscosity = { kind = \"artificial\"; alpha = 0.02; };\n"
    "  diffusion = { kind = \"molteni\"; }; };\n"
    "geometry = ( { shape = \"box\"; type = \"fluid\"; min = [0.0, 0.0, 0.0];\n"
    "  max = [%.10g, %.10g, %.10g]; } );\n"
    "time = { end = 1.0; }; output = { every = 0.0; };\n";

long long sluice_bench_particles(const struct sluice_bench_settings *settings)
{
    return settings->particles ? settings->particles : SLUICE_BENCH_PARTICLES;
}

void sluice_bench_make_box(struct sluice_bench_case *c, const double edge[3], const char *kernel,
                           double h_over_dp)
{
    const double x = 0.01 * edge[0], y = 0.01 * edge[1], z = 0.01 * edge[2];
    snprintf(c->made_config, sizeof c->made_config, cube, x, y, z, kernel, h_over_dp, x, y, z);
    c->config = c->made_config;
}

void sluice_bench_make_cube(struct sluice_bench_case *c, long long particles, const char *kernel,
                            double h_over_dp)
{
    const double edge = fmax(8.0, rint(cbrt((double)particles))), edges[3] = {edge, edge, edge};
    sluice_bench_make_box(c, edges, kernel, h_over_dp);
}

static const char contrast[] =
    "title = \"bench: a dense gas in a thin one\"; model = \"gas\"; dimension = 3;\n"
    "spacing = %.12g; kernel = { h_over_dp = 1.2; };\n"
    "domain = { min = [-%.12g, -%.12g, -%.12g]; max = [%.12g, %.12g, %.12g];\n"
    "  periodic = [true, true, true]; };\n"
    "geometry = ( { shape = \"box\"; type = \"fluid\"; min = [-%.12g, -%.12g, -%.12g];\n"
    "    max = [%.12g, %.12g, %.12g]; density = %.12g; pressure = 1.0; spacing = %.12g; },\n"
    "  { shape = \"box\"; type = \"fluid\"; min = [-0.5, -0.5, -0.5]; max = [0.5, 0.5, 0.5];\n"
    "    density = 1.0; pressure = 1.0; } );\n"
    "time = { end = 1.0; }; output = { every = 0.0; };\n";

/* The wide particles fill a box of whole spacings around the cube of the dense ones. */
void sluice_bench_make_contrast(struct sluice_bench_case *c, long long particles, int times)
{
    enum { DENSE_A_WIDE = 32 };
    const double edge = fmax(8, rint(cbrt((double)particles))), dp = 1 / edge, wide = times * dp,
                 volume = 1 + (double)particles / DENSE_A_WIDE * wide * wide * wide,
                 half = fmax(rint(cbrt(volume) / wide), 6) * wide / 2;
    snprintf(c->made_config, sizeof c->made_config, contrast, dp, half, half, half, half, half,
             half, half, half, half, half, half, half, 1.0 / times / times / times, wide);
    c->config = c->made_config;
}

/* SPHERIC test 2 (Kleefsman et al. 2005) in a tank closed at a height of 2 m; the water's edges are
 * whole numbers of particles. */
#define SPHERIC_2(spacing, water) SPHERIC_2_OF(spacing, "wendland-c2", "2.0", water)
#define SPHERIC_2_OF(spacing, kernel, h_over_dp, water)                                            \
    "title = \"bench: SPHERIC test 2\"; model = \"wcsph\"; dimension = 3;\n"                       \
    "spacing = " spacing ";\n"                                                                     \
    "domain = { min = [0.0, 0.0, 0.0]; max = [3.22, 1.0, 2.0]; }; gravity = [0.0, 0.0, -9.81];\n"  \
    "kernel = { name = \"" kernel "\"; h_over_dp = " h_over_dp "; };\n"                            \
    "boundary = { kind = \"adami\"; layers = 3; };\n"                                              \
    "geometry = ( { shape = \"box\"; type = \"fluid\"; min = [0.0, 0.0, 0.0];\n"                   \
    "    max = " water "; },\n"                                                                    \
    "  { shape = \"walls\"; sides = [\"x-\", \"x+\", \"y-\", \"y+\", \"z-\", \"z+\"]; },\n"        \
    "  { name = \"obstacle\"; shape = \"box\"; type = \"wall\"; fill = \"shell\";\n"               \
    "    min = [2.3955, 0.295, 0.0]; max = [2.5565, 0.698, 0.161]; } );\n"                         \
    "time = { end = 6.0; }; output = { every = 0.0; };\n"

static const char tank[] = SPHERIC_2_OF("%s", "%s", "%.10g", "%s");

void sluice_bench_make_tank(struct sluice_bench_case *c, long long particles, const char *kernel,
                            double h_over_dp)
{
    enum { FINE = 489510 };
    const int fine = particles >= FINE;
    snprintf(c->made_config, sizeof c->made_config, tank, fine ? "0.011" : "0.02", kernel,
             h_over_dp, fine ? "[1.221, 0.99, 0.539]" : "[1.228, 1.0, 0.55]");
    c->config = c->made_config;
}

/* A blast (Sedov 1959) in a periodic box. */
#define SEDOV(spacing)                                                                             \
    "title = \"bench: Sedov's blast\"; model = \"gas\"; dimension = 3; spacing = " spacing ";\n"   \
    "domain = { min = [0.0, 0.0, 0.0]; max = [1.0, 1.0, 1.0];\n"                                   \
    "  periodic = [true, true, true]; };\n"                                                        \
    "kernel = { h_over_dp = 1.2; }; gas = { gamma = 1.6666666666666667; };\n"                      \
    "geometry = ( { shape = \"box\"; type = \"fluid\"; min = [0.0, 0.0, 0.0];\n"                   \
    "    max = [1.0, 1.0, 1.0]; density = 1.0; pressure = 1e-6; } );\n"                            \
    "initial = ( { kind = \"point\"; field = \"energy\"; amplitude = 1.0;\n"                       \
    "    centre = [0.5, 0.5, 0.5]; } );\n"                                                         \
    "time = { end = 0.05; }; output = { every = 0.0; };\n"

const struct sluice_bench_config sluice_bench_configs[] = {
    {"spheric-2", SPHERIC_2("0.02", "[1.228, 1.0, 0.55]"), 0},
    {"spheric-2-1m", SPHERIC_2("0.011", "[1.221, 0.99, 0.539]"), 1},   /* 111 x 90 x 49 of water */
    {"spheric-2-5m", SPHERIC_2("0.006", "[1.218, 0.99, 0.54]"), 1},    /* 203 x 165 x 90 */
    {"spheric-2-20m", SPHERIC_2("0.0036", "[1.2204, 0.99, 0.54]"), 1}, /* 339 x 275 x 150 */
    /* Martin & Moyce 1952, n^2 = 2, a = 0.05715 m, dp = a/222, in a tank 4 a wide. */
    {"dam-break-2d",
     "title = \"bench: 2-D dam break\"; model = \"wcsph\"; dimension = 2;\n"
     "spacing = 0.000257432432432;\n"
     "domain = { min = [0.0, 0.0]; max = [0.2286, 0.12573]; }; gravity = [0.0, -9.81];\n"
     "kernel = { name = \"wendland-c2\"; h_over_dp = 2.0; };\n"
     "geometry = ( { shape = \"box\"; type = \"fluid\"; min = [0.0, 0.0];\n"
     "    max = [0.05715, 0.1143]; },\n"
     "  { shape = \"walls\"; sides = [\"x-\", \"x+\", \"y-\"]; } );\n"
     "time = { end = 1.0; }; output = { every = 0.0; };\n",
     0},
    /* The melt of LAMMPS' bench/in.lj, 64^3 cells; energies every 100 steps, as in LAMMPS. */
    {"melt-1m",
     "title = \"bench: Lennard-Jones melt\"; model = \"lj\"; units = \"lj\"; dimension = 3;\n"
     "lattice = { kind = \"fcc\"; cells = [64, 64, 64]; density = 0.8442; };\n"
     "domain = { periodic = [true, true, true]; };\n"
     "thermal = { temperature = 1.44; seed = 87287; };\n"
     "pair = { name = \"lj\"; cutoff = 2.5; };\n"
     "time = { step = 0.005; end = 1000.0; }; energy = { every = 100; };\n"
     "output = { every = 0.0; };\n",
     1},
    {"sedov-1m", SEDOV("0.01"), 1},                  /* 100^3 */
    {"sedov-16m", SEDOV("0.003968253968253968"), 1}, /* 252^3 */
    {"cube", NULL, 1}, /* its text has the number of particles that is asked for */
    {NULL, NULL, 0},
};

int sluice_bench_find_config(int k, struct sluice_bench_case *found)
{
    const struct sluice_bench_config *config = &sluice_bench_configs[k];
    found->name = config->name;
    found->config = config->text;
    found->large = config->large;
    return config->name != NULL;
}

sluice_status sluice_bench_start(struct sluice_bench *bench, int tunes)
{
    sluice_sim_destroy(&bench->sim);
    SLUICE_TRY(sluice_sim_create(&bench->sim, &bench->config, &bench->setup, &bench->log));
    if (tunes)
        sluice_tune_begin(&bench->sim, 1);
    return sluice_sim_start(&bench->sim);
}

double sluice_bench_random(uint64_t counter)
{
    return sluice_mix_unit((counter + 1) * SLUICE_MIX_STEP) - 0.5;
}

void sluice_bench_random_place(int64_t i, double edge, double x[3])
{
    for (int c = 0; c < 3; c++)
        x[c] = edge * (sluice_bench_random((uint64_t)(3 * i + c)) + 0.5);
}

/* Three shears, each along one axis by a function of the other two coordinates: volumes are kept.
 * Waves of about 60 dp, 2.5 dp high. */
static void bend(double x[3], const double edge[3], double spacing)
{
    for (int axis = 0; axis < 3; axis++) {
        double phase = 0.0;
        for (int other = 0; other < 3; other++) {
            const double waves = fmax(1.0, rint(edge[other] / (60.0 * spacing)));
            phase += other == axis ? 0.0 : 2.0 * 3.14159265358979 * waves * x[other] / edge[other];
        }
        x[axis] += 2.5 * spacing * sin(phase);
    }
}

sluice_status sluice_bench_disorder(struct sluice_case *setup)
{
    struct sluice_start *fluid = &setup->start[SLUICE_FLUID];
    struct sluice_grid grid;
    double edge[3];
    SLUICE_TRY(sluice_grid_create(&grid, &setup->grid));
    for (int axis = 0; axis < 3; axis++)
        edge[axis] = setup->grid.high[axis] - setup->grid.low[axis];
    const double spacing = setup->config->spacing;
    for (int64_t i = 0; i < fluid->count; i++) {
        const uint64_t counter = UINT64_C(8) * fluid->id[i];
        double x[3];
        sluice_grid_coordinates(&grid, &fluid->place[i], x);
        for (int axis = 0; axis < 3; axis++) {
            x[axis] += 0.4 * spacing * sluice_bench_random(counter + (uint64_t)axis);
            fluid->velocity[i][axis] = sluice_bench_random(counter + 3 + (uint64_t)axis);
        }
        if (setup->grid.periodic[0] && setup->grid.periodic[1] && setup->grid.periodic[2])
            bend(x, edge, spacing);
        fluid->density[i] = 0.01 * sluice_bench_random(counter + 6);
        sluice_grid_place(&grid, x, &fluid->place[i]);
    }
    sluice_grid_destroy(&grid);
    return SLUICE_OK;
}
