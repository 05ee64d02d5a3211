#include "pair_reference_terms.h"

#include <math.h>

static double alpha_of(int dim, double h, int kernel)
{
    static const double alpha[4][2] = {{7 / (4 * M_PI), 21 / (16 * M_PI)},
                                       {10 / (7 * M_PI), 1 / M_PI},
                                       {9 / (4 * M_PI), 495 / (256 * M_PI)},
                                       {7 / (478 * M_PI), 1 / (120 * M_PI)}};
    return alpha[kernel][dim - 2] / (dim == 2 ? h * h : h * h * h);
}

/* x to this power where x is positive, else 0. pow() for every x would take a tenth of the run
 * time. */
static double above(double x, int power)
{
    double product = x > 0 ? 1 : 0;
    for (int k = 0; k < power; k++)
        product *= x;
    return product;
}

double reference_kernel_w(int dim, double h, int kernel, double r)
{
    const double q = r / h, a = alpha_of(dim, h, kernel);
    switch (kernel) {
    case SLUICE_KERNEL_WENDLAND_C2:
        return a * above(1 - q / 2, 4) * (1 + 2 * q);
    case SLUICE_KERNEL_CUBIC_SPLINE:
        return a * (above(2 - q, 3) / 4 - above(1 - q, 3));
    case SLUICE_KERNEL_WENDLAND_C4:
        return a * above(1 - q / 2, 6) * (1 + 3 * q + 35 / 12. * q * q);
    default:
        return a * (above(3 - q, 5) - 6 * above(2 - q, 5) + 15 * above(1 - q, 5));
    }
}

/* W'(r)/r. */
double reference_kernel_f(int dim, double h, int kernel, double r)
{
    const double q = r / h, a = alpha_of(dim, h, kernel) / (h * h);
    switch (kernel) {
    case SLUICE_KERNEL_WENDLAND_C2:
        return -5 * a * above(1 - q / 2, 3);
    case SLUICE_KERNEL_CUBIC_SPLINE:
        return q < 1 ? a * (-3 + 2.25 * q) : -a * 0.75 * above(2 - q, 2) / q;
    case SLUICE_KERNEL_WENDLAND_C4:
        return -14 / 3. * a * above(1 - q / 2, 5) * (1 + 2.5 * q);
    default:
        if (q < 1)
            return -5 * a * (24 - 24 * q * q + 10 * q * q * q);
        return -5 * a * (above(3 - q, 4) - 6 * above(2 - q, 4)) / q;
    }
}

double reference_size(const struct wcsph_params *p, double m, double f)
{
    const double peak = fabs(reference_kernel_f(p->dimension, p->h, p->kernel, 0));
    return m * p->h * (fabs(f) + (f != 0 ? 3e-3 * peak : 0));
}

double reference_dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* l^2, the integral of |F| r^4 over that of |F| r^2, by the midpoint rule; of h = 1, once for each
 * kernel and dimension. */
static double mean_square(int dim, int kernel)
{
    enum { POINTS = 30000 }; /* the kernels change their form between two of them */
    static double known[4][2];
    double *l2 = &known[kernel][dim - 2], sum[2] = {0, 0};
    for (int n = 0; *l2 == 0 && n < POINTS; n++) {
        const double r = 3 * (n + 0.5) / POINTS,
                     weight = reference_kernel_f(dim, 1, kernel, r) * pow(r, dim + 1);
        sum[0] += weight;
        sum[1] += weight * r * r;
    }
    if (*l2 == 0)
        *l2 = sum[1] / sum[0];
    return *l2;
}

void reference_laminar(const struct wcsph_params *p, const double v[3], const double d[3],
                       double r2, double force[3])
{
    const double along = r2 / (r2 + 0.01 * p->h * p->h),
                 central = (p->dimension + 2) * reference_dot(v, d) /
                           (mean_square(p->dimension, p->kernel) * p->h * p->h);
    for (int c = 0; c < 3; c++)
        force[c] = p->viscous_form == SLUICE_VISCOUS_MORRIS ? along * v[c] : central * d[c];
}

void reference_add_lj(const struct lj_params *p, const double d[3], double r2, struct sums *t)
{
    const double s2 = p->sigma * p->sigma, soft2 = r2 + p->softening * p->softening;
    const double rc2 = p->cutoff * p->cutoff + p->softening * p->softening;
    const double x6 = pow(s2 / soft2, 3), c6 = pow(s2 / rc2, 3), r = sqrt(soft2), rc = sqrt(rc2);
    const double slope_rc = -24 * p->epsilon * c6 * (2 * c6 - 1) / rc; /* u'(rc) */
    double u = 4 * p->epsilon * x6 * (x6 - 1), slope = -24 * p->epsilon * x6 * (2 * x6 - 1) / r;
    if (p->truncation >= 1)
        u -= 4 * p->epsilon * c6 * (c6 - 1);
    if (p->truncation == 2) {
        u -= slope_rc * (r - rc);
        slope -= slope_rc;
    }
    for (int c = 0; c < 3; c++)
        t->a[c] -= slope / r * d[c];
    t->energy += 0.5 * u;
    t->virial += 0.5 * -slope / r * r2;
    /* An error of d is a part of the cutoff, not of r: it counts more the closer a pair is. */
    t->a_scale += 24 * p->epsilon * x6 * (2 * x6 + 1) / r * (1 + 0.1 * p->cutoff / r) +
                  fabs(slope_rc);
    t->power_scale += 24 * p->epsilon * x6 * (2 * x6 + 1) + fabs(u) + fabs(slope_rc) * r;
}

/* The synthetic pairs: forces of potentials that are polynomials of t = r^2/rc^2. Powers of t near
 * 1 make more of t's rounding; at the cutoff `low` jumps. */
void reference_add_low(const struct lj_params *p, const double d[3], double r2, struct sums *t)
{
    const double rc2 = p->cutoff * p->cutoff, f = 2 * p->epsilon / rc2;
    for (int c = 0; c < 3; c++)
        t->a[c] += f * d[c];
    t->energy += 0.5 * p->epsilon * (1 - r2 / rc2);
    t->virial += 0.5 * f * r2;
    t->a_scale += f * p->cutoff;
    t->power_scale += p->epsilon;
}

void reference_add_high(const struct lj_params *p, const double d[3], double r2, struct sums *t)
{
    const double rc2 = p->cutoff * p->cutoff, s = r2 / rc2, s80 = pow(s, 80),
                 f = 2 * p->epsilon / rc2 * (1 - s80);
    for (int c = 0; c < 3; c++)
        t->a[c] += f * d[c];
    t->energy += 0.5 * p->epsilon * ((1 - s) - (1 - s * s80) / 81);
    t->virial += 0.5 * f * r2;
    t->a_scale += 2 * p->epsilon / p->cutoff * (1 + 80 * s80);
    t->power_scale += p->epsilon * (1 + 80 * s80);
}

void reference_turned(const struct wcsph_params *p, uint32_t motion, const double d[3], double c[3])
{
    static const double none[3];
    const double *w = p->motions && motion ? p->motions->motion[motion - 1].spin : none;
    c[0] = w[1] * d[2] - w[2] * d[1];
    c[1] = w[2] * d[0] - w[0] * d[2];
    c[2] = w[0] * d[1] - w[1] * d[0];
}

struct point reference_point(const struct sluice_grid *g, const struct sluice_set *set, int64_t i)
{
    struct point q = {.m = field_at(set, SLUICE_FIELD_POSITION, i, set->dimension)};
    const int wall = set->type == SLUICE_WALL;
    if (set->field[SLUICE_FIELD_PHASE])
        q.phase = ((const uint32_t *)set->field[SLUICE_FIELD_PHASE])[i];
    q.frame = g->frame[((const uint32_t *)set->field[SLUICE_FIELD_FRAME])[i]];
    for (int c = 0; c < set->dimension; c++) {
        q.x[c] = field_at(set, SLUICE_FIELD_POSITION, i, c);
        if (set->field[SLUICE_FIELD_PREDICTED])
            q.w[c] = q.v[c] = field_at(set, SLUICE_FIELD_PREDICTED, i, c);
        if (wall)
            q.v[c] = set->field[SLUICE_FIELD_VELOCITY] ? field_at(set, SLUICE_FIELD_VELOCITY, i, c)
                                                       : 0;
        if (wall && !set->field[SLUICE_FIELD_PREDICTED])
            q.w[c] = q.v[c];
    }
    if (set->field[SLUICE_FIELD_MOTION])
        q.motion = ((const uint32_t *)set->field[SLUICE_FIELD_MOTION])[i];
    q.slips = set->field[SLUICE_FIELD_HAS_FRICTION] &&
              field_at(set, SLUICE_FIELD_HAS_FRICTION, i, 0) == 0;
    if (!wall)
        q.e = field_at(set, SLUICE_FIELD_PREDICTED, i, set->dimension);
    if (set->field[SLUICE_FIELD_EOS]) {
        q.p = field_at(set, SLUICE_FIELD_EOS, i, 0);
        q.s = field_at(set, SLUICE_FIELD_EOS, i, 1);
    }
    for (int a = 0; a < set->dimension && set->field[SLUICE_FIELD_STRESS]; a++)
        for (int b = 0; b < set->dimension; b++)
            q.t[a][b] = field_at(set, SLUICE_FIELD_STRESS, i, reference_symmetric(a, b));
    for (int a = 0; a < set->dimension && set->field[SLUICE_FIELD_CORRECTION_OLD]; a++)
        for (int b = 0; b < set->dimension; b++)
            q.l1[a][b] = field_at(set, SLUICE_FIELD_CORRECTION_OLD, i, reference_symmetric(a, b));
    for (int c = 0; c < set->dimension && set->field[SLUICE_FIELD_HEAD_GRADIENT]; c++)
        q.g[c] = field_at(set, SLUICE_FIELD_HEAD_GRADIENT, i, c);
    for (int c = 0; c < set->dimension && set->field[SLUICE_FIELD_FRICTION]; c++)
        q.b[c] = field_at(set, SLUICE_FIELD_FRICTION, i, c);
    if (set->field[SLUICE_FIELD_MIXING_LENGTH])
        q.l = field_at(set, SLUICE_FIELD_MIXING_LENGTH, i, 0);
    if (set->field[SLUICE_FIELD_SCALAR])
        q.density = field_at(set, SLUICE_FIELD_SCALAR, i, 0);
    if (set->field[SLUICE_FIELD_PUSH])
        q.push = field_at(set, SLUICE_FIELD_PUSH, i, 0);
    return q;
}
