/* Vectors of three components, 3 x 3 matrices, and the order of doubles. */
#ifndef SLUICE_CORE_VECTOR_H
#define SLUICE_CORE_VECTOR_H
#include <math.h>

static inline double sluice_dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline double sluice_norm(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/* out = a x b; out may be a or b. */
static inline void sluice_cross(const double a[3], const double b[3], double out[3])
{
    const double c[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                         a[0] * b[1] - a[1] * b[0]};
    out[0] = c[0];
    out[1] = c[1];
    out[2] = c[2];
}

/* y = m x; y may be x. */
static inline void sluice_matrix_times(const double m[3][3], const double x[3], double y[3])
{
    const double at[3] = {x[0], x[1], x[2]};
    for (int i = 0; i < 3; i++)
        y[i] = sluice_dot(m[i], at);
}

/* y = m^T x; y may be x. */
static inline void sluice_matrix_transposed_times(const double m[3][3], const double x[3],
                                                  double y[3])
{
    const double at[3] = {x[0], x[1], x[2]};
    for (int i = 0; i < 3; i++)
        y[i] = m[0][i] * at[0] + m[1][i] * at[1] + m[2][i] * at[2];
}

/* The inverse of a symmetric matrix, by its cofactors; all 0 if it has no determinant above 0. */
static inline void sluice_symmetric_inverse(const double m[3][3], double inverse[3][3])
{
    double cofactor[3][3];
    for (int i = 0; i < 3; i++)
        sluice_cross(m[(i + 1) % 3], m[(i + 2) % 3], cofactor[i]);
    const double determinant = sluice_dot(m[0], cofactor[0]);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            inverse[i][k] = determinant > 0 ? cofactor[k][i] / determinant : 0;
}

/* For qsort: the order of doubles; of entries that begin with a double, the order of these. */
static inline int sluice_by_real(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}
#endif
