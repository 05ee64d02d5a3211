/* The formulas of kernels/pair/pair_gradients.h and of the terms that use them. */
#include <math.h>

#include "pair_reference_terms.h"

int reference_symmetric(int a, int b)
{
    static const int place[3][3] = {{0, 1, 3}, {1, 2, 4}, {3, 4, 5}};
    return place[a][b];
}

void reference_add_gradients(const struct wcsph_params *p, const struct point *i,
                             const struct point *j, const double d[3], double r2, struct sums *t)
{
    const double f = reference_kernel_f(p->dimension, p->h, p->kernel, sqrt(r2));
    const double v[3] = {i->v[0] - j->v[0], i->v[1] - j->v[1], i->v[2] - j->v[2]};
    for (int a = 0; a < p->dimension; a++)
        for (int b = 0; b < p->dimension; b++)
            t->grad[a][b] += j->m * f * v[a] * d[b];
    t->grad_scale += reference_size(p, j->m, f) * sqrt(reference_dot(v, v));
}

void reference_finish_gradients(struct reference *r, const struct wcsph_params *p, int64_t n,
                                const struct point *i, const struct sums *t)
{
    const double rho = p->rho0 / i->s, delta2 = p->spacing * p->spacing,
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
}

void reference_add_stress(const struct wcsph_params *p, int source, const struct point *i,
                          const struct point *j, const double d[3], double r2, struct sums *t)
{
    const double f = reference_kernel_f(p->dimension, p->h, p->kernel, sqrt(r2));
    const double v[3] = {i->v[0] - j->v[0], i->v[1] - j->v[1], i->v[2] - j->v[2]};
    double force[3] = {0, 0, 0}, stress = 0;
    for (int a = 0; a < p->dimension; a++)
        for (int b = 0; b < p->dimension; b++) {
            force[a] += j->m * f * (i->t[a][b] + j->t[a][b]) * d[b];
            stress += fabs(i->t[a][b]) + fabs(j->t[a][b]);
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
