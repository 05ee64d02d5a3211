/* The formulas of kernels/pair/wcsph_renormalised.h and correction.h. */
#include <math.h>
#include <string.h>

#include "pair_reference_terms.h"

void reference_add_renormalised(const struct wcsph_params *p, const struct point *i,
                                const struct point *j, const double d[3], double r2, struct sums *t)
{
    const double f = reference_kernel_f(p->dimension, p->h, p->kernel, sqrt(r2)), mf = j->m * f;
    const double v[3] = {i->v[0] - j->v[0], i->v[1] - j->v[1], i->v[2] - j->v[2]};
    double bent[3] = {0, 0, 0};
    for (int a = 0; a < p->dimension; a++)
        for (int b = 0; b < p->dimension; b++)
            bent[a] += (i->l1[a][b] + j->l1[a][b]) / 2 * d[b];
    const double vb = reference_dot(v, bent), p2 = i->p + j->p;
    for (int c = 0; c < p->dimension; c++)
        t->a[c] -= mf * p2 * bent[c];
    t->bent += mf * vb / p->rho0;
    const double size = reference_size(p, j->m, f),
                 speed = sqrt(reference_dot(v, v)) + sqrt(reference_dot(j->v, j->v));
    t->a_scale += size * (fabs(i->p) + fabs(j->p));
    t->rate_scale += size * speed / p->rho0;
    t->power_scale += size * (fabs(i->p) + fabs(j->p)) * speed;
}

/* Eigenvalues on the diagonal of a, eigenvectors in the columns of q: Jacobi's rotations. */
static void rotate(int dim, double a[3][3], double q[3][3])
{
    for (int sweep = 0; sweep < 20; sweep++)
        for (int m = 0; m < dim; m++)
            for (int n = m + 1; n < dim; n++) {
                const double angle = 0.5 * atan2(2 * a[m][n], a[n][n] - a[m][m]), c = cos(angle),
                             s = sin(angle);
                for (int k = 0; k < dim; k++) {
                    const double x = a[k][m], y = a[k][n];
                    a[k][m] = c * x - s * y;
                    a[k][n] = s * x + c * y;
                }
                for (int k = 0; k < dim; k++) {
                    const double x = a[m][k], y = a[n][k];
                    a[m][k] = c * x - s * y;
                    a[n][k] = s * x + c * y;
                }
                for (int k = 0; k < dim; k++) {
                    const double x = q[k][m], y = q[k][n];
                    q[k][m] = c * x - s * y;
                    q[k][n] = s * x + c * y;
                }
            }
}

void reference_add_tensor(const struct wcsph_params *p, const struct point *j, const double d[3],
                          double r2, struct sums *t)
{
    const double f = reference_kernel_f(p->dimension, p->h, p->kernel, sqrt(r2));
    for (int a = 0; a < p->dimension; a++)
        for (int b = 0; b < p->dimension; b++)
            t->matrix[a][b] -= j->m * f * d[a] * d[b] / p->rho0;
    t->matrix_scale += reference_size(p, j->m, f) * 2 * p->h / p->rho0;
}

static void finish_tensor(struct reference *r, const struct wcsph_params *p, int64_t n,
                          const struct sums *t)
{
    const int dim = p->dimension;
    double a[3][3], q[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, inverse = 0;
    memcpy(a, t->matrix, sizeof a);
    rotate(dim, a, q);
    for (int k = 0; k < dim; k++)
        inverse += 1 / a[k][k];
    const double mean = inverse > 0 ? dim / inverse : 0,
                 part = fmin(fmax((mean - 0.7) / 0.2, 0), 1), of = part * part * (3 - 2 * part);
    for (int x = 0; x < dim; x++)
        for (int y = 0; y <= x; y++) {
            double l = x == y ? -of : 0;
            for (int k = 0; k < dim && of > 0; k++)
                l += of * q[x][k] * q[y][k] / a[k][k];
            r->correction[n][reference_symmetric(x, y)] = l;
        }
    r->correction_scale[n] = 40 * t->matrix_scale;
}

double reference_remember(struct reference *r, const struct sluice_set *set,
                          const struct wcsph_params *p, int64_t n, const struct sums *t,
                          double *leak)
{
    const double old = field_at(set, SLUICE_FIELD_MEMORY_OLD, n, 0);
    r->memory[n] = (old + p->dt * t->bent) / (1 + p->dt / p->memory);
    *leak = -r->memory[n] / p->memory;
    finish_tensor(r, p, n, t);
    return t->bent + *leak;
}
