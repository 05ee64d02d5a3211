/* The reference at ghost nodes: the system of equations, and how accurate its solution is. */
#include <math.h>

#include "pair_reference_terms.h"

/* Equations of e and grad e at the node (Liu & Liu 2006): of weights W and F d. */
void reference_add_mdbc(const struct wcsph_params *p, const struct point *j, const double d[3],
                        double r2, struct sums *t)
{
    const double r = sqrt(r2), volume = j->m * j->s / p->rho0,
                 w = volume * reference_kernel_w(p->dimension, p->h, p->kernel, r),
                 f = volume * reference_kernel_f(p->dimension, p->h, p->kernel, r);
    const double weight[4] = {w, f * d[0], f * d[1], f * d[2]},
                 unknown[4] = {1, -d[0], -d[1], -d[2]};
    t->w += w;
    for (int k = 0; k <= p->dimension; k++) {
        const double peak = volume * reference_kernel_w(p->dimension, p->h, p->kernel, 0),
                     size = fabs(weight[k]) + 3e-3 * peak / (k ? p->h : 1);
        for (int m = 0; m <= p->dimension; m++) {
            t->a4[k][m] += weight[k] * unknown[m];
            t->a4_size[k][m] += size * (m ? p->h : 1);
        }
        t->b4[k] += weight[k] * j->e;
        t->b4_size[k] += size * fabs(j->e);
    }
    for (int c = 0; c < p->dimension; c++) {
        t->wv[c] += w * j->v[c];
        t->mean[c] -= w * d[c];
    }
}

/* The inverse by Gauss and Jordan, and the determinant. */
static double invert(const double a[4][4], double inverse[4][4], int n)
{
    double rest[4][4], determinant = 1;
    for (int k = 0; k < n; k++)
        for (int m = 0; m < n; m++) {
            rest[k][m] = a[k][m];
            inverse[k][m] = k == m;
        }
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int m = k; m < n; m++)
            best = fabs(rest[m][k]) > fabs(rest[best][k]) ? m : best;
        for (int m = 0; m < n; m++) {
            const double one = rest[k][m], other = inverse[k][m];
            rest[k][m] = rest[best][m], rest[best][m] = one;
            inverse[k][m] = inverse[best][m], inverse[best][m] = other;
        }
        const double pivot = rest[k][k];
        determinant *= best == k ? pivot : -pivot;
        if (pivot == 0)
            return 0;
        for (int m = 0; m < n; m++)
            rest[k][m] /= pivot, inverse[k][m] /= pivot;
        for (int row = 0; row < n; row++) {
            const double part = rest[row][k];
            for (int m = 0; m < n && row != k; m++)
                rest[row][m] -= part * rest[k][m], inverse[row][m] -= part * inverse[k][m];
        }
    }
    return determinant;
}

void reference_finish_mdbc(struct reference *r, const struct sluice_set *set,
                           const struct wcsph_params *p, int64_t n, const struct sums *t)
{
    const double share = pow(p->spacing, p->dimension);
    const int near = t->w > 1e-6 * share * reference_kernel_w(p->dimension, p->h, p->kernel, 0);
    double inverse[4][4], unsure = 0;
    const double determinant = invert(t->a4, inverse, p->dimension + 1);
    const uint32_t motion = set->field[SLUICE_FIELD_MOTION]
                                ? ((const uint32_t *)set->field[SLUICE_FIELD_MOTION])[n]
                                : 0;
    double turned[3];
    reference_turned(p, motion, t->mean, turned);
    r->head[n][0] = near ? t->b4[0] / t->w : -1;
    for (int k = 0; k <= p->dimension; k++)
        r->head_scale[n][k] = 0.05;
    for (int c = 0; c < p->dimension; c++)
        r->v[n][c] = !near ? 0
                           : (set->field[SLUICE_FIELD_VELOCITY]
                                  ? field_at(set, SLUICE_FIELD_VELOCITY, n, c)
                                  : 0) -
                                 (t->wv[c] - turned[c]) / t->w;
    for (int k = 0; k <= p->dimension && determinant != 0; k++)
        for (int m = 0; m <= p->dimension; m++)
            unsure += fabs(determinant * inverse[k][m]) * t->a4_size[m][k];
    const int open = fabs(fabs(determinant) - 1e-3) < 1e-5 * unsure; /* either way is right */
    for (int k = 0; k <= p->dimension && open; k++)
        r->head_scale[n][k] = INFINITY;
    if (!near || fabs(determinant) < 1e-3)
        return;
    for (int k = 0; k <= p->dimension; k++) {
        r->head[n][k] = 0;
        for (int m = 0; m <= p->dimension; m++)
            r->head[n][k] += inverse[k][m] * t->b4[m];
    }
    for (int k = 0; k <= p->dimension; k++)
        for (int m = 0; m <= p->dimension; m++) {
            double size = t->b4_size[m];
            for (int c = 0; c <= p->dimension; c++)
                size += t->a4_size[m][c] * fabs(r->head[n][c]);
            r->head_scale[n][k] += fabs(inverse[k][m]) * size;
        }
}
