/* One round of Newton's iteration for the acceleration of a body and the pressure at its wall
 * particles (src/bodies/solve.c). With A = (a, w'), w(A) the wrench of this pressure, D = diag(M,
 * I) and r all that does not depend on A,
 *
 *   (D - dw/dA) A = w(A_k) - dw/dA A_k + r
 *
 * Degrees of freedom that are fixed leave the equations. All in double. */
#ifndef SLUICE_KERNELS_TYPES_BODY_SYSTEM_H
#define SLUICE_KERNELS_TYPES_BODY_SYSTEM_H
#include "kernels/types/body_params.h"

/* A body's part of the equations that its particles do not sum. */
struct sluice_body_system {
    double right[6];            /* r: the other wrenches - (0, w x l), N and N m */
    double mass, inertia[3][3]; /* about the centre, world axes; kg, kg m^2 */
    double reach;               /* of its particles from the centre, m */
    double least;               /* changes are judged by at least this acceleration, m/s^2 */
    uint32_t fixed;             /* bits of x, y, z, rx, ry, rz */
};

/* The result of the iteration. */
struct sluice_body_solution {
    double rate[6];     /* (a, w'), m/s^2 and 1/s^2 */
    double pressure[6]; /* the wrench of the pressure at the walls */
};

/* Solves the n equations a x = b, n <= 6, by elimination with partial pivoting; a and b are lost.
 * 0: they have no one solution. */
HD int body_system_eliminate(int n, double a[6][6], double b[6], double x[6])
{
    for (int k = 0; k < n; k++) {
        int pivot = k;
        for (int r = k + 1; r < n; r++)
            if (fabs(a[r][k]) > fabs(a[pivot][k]))
                pivot = r;
        if (!(fabs(a[pivot][k]) > 0))
            return 0;
        for (int c = 0; c < n && pivot != k; c++) {
            const double kept = a[k][c];
            a[k][c] = a[pivot][c];
            a[pivot][c] = kept;
        }
        const double kept = b[k];
        b[k] = b[pivot];
        b[pivot] = kept;
        for (int r = k + 1; r < n; r++) {
            const double factor = a[r][k] / a[k][k];
            for (int c = k; c < n; c++)
                a[r][c] -= factor * a[k][c];
            b[r] -= factor * b[k];
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        x[k] = b[k];
        for (int c = k + 1; c < n; c++)
            x[k] -= a[k][c] * x[c];
        x[k] /= a[k][k];
    }
    return 1;
}

/* A of (D - matrix) A = right; NaN: there is none. */
HD void body_system_solve(const struct sluice_body_system *s, double matrix[6][6],
                          const double right[6], double rate[6])
{
    double a[6][6], b[6], x[6];
    int open[6], n = 0;
    for (int r = 0; r < 6; r++) {
        rate[r] = 0;
        if (!(s->fixed & 1u << r))
            open[n++] = r;
    }
    for (int r = 0; r < n; r++) {
        const int row = open[r];
        b[r] = right[row];
        for (int c = 0; c < n; c++) {
            const int column = open[c];
            a[r][c] = row < 3 || column < 3 ? (row == column ? s->mass : 0)
                                            : s->inertia[row - 3][column - 3];
            a[r][c] -= matrix[row][column];
        }
    }
    if (!body_system_eliminate(n, a, b, x))
        for (int r = 0; r < n; r++)
            x[r] = (double)NAN;
    for (int r = 0; r < n; r++)
        rate[open[r]] = x[r];
}

/* Component k of a wrench of the sums, as one of 6: in 2-D fx, fy, tz. */
HD int body_system_slot(int dimension, int k)
{
    return dimension == 2 && k == 2 ? 5 : k;
}

/* One round, from the terms of the sums (sluice_body_terms). Takes rate from A_k to A_(k+1).
 * Returns by how much it changes, as a part of what it is, or of what the forces give that add up
 * to it: that sets its rounding. */
HD double body_system_step(const struct sluice_body_system *s, int dimension, const double *sum,
                           struct sluice_body_solution *to)
{
    const int n = sluice_wrench_size(dimension);
    const double force = sum[n + n * n];
    double matrix[6][6] = {{0}}, pressure[6] = {0}, right[6], next[6], change = 0, size = s->least;
    for (int r = 0; r < n; r++) {
        pressure[body_system_slot(dimension, r)] = sum[r];
        for (int c = 0; c < n; c++)
            matrix[body_system_slot(dimension, r)][body_system_slot(dimension, c)] =
                sum[n + n * r + c];
    }
    for (int r = 0; r < 6; r++) {
        right[r] = s->right[r] + pressure[r];
        for (int c = 0; c < 6; c++)
            right[r] -= matrix[r][c] * to->rate[c];
    }
    body_system_solve(s, matrix, right, next);
    for (int r = 0; r < 6; r++)
        size = fmax(size, (r < 3 ? 1 : s->reach) * fabs(next[r]));
    for (int r = 0; r < 6; r++) {
        const double arm = r < 3 ? 1 : s->reach, off = arm * fabs(next[r] - to->rate[r]),
                     inertia = r < 3 ? s->mass : s->inertia[r - 3][r - 3];
        if (off > 0)
            change = fmax(change, off / fmax(size, arm * arm * force / inertia));
        to->pressure[r] = pressure[r];
        for (int c = 0; c < 6; c++)
            to->pressure[r] += matrix[r][c] * (next[c] - to->rate[c]);
    }
    for (int r = 0; r < 6; r++)
        to->rate[r] = next[r];
    return change;
}

/* The round of body_sums (kernels/pointwise/body_sums.h), which takes the accelerations of `body`
 * from A_k to A_(k+1). */
HD double body_sums_round(int dimension, const void *system, const double *sum, void *body,
                          void *solution)
{
    struct sluice_rigid *rigid = (struct sluice_rigid *)body;
    struct sluice_body_solution *to = (struct sluice_body_solution *)solution;
    for (int k = 0; k < 3; k++) {
        to->rate[k] = rigid->acceleration[k];
        to->rate[3 + k] = rigid->spin_rate[k];
    }
    const double change = body_system_step((const struct sluice_body_system *)system, dimension,
                                           sum, to);
    for (int k = 0; k < 3; k++) {
        rigid->acceleration[k] = to->rate[k];
        rigid->spin_rate[k] = to->rate[3 + k];
    }
    return change;
}
#endif
