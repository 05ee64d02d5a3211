#include "gas_reference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "pair_reference_terms.h"

enum { PARTICLES = 350 };

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

double gas_sound(const struct gas *g, int64_t i)
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
    const double w = fmin(apart, 0) / r, s = gas_sound(g, i) + gas_sound(g, j) - p->beta * w,
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
    g->signal[i] = g->signal_most[i] = 2 * gas_sound(g, i); /* of itself */
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

void gas_create(struct gas *g, const struct gas_case *of, uint64_t seed)
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

void gas_destroy(struct gas *g)
{
    double *const all[] = {g->guess, g->u,      g->limiter,     g->h,      g->rho,
                           g->omega, g->heat,   g->heat_scale,  g->shrink, g->shrink_scale,
                           g->turn,  g->signal, g->signal_most, g->a_scale};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        free(all[k]);
    free(g->a);
    cloud_destroy(&g->cloud);
}
