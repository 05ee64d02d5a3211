/* test: 130 s, slow, emulator, tsan */
/* Every pair, strategy and precision on every backend and instruction set of this machine, in 2-D
 * and 3-D, energies on and off and pairs counted (on GPUs code of its own), against all pairs
 * summed plainly in double. One check a case, pair, dimension and precision: the worst of all
 * variants. */
#include "kernels/pair/pair_lj.h"
#include "reference/pair_physics.h"
#include "support/part.h"
#include "support/pair_trial.h"
#include "support/tap.h"
#include "support/tolerances.h"

/* A state and its domain: positions in cutoffs. */
struct test_case {
    const char *name;
    int64_t fluid, walls;
    double low[3], high[3]; /* of the domain */
    int periodic[3];
    void (*place)(const struct test_case *t, struct cloud *c, int dim,
                  uint64_t seed); /* NULL: random in the domain */
    int coincident;               /* not for Lennard-Jones */
    double frame_cutoffs;
};

/* --- Where the particles are --- */

static void put(struct cloud *c, int64_t i, int dim, const double x[3])
{
    for (int k = 0; k < dim; k++)
        c->x[i][k] = x[k];
}

/* Exactly on borders of bins and frames, many pairs exactly at the cutoff, none closer than a
 * quarter. */
static void on_borders(const struct test_case *t, struct cloud *c, int dim, uint64_t seed)
{
    const int side = dim == 2 ? 17 : 7;
    (void)t;
    for (int64_t i = 0; i < c->n; i++)
        put(c, i, dim,
            (const double[3]){0.25 * (double)(i % side) + (double)(seed % 2) * 0.125,
                              0.25 * (double)(i / side % side), 0.25 * (double)(i / side / side)});
}

/* All in one bin. */
static void crowd(const struct test_case *t, struct cloud *c, int dim, uint64_t seed)
{
    for (int64_t i = 0; i < c->n; i++)
        put(c, i, dim,
            (const double[3]){t->low[0] + 0.51 + 0.05 * uniform(&seed),
                              0.51 + 0.05 * uniform(&seed), 0.51 + 0.05 * uniform(&seed)});
}

static void coincident(const struct test_case *t, struct cloud *c, int dim, uint64_t seed)
{
    (void)t;
    for (int64_t i = 0; i < c->n; i++) {
        double x[3];
        for (int k = 0; k < 3; k++)
            x[k] = i % 3 ? c->x[i - 1][k] : 0.1 + 2 * uniform(&seed);
        put(c, i, dim, x);
    }
}

/* A few particles in the far corners of an enormous domain. */
static void far_apart(const struct test_case *t, struct cloud *c, int dim, uint64_t seed)
{
    for (int64_t i = 0; i < c->n; i++) {
        double x[3];
        for (int k = 0; k < 3; k++)
            x[k] = (i / 20 >> k & 1 ? t->high[k] - 2 : t->low[k]) + 0.01 + 1.9 * uniform(&seed);
        put(c, i, dim, x);
    }
}

static const struct test_case cases[] = {
    {"no particles", 0, 0, {0, 0, 0}, {3, 3, 3}, {0, 0, 0}, NULL, 0, 2},
    {"no fluid", 0, 20, {0, 0, 0}, {3, 3, 3}, {0, 0, 0}, NULL, 0, 2},
    {"1 particle", 1, 1, {0, 0, 0}, {1, 1, 1}, {0, 0, 0}, NULL, 0, 2},
    {"3 particles", 3, 2, {0, 0, 0}, {1, 1, 1}, {0, 0, 0}, NULL, 0, 2},
    {"4 particles", 4, 4, {0, 0, 0}, {1, 1, 1}, {0, 0, 0}, crowd, 0, 2},
    {"5 particles", 5, 3, {0, 0, 0}, {1, 1, 1}, {0, 0, 0}, crowd, 0, 2},
    {"7 particles", 7, 5, {0, 0, 0}, {1, 1, 1}, {0, 0, 0}, crowd, 0, 2},
    {"8 particles", 8, 9, {0, 0, 0}, {1, 1, 1}, {0, 0, 0}, crowd, 0, 2},
    {"9 particles", 9, 8, {0, 0, 0}, {1, 1, 1}, {0, 0, 0}, crowd, 0, 2},
    {"16 particles", 16, 17, {0, 0, 0}, {1, 1, 1}, {0, 0, 0}, crowd, 0, 2},
    {"255 particles", 255, 64, {0, 0, 0}, {7, 6, 5}, {0, 0, 0}, NULL, 0, 2},
    {"256 particles", 256, 64, {0, 0, 0}, {4, 4, 3}, {0, 0, 0}, NULL, 0, 8},
    {"257 particles", 257, 64, {0, 0, 0}, {7, 3, 4}, {0, 0, 0}, NULL, 0, 2},
    {"a crowd in one bin", 1300, 30, {0, 0, 0}, {3, 3, 3}, {0, 0, 0}, crowd, 0, 8},
    {"dense", 300, 60, {0, 0, 0}, {1.7, 1.7, 1.7}, {0, 0, 0}, NULL, 1, 2}, /* lists run full */
    {"on borders", 289, 40, {0, 0, 0}, {16, 16, 16}, {0, 0, 0}, on_borders, 0, 2},
    {"coincident", 120, 30, {0, 0, 0}, {4, 4, 4}, {0, 0, 0}, coincident, 1, 2},
    {"periodic, two cutoffs", 200, 40, {0, 0, 0}, {2, 2, 2}, {1, 1, 1}, NULL, 0, 8},
    {"periodic, 2.5 and 3 cutoffs", 220, 40, {0, 0, 0}, {2.5, 3, 2}, {1, 1, 1}, NULL, 0, 8},
    {"periodic, 17 and 4 cutoffs", 250, 40, {0, 0, 0}, {17, 4, 2}, {1, 1, 1}, NULL, 0, 4},
    {"periodic in x", 250, 60, {0, 0, 0}, {5, 4, 3}, {1, 0, 0}, NULL, 0, 2},
    {"periodic in y and z", 250, 60, {-3, -2, -1}, {3, 2, 3}, {0, 1, 1}, NULL, 0, 2},
    {"500 cutoffs apart", 160, 40, {0, 0, 0}, {506, 2, 2}, {0, 0, 0}, far_apart, 1, 2},
    {"far apart", 160, 40, {0, 0, 0}, {1e6, 1e6, 1e6}, {0, 0, 0}, far_apart, 0, 8},
};

/* Lennard-Jones must not have pairs so close that float overflows: a bent lattice in place of
 * random points. */
static void spread(struct cloud *c, int dim, const struct test_case *t)
{
    int side = 1;
    while (pow(side, dim) < (double)c->n)
        side++;
    for (int64_t i = 0; i < c->n; i++) {
        const int64_t k[3] = {i % side, i / side % side, i / side / side};
        for (int a = 0; a < dim; a++)
            c->x[i][a] = t->low[a] +
                         (t->high[a] - t->low[a]) *
                             (((double)k[a] + 0.5 + 0.2 * sin(3.0 * (double)k[(a + 1) % dim])) /
                              side);
    }
}

/* --- The physics --- */

static const struct lj_params lj[] = {
    {1.0, 0.35, 1.1, 1.0, 0.0, 0, 0, 0, {0}}, {1.0, 0.3, 0.9, 1.0, 0.1, 1, 0, 0, {0}},
    {0.5, 0.4, 1.0, 1.0, 0.0, 2, 0, 0, {0}},  {1.0, 0.3, 0.9, 1.0, 0.1, 0, 0, 0, {0}},
    {0.7, 0.35, 1.1, 1.0, 0.0, 1, 0, 0, {0}}, {0.5, 0.4, 1.0, 1.0, 0.1, 2, 0, 0, {0}},
    {1.0, 0.08, 1.1, 1.0, 0.0, 0, 0, 0, {0}}, {1.0, 0.35, 1.1, 1.0, 0.0, 0, 0, 1, {0.7, -0.2, -2}}};
static const char *const lj_name[] = {
    "cut",   "shift, softened",       "force-shift",      "cut, softened",
    "shift", "force-shift, softened", "cut, small sigma", "cut, begins"};
_Static_assert(sizeof lj_name / sizeof *lj_name == sizeof lj / sizeof *lj, "a name each");

static struct variant variants[VARIANTS_MOST];
static int variant_count;
static int part = 1, parts = 1, pairs_seen; /* every parts-th pair of a case is checked */

static void set_kernel(struct wcsph_params *p, int kernel)
{
    p->kernel = kernel;
    p->h = kernel == SLUICE_KERNEL_QUINTIC_SPLINE ? 1. / 3 : 0.5; /* a cutoff of 1 */
    if (p->wall_law.used)
        sluice_wcsph_wall_law(p, p->wall_law.nu, p->wall_law.roughness);
}

/* What a pass computes: the forces only, with powers, with all energies, or with a count of pairs.
 */
enum { FORCES, POWERS, ENERGIES, PAIRS, ASKED_COUNT };

/* Whether to try a variant that has code of its own. On the CPU that is with or without sums. On
 * GPUs (kernels/gpu/pass.h) it is each of the window strategies in float; the others have one
 * kernel, which only a few particles try without sums or with powers alone. Strategies of cells
 * share most of their code, so each check tries one or two of them in turn. On the CPU they share
 * all pair code with the others and run once. */
static int is_tried(const struct variant *on, const struct sluice_set *set, int strategy, int asked)
{
    const int turn = pairs_seen / parts + strategy,
              cells = sluice_strategies[strategy].bins == SLUICE_CELLS;
    if (!sluice_strategy_has(strategy, 0) || (cells && turn % 4 != 0))
        return 0;
    if (on->is_cpu)
        return asked == PAIRS || (asked <= POWERS && !cells);
    return asked == PAIRS || (strategy == SLUICE_STRATEGY_window && set->real_bytes == 4) ||
           (asked <= POWERS && set->count <= 20);
}

/* A copy of the field that a pass adds to, before the pass; NULL: the set has no such field. */
static void *copy_of(const struct sluice_set *host, enum sluice_field field)
{
    const size_t bytes = (size_t)(host->count * sluice_set_field_bytes(host, field));
    return host->field[field] ? memcpy(calloc(bytes + 1, 1), host->field[field], bytes) : NULL;
}

static void put_back(struct world *w, struct sluice_set *host, enum sluice_field field,
                     const void *start)
{
    if (!start)
        return;
    memcpy(host->field[field], start, (size_t)(host->count * sluice_set_field_bytes(host, field)));
    world_write(w, host->type, field);
}

/* One variant with every strategy. */
static void try_variant(struct trial *t, struct world *w, int pair, const void *params,
                        const struct variant *on, int closed)
{
    struct sluice_set *host = &w->host[trial_pass(w, pair, params, 0, 0).target->type];
    static const enum sluice_field added[] = {
        SLUICE_FIELD_ACCELERATION, SLUICE_FIELD_RATE,        SLUICE_FIELD_CORRECTION,
        SLUICE_FIELD_MEMORY,       SLUICE_FIELD_STRESS_NEXT, SLUICE_FIELD_HEAD_GRADIENT_NEXT};
    enum { ADDED = sizeof added / sizeof *added };
    void *start[ADDED];
    const double identity = host->real_bytes == 4 ? TOLERANCE_IDENTITY_FLOAT
                                                  : TOLERANCE_IDENTITY_DOUBLE;
    for (int f = 0; f < ADDED; f++)
        start[f] = copy_of(host, added[f]);
    for (int strategy = 0; strategy < SLUICE_STRATEGY_COUNT; strategy++)
        for (int asked = FORCES; asked < ASKED_COUNT; asked++) {
            const unsigned sums = asked == FORCES   ? 0
                                  : asked == POWERS ? SLUICE_ALL_SUMS & ~SLUICE_INSTANT_SUMS
                                                    : SLUICE_ALL_SUMS;
            struct sluice_pass pass = trial_pass(w, pair, params, sums, asked == PAIRS);
            if (!is_tried(on, host, strategy, asked))
                continue;
            for (int f = 0; f < ADDED; f++)
                put_back(w, host, added[f], start[f]);
            trial_compare(t, w, &pass, strategy, on->name);
            if (pass.sums & SLUICE_SUM_BIT(IDENTITY) && closed && host->count &&
                host->type == SLUICE_FLUID)
                trial_note(t, pass.sum[SLUICE_SUM_IDENTITY], 0,
                           pass.sum[SLUICE_SUM_IDENTITY_ABS] * identity, "power identity", 0,
                           on->name);
        }
    for (int f = 0; f < ADDED; f++)
        free(start[f]);
}

static int turn; /* of the kernels */

static void check_pair(const struct test_case *t, int pair, const void *params,
                       const struct sluice_grid_options *options, int real_bytes,
                       const struct cloud *fluid, const struct cloud *walls,
                       const struct physics *f, const char *physics_name)
{
    struct sluice_grid_options with_bins = *options, *const o = &with_bins;
    if (pairs_seen++ % parts != part - 1)
        return;
    /* The bins that cells need, or finer ones, and so many rows that targets do not share them;
     * short periods make the rows finer. */
    const int periodic = o->periodic[0] || o->periodic[1] || o->periodic[2];
    const double rows = (const double[]){2, 1, periodic ? 3 : 6, 1}[pairs_seen / parts / 4 % 4];
    for (int c = rows > 1; c < 3; c++)
        o->bins_per_cutoff[c] = rows;
    struct trial trial = {.tolerance = real_bytes == 4 ? TOLERANCE_PAIR_FLOAT
                                                       : TOLERANCE_PAIR_DOUBLE};
    if (pair == SLUICE_PAIR_lj)
        trial.tolerance = real_bytes == 4 ? TOLERANCE_LJ_FLOAT : TOLERANCE_LJ_DOUBLE;
    for (int k = 0; k < variant_count; k++) {
        struct world w;
        trial_open(&w, &variants[k], 0, real_bytes, o, fluid, walls, f ? f->wall_fields : 0);
        try_variant(&trial, &w, pair, params, &variants[k],
                    f && !f->dynamic && pair != SLUICE_PAIR_repulsive);
        world_close(&w);
    }
    static const char *const kernels[] = {"Wendland C2", "cubic spline", "Wendland C4",
                                          "quintic spline"};
    ok(trial.error <= 1, "%s, %s, %s, %s, %d-D, %s: worst %.2g tolerances", t->name,
       sluice_pairs[pair].name, f ? kernels[((const struct wcsph_params *)params)->kernel] : "",
       physics_name, o->dimension, real_bytes == 4 ? "float" : "double", trial.error);
    if (trial.error > 1)
        fprintf(stderr, "#   %s\n", trial.where);
    reference_free(&trial.reference);
}

static void set_shift(struct wcsph_params *p, int inside, int counted)
{
    p->dt = 0.03;
    p->shift = (struct shifting_params){1, 2, sluice_wcsph_w(p, p->spacing), {0}, inside, counted};
    memcpy(p->shift.gravity, p->gravity, sizeof p->shift.gravity);
}

static void check_two_fluids(const struct test_case *t, const struct sluice_grid_options *o,
                             int real_bytes, const struct cloud *fluid, const struct cloud *walls)
{
    const int kernel = turn++ % 4;
    struct wcsph_params p = two_fluids.p;
    p.dimension = o->dimension;
    p.spacing = 0.3;
    p.kernel = kernel;
    p.h = kernel == SLUICE_KERNEL_QUINTIC_SPLINE ? 1. / 3 : 0.5; /* a cutoff of 1 */
    p.viscous_form = turn / 2 % 2;
    struct wcsph_params second = p;
    second.rho0 = light.rho0;
    second.sound_speed = light.sound_speed;
    second.gamma = light.gamma;
    second.alpha = light.alpha;
    second.nu = light.nu;
    p.second = &second;
    check_pair(t, sluice_wcsph_pair(&p, 0), &p, o, real_bytes, fluid, walls, &two_fluids,
               two_fluids.name);
    /* This pair differs for two fluids by a factor only. */
    check_pair(t, sluice_pair_with_kernel(SLUICE_PAIR_adami_wendland, kernel), &p, o, real_bytes,
               fluid, walls, &two_fluids, two_fluids.name);
    p.repulsion = 0.5;
    p.smagorinsky = second.smagorinsky = 0.5;
    p.isotropic = second.isotropic = 0.1;
    p.corrected_diffusion = second.corrected_diffusion = 1;
    check_pair(t, SLUICE_PAIR_wcsph_general, &p, o, real_bytes, fluid, walls, &two_fluids,
               "two fluids that repel each other, with stress and slope");
    const struct wcsph_reaction_params reaction = {.wcsph = p};
    check_pair(t, SLUICE_PAIR_reaction, &reaction, o, real_bytes, fluid, walls, &two_fluids,
               "two fluids with stress");
    struct wcsph_params shift = p;
    set_shift(&shift, turn % 2, 0);
    check_pair(t, SLUICE_PAIR_shift, &shift, o, real_bytes, fluid, walls, &two_fluids,
               "two fluids");
    p.smagorinsky = p.isotropic = 0;
    p.slip = second.slip = 1;
    p.artificial_walls = turn % 2;
    p.limits_tension = second.limits_tension = 1;
    p.tension = 0.003;
    p.gap = 0.001;
    second.tension = 0.002;
    second.gap = 0.0015;
    p.dt = second.dt = 0.002;
    p.mixing.most = 0.1;
    p.mixing.nu_most = 0.03;
    p.wall_law.used = second.wall_law.used = 1;
    p.wall_law.nu = 0.02;
    second.wall_law.nu = 0.05;
    p.motions = o->dimension == 2 ? &turning_in_plane : &turning;
    set_kernel(&p, kernel);
    set_kernel(&second, kernel);
    struct physics moving = two_fluids;
    moving.wall_fields |= SLUICE_BIT(MOTION);
    check_pair(t, SLUICE_PAIR_wcsph_general, &p, o, real_bytes, fluid, walls, &moving,
               "two fluids, law of the wall, eddies, limited tension");
    const struct wcsph_reaction_params with_law = {.wcsph = p};
    check_pair(t, SLUICE_PAIR_reaction, &with_law, o, real_bytes, fluid, walls, &moving,
               "two fluids, law of the wall");
}

static void check_case(const struct test_case *t, int dim, int real_bytes)
{
    struct sluice_grid_options o = {.dimension = dim,
                                    .cutoff = 1,
                                    .frame_cutoffs = t->frame_cutoffs,
                                    .bins_per_cutoff = {8, 2, 2}};
    struct cloud fluid, walls;
    double *const mass = calloc((size_t)(t->fluid + t->walls) + 1, sizeof *mass);
    for (int c = 0; c < 3; c++) {
        o.low[c] = t->low[c];
        o.high[c] = t->high[c];
        o.periodic[c] = t->periodic[c];
    }
    cloud_random(&fluid, t->fluid, dim, t->low, t->high, 11);
    cloud_random(&walls, t->walls, dim, t->low, t->high, 12);
    if (t->place) {
        t->place(t, &fluid, dim, 20);
        t->place(t, &walls, dim, 21);
    }
    memcpy(mass, fluid.mass, (size_t)t->fluid * sizeof *mass);
    memcpy(mass + t->fluid, walls.mass, (size_t)t->walls * sizeof *mass);
    for (size_t k = 0; k < sizeof physics / sizeof *physics; k++) {
        struct wcsph_params p = physics[k].p;
        const int first = physics[k].dynamic ? SLUICE_PAIR_dynamic_wendland
                                             : SLUICE_PAIR_adami_wendland;
        p.dimension = dim;
        if (physics[k].equal && dim == 2) {
            p.gravity[1] = p.gravity[2];
            p.gravity[2] = 0;
        }
        for (int64_t i = 0; i < t->fluid; i++)
            fluid.mass[i] = physics[k].equal ? 0.93 : mass[i];
        for (int64_t i = 0; i < t->walls; i++)
            walls.mass[i] = physics[k].equal ? 0.93 : mass[t->fluid + i];
        p.spacing = 0.3;
        p.eos = SLUICE_EOS_TAIT;
        if (physics[k].wall_fields & SLUICE_BIT(MOTION))
            p.motions = dim == 2 ? &turning_in_plane : &turning;
        /* The kernels with code in common take turns. */
        const int kernels[] = {SLUICE_KERNEL_WENDLAND_C2,
                               SLUICE_KERNEL_CUBIC_SPLINE + (turn++) % 3};
        for (int n = 0; n < 2; n++) {
            set_kernel(&p, kernels[n]);
            p.viscous_form = (turn + n) % 2;
            check_pair(t, sluice_wcsph_pair(&p, physics[k].equal ? 0.93 : 0), &p, &o, real_bytes,
                       &fluid, &walls, &physics[k], physics[k].name);
            if (n == (int)(k % 2))
                check_pair(t,
                           p.renormalised ? SLUICE_PAIR_wcsph_renormalised_all
                                          : SLUICE_PAIR_wcsph_general,
                           &p, &o, real_bytes, &fluid, &walls, &physics[k], physics[k].name);
            check_pair(t, sluice_pair_with_kernel(first, p.kernel), &p, &o, real_bytes, &fluid,
                       &walls, &physics[k], physics[k].name);
            struct wcsph_params nodes = p;     /* the walls are nodes of their own */
            nodes.rho0 = pow(p.spacing, -dim); /* of particles that fill their space */
            if (physics[k].wall_fields & SLUICE_BIT(HEAD) && (turn / 4 + (int)k + n) % 2)
                check_pair(t, sluice_pair_with_kernel(SLUICE_PAIR_mdbc_wendland, p.kernel), &nodes,
                           &o, real_bytes, &fluid, &walls, &physics[k], physics[k].name);
        }
        if (physics[k].wall_fields & SLUICE_BIT(ACCELERATION)) /* moving walls */
            check_pair(t, SLUICE_PAIR_repulsive, &p, &o, real_bytes, &fluid, &walls, &physics[k],
                       physics[k].name);
        set_kernel(&p, kernels[turn / 3 % 2]);
        struct wcsph_params shift = p;
        const int inside = turn / 2 % 2;
        set_shift(&shift, inside, k >= 2);
        const char *way = k >= 2 ? "counted" : inside ? "not at a surface" : "everywhere";
        check_pair(t, SLUICE_PAIR_shift, &shift, &o, real_bytes, &fluid, &walls, &physics[k], way);
        /* Beside the forces. */
        const int main_loop = sluice_wcsph_pair(&shift, physics[k].equal ? 0.93 : 0);
        if (sluice_pairs[main_loop].writes & SLUICE_BIT(SHIFT))
            check_pair(t, main_loop, &shift, &o, real_bytes, &fluid, &walls, &physics[k], way);
        const struct wcsph_reaction_params reaction = {p, physics[k].equal};
        check_pair(t, SLUICE_PAIR_reaction, &reaction, &o, real_bytes, &fluid, &walls, &physics[k],
                   reaction.repulsive ? "repulsive" : physics[k].name);
    }
    check_two_fluids(t, &o, real_bytes, &fluid, &walls);
    if (!t->place)
        spread(&fluid, dim, t);
    for (size_t k = 0; k < sizeof lj / sizeof *lj && !t->coincident && t->place != crowd; k++)
        check_pair(t, SLUICE_PAIR_lj, &lj[k], &o, real_bytes, &fluid, &walls, NULL, lj_name[k]);
    for (int pair = SLUICE_PAIR_low; pair <= SLUICE_PAIR_high; pair++)
        check_pair(t, pair, &lj[pair % 2], &o, real_bytes, &fluid, &walls, NULL, "synthetic");
    free(mass);
    cloud_destroy(&fluid);
    cloud_destroy(&walls);
}

int main(void)
{
    int status = 0;
    if (getenv("SLUICE_TEST_BACKEND")) /* one process for a device */
        part_read(&part, &parts);
    else if (part_fork(&part, &parts, &status))
        return status;
    variant_count = variants_here(variants);
    for (int k = 0; k < variant_count; k++)
        diag("runs on %s", variants[k].name);
    for (int real_bytes = 4; real_bytes <= 8; real_bytes += 4)
        for (int dim = 2; dim <= 3; dim++)
            for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
                check_case(&cases[k], dim, real_bytes);
    return done_testing();
}
