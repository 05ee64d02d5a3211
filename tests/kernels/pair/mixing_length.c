/* test: 0.2 s, emulator, tsan-slow */
/* Mixing lengths: the table of a case against the distance from every wall particle, and the
 * look-up between its nodes on every backend, which is exact where the length is linear. */
#include "support/pair_state.h"
#include "support/case_config.h"
#include "support/tap.h"
#include "support/variants.h"

/* --- The table --- */

static struct sluice_config config;
static struct sluice_case c;

static int create(const char *text, const char *const *set, int sets)
{
    if (sluice_config_parse(&config, text, "case.cfg", set, sets, NULL) != SLUICE_OK)
        return SLUICE_BAD_INPUT;
    const sluice_status status = sluice_case_create(&c, &config, NULL);
    if (status != SLUICE_OK)
        sluice_config_destroy(&config);
    return status;
}

static void destroy(void)
{
    sluice_case_destroy(&c);
    sluice_config_destroy(&config);
}

static const char flat[] =
    "model = \"wcsph\"; dimension = 2; spacing = 0.05;\n"
    "domain = { max = [1.0, 1.5]; periodic = [true, false]; }; gravity = [0.01, -9.81];\n"
    "fluid = { sound_speed = 30.0; }; boundary = { slip = \"wall-law\"; mixing_length = 0.2; };\n"
    "geometry = ( { shape = \"box\"; type = \"fluid\"; min = [0.0, 0.0]; max = [1.0, 1.0]; },\n"
    "             { name = \"floor\"; shape = \"walls\"; sides = [\"bottom\"]; } );\n"
    "time = { end = 0.5; }; output = { every = 0.01; };\n";

/* A sphere at the end of the period, so that the nearest wall of some nodes is beyond it. */
static const char deep[] =
    "model = \"wcsph\"; dimension = 3; spacing = 0.1;\n"
    "domain = { max = [1.2, 1.0, 1.3]; periodic = [true, false, false]; };\n"
    "gravity = [0.0, 0.0, -9.81];\n"
    "fluid = { sound_speed = 30.0; }; boundary = { slip = \"wall-law\"; mixing_length = 0.25; };\n"
    "geometry = ( { shape = \"box\"; type = \"fluid\"; min = [0.0, 0.0, 0.0]; max = [1.2, 1.0, "
    "1.0]; },\n"
    "             { shape = \"walls\"; sides = [\"bottom\", \"y-\"]; },\n"
    "             { shape = \"sphere\"; type = \"wall\"; centre = [0.9, 0.6, 0.5]; radius = 0.25; "
    "} "
    ");\n"
    "time = { end = 0.5; }; output = { every = 0.01; };\n";

/* Node (i, j, k), m: the centres of the lattice's cells, from one before the first. */
static void node_at(const int64_t node[3], double x[3])
{
    for (int a = 0; a < 3; a++)
        x[a] = a < config.dimension
                   ? config.domain.min[a] + ((double)node[a] - 0.5) * config.spacing
                   : 0;
}

static double brute_force(const struct sluice_grid *grid, const double x[3])
{
    const struct sluice_start *walls = &c.start[SLUICE_WALL];
    double least2 = INFINITY;
    for (int64_t i = 0; i < walls->count; i++) {
        double w[3], d2 = 0;
        sluice_grid_coordinates(grid, &walls->place[i], w);
        for (int a = 0; a < config.dimension; a++) {
            const double period = config.domain.max[a] - config.domain.min[a], d = w[a] - x[a],
                         near = config.domain.periodic[a] ? remainder(d, period) : d;
            d2 += near * near;
        }
        least2 = fmin(least2, d2);
    }
    return fmin(config.mixing_length.most, 0.41 * (sqrt(least2) - config.spacing / 2));
}

static void check_table(const char *text, const char *name)
{
    struct sluice_grid grid;
    double worst = 0;
    if (create(text, NULL, 0) != SLUICE_OK || sluice_grid_create(&grid, &c.grid) != SLUICE_OK) {
        ok(0, "%s: %s", name, sluice_message());
        return;
    }
    const struct mixing_length_table *t = c.physics.table[SLUICE_EFFECT_mixing_length].head;
    int64_t node[3], capped = 0, nodes = 0;
    for (node[2] = 0; node[2] < t->n[2]; node[2]++)
        for (node[1] = 0; node[1] < t->n[1]; node[1]++)
            for (node[0] = 0; node[0] < t->n[0]; node[0]++) {
                double x[3];
                node_at(node, x);
                const double l = (double)t->length[nodes++];
                worst = fmax(worst, fabs(l - brute_force(&grid, x)));
                capped += l >= (double)(float)config.mixing_length.most;
            }
    for (int a = 0; a < config.dimension; a++)
        ok(t->n[a] == llround((config.domain.max[a] - config.domain.min[a]) / config.spacing) + 2,
           "%s: nodes along axis %d: the cells and one more at both ends", name, a);
    /* Sweeps may miss the nearest particle where two are nearly as near, by a part of a spacing. */
    ok(worst < 0.41 * 0.02 * config.spacing, "%s: the nearest wall particle of each node: %.2g",
       name, worst);
    ok(capped > nodes / 50 && capped < nodes * 3 / 4,
       "%s: the largest length is reached at %lld of %lld", name, (long long)capped,
       (long long)nodes);
    sluice_grid_destroy(&grid);
    destroy();
}

static void check_flat(void)
{
    if (create(flat, NULL, 0) != SLUICE_OK) {
        ok(0, "%s", sluice_message());
        return;
    }
    const struct mixing_length_table *t = c.physics.table[SLUICE_EFFECT_mixing_length].head;
    double worst = 0;
    for (int64_t k = 1; k < t->n[1]; k++)
        worst = fmax(worst, fabs((double)t->length[k * t->n[0] + 7] -
                                 fmin(0.2, 0.41 * ((double)k - 0.5) * 0.05)));
    is_close(worst, 0, 1e-8, "over a flat floor l = 0.41 z up to the largest");
    is_close((double)t->length[7], -0.41 * 0.025, 1e-8, "linear into the first row of walls");
    destroy();
}

static void check_refusals(void)
{
    const char *const slips[] = {"boundary.slip=\"free\""}, *const none[] = {
                                                                "boundary.mixing_length=0.0"};
    is_int(create(flat, slips, 1), SLUICE_OK, "walls that slip");
    ok(c.physics.wcsph.mixing.most == 0 && !c.physics.table[SLUICE_EFFECT_mixing_length].head,
       "have no mixing length");
    destroy();
    is_int(create(flat, none, 1), SLUICE_OK, "no mixing length");
    ok(!c.physics.table[SLUICE_EFFECT_mixing_length].head, "and no table");
    destroy();
    const char *const moves[] = {
        "motions = ( { name = \"m\"; kind = \"linear\"; velocity = [0.1, 0.0]; } )",
        "geometry=({ shape = \"box\"; type = \"fluid\"; min = [0.0, 0.0]; max = [1.0, 1.0]; }, { "
        "shape = \"box\"; type = \"wall\"; min = [0.0, 1.1]; max = [0.5, 1.3]; motion = \"m\"; })"};
    ok(create(flat, moves, 2) != SLUICE_OK && strstr(sluice_message(), "boundary.mixing_length"),
       "walls that move are refused: %s", sluice_message());
}

/* --- The look-up --- */

static const double high[3] = {5, 4, 3};
static const double grows[3] = {0.02, -0.03, 0.05}; /* l = 0.4 + grows.x */

static double linear(const double x[3], int dim)
{
    double l = 0.4;
    for (int a = 0; a < dim; a++)
        l += grows[a] * x[a];
    return l;
}

/* A table from (0.3, 0.3, 0.3) with steps of 0.4, 0.5 and 0.6, in the backend's memory. */
static sluice_status make_table(struct world *w, int dim, struct mixing_length_table *t)
{
    const double first[3] = {0.3, 0.3, dim == 3 ? 0.3 : 0}, step[3] = {0.4, 0.5, 0.6};
    const int64_t n[3] = {11, 7, dim == 3 ? 4 : 1};
    float length[11 * 7 * 4];
    void *memory = NULL;
    sluice_grid_place(&w->grid, first, &t->origin);
    memcpy(t->n, n, sizeof n);
    memcpy(t->step, step, sizeof step);
    for (int64_t i = 0; i < n[0] * n[1] * n[2]; i++) {
        const int64_t at[3] = {i % n[0], i / n[0] % n[1], i / (n[0] * n[1])};
        double x[3] = {0, 0, 0};
        for (int a = 0; a < dim; a++)
            x[a] = first[a] + (double)at[a] * step[a];
        length[i] = (float)linear(x, dim);
    }
    const size_t bytes = sizeof *length * (size_t)(n[0] * n[1] * n[2]);
    SLUICE_TRY(w->backend.ops->alloc(&w->backend, bytes, &memory));
    t->length = memory;
    return w->backend.ops->upload(&w->backend, memory, length, bytes);
}

static void check_look_up(const struct variant *on, int dim, int real_bytes)
{
    const struct sluice_grid_options o = {.dimension = dim,
                                          .cutoff = 1,
                                          .high = {5, 4, 3},
                                          .shift = {1000000, -3, 7},
                                          .frame_cutoffs = 2,
                                          .bins_per_cutoff = {8, 2, 2}};
    const struct sluice_backend_choice choice = {
        .name = on->backend, .isa = on->isa, .real_bytes = real_bytes, .threads = 1};
    const double last[3] = {0.3 + 10 * 0.4, 0.3 + 6 * 0.5, 0.3 + 3 * 0.6};
    struct mixing_length_table t;
    struct cloud fluid;
    struct world w;
    cloud_random(&fluid, 700, dim, (const double[3]){0, 0, 0}, high, 5);
    if (world_open(&w, &choice, &o, &fluid, NULL, 0) != SLUICE_OK ||
        make_table(&w, dim, &t) != SLUICE_OK) {
        ok(0, "%s: %s", on->name, sluice_message());
        return;
    }
    const struct sluice_point point = {"test", SLUICE_POINTWISE_find_mixing_length, &t,
                                       &w.set[SLUICE_FLUID]};
    ok(w.backend.ops->pointwise(&w.backend, &w.grid, &point) == SLUICE_OK &&
           world_read(&w) == SLUICE_OK,
       "%s, %d-D, %s: looks up", on->name, dim, real_bytes == 4 ? "float" : "double");
    double worst = 0;
    for (int64_t i = 0; i < w.host[SLUICE_FLUID].count; i++) {
        const struct sluice_set *host = &w.host[SLUICE_FLUID];
        const int64_t id = (int64_t)((const sluice_id *)host->field[SLUICE_FIELD_ID])[i];
        double x[3] = {0, 0, 0}; /* beyond the table that of its nearest point */
        for (int a = 0; a < dim; a++)
            x[a] = fmin(fmax(fluid.x[fluid.n - 1 - id][a], 0.3), last[a]);
        worst = fmax(worst,
                     fabs(field_at(host, SLUICE_FIELD_MIXING_LENGTH, i, 0) - linear(x, dim)));
    }
    is_close(worst, 0, 2e-7, "the linear length, to the rounding of the table");
    w.backend.ops->free(&w.backend, t.length);
    world_close(&w);
    cloud_destroy(&fluid);
}

int main(void)
{
    struct variant variants[VARIANTS_MOST];
    const int n = variants_here(variants);
    check_flat();
    check_table(flat, "a floor");
    check_table(deep, "a floor, a side and a sphere beyond the period");
    check_refusals();
    for (int k = 0; k < n; k++)
        for (int real_bytes = 4; real_bytes <= 8; real_bytes += 4)
            for (int dim = 2; dim <= 3; dim++)
                check_look_up(&variants[k], dim, real_bytes);
    return done_testing();
}
