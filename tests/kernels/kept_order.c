/* test: 100 s, emulator */
/* Particles that are not sorted in every step still find all their pairs. For each case the test
 * takes the step at which particles have drifted furthest since the last sort. It counts the pairs
 * there in the kept order, and once more after a sort. (kernels/pair/pairs.c shows that a sorted
 * set finds all pairs.) On every backend that runs here and keeps an order. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/registry.h"
#include "support/part.h"
#include "sim/sim.h"
#include "support/tap.h"
#include "support/variants.h"
#include "kernels/backends/backends.h"

enum { STEPS = 40 };

/* In three dimensions, periodic in x: all of it runs through the seam. */
static const char jet[] =
    "model = \"wcsph\"; dimension = 3; spacing = 0.1; gravity = [1.0, 0.5, -9.81];\n"
    "fluid = { sound_speed = 120.0; };\n"
    "domain = { min = [0.0, 0.0, 0.0]; max = [1.7, 0.8, 1.4]; periodic = [true, false, false]; };\n"
    "geometry = ( { shape = \"box\"; type = \"fluid\"; min = [0.0, 0.0, 0.0];\n"
    "    max = [1.7, 0.8, 0.8]; },\n"
    "  { shape = \"walls\"; sides = [\"y-\", \"y+\", \"z-\"]; } );\n"
    "initial = ( { field = \"velocity\"; kind = \"uniform\"; value = [1.5, 0.5, 0.5]; } );\n"
    "time = { end = 9.0; }; output = { every = 0.0; };\n";

/* In two, through all seams. */
static const char stream[] =
    "model = \"wcsph\"; dimension = 2; spacing = 0.02; gravity = [0.0, 0.0];\n"
    "fluid = { sound_speed = 40.0; };\n"
    "domain = { min = [0.0, 0.0]; max = [1.0, 1.0]; periodic = [true, true]; };\n"
    "geometry = ( { shape = \"box\"; type = \"fluid\"; min = [0.0, 0.0]; max = [1.0, 1.0]; } );\n"
    "initial = ( { field = \"velocity\"; kind = \"uniform\"; value = [-3.0, 2.5]; } );\n"
    "time = { end = 9.0; }; output = { every = 0.0; };\n";

/* In 3-D rows have lists and boxes; without a seam in x warps have none. The velocities in y and z
 * grow with x: from step 17 on, nearly always some particles are outside the frame that they were
 * sorted into. */
static const char sheared[] =
    "model = \"wcsph\"; dimension = 3; spacing = 0.05; gravity = [0.0, 0.0, 0.0];\n"
    "fluid = { sound_speed = 40.0; };\n"
    "domain = { min = [-0.5, 0.0, 0.0]; max = [1.0, 0.5, 0.5]; periodic = [false, true, true]; };\n"
    "geometry = ( { shape = \"box\"; type = \"fluid\"; min = [0.0, 0.0, 0.0];\n"
    "  max = [0.5, 0.5, 0.5]; } );\n"
    "initial = ( { field = \"velocity\"; kind = \"linear\"; value = [0.0, 2.5, 2.0];\n"
    "  centre = [0.25, 0.25, 0.25];\n"
    "  gradient = ([0.0, 0.0, 0.0], [6.0, 0.0, 0.0], [4.0, 0.0, 0.0]); } );\n"
    "time = { end = 9.0; }; output = { every = 0.0; };\n";

/* A body that falls into water, and turns. */
static const char body[] =
    "model = \"wcsph\"; dimension = 3; spacing = 0.08; gravity = [0.0, 0.0, -9.81];\n"
    "fluid = { sound_speed = 120.0; };\n"
    "domain = { min = [0.0, 0.0, 0.0]; max = [0.96, 0.64, 1.2]; };\n"
    "geometry = ( { shape = \"walls\"; sides = [\"x-\", \"x+\", \"y-\", \"y+\", \"z-\"]; },\n"
    "  { shape = \"box\"; type = \"fluid\"; min = [0.0, 0.0, 0.0]; max = [0.96, 0.64, 0.56]; },\n"
    "  { shape = \"box\"; type = \"body\"; name = \"crate\"; min = [0.24, 0.16, 0.48];\n"
    "    max = [0.72, 0.48, 0.8]; } );\n"
    "bodies = ( { name = \"crate\"; density = 600.0; velocity = [2.0, 0.0, -2.0];\n"
    "  spin = [1.0, 3.0, 2.0]; } );\n"
    "time = { end = 9.0; }; output = { every = 0.0; };\n";

/* A wall that turns in water, with the fastest particles at its ends. */
static const char mixer[] =
    "model = \"wcsph\"; dimension = 2; spacing = 0.02; gravity = [0.0, -9.81];\n"
    "fluid = { sound_speed = 60.0; };\n"
    "domain = { min = [0.0, 0.0]; max = [1.0, 0.8]; };\n"
    "geometry = ( { shape = \"walls\"; sides = [\"x-\", \"x+\", \"y-\"]; },\n"
    "  { shape = \"box\"; type = \"fluid\"; min = [0.0, 0.0]; max = [1.0, 0.6]; },\n"
    "  { shape = \"box\"; type = \"wall\"; motion = \"mixer\"; min = [0.2, 0.26];\n"
    "    max = [0.8, 0.34]; } );\n"
    "motions = ( { name = \"mixer\"; kind = \"rotation\"; centre = [0.5, 0.3]; rate = 5.0; } );\n"
    "time = { end = 9.0; }; output = { every = 0.0; };\n";

static const struct {
    const char *name, *text, *path; /* one of the two */
    const char *setting[3];         /* one at least */
} cases[] = {
    {"jet", jet, NULL, {"kernel.h_over_dp=2.0"}},
    {"jet, few rows", jet, NULL, {"kernel.h_over_dp=1.2"}},
    {"stream", stream, NULL, {"kernel.h_over_dp=2.0"}},
    {"dam break",
     NULL,
     "configs/dam_break_3d.cfg",
     {"spacing=0.08", "geometry.box.min=[2.4, 0.32, 0.0]", "geometry.box.max=[2.56, 0.72, 0.16]"}},
    {"melt", NULL, "configs/lennard_jones.cfg", {"lattice.cells=[8, 8, 8]"}},
    {"sheared", sheared, NULL, {"kernel.h_over_dp=1.2"}},
    {"body", body, NULL, {"kernel.h_over_dp=1.5"}},
    {"mixer", mixer, NULL, {"kernel.h_over_dp=2.0"}},
};

struct run {
    struct sluice_config config;
    struct sluice_case setup;
    struct sluice_sim sim;
};

static sluice_status begin(struct run *r, const char *backend, int k)
{
    char name[80];
    const char *set[5] = {name, "backend.strategy=\"window\""};
    int n = 2;
    memset(r, 0, sizeof *r);
    for (int i = 0; i < 3 && cases[k].setting[i]; i++)
        set[n++] = cases[k].setting[i];
    snprintf(name, sizeof name, "backend.name=\"%s\"", backend);
    SLUICE_TRY(cases[k].text ? sluice_config_parse(&r->config, cases[k].text, "case", set, n, NULL)
                             : sluice_config_read(&r->config, cases[k].path, set, n, NULL));
    SLUICE_TRY(sluice_case_create(&r->setup, &r->config, NULL));
    SLUICE_TRY(sluice_sim_create(&r->sim, &r->config, &r->setup, NULL));
    SLUICE_TRY(sluice_sim_start(&r->sim));
    r->sim.backend.orders.particles[SLUICE_FLUID] =
        1 << 20; /* with a fixed step only large sets are kept */
    return SLUICE_OK;
}

static void end(struct run *r)
{
    sluice_sim_destroy(&r->sim);
    sluice_case_destroy(&r->setup);
    sluice_config_destroy(&r->config);
}

/* The step of the second half at which particles have drifted furthest, how far, and the sorts
 * until the end. */
static sluice_status look(struct run *r, int *step, double *furthest, int *sorts)
{
    for (int s = 1; s <= STEPS; s++) {
        SLUICE_TRY(sluice_sim_step(&r->sim));
        *sorts += r->sim.backend.drifted <= 0;
        if (s > STEPS / 2 && r->sim.backend.drifted > *furthest) {
            *furthest = r->sim.backend.drifted;
            *step = s;
        }
    }
    return SLUICE_OK;
}

/* Adds the pairs of a pass over the sets as they stand. */
static sluice_status add_pairs(struct run *r, int pair, enum sluice_type target,
                               struct sluice_set *second, double *pairs)
{
    struct sluice_backend *b = &r->sim.backend;
    const int lj = r->config.model == SLUICE_MODEL_LJ;
    struct sluice_pass pass = {
        .name = "count",
        .pair = lj ? r->config.pair.index : sluice_pair_with_kernel(pair, r->config.kernel.name),
        .params = lj ? (const void *)r->config.pair.params.bytes : &r->setup.physics.wcsph,
        .target = &r->sim.set[target],
        .source = {&r->sim.set[SLUICE_FLUID], second},
        .count_pairs = 1};
    SLUICE_TRY(b->ops->interact(b, &r->sim.grid, &pass));
    SLUICE_TRY(b->ops->sync(b));
    *pairs += pass.sum[SLUICE_SUM_PAIRS];
    return SLUICE_OK;
}

static sluice_status count_pairs(struct run *r, double *pairs)
{
    struct sluice_set *wall = &r->sim.set[SLUICE_WALL];
    *pairs = 0;
    SLUICE_TRY(add_pairs(r, SLUICE_PAIR_wcsph_wendland, SLUICE_FLUID, wall->count > 0 ? wall : NULL,
                         pairs));
    return wall->count > 0 ? add_pairs(r, SLUICE_PAIR_adami_wendland, SLUICE_WALL, NULL, pairs)
                           : SLUICE_OK;
}

/* Pairs at the step, in the order that is kept, and sorted. */
static sluice_status count(struct run *r, int step, double *kept, double *sorted)
{
    struct sluice_backend *b = &r->sim.backend;
    struct sluice_flight flight = {0};
    while (r->sim.step < step)
        SLUICE_TRY(sluice_sim_step(&r->sim));
    SLUICE_TRY(count_pairs(r, kept));
    ok(b->drifted > 0, "counted where particles have drifted");
    /* No particle moves, but those that crossed a seam since the last sort come back on the other
     * side. */
    b->drifted = 0;
    SLUICE_TRY(b->ops->kick_drift(b, &r->sim.grid, &r->sim.set[SLUICE_FLUID], 0));
    SLUICE_TRY(sluice_sim_sort(&r->sim, &flight));
    SLUICE_TRY(b->ops->sync(b));
    free(flight.gone.particle);
    return count_pairs(r, sorted);
}

static void check(const char *backend, int k)
{
    struct run r;
    int step = 0, sorts = 0;
    double furthest = 0, kept = -1, sorted = -2;
    sluice_status status = begin(&r, backend, k);
    if (status == SLUICE_OK)
        status = look(&r, &step, &furthest, &sorts);
    const double share = furthest / r.sim.grid.cutoff;
    end(&r);
    diag("%s on %s: drifted by %.4f of the cutoff at step %d, %d sorts in %d steps", cases[k].name,
         backend, share, step, sorts, STEPS);
    ok(status == SLUICE_OK && share > 0.003 && sorts > 0 && sorts <= STEPS / 2,
       "%s on %s: not sorted in every step, but in some", cases[k].name, backend);
    status = begin(&r, backend, k);
    if (status == SLUICE_OK)
        status = count(&r, step, &kept, &sorted);
    end(&r);
    if (status != SLUICE_OK)
        diag("%s", sluice_message());
    ok(status == SLUICE_OK && kept > 0 && kept == sorted,
       "%s on %s: as they stand %.0f pairs, sorted %.0f", cases[k].name, backend, kept, sorted);
}

int main(void)
{
    struct variant list[VARIANTS_MOST];
    const int n = variants_here(list);
    int keeps = 0;
    for (int v = 0; v < n; v++) {
        const struct sluice_backend_ops *ops;
        char passed_over[512];
        if (list[v].is_cpu || sluice_backend_find(NULL, list[v].backend, 0, &ops, passed_over,
                                                  sizeof passed_over) != SLUICE_OK)
            continue;
        keeps += ops->order != NULL;
        for (size_t k = 0; ops->order && k < sizeof cases / sizeof *cases; k++)
            if (part_has((int)k, 2))
                check(list[v].backend, (int)k);
    }
    if (!keeps) {
        printf("1..0 # SKIP no GPU here, and the CPU sorts in every step\n");
        return 0;
    }
    return done_testing();
}
