/* The formulas of kernels/pair/wcsph_gradients.h. */
#include <math.h>

#include "pair_reference_terms.h"

int reference_symmetric(int a, int b)
{
    static const int place[3][3] = {{0, 1, 3}, {1, 2, 4}, {3, 4, 5}};
    return place[a][b];
}

void reference_add_gradients(const struct wcsph_params *p, int source, const struct point *i,
                             const struct point *j, const double d[3], double r2, struct sums *t)
{
    const double f = reference_kernel_f(p->dimension, p->h, p->kernel, sqrt(r2));
    const double v[3] = {i->v[0] - j->v[0], i->v[1] - j->v[1], i->v[2] - j->v[2]};
    /* In two fluids the gradient has V_j for m_j/rho_i; finish divides by rho_i. */
    const double rho_i = wcsph_of(p, i->phase)->rho0 / i->s,
                 rho_j = (source == 0 ? wcsph_of(p, j->phase) : p)->rho0 / j->s,
                 m = p->second ? j->m * rho_i / rho_j : j->m;
    if (j->slips)
        return;
    const int alike = source == 0 && wcsph_of(p, i->phase) == wcsph_of(p, j->phase);
    for (int a = 0; a < p->dimension; a++)
        for (int b = 0; b < p->dimension; b++)
            t->grad[a][b] += m * f * v[a] * d[b];
    t->grad_scale += reference_size(p, m, f) * sqrt(reference_dot(v, v));
    for (int a = 0; a < p->dimension && alike; a++) {
        for (int b = 0; b < p->dimension; b++)
            t->n[a][b] -= m * f * d[a] * d[b];
        t->ge[a] += m * f * (j->e - i->e) * d[a];
    }
    t->n_scale += alike * reference_size(p, m, f) * 2 * p->h;
    t->ge_scale += alike * reference_size(p, m, f) * (fabs(j->e) + fabs(i->e));
}

/* G = N^-1 ge by Gaussian elimination; 0 where N is close to singular, and any value will do where
 * it is hard to say. */
static void finish_slope(struct reference *r, const struct wcsph_params *p, int64_t n,
                         const struct sums *t)
{
    const int dim = p->dimension;
    double m[3][4], mean = 0, determinant = 1;
    for (int a = 0; a < dim; a++) {
        mean += t->n[a][a] / dim;
        for (int b = 0; b < dim; b++)
            m[a][b] = t->n[a][b];
        m[a][dim] = t->ge[a];
    }
    for (int a = 0; a < dim && mean > 0;
         a++) { /* symmetric, not indefinite: no pivots are needed */
        determinant *= m[a][a] / mean;
        for (int b = a + 1; b < dim && m[a][a] > 0; b++)
            for (int c = dim; c >= a; c--)
                m[b][c] -= m[b][a] / m[a][a] * m[a][c];
    }
    if (mean > 0 && fabs(determinant - 0.05) < 1e-3)
        r->slope_scale[n] = INFINITY;
    if (!(mean > 0) || !(determinant > 0.05))
        return;
    for (int a = dim - 1; a >= 0; a--) {
        double x = m[a][dim];
        for (int b = a + 1; b < dim; b++)
            x -= m[a][b] * r->slope[n][b];
        r->slope[n][a] = x / m[a][a];
    }
    const double size = sqrt(reference_dot(r->slope[n], r->slope[n]));
    r->slope_scale[n] = fmax(r->slope_scale[n],
                             20 / determinant / mean * (t->ge_scale + t->n_scale * size));
}

void reference_add_slope(const struct wcsph_params *p, const struct point *i, const struct point *j,
                         const double d[3], double r2, struct sums *t)
{
    const double f = reference_kernel_f(p->dimension, p->h, p->kernel, sqrt(r2));
    const struct wcsph_params *own = wcsph_of(p, i->phase);
    const double k = wcsph_of(p, j->phase) == own
                         ? 2 * own->delta * p->h * own->sound_speed / own->rho0
                         : 0;
    const double mean[3] = {(i->g[0] + j->g[0]) / 2, (i->g[1] + j->g[1]) / 2,
                            (i->g[2] + j->g[2]) / 2};
    t->diffusion -= k * j->m * f * reference_dot(mean, d);
    t->diffusion_scale += k * reference_size(p, j->m, f) * 2 * p->h *
                          (sqrt(reference_dot(i->g, i->g)) + sqrt(reference_dot(j->g, j->g)));
}

void reference_finish_gradients(struct reference *r, const struct wcsph_params *p, int64_t n,
                                const struct point *i, const struct sums *t)
{
    const double rho = wcsph_of(p, i->phase)->rho0 / i->s, delta2 = p->spacing * p->spacing,
                 cs2 = p->smagorinsky * p->smagorinsky;
    double strain[3][3], size2 = 0, trace = 0; /* |S|^2 = 2 S:S */
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) {
            strain[a][b] = -(t->grad[a][b] + t->grad[b][a]) / (2 * rho);
            size2 += 2 * strain[a][b] * strain[a][b];
            trace += a == b ? strain[a][b] : 0;
        }
    const double nu = cs2 * delta2 * sqrt(size2);
    for (int a = 0; a < p->dimension; a++)
        for (int b = 0; b <= a; b++) {
            double tau = 2 * nu * strain[a][b]; /* over rho */
            if (a == b)
                tau -= 2. / 3 * nu * trace + 2. / 3 * p->isotropic * delta2 * size2;
            r->stress[n][reference_symmetric(a, b)] = tau / rho;
        }
    /* An error of S counts by the derivative of tau, which goes with |S|. */
    const double error = t->grad_scale / rho;
    r->stress_scale[n] = (8 * cs2 + 4 * p->isotropic) * delta2 / rho *
                         (sqrt(size2) + 1e-5 * error) * error;
    finish_slope(r, p, n, t);
}

void reference_add_stress(const struct wcsph_params *p, int source, const struct point *i,
                          const struct point *j, const double d[3], double r2, struct sums *t)
{
    const double f = reference_kernel_f(p->dimension, p->h, p->kernel, sqrt(r2));
    const double v[3] = {i->v[0] - j->v[0], i->v[1] - j->v[1], i->v[2] - j->v[2]};
    /* In two fluids V_j (tau_i + tau_j)/rho_i, tau = rho^2 T; a wall has no stress. */
    const double rho_i = wcsph_of(p, i->phase)->rho0 / i->s,
                 rho_j = (source == 0 ? wcsph_of(p, j->phase) : p)->rho0 / j->s,
                 of_i = p->second ? rho_i / rho_j : 1, of_j = p->second ? rho_j / rho_i : 1;
    double force[3] = {0, 0, 0}, stress = 0;
    for (int a = 0; a < p->dimension; a++)
        for (int b = 0; b < p->dimension; b++) {
            force[a] += j->m * f * (of_i * i->t[a][b] + of_j * j->t[a][b]) * d[b];
            stress += of_i * fabs(i->t[a][b]) + of_j * fabs(j->t[a][b]);
        }
    for (int a = 0; a < p->dimension; a++)
        t->a[a] += force[a];
    if (source == 0)
        t->viscous += 0.5 * reference_dot(force, v);
    else {
        t->wall_viscous += reference_dot(force, v);
        t->body += reference_dot(force, j->v);
    }
    const double size = reference_size(p, j->m, f) * stress,
                 speed = sqrt(reference_dot(v, v)) + sqrt(reference_dot(j->v, j->v));
    t->a_scale += size;
    t->power_scale += size * speed;
}
