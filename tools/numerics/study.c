/* One fluid in 2-D, computed with the program's numerics and with alternatives: the gain and cost
 * of each. A study, no part of the program; docs/numerics.md is made of it by tools/numerics.py,
 * which compiles it once a variant:
 *
 *   SLUICE_DOUBLE   real is double
 *   STUDY_SUM       how position, velocity and density grow: PLAIN, KAHAN, NEUMAIER; PACKED (the
 *                   program's): the same, and what rounding took is kept in 16 bits
 *   STUDY_PLACE     GLOBAL: from the origin; FRAMES (the program's)
 *   STUDY_DENSITY   ABSOLUTE: rho; RELATIVE: rho/rho0 - 1 (the program's)
 *   STUDY_EOS       POWERS: pow(rho/rho0, 7) - 1; HORNER (the program's)
 *   STUDY_PAIRS     sums over neighbours: PLAIN (the program's), NEUMAIER
 *   STUDY_LENGTH    SQRT (the program's), HYPOT
 *
 *   study drop N STEPS SHIFT   a drop of N particles a radius in a central force, SHIFT radii from
 *                              the origin: residual of the energy, drift of momentum, s a step
 *   study column               a column of water at rest, 32 particles deep: error of acceleration
 *                              and pressure
 *
 * Equations and time step: docs/theory.md; no gravity in the drop, so diffusion without its term.
 * */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "kernels/types/compensated.h"
#include "kernels/types/scalar_energy.h"
#include "kernels/pair/sph_kernel.h"
#include "kernels/pair/eos.h"

enum { PLAIN, KAHAN, NEUMAIER, PACKED };
enum { GLOBAL, FRAMES };
enum { ABSOLUTE, RELATIVE };
enum { POWERS, HORNER };
enum { SQRT, HYPOT };

#define RHO0  1000.0
#define BETA  0.2
#define ALPHA 0.02
#define DELTA 0.1

struct fluid {
    int64_t n;
    struct wcsph_params params;
    struct sph_kernel kernel;
    struct eos_constants eos;
    double mass, central, gravity; /* central: a = -central^2 x, about `shift` */
    double shift, width;           /* of both axes; of a frame */
    int32_t (*frame)[2];
    real (*x)[2], (*x_low)[2], (*v)[2], (*v_low)[2], (*a)[2], (*a_old)[2], (*vp)[2];
    real *rho, *rho_low, *rate, *rate_old, *p, *e; /* rho as STUDY_DENSITY says; p/rho^2; head */
    int64_t *start, *order;
    int64_t side;
    double low, cell; /* of the cells */
    double power;     /* of viscosity and diffusion */
};

static void *zeros(int64_t n, size_t size)
{
    void *memory = calloc((size_t)n + 1, size);
    if (!memory)
        exit(1);
    return memory;
}

static void fluid_create(struct fluid *f, int64_t n, double dp, double sound)
{
    memset(f, 0, sizeof *f);
    f->n = n;
    f->params = (struct wcsph_params){.dimension = 2,
                                      .spacing = dp,
                                      .h = 1.5 * dp,
                                      .rho0 = RHO0,
                                      .sound_speed = sound,
                                      .gamma = 7};
    f->kernel = sph_kernel_prepare(SLUICE_KERNEL_WENDLAND_C2, f->params.h, 2);
    f->eos = eos_prepare(&f->params);
    f->width = exp2(ceil(log2(8 * (double)f->kernel.support)));
    f->frame = zeros(n, sizeof *f->frame);
    real(**const vectors[])[2] = {&f->x, &f->x_low, &f->v, &f->v_low, &f->a, &f->a_old, &f->vp};
    real **const numbers[] = {&f->rho, &f->rho_low, &f->rate, &f->rate_old, &f->p, &f->e};
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
        *vectors[k] = zeros(n, sizeof **vectors[k]);
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        *numbers[k] = zeros(n, sizeof **numbers[k]);
    f->order = zeros(n, sizeof *f->order);
}

/* --- What the variants differ in --- */

static inline void add(real *value, real *low, real increment, const int how)
{
    if (how == PLAIN) {
        *value += increment;
    } else if (how == KAHAN) { /* Kahan 1965: of the sum the larger part is *value */
        const real b = increment + *low, s = *value + b;
        *low = b - (s - *value);
        *value = s;
    } else if (how == NEUMAIER) {
        compensated_sum(value, low, increment);
    } else {
        real_low kept = kept_of(*value, *low);
        compensated_add(value, &kept, increment);
        *low = lost_of(*value, kept);
    }
}

static void put(struct fluid *f, int64_t i, int c, double x)
{
    f->frame[i][c] = STUDY_PLACE == FRAMES ? (int32_t)floor((f->shift + x) / f->width + 0.5) : 0;
    f->x[i][c] = (real)(f->shift + x - f->frame[i][c] * f->width);
}

/* From the middle of the case, for the central force, the potential and the cells. */
static double place(const struct fluid *f, int64_t i, int c)
{
    return ((double)f->frame[i][c] * f->width - f->shift) + (double)f->x[i][c];
}

static inline real apart(const struct fluid *f, int64_t i, int64_t j, int c)
{
    const real d = f->x[i][c] - f->x[j][c];
    return STUDY_PLACE == FRAMES ? d + (real)(f->frame[i][c] - f->frame[j][c]) * (real)f->width : d;
}

static inline real length(const real d[2])
{
#ifdef SLUICE_DOUBLE
    return STUDY_LENGTH == HYPOT ? hypot(d[0], d[1]) : sqrt(d[0] * d[0] + d[1] * d[1]);
#else
    return STUDY_LENGTH == HYPOT ? hypotf(d[0], d[1]) : sqrtf(d[0] * d[0] + d[1] * d[1]);
#endif
}

static real relative(real rho)
{
    return STUDY_DENSITY == ABSOLUTE ? rho / (real)RHO0 - 1 : rho;
}
static real stored(double r)
{
    return STUDY_DENSITY == ABSOLUTE ? (real)(RHO0 * (1 + r)) : (real)r;
}

static real pressure(const struct fluid *f, real rho)
{
    if (STUDY_EOS == HORNER)
        return eos_pressure(&f->eos, relative(rho));
    const real ratio = STUDY_DENSITY == ABSOLUTE ? rho / (real)RHO0 : 1 + rho;
#ifdef SLUICE_DOUBLE
    return f->eos.b * (pow(ratio, 7) - 1);
#else
    return f->eos.b * (powf(ratio, 7) - 1);
#endif
}

/* --- The scheme --- */

static void sort_cells(struct fluid *f)
{
    double high = -INFINITY;
    f->low = INFINITY;
    for (int64_t i = 0; i < f->n; i++)
        for (int c = 0; c < 2; c++) {
            f->low = fmin(f->low, place(f, i, c));
            high = fmax(high, place(f, i, c));
        }
    f->cell = 1.0001 * (double)f->kernel.support;
    f->side = (int64_t)((high - f->low) / f->cell) + 1;
    free(f->start);
    f->start = zeros(f->side * f->side + 1, sizeof *f->start);
    int64_t *cell = zeros(f->n, sizeof *cell);
    for (int64_t i = 0; i < f->n; i++) {
        cell[i] = (int64_t)((place(f, i, 1) - f->low) / f->cell) * f->side +
                  (int64_t)((place(f, i, 0) - f->low) / f->cell);
        f->start[cell[i] + 1]++;
    }
    for (int64_t k = 0; k < f->side * f->side; k++)
        f->start[k + 1] += f->start[k];
    for (int64_t i = f->n - 1; i >= 0; i--)
        f->order[--f->start[cell[i] + 1]] = i;
    memmove(f->start, f->start + 1, (size_t)(f->side * f->side) * sizeof *f->start);
    f->start[f->side * f->side] = f->n;
    free(cell);
}

struct sums {
    real a[2], rate, diffusion, low[4];
    double viscous;
};

static inline void meet(const struct fluid *f, int64_t i, int64_t j, struct sums *sum)
{
    const real d[2] = {apart(f, i, j, 0), apart(f, i, j, 1)};
    const real h = (real)f->params.h, c0 = (real)f->params.sound_speed;
    const real mf = (real)f->mass * (f->kernel.f * wendland_f_shape(&f->kernel, length(d)));
    const real v[2] = {f->vp[i][0] - f->vp[j][0], f->vp[i][1] - f->vp[j][1]};
    const real vd = v[0] * d[0] + v[1] * d[1], r2 = d[0] * d[0] + d[1] * d[1];
    const real pi = vd < 0 ? (real)-ALPHA * c0 * h * vd / ((real)RHO0 * (r2 + (real)0.01 * h * h))
                           : 0;
    const real force = mf * (f->p[i] + f->p[j] + pi);
    add(&sum->a[0], &sum->low[0], -force * d[0], STUDY_PAIRS);
    add(&sum->a[1], &sum->low[1], -force * d[1], STUDY_PAIRS);
    add(&sum->rate, &sum->low[2], mf * vd, STUDY_PAIRS);
    add(&sum->diffusion, &sum->low[3], mf * (f->e[j] - f->e[i]), STUDY_PAIRS);
    sum->viscous -= 0.5 * (double)(mf * pi * vd);
}

/* The forces of the predicted state vp, p, e. */
static void forces(struct fluid *f, double delta)
{
    const real k = (real)(-2 * delta * f->params.h * f->params.sound_speed / RHO0);
    sort_cells(f);
    f->power = 0;
    for (int64_t i = 0; i < f->n; i++) {
        struct sums sum = {{0, 0}, 0, 0, {0, 0, 0, 0}, 0};
        const int64_t x = (int64_t)((place(f, i, 0) - f->low) / f->cell),
                      y = (int64_t)((place(f, i, 1) - f->low) / f->cell);
        for (int64_t row = y > 0 ? y - 1 : 0; row <= y + 1 && row < f->side; row++) {
            const int64_t first = row * f->side + (x > 0 ? x - 1 : 0),
                          last = row * f->side + (x + 1 < f->side ? x + 1 : x);
            for (int64_t q = f->start[first]; q < f->start[last + 1]; q++)
                if (f->order[q] != i)
                    meet(f, i, f->order[q], &sum);
        }
        const real centre[2] = {(real)place(f, i, 0), (real)place(f, i, 1)},
                   central = (real)(f->central * f->central);
        f->a[i][0] = sum.a[0] - central * centre[0];
        f->a[i][1] = sum.a[1] - central * centre[1] - (real)f->gravity;
        f->rate[i] = sum.rate / (real)RHO0 + k * sum.diffusion;
        f->power += f->mass * (sum.viscous + (double)f->p[i] * RHO0 * (double)(k * sum.diffusion));
    }
}

static void predict(struct fluid *f, double dt)
{
    const real half = (real)(dt / 2), second = (real)(BETA * dt);
    const real scale = STUDY_DENSITY == ABSOLUTE ? (real)RHO0 : 1;
    for (int64_t i = 0; i < f->n; i++) {
        for (int c = 0; c < 2; c++)
            f->vp[i][c] = f->v[i][c] + half * f->a[i][c] + second * (f->a[i][c] - f->a_old[i][c]);
        const real rho = f->rho[i] +
                         scale * (half * f->rate[i] + second * (f->rate[i] - f->rate_old[i]));
        const real r = relative(rho), s = 1 / (1 + r);
        f->p[i] = pressure(f, rho) * (s * s) / (real)(RHO0 * RHO0);
        f->e[i] = eos_head(&f->eos, r);
        f->rate_old[i] = f->rate[i];
    }
    memcpy(f->a_old, f->a, (size_t)f->n * sizeof *f->a);
}

static void kick(struct fluid *f, double dt)
{
    const real scale = STUDY_DENSITY == ABSOLUTE ? (real)RHO0 : 1;
    for (int64_t i = 0; i < f->n; i++) {
        for (int c = 0; c < 2; c++)
            add(&f->v[i][c], &f->v_low[i][c], (real)(dt / 2) * f->a[i][c], STUDY_SUM);
        add(&f->rho[i], &f->rho_low[i], scale * (real)(dt / 2) * f->rate[i], STUDY_SUM);
    }
}

static void drift(struct fluid *f, double dt)
{
    for (int64_t i = 0; i < f->n; i++)
        for (int c = 0; c < 2; c++) {
            add(&f->x[i][c], &f->x_low[i][c], (real)dt * f->v[i][c], STUDY_SUM);
            const int side = f->x[i][c] >= (real)(f->width / 2)   ? 1
                             : f->x[i][c] < (real)(-f->width / 2) ? -1
                                                                  : 0;
            if (STUDY_PLACE == FRAMES && side) {
                f->x[i][c] -= (real)(side * f->width);
                f->frame[i][c] += side;
            }
        }
}

static double energy(const struct fluid *f)
{
    double sum = 0;
    for (int64_t i = 0; i < f->n; i++) {
        const double v2 = (double)f->v[i][0] * (double)f->v[i][0] +
                          (double)f->v[i][1] * (double)f->v[i][1];
        const double x2 = place(f, i, 0) * place(f, i, 0) + place(f, i, 1) * place(f, i, 1);
        const double r = STUDY_DENSITY == ABSOLUTE ? (double)f->rho[i] / RHO0 - 1
                                                   : (double)f->rho[i];
        sum += f->mass * (v2 / 2 + f->central * f->central * x2 / 2 +
                          eos_elastic_energy(SLUICE_EOS_TAIT, f->params.sound_speed, 7, 0, r));
    }
    return sum;
}

static double momentum(const struct fluid *f)
{
    double sum[2] = {0, 0}, size = 0;
    for (int64_t i = 0; i < f->n; i++) {
        for (int c = 0; c < 2; c++)
            sum[c] += (double)f->v[i][c];
        size += fabs((double)f->v[i][0]) + fabs((double)f->v[i][1]);
    }
    return hypot(sum[0], sum[1]) / size;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Radius 1, v = (x, -y), central^2 = 1; the residual over the energy of the start. */
static void drop(int64_t across, int64_t steps, double shift)
{
    const double dp = 1.0 / (double)across, sound = 15, dt = 0.1 * 1.5 * dp / sound;
    struct fluid f;
    int64_t n = 0;
    fluid_create(&f, 4 * across * across, dp, sound);
    f.shift = shift;
    f.central = 1;
    f.mass = RHO0 * dp * dp;
    for (int64_t k = 0; k < 4 * across * across; k++) {
        const double x = ((double)(k % (2 * across)) + 0.5) * dp - 1,
                     y = ((double)(k / (2 * across)) + 0.5) * dp - 1;
        if (x * x + y * y >= 1)
            continue;
        put(&f, n, 0, x);
        put(&f, n, 1, y);
        f.v[n][0] = (real)x;
        f.v[n][1] = (real)-y;
        /* p = rho0 (1 + central^2)/2 (1 - x^2): Monaghan & Rafiee 2013 */
        f.rho[n++] = stored((1 - x * x - y * y) / (sound * sound));
    }
    f.n = n;
    predict(&f, 0);
    forces(&f, DELTA);
    memcpy(f.a_old, f.a, (size_t)n * sizeof *f.a);
    memcpy(f.rate_old, f.rate, (size_t)n * sizeof *f.rate);
    const double start = energy(&f), began = now();
    double work = 0, most = 0, last = 0;
    for (int64_t step = 0; step < steps; step++) {
        const double power = f.power;
        kick(&f, dt);
        drift(&f, dt);
        predict(&f, dt);
        forces(&f, DELTA);
        kick(&f, dt);
        work += dt / 2 * (power + f.power);
        if (step % 16 == 15 || step == steps - 1)
            most = fmax(most, fabs(last = (energy(&f) - start - work) / start));
        if (!isfinite(last))
            most = INFINITY;
    }
    printf("residual %.3e momentum %.3e seconds %.3e particles %lld\n", most, momentum(&f),
           (now() - began) / (double)steps, (long long)n);
}

/* 32 rows of hydrostatic density, off the lattice by a little: what a step makes of its middle, and
 * its pressures, against the same sums in double by the program of double. Prints rows of a, p. */
static void column(void)
{
    enum { WIDE = 16, DEEP = 32 };
    const double dp = 1.0 / DEEP, g = 9.81, sound = 10 * sqrt(2 * g);
    struct fluid f;
    fluid_create(&f, WIDE * DEEP, dp, sound);
    f.gravity = g;
    f.mass = RHO0 * dp * dp;
    for (int64_t i = 0; i < f.n; i++) {
        const double x = ((double)(i % WIDE) + 0.5) * dp, y = ((double)(i / WIDE) + 0.5) * dp;
        put(&f, i, 0, x + 0.05 * dp * sin((double)(7 * i)));
        put(&f, i, 1, y + 0.05 * dp * cos((double)(11 * i)));
        f.rho[i] = stored(eos_relative_density(&f.eos, (real)(RHO0 * g * (1 - y))));
    }
    predict(&f, 0);
    forces(&f, 0);
    for (int64_t i = 0; i < f.n; i++) {
        const int64_t x = i % WIDE, y = i / WIDE;
        if (x >= 4 && x < WIDE - 4 && y >= 4 && y < DEEP - 4)
            printf("%.17g %.17g %.17g\n", (double)f.a[i][0] / g, (double)f.a[i][1] / g,
                   (double)pressure(&f, f.rho[i]) / (RHO0 * g));
    }
}

int main(int argc, char **argv)
{
    if (argc == 5 && strcmp(argv[1], "drop") == 0)
        drop(atoll(argv[2]), atoll(argv[3]), atof(argv[4]));
    else if (argc == 2 && strcmp(argv[1], "column") == 0)
        column();
    else
        return fprintf(stderr, "study drop N STEPS SHIFT, or study column\n"), 2;
    return 0;
}
