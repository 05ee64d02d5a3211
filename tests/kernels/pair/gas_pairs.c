/* test: 19 s, emulator, tsan */
/* The two pairs of a gas against plain sums in double over all particles and images, on every
 * backend: smoothing lengths that differ up to eightfold between neighbours, guesses that are wrong
 * up to threefold, every kernel, both forms of the force.
 *
 * Looked for are mistakes of programs with adaptive smoothing lengths: a density of the h before
 * the last step; neighbours that were not looked for again when h grew; neighbours within the
 * other's support that are missed; a force with one gradient alone; a particle that goes on with
 * its warp when it had converged. */
#include <stdlib.h>
#include <string.h>

#include "reference/gas_reference.h"
#include "support/pair_trial.h"
#include "support/part.h"
#include "support/tap.h"

enum { COUNTED = 8 };

static const struct gas_case cases[] = {
    {"even, 2-D", .dim = 2, .periodic = 1, .contrast = 1, .frame = 2},
    {"open, contrast 4, 3-D", .dim = 3, .contrast = 4, .frame = 4},
    {"a lattice", .dim = 3, .periodic = 1, .lattice = 1, .contrast = 1, .frame = 2},
    {"open, contrast 8, 2-D", .dim = 2, .contrast = 8, .frame = 4},
    {"even, 3-D", .dim = 3, .periodic = 1, .contrast = 1, .frame = 2},
    {"cubic spline, contrast 4", .dim = 2, .kernel = SLUICE_KERNEL_CUBIC_SPLINE, .periodic = 1,
     .contrast = 4, .frame = 2},
    {"Wendland C4, the other form", .dim = 3, .kernel = SLUICE_KERNEL_WENDLAND_C4, .periodic = 1,
     .mean = 1, .contrast = 2, .frame = 4},
    {"quintic, isothermal", .dim = 2, .kernel = SLUICE_KERNEL_QUINTIC_SPLINE, .periodic = 1,
     .isothermal = 1, .contrast = 2, .frame = 2},
    {"walls on two sides, 3-D", .dim = 3, .walls = 1 << 0 | 1 << 3, .contrast = 2, .frame = 4},
    {"walls all around, 2-D", .dim = 2, .walls = 15, .contrast = 2, .frame = 2},
};

/* Puts the state of the start of the passes into the world. */
static void put_state(const struct gas *g, struct world *w)
{
    struct sluice_set *set = &w->host[SLUICE_FLUID];
    const sluice_id *id = set->field[SLUICE_FIELD_ID];
    for (int64_t i = 0; i < set->count; i++) {
        const int64_t n = (int64_t)id[i];
        field_put(set, SLUICE_FIELD_SMOOTHING, i, 0, g->guess[n]);
        field_put(set, SLUICE_FIELD_SMOOTHING, i, 2, g->limiter[n]);
        for (int c = 0; c < g->of->dim; c++)
            field_put(set, SLUICE_FIELD_PREDICTED, i, c, g->cloud.v[n][c]);
        field_put(set, SLUICE_FIELD_PREDICTED, i, g->of->dim, g->u[n]);
        for (int c = 0; c < 4; c++)
            field_put(set, SLUICE_FIELD_GAS, i, c, 0);
    }
    world_write(w, SLUICE_FLUID, SLUICE_FIELD_SMOOTHING);
    world_write(w, SLUICE_FLUID, SLUICE_FIELD_PREDICTED);
    world_write(w, SLUICE_FLUID, SLUICE_FIELD_GAS);
}

static struct sluice_pass pass_of(const struct gas *g, struct world *w, int pair)
{
    const struct sluice_pass pass = {.name = "test",
                                     .pair = sluice_pair_with_kernel(pair, g->of->kernel),
                                     .params = &g->p,
                                     .target = &w->set[SLUICE_FLUID],
                                     .source = {&w->set[SLUICE_FLUID], NULL},
                                     .sums = SLUICE_ALL_SUMS,
                                     .count_pairs = 1,
                                     .scales = {.energy = 12, .power = 12}};
    return pass;
}

static void compare_density(const struct gas *g, struct world *w, struct trial *t, const char *on)
{
    const struct sluice_set *set = &w->host[SLUICE_FLUID];
    const sluice_id *id = set->field[SLUICE_FIELD_ID];
    for (int64_t i = 0; i < set->count; i++) {
        const int64_t n = (int64_t)id[i];
        trial_note(t, field_at(set, SLUICE_FIELD_SMOOTHING, i, 0), g->h[n], t->tolerance * g->h[n],
                   "h", n, on);
        trial_note(t, field_at(set, SLUICE_FIELD_GAS, i, 1), g->rho[n], t->tolerance * g->rho[n],
                   "rho", n, on);
    }
}

static void compare_forces(const struct gas *g, struct world *w, struct trial *t, const char *on)
{
    const struct sluice_set *set = &w->host[SLUICE_FLUID];
    const sluice_id *id = set->field[SLUICE_FIELD_ID];
    for (int64_t i = 0; i < set->count; i++) {
        const int64_t n = (int64_t)id[i];
        double a2 = 0;
        for (int c = 0; c < g->of->dim; c++) {
            const double a = g->a[n][c] + g->p.body[c];
            trial_note(t, field_at(set, SLUICE_FIELD_ACCELERATION, i, c), a,
                       t->tolerance * (g->a_scale[n] + 1), "acceleration", n, on);
            a2 += a * a;
        }
        const double h = g->h[n], spread = fabs(g->shrink[n]) * g->omega[n],
                     limiter = spread / (spread + g->turn[n] + 1e-4 * gas_sound(g, n) / h),
                     force = sqrt(sqrt(a2) / h), got = field_at(set, SLUICE_FIELD_SMOOTHING, i, 3),
                     rate = fmin(fmax(got, fmax(g->signal[n] / h, force)),
                                 fmax(g->signal_most[n] / h, force));
        trial_note(t, field_at(set, SLUICE_FIELD_RATE, i, 0), g->of->isothermal ? 0 : g->heat[n],
                   t->tolerance * g->heat_scale[n], "du/dt", n, on);
        trial_note(t, field_at(set, SLUICE_FIELD_SMOOTHING, i, 1), -g->shrink[n] / g->of->dim,
                   t->tolerance * g->shrink_scale[n], "d(ln h)/dt", n, on);
        trial_note(t, field_at(set, SLUICE_FIELD_SMOOTHING, i, 2), limiter,
                   t->tolerance * (1 + g->shrink_scale[n] / (spread + g->turn[n])), "limiter", n,
                   on);
        trial_note(t, got, rate, t->tolerance * rate, "1/dt", n, on);
    }
}

/* Both passes with one strategy. */
static void run(const struct gas *g, struct world *w, int strategy, struct trial *t, const char *on)
{
    struct sluice_pass pass = pass_of(g, w, SLUICE_PAIR_gas_density_wendland);
    const double n = (double)g->cloud.n;
    char where[128];
    snprintf(where, sizeof where, "%s, %s", on, sluice_strategies[strategy].name);
    w->backend.orders.strategy = strategy;
    put_state(g, w);
    trial_run(w, &pass);
    compare_density(g, w, t, where);
    trial_note(t, pass.sum[SLUICE_SUM_ROUNDS] / n, 6, 3, "sums a particle", 0, where);
    pass = pass_of(g, w, SLUICE_PAIR_gas_wendland);
    trial_run(w, &pass);
    compare_forces(g, w, t, where);
    trial_note(t, pass.sum[SLUICE_SUM_IDENTITY], 0,
               t->tolerance * pass.sum[SLUICE_SUM_IDENTITY_ABS], "identity", 0, where);
    trial_note(t, pass.sum[SLUICE_SUM_PAIRS], g->pairs[1], w->real_bytes == 4 ? COUNTED : 0.5,
               "pairs", 0, where);
}

static void check_case(const struct gas *g, const struct variant *on, int real_bytes)
{
    struct sluice_grid_options o = {.dimension = g->of->dim,
                                    .cutoff = g->period / 4,
                                    .high = {g->period, g->period, g->period},
                                    .frame_cutoffs = g->of->frame,
                                    .bins_per_cutoff = {8, 3, 3}};
    struct trial t = {.tolerance = 1e-12};
    struct gas now = *g;
    struct world w;
    o.walls = g->of->walls;
    for (int c = 0; c < g->of->dim; c++)
        o.periodic[c] = g->of->periodic;
    trial_open(&w, on, SLUICE_STRATEGY_window, real_bytes, &o, &g->cloud, NULL, 0);
    now.p.most = fmin(w.grid.width[0], w.grid.width[1]) * (1 - 1e-5);
    if (real_bytes == 4) /* and the rounding of a difference of offsets, ten times in a term */
        t.tolerance = 1e-5 + 10 * w.grid.width[0] * ldexp(1, -25) / g->least;
    run(&now, &w, SLUICE_STRATEGY_window, &t, on->name);
    run(&now, &w, SLUICE_STRATEGY_tiled, &t, on->name);
    run(&now, &w, SLUICE_STRATEGY_bucket, &t, on->name);
    ok(t.error <= 1, "%s, %d bytes, %s: within %.2g of the tolerance %.1g%s%s", g->of->name,
       real_bytes, on->name, t.error, t.tolerance, t.error <= 1 ? "" : ": ",
       t.error <= 1 ? "" : t.where);
    world_close(&w);
}

/* A particle without neighbours has no smoothing length: it is marked by a negative one, and its
 * forces are not finite, which ends a run. */
static void check_lonely(const struct variant *on, int real_bytes)
{
    const struct sluice_grid_options o = {.dimension = 2,
                                          .cutoff = 1,
                                          .high = {4, 4, 4},
                                          .frame_cutoffs = 4,
                                          .bins_per_cutoff = {8, 3, 3}};
    const struct gas_case of = {.dim = 2};
    struct gas g = {.of = &of, .p = {.dimension = 2, .eta = 1.3, .gamma = 1.4, .tolerance = 1e-3}};
    struct world w;
    cloud_create(&g.cloud, 1);
    double one[] = {1}, guess[] = {0.1};
    g.guess = guess;
    g.u = g.limiter = one;
    g.cloud.mass[0] = g.cloud.x[0][0] = g.cloud.x[0][1] = 1;
    trial_open(&w, on, SLUICE_STRATEGY_window, real_bytes, &o, &g.cloud, NULL, 0);
    g.p.most = 4;
    put_state(&g, &w);
    struct sluice_pass pass = pass_of(&g, &w, SLUICE_PAIR_gas_density_wendland);
    trial_run(&w, &pass);
    const struct sluice_set *set = &w.host[SLUICE_FLUID];
    ok(field_at(set, SLUICE_FIELD_SMOOTHING, 0, 0) < -1 &&
           isnan(field_at(set, SLUICE_FIELD_GAS, 0, 1)),
       "%s, %d bytes: a particle without neighbours is found out", on->name, real_bytes);
    world_close(&w);
    cloud_destroy(&g.cloud);
}

/* The cases of this part, of at most six. Float and double take different ones. */
static void check_cases(const struct variant *variants, int n)
{
    for (int c = 0; c < (int)(sizeof cases / sizeof *cases); c++) {
        struct gas g;
        int made = 0;
        for (int real_bytes = 4; real_bytes <= 8; real_bytes += 4) {
            if (!part_has(c + real_bytes / 4, 6))
                continue;
            if (!made++)
                gas_create(&g, &cases[c], (uint64_t)c + 7);
            for (int k = 0; k < n; k++)
                check_case(&g, &variants[k], real_bytes);
        }
        if (made)
            gas_destroy(&g);
    }
}

int main(void)
{
    struct variant variants[VARIANTS_MOST];
    const int n = variants_here(variants);
    check_cases(variants, n);
    for (int k = 0; k < n; k++)
        for (int real_bytes = 4; real_bytes <= 8; real_bytes += 4)
            check_lonely(&variants[k], real_bytes);
    return done_testing();
}
