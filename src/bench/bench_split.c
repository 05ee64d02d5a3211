/* sluice bench split: sets by type against one loop over everything. In SPHERIC test 2, fluid from
 * fluid and walls and walls from fluid; then all of them in one set, every particle from every
 * other, walls from walls too: what a loop that asks for the type of each pair has to visit at the
 * least. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"
#include "kernels/registry.h"

enum { LAUNCHES = 20 };
static const double seconds_gpu = 0.1, seconds_cpu = 1e-3; /* of a measurement, about */

struct split {
    struct sluice_sim sim;
    struct sluice_pass pass[2];
    int passes;
    double pairs, flops; /* of a launch */
};

/* --- The case, as one set ---- */

/* Room for n more particles of a type. */
static sluice_status grow(struct sluice_start *s, int64_t n)
{
    const size_t all = (size_t)(s->count + n);
    void *const old[] = {s->id, s->place, s->velocity, s->density, s->mass};
    const size_t bytes[] = {sizeof *s->id, sizeof *s->place, sizeof *s->velocity,
                            sizeof *s->density, sizeof *s->mass};
    void *grown[5];
    for (int k = 0; k < 5; k++) {
        grown[k] = realloc(old[k], all * bytes[k]);
        if (!grown[k])
            return SLUICE_FAIL(SLUICE_DEVICE, "no memory for %zu particles", all);
        s->id = k == 0 ? grown[k] : s->id;
        s->place = k == 1 ? grown[k] : s->place;
        s->velocity = k == 2 ? grown[k] : s->velocity;
        s->density = k == 3 ? grown[k] : s->density;
        s->mass = k == 4 ? grown[k] : s->mass;
    }
    return SLUICE_OK;
}

/* Makes fluid of the walls, behind what there is. */
static sluice_status make_one_set(struct sluice_case *setup)
{
    struct sluice_start *fluid = &setup->start[SLUICE_FLUID], *wall = &setup->start[SLUICE_WALL];
    SLUICE_TRY(grow(fluid, wall->count));
    for (int64_t i = 0; i < wall->count; i++) {
        const int64_t n = fluid->count + i;
        fluid->id[n] = (uint32_t)n;
        fluid->place[n] = wall->place[i];
        memset(fluid->velocity[n], 0, sizeof fluid->velocity[n]);
        fluid->density[n] = 0;
        fluid->mass[n] = wall->mass[i];
    }
    fluid->count += wall->count;
    wall->count = 0;
    return SLUICE_OK;
}

/* --- Passes ---- */

static void make_passes(struct split *s)
{
    const int kernel = s->sim.config->kernel.name;
    struct sluice_set *fluid = &s->sim.set[SLUICE_FLUID], *wall = &s->sim.set[SLUICE_WALL];
    struct sluice_pass force = {.name = "pair loop",
                                .pair = sluice_pair_with_kernel(SLUICE_PAIR_wcsph_wendland, kernel),
                                .params = &s->sim.setup->physics.wcsph,
                                .target = fluid,
                                .source = {fluid, wall->count ? wall : NULL},
                                .energy = 1};
    s->passes = 0;
    s->pass[s->passes++] = force;
    if (wall->count == 0)
        return;
    force.pair = sluice_pair_with_kernel(SLUICE_PAIR_adami_wendland, kernel);
    force.target = wall;
    force.source[0] = fluid;
    force.source[1] = NULL;
    force.energy = 0;
    s->pass[s->passes++] = force;
}

static sluice_status launch(struct split *s, int times)
{
    struct sluice_backend *b = &s->sim.backend;
    for (int n = 0; n < times; n++)
        for (int k = s->passes - 1; k >= 0; k--) /* the walls' state first */
            SLUICE_TRY(b->ops->interact(b, &s->sim.grid, &s->pass[k]));
    return b->ops->sync(b);
}

static sluice_status count_pairs(struct split *s)
{
    for (int k = 0; k < s->passes; k++)
        s->pass[k].count_pairs = 1;
    SLUICE_TRY(launch(s, 1));
    s->pairs = s->flops = 0;
    for (int k = 0; k < s->passes; k++) {
        const double pairs = s->pass[k].sum[SLUICE_SUM_PAIRS];
        s->pairs += pairs;
        s->flops += pairs * sluice_pairs[s->pass[k].pair].flops;
        s->pass[k].count_pairs = 0;
    }
    return SLUICE_OK;
}

static sluice_status measure(struct split *s, struct sluice_bench_loop *row)
{
    const double budget = sluice_bench_is_device(&s->sim.backend) ? seconds_gpu : seconds_cpu;
    SLUICE_TRY(launch(s, 1));
    double begun = sluice_seconds();
    SLUICE_TRY(launch(s, 1));
    row->launches = (int)fmax(1, fmin(LAUNCHES, budget / fmax(sluice_seconds() - begun, 1e-9)));
    for (int k = 0; k < row->repeats; k++) {
        begun = sluice_seconds();
        SLUICE_TRY(launch(s, row->launches));
        row->seconds[k] = (sluice_seconds() - begun) / row->launches;
    }
    return SLUICE_OK;
}

/* Particles as the case has them now. Without a row they are only counted. */
static sluice_status run(const struct sluice_case *setup, struct sluice_bench_loop *row, FILE *out,
                         double *pairs)
{
    struct sluice_log log = {.terminal = stderr};
    struct split s = {.passes = 0};
    sluice_status status = sluice_sim_create(&s.sim, setup->config, setup, &log);
    if (status == SLUICE_OK)
        status = sluice_sim_start(&s.sim);
    if (status == SLUICE_OK) {
        make_passes(&s);
        status = count_pairs(&s);
    }
    *pairs = s.pairs;
    if (status == SLUICE_OK && row)
        status = measure(&s, row);
    if (status == SLUICE_OK && row) {
        row->backend = &s.sim.backend;
        row->particles = (double)(s.sim.set[SLUICE_FLUID].count + s.sim.set[SLUICE_WALL].count);
        row->pairs = s.pairs;
        row->flops = s.flops / s.pairs;
        row->held = (double)sluice_sim_memory(&s.sim) / row->particles;
        row->moved = 0;
        for (int k = 0; k < s.passes; k++)
            row->moved += sluice_bench_moved(&s.pass[k]) / row->particles;
        sluice_bench_print_loop(out, row);
    }
    sluice_sim_destroy(&s.sim);
    return status;
}

/* Then leaves only what were walls, to count them. */
static void leave_walls(struct sluice_case *setup, int64_t walls)
{
    struct sluice_start *fluid = &setup->start[SLUICE_FLUID];
    const int64_t first = fluid->count - walls;
    for (int64_t i = 0; i < walls; i++) {
        fluid->id[i] = (uint32_t)i;
        fluid->place[i] = fluid->place[first + i];
        memset(fluid->velocity[i], 0, sizeof fluid->velocity[i]);
        fluid->density[i] = 0;
        fluid->mass[i] = fluid->mass[first + i];
    }
    fluid->count = walls;
}

sluice_status sluice_bench_split(struct sluice_case *setup, const char *name, FILE *out,
                                 double *seconds, int repeats)
{
    struct sluice_bench_loop row = {
        .bench = "split", .name = name, .variant = "sets", .seconds = seconds, .repeats = repeats};
    double sets, mixed, walls;
    SLUICE_CHECK(setup->config->boundary.kind == SLUICE_BOUNDARY_ADAMI &&
                     setup->config->motion_count == 0 && setup->start[SLUICE_WALL].count > 0,
                 SLUICE_BAD_INPUT,
                 "bench split %s: it compares sets of fluid and of walls at rest, with "
                 "boundary.kind = \"adami\"",
                 name);
    SLUICE_TRY(run(setup, &row, out, &sets));
    const int64_t wall_count = setup->start[SLUICE_WALL].count;
    SLUICE_TRY(make_one_set(setup));
    row.variant = "mixed";
    SLUICE_TRY(run(setup, &row, out, &mixed));
    leave_walls(setup, wall_count);
    SLUICE_TRY(run(setup, NULL, out, &walls));
    SLUICE_CHECK(fabs(sets + walls - mixed) <= 1e-6 * mixed, SLUICE_FAILED_CHECK,
                 "bench split %s: %.0f pairs of sets and %.0f of walls with walls, but %.0f of "
                 "everything; that is a mistake of the program",
                 name, sets, walls, mixed);
    return SLUICE_OK;
}
