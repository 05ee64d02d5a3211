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

#include "kernels/types/gas_params.h"
#include "reference/pair_reference_terms.h"
#include "support/pair_trial.h"
#include "support/part.h"
#include "support/tap.h"

enum { PARTICLES = 350, COUNTED = 8 };

struct gas_case {
    const char *name;
    int dim, kernel, periodic, mean, isothermal, lattice;
    unsigned walls;  /* 2 axis + (high side); else open or periodic */
    double contrast; /* of the spacing from one half of the box to the other */
    double frame;    /* width of a frame over a quarter of the box, at least */
};

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

/* The state of the particles, by id, and what the passes should make of it. */
struct gas {
    const struct gas_case *of;
    struct gas_params p;
    struct cloud cloud;
    double period, least; /* least: the smallest h */
    double *guess, *u, *limiter;
    double *h, *rho, *omega; /* expected */
    double (*a)[3], *a_scale, *heat, *heat_scale, *shrink, *shrink_scale, *turn, *signal,
        *signal_most; /* signal: least */
    double pairs[2];  /* within the own support, and within the larger of both */
};

static double *numbers(int64_t n)
{
    double *x = calloc((size_t)n, sizeof *x);
    if (!x)
        exit(1);
    return x;
}

/* Half of the particles in the left part of the box, which is `contrast` times narrower. */
static void place(struct gas *g, uint64_t *seed)
{
    const double side = g->period, split = side / (1 + pow(g->of->contrast, g->of->dim));
    const int n = g->of->dim == 3 ? 7 : 18;
    for (int64_t i = 0; i < g->cloud.n; i++) {
        double *x = g->cloud.x[i];
        for (int c = 0; c < g->of->dim; c++)
            x[c] = side * uniform(seed);
        if (g->of->contrast > 1)
            x[0] = i % 2 ? split * uniform(seed) : split + (side - split) * uniform(seed);
        if (g->of->lattice)
            for (int c = 0, k = (int)i; c < g->of->dim; c++, k /= n)
                x[c] = side * (k % n + 0.5) / n;
        g->cloud.mass[i] = g->of->lattice ? 1 : 0.5 + uniform(seed);
        g->cloud.id[i] = (sluice_id)i;
        for (int c = 0; c < g->of->dim; c++)
            g->cloud.v[i][c] = 2 * uniform(seed) - 1;
        g->u[i] = 0.5 + uniform(seed);
        g->limiter[i] = uniform(seed);
    }
}

/* d = x_i - x_j of image number k of j, 0 to 3^dim - 1: moved by a period, or behind a wall. */
static double distance(const struct gas *g, int64_t i, int64_t j, int k, double d[3])
{
    double r2 = 0;
    for (int c = 0; c < g->of->dim; c++, k /= 3) {
        const double x = g->cloud.x[j][c], side = k % 3 - 1,
                     mirrored = side < 0 ? -x : 2 * g->period - x;
        const int turned = g->of->walls && side != 0;
        d[c] = g->cloud.x[i][c] - (turned ? mirrored : x + side * g->period);
        r2 += d[c] * d[c];
    }
    return sqrt(r2);
}

/* The velocity of image k of j along an axis. */
static double velocity(const struct gas *g, int64_t j, int k, int axis)
{
    for (int c = 0; c < axis; c++)
        k /= 3;
    return g->of->walls && k % 3 != 1 ? -g->cloud.v[j][axis] : g->cloud.v[j][axis];
}

static int images(const struct gas *g)
{
    return g->of->dim == 3 ? 27 : 9;
}

/* Whether image k counts: in an open box the middle one alone, of walls those behind them. */
static int counts(const struct gas *g, int k)
{
    int all = 1;
    for (int c = 0; c < g->of->dim; c++, k /= 3)
        all &= k % 3 == 1 || g->of->periodic || (g->of->walls >> (2 * c + k % 3 / 2) & 1);
    return all;
}

static double density(const struct gas *g, int64_t i, double h, double *slope)
{
    double d[3], sum = 0, f = 0;
    for (int64_t j = 0; j < g->cloud.n; j++)
        for (int k = 0; k < images(g); k++) {
            if (!counts(g, k))
                continue;
            const double r = distance(g, i, j, k, d), m = g->cloud.mass[j];
            sum += m * reference_kernel_w(g->of->dim, h, g->of->kernel, r);
            f += r > 0 ? m * r * r * reference_kernel_f(g->of->dim, h, g->of->kernel, r) : 0;
        }
    *slope = f;
    return sum;
}

/* h by bisection, and at last by Newton steps, which stay within. */
static void find_density(struct gas *g, int64_t i)
{
    const int dim = g->of->dim;
    double low = 1e-3 * g->period, high = 0.5 * g->period, slope;
    const double wanted = g->cloud.mass[i] * pow(g->p.eta, dim);
    double h = 0.5 * (low + high);
    for (int k = 0; k < 20; k++) {
        const double rho = density(g, i, h, &slope), excess = pow(h, dim) * rho - wanted;
        *(excess < 0 ? &low : &high) = h;
        const double next = h + excess * h / (pow(h, dim) * slope);
        h = k < 10 || next < low || next > high ? 0.5 * (low + high) : next;
    }
    g->h[i] = h;
    g->rho[i] = density(g, i, g->h[i], &slope);
    g->omega[i] = -slope / (dim * g->rho[i]);
}

static double pressure(const struct gas *g, int64_t i)
{
    return (g->p.gamma - 1) * g->rho[i] * g->u[i];
}

static double sound(const struct gas *g, int64_t i)
{
    return sqrt((g->p.isothermal ? 1 : g->p.gamma) * (g->p.gamma - 1) * g->u[i]);
}

/* The larger support of a pair. */
static double support_of(const struct gas *g, int64_t i, int64_t j)
{
    return (g->of->kernel == SLUICE_KERNEL_QUINTIC_SPLINE ? 3 : 2) * fmax(g->h[i], g->h[j]);
}

/* In float a pair so near the edge of the support may be within or beyond it; then its signal
 * counts or does not. */
#define EDGE 1e-6

static void add_pair(struct gas *g, int64_t i, int64_t j, int image, const double d[3], double r,
                     double rot[3])
{
    const struct gas_params *p = &g->p;
    const int dim = g->of->dim;
    const double fi = reference_kernel_f(dim, g->h[i], g->of->kernel, r),
                 fj = reference_kernel_f(dim, g->h[j], g->of->kernel, r), mean = 0.5 * (fi + fj),
                 rho = 0.5 * (g->rho[i] + g->rho[j]), m = g->cloud.mass[j];
    double v[3] = {0, 0, 0}, apart = 0;
    for (int c = 0; c < dim; c++) {
        v[c] = g->cloud.v[i][c] - velocity(g, j, image, c);
        apart += v[c] * d[c];
    }
    const double w = fmin(apart, 0) / r, s = sound(g, i) + sound(g, j) - p->beta * w,
                 viscous = -0.5 * p->alpha * 0.5 * (g->limiter[i] + g->limiter[j]) * s * w / rho,
                 jump = fabs(pressure(g, i) - pressure(g, j)),
                 conduct = p->isothermal
                               ? 0
                               : p->conductivity * sqrt(jump / rho) * (g->u[i] - g->u[j]) / rho;
    const double ti = pressure(g, i) / (g->omega[i] * g->rho[i] * g->rho[i]),
                 tj = pressure(g, j) / (g->omega[j] * g->rho[j] * g->rho[j]),
                 both = mean / (g->rho[i] * g->rho[j]);
    const double push = p->mean ? (pressure(g, i) + pressure(g, j)) * both : ti * fi + tj * fj,
                 work = p->mean ? pressure(g, i) * both : ti * fi;
    for (int c = 0; c < dim; c++)
        g->a[i][c] -= m * (push + viscous * mean) * d[c];
    g->a_scale[i] += m * (fabs(push) + fabs(viscous * mean)) * r;
    g->heat[i] += m * (work * apart + 0.5 * viscous * mean * apart + conduct * mean * r);
    g->heat_scale[i] += m * (fabs(work * apart) + fabs(viscous * mean * apart) +
                             fabs(conduct * mean * r));
    g->shrink[i] += m * fi * apart / (g->rho[i] * g->omega[i]);
    g->shrink_scale[i] += fabs(m * fi * apart / (g->rho[i] * g->omega[i]));
    for (int c = 0; c < 3; c++)
        rot[c] += m * fi / g->rho[i] *
                  (v[(c + 1) % 3] * d[(c + 2) % 3] - v[(c + 2) % 3] * d[(c + 1) % 3]);
    g->signal_most[i] = fmax(g->signal_most[i], s);
    if (r < (1 - EDGE) * support_of(g, i, j))
        g->signal[i] = fmax(g->signal[i], s);
}

static void find_forces(struct gas *g, int64_t i)
{
    const double k = g->of->kernel == SLUICE_KERNEL_QUINTIC_SPLINE ? 3 : 2;
    double d[3] = {0, 0, 0}, rot[3] = {0, 0, 0};
    g->signal[i] = g->signal_most[i] = 2 * sound(g, i); /* of itself */
    for (int64_t j = 0; j < g->cloud.n; j++)
        for (int image = 0; image < images(g); image++) {
            const double r = counts(g, image) ? distance(g, i, j, image, d) : 0;
            if (r == 0)
                continue;
            g->pairs[0] += r < k * g->h[i];
            g->pairs[1] += r < support_of(g, i, j);
            if (r < (1 + EDGE) * support_of(g, i, j))
                add_pair(g, i, j, image, d, r, rot);
        }
    g->turn[i] = sqrt(rot[0] * rot[0] + rot[1] * rot[1] + rot[2] * rot[2]);
}

static void gas_create(struct gas *g, const struct gas_case *of, uint64_t seed)
{
    const int64_t n = of->lattice ? 343 : PARTICLES;
    memset(g, 0, sizeof *g);
    g->of = of;
    g->period = 4;
    cloud_create(&g->cloud, n);
    double **const all[] = {&g->guess,   &g->u,    &g->limiter,    &g->h,          &g->rho,
                            &g->omega,   &g->heat, &g->heat_scale, &g->shrink,     &g->shrink_scale,
                            &g->a_scale, &g->turn, &g->signal,     &g->signal_most};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        *all[k] = numbers(n);
    g->a = calloc((size_t)n, sizeof *g->a);
    g->p = (struct gas_params){.dimension = of->dim,
                               .kernel = of->kernel,
                               .eta = of->kernel == SLUICE_KERNEL_QUINTIC_SPLINE ? 1.1 : 1.3,
                               .gamma = 1.4,
                               .isothermal = of->isothermal,
                               .mean = of->mean,
                               .alpha = 1,
                               .beta = 3,
                               .conductivity = 1,
                               .limiter = 1,
                               .tolerance = 1e-13,
                               .body = {0.3, -0.2, 0.1}};
    place(g, &seed);
    g->least = INFINITY;
    for (int64_t i = 0; i < n; i++) {
        find_density(g, i);
        g->least = fmin(g->least, g->h[i]);
    }
    for (int64_t i = 0; i < n; i++) {
        find_forces(g, i);
        g->guess[i] = g->h[i] * pow(3, 2 * uniform(&seed) - 1);
        g->p.support = fmax(g->p.support, 3.5 * g->h[i]);
    }
}

static void gas_destroy(struct gas *g)
{
    double *const all[] = {g->guess, g->u,      g->limiter,     g->h,      g->rho,
                           g->omega, g->heat,   g->heat_scale,  g->shrink, g->shrink_scale,
                           g->turn,  g->signal, g->signal_most, g->a_scale};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        free(all[k]);
    free(g->a);
    cloud_destroy(&g->cloud);
}

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
                                     .energy = 1,
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
                     limiter = spread / (spread + g->turn[n] + 1e-4 * sound(g, n) / h),
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
