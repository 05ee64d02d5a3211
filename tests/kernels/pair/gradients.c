/* test: 0.1 s, emulator, tsan-slow */
/* Sub-particle stress: in a linear shear the strain rate is the kernel's moment times the exact
 * one; momentum is conserved; its dissipation is never negative. Density diffusion with
 * renormalised gradients: none where the head is linear, wherever the particles are; sum m r is
 * conserved; no gradient where the neighbours do not determine one. On every backend. */
#include <string.h>

#include "reference/pair_reference_terms.h"
#include "support/pair_trial.h"
#include "support/tap.h"
#include "support/tolerances.h"

enum { SIDE = 11 };
static const double dp = 0.25, shear = 3.0;

/* Nothing but the stress acts: no pressure (silent()), no diffusion, no other viscosity. */
static struct wcsph_params params_of(int dim)
{
    return (struct wcsph_params){.dimension = dim,
                                 .h = 1.5 * dp,
                                 .spacing = dp,
                                 .rho0 = 1.3,
                                 .sound_speed = 10,
                                 .gamma = 7,
                                 .smagorinsky = 0.12,
                                 .slip = 1};
}

static void silent(struct world *w)
{
    struct sluice_set *fluid = &w->host[SLUICE_FLUID];
    for (int64_t i = 0; i < fluid->count; i++) {
        field_put(fluid, SLUICE_FIELD_EOS, i, 0, 0);
        field_put(fluid, SLUICE_FIELD_EOS, i, 1, 1);
        for (int c = 0; c < fluid->dimension; c++)
            field_put(fluid, SLUICE_FIELD_ACCELERATION, i, c, 0);
    }
    world_write(w, SLUICE_FLUID, SLUICE_FIELD_EOS);
    world_write(w, SLUICE_FLUID, SLUICE_FIELD_ACCELERATION);
}

static void open_world(struct world *w, const struct variant *on, int dim, int real_bytes,
                       const struct cloud *fluid)
{
    const struct sluice_grid_options o = {.dimension = dim,
                                          .cutoff = 3 * dp,
                                          .high = {SIDE * dp, SIDE * dp, SIDE * dp},
                                          .frame_cutoffs = 2,
                                          .bins_per_cutoff = {8, 2, 2}};
    trial_open(w, on, SLUICE_STRATEGY_window, real_bytes, &o, fluid, NULL, 0);
    silent(w);
}

/* The loop of a step, which finds the gradients of the next one. */
static struct sluice_pass run(struct world *w, const struct wcsph_params *p)
{
    struct sluice_pass pass = trial_pass(w, SLUICE_PAIR_wcsph_gradients, p, SLUICE_ALL_SUMS, 0);
    trial_run(w, &pass);
    return pass;
}

static void take(struct world *w, enum sluice_field to, enum sluice_field from)
{
    const struct sluice_set *set = &w->host[SLUICE_FLUID];
    memcpy(set->field[to], set->field[from],
           (size_t)(set->count * sluice_set_field_bytes(set, to)));
    world_write(w, SLUICE_FLUID, to);
}

/* The same, and that next step. */
static struct sluice_pass run_twice(struct world *w, const struct wcsph_params *p)
{
    run(w, p);
    take(w, SLUICE_FIELD_STRESS, SLUICE_FIELD_STRESS_NEXT);
    take(w, SLUICE_FIELD_HEAD_GRADIENT, SLUICE_FIELD_HEAD_GRADIENT_NEXT);
    silent(w);
    return run(w, p);
}

/* -sum V F d_x^2 of the lattice: 1 for a kernel that is exact. */
static double moment_of(const struct wcsph_params *p)
{
    double moment = 0;
    const int deep = p->dimension == 3 ? 3 : 0;
    for (int z = -deep; z <= deep; z++)
        for (int y = -3; y <= 3; y++)
            for (int x = -3; x <= 3; x++)
                moment -= pow(dp, p->dimension) * x * x * dp * dp *
                          reference_kernel_f(p->dimension, p->h, p->kernel,
                                             dp * sqrt(x * x + y * y + z * z));
    return moment;
}

/* v = (shear y, 0, 0) on a lattice: |S| = 2 S_xy = moment shear, and of the stress over rho
 * (C_s dp)^2 |S|^2 at (x, y) and -2/3 C_I dp^2 |S|^2 on the diagonal. */
static void check_shear(const struct variant *on, int dim, int real_bytes)
{
    struct wcsph_params p = params_of(dim);
    struct cloud fluid;
    struct world w;
    double most = 0;
    int64_t inner = 0;
    p.isotropic = 0.05;
    cloud_create(&fluid, dim == 2 ? SIDE * SIDE : SIDE * SIDE * SIDE);
    for (int64_t i = 0; i < fluid.n; i++) {
        const int64_t k[3] = {i % SIDE, i / SIDE % SIDE, i / SIDE / SIDE};
        for (int c = 0; c < dim; c++)
            fluid.x[i][c] = ((double)k[c] + 0.5) * dp;
        fluid.v[i][0] = shear * fluid.x[i][1];
        fluid.mass[i] = p.rho0 * pow(dp, dim);
        fluid.id[i] = (sluice_id)i;
    }
    open_world(&w, on, dim, real_bytes, &fluid);
    run(&w, &p);
    const double moment = moment_of(&p), size = moment * shear;
    const struct sluice_set *set = &w.host[SLUICE_FLUID];
    for (int64_t i = 0; i < set->count; i++) {
        const uint32_t id = (uint32_t)((const sluice_id *)set->field[SLUICE_FIELD_ID])[i];
        const uint32_t k[3] = {id % SIDE, id / SIDE % SIDE, dim == 3 ? id / SIDE / SIDE : 5};
        if (k[0] < 3 || k[1] < 3 || k[2] < 3 || k[0] > 7 || k[1] > 7 || k[2] > 7)
            continue;
        inner++;
        for (int a = 0; a < dim; a++)
            for (int b = 0; b <= a; b++) {
                const double got = p.rho0 * field_at(set, SLUICE_FIELD_STRESS_NEXT, i,
                                                     reference_symmetric(a, b));
                const double want = a == b             ? -2. / 3 * 0.05 * dp * dp * size * size
                                    : a == 1 && b == 0 ? 0.12 * 0.12 * dp * dp * size * size
                                                       : 0;
                most = fmax(most, fabs(got - want) / (0.05 * dp * dp * size * size));
            }
    }
    is_int(inner, dim == 2 ? 25 : 125, "particles inside");
    is_close(moment, 1, 0.003, "the kernel's moment");
    ok(most <= (real_bytes == 4 ? TOLERANCE_PAIR_FLOAT : TOLERANCE_PAIR_DOUBLE),
       "%s, %d-D, %d bytes: the stress of a linear shear, wrong by %g", on->name, dim, real_bytes,
       most);
    world_close(&w);
    cloud_destroy(&fluid);
}

/* Out of order, at a free surface, with any velocities: its gradient is the force's adjoint. */
static void check_dissipation(const struct variant *on, int dim, int real_bytes)
{
    const double tolerance = real_bytes == 4 ? TOLERANCE_PAIR_FLOAT : TOLERANCE_PAIR_DOUBLE;
    const struct wcsph_params p = params_of(dim);
    struct cloud fluid;
    struct world w;
    double momentum[3] = {0, 0, 0}, size = 0, work = 0;
    cloud_random(&fluid, 700, dim, (const double[3]){0, 0, 0},
                 (const double[3]){SIDE * dp, SIDE * dp, SIDE * dp}, 5);
    open_world(&w, on, dim, real_bytes, &fluid);
    const struct sluice_pass pass = run_twice(&w, &p);
    const struct sluice_set *set = &w.host[SLUICE_FLUID];
    for (int64_t i = 0; i < set->count; i++)
        for (int c = 0; c < dim; c++) {
            const double force = field_at(set, SLUICE_FIELD_POSITION, i, dim) *
                                 field_at(set, SLUICE_FIELD_ACCELERATION, i, c);
            momentum[c] += force;
            size += fabs(force);
            work += force * field_at(set, SLUICE_FIELD_PREDICTED, i, c);
        }
    ok(size > 0, "%s, %d-D, %d bytes: it acts", on->name, dim, real_bytes);
    for (int c = 0; c < dim; c++)
        is_close(momentum[c] / size, 0, tolerance, "momentum is conserved");
    ok(pass.sum[SLUICE_SUM_VISCOUS] < 0, "it takes energy: %g W", pass.sum[SLUICE_SUM_VISCOUS]);
    is_close(work / pass.sum[SLUICE_SUM_VISCOUS], 1, tolerance, "as much as its forces do");
    world_close(&w);
    cloud_destroy(&fluid);
}

/* Sum m R over sum |m R| of the pass, and by pointer that sum. */
static double run_diffusion(struct world *w, const struct wcsph_params *p, double *size)
{
    const struct sluice_set *set = &w->host[SLUICE_FLUID];
    double sum = 0;
    *size = 0;
    run_twice(w, p);
    for (int64_t i = 0; i < set->count; i++) {
        const double rate = field_at(set, SLUICE_FIELD_POSITION, i, set->dimension) *
                            field_at(set, SLUICE_FIELD_RATE, i, 0);
        sum += rate;
        *size += fabs(rate);
    }
    return sum / *size;
}

/* Particles at rest in no order, the head first at random and then linear. */
static void check_diffusion(const struct variant *on, int dim, int real_bytes)
{
    const double tolerance = real_bytes == 4 ? TOLERANCE_PAIR_FLOAT : TOLERANCE_PAIR_DOUBLE;
    const double slope[3] = {0.002, -0.001, 0.003};
    struct wcsph_params p = params_of(dim);
    struct cloud fluid;
    struct world w;
    double size, left, worst = 0;
    int64_t known = 0;
    p.smagorinsky = 0;
    p.delta = 0.1;
    p.corrected_diffusion = 1;
    cloud_random(&fluid, 700, dim, (const double[3]){0, 0, 0},
                 (const double[3]){SIDE * dp, SIDE * dp, SIDE * dp}, 5);
    memset(fluid.v, 0, (size_t)fluid.n * sizeof *fluid.v);
    open_world(&w, on, dim, real_bytes, &fluid);
    ok(fabs(run_diffusion(&w, &p, &size)) <= tolerance, "%s, %d-D, %d bytes: sum m r is conserved",
       on->name, dim, real_bytes);
    struct sluice_set *set = &w.host[SLUICE_FLUID];
    for (int64_t i = 0; i < set->count; i++) {
        const double *x =
            fluid.x[fluid.n - 1 - (int64_t)((const sluice_id *)set->field[SLUICE_FIELD_ID])[i]];
        field_put(set, SLUICE_FIELD_PREDICTED, i, dim,
                  slope[0] * x[0] + slope[1] * x[1] + slope[2] * x[2]);
    }
    world_write(&w, SLUICE_FLUID, SLUICE_FIELD_PREDICTED);
    run_diffusion(&w, &p, &left);
    for (int64_t i = 0; i < set->count; i++)
        for (int c = 0; c < dim && field_at(set, SLUICE_FIELD_HEAD_GRADIENT_NEXT, i, 0) != 0; c++) {
            worst = fmax(worst,
                         fabs(field_at(set, SLUICE_FIELD_HEAD_GRADIENT_NEXT, i, c) - slope[c]));
            known++;
        }
    ok(known == dim * set->count, "all %lld particles have a gradient", (long long)set->count);
    ok(worst <= 100 * tolerance * slope[2], "the exact one, but for %g", worst / slope[2]);
    ok(left <= tolerance * size, "no diffusion of a linear head: %g of that before", left / size);
    world_close(&w);
    cloud_destroy(&fluid);
}

/* Five particles in a line, two in a pair, and one alone: no gradient. */
static void check_singular(const struct variant *on, int dim, int real_bytes)
{
    struct wcsph_params p = params_of(dim);
    struct cloud fluid;
    struct world w;
    p.corrected_diffusion = 1;
    cloud_create(&fluid, 8);
    for (int64_t i = 0; i < 8; i++) {
        fluid.x[i][0] = i < 5 ? 0.3 + 0.2 * (double)i : i < 7 ? 0.5 : 2.4;
        fluid.x[i][1] = i < 5 ? 0.4 + 0.1 * (double)i : i < 7 ? 2.0 + 0.1 * (double)(i - 5) : 2.4;
        fluid.mass[i] = 1;
        fluid.density[i] = 0.01 * (double)i;
        fluid.id[i] = (sluice_id)i;
    }
    open_world(&w, on, dim, real_bytes, &fluid);
    run(&w, &p);
    const struct sluice_set *set = &w.host[SLUICE_FLUID];
    for (int64_t i = 0; i < set->count; i++)
        for (int c = 0; c < dim; c++)
            is_close(field_at(set, SLUICE_FIELD_HEAD_GRADIENT_NEXT, i, c), 0, 0, "no gradient");
    world_close(&w);
    cloud_destroy(&fluid);
}

int main(void)
{
    struct variant variants[VARIANTS_MOST];
    const int n = variants_here(variants);
    for (int k = 0; k < n; k++)
        for (int real_bytes = 4; real_bytes <= 8; real_bytes += 4)
            for (int dim = 2; dim <= 3; dim++) {
                check_shear(&variants[k], dim, real_bytes);
                check_dissipation(&variants[k], dim, real_bytes);
                check_diffusion(&variants[k], dim, real_bytes);
                check_singular(&variants[k], dim, real_bytes);
            }
    return done_testing();
}
