#include "contour/sharp_point.h"

#include <math.h>
#include <string.h>

#include "core/vector.h"

/* Normals within 20 degrees are of one face. */
static const double alike = 0.94;

/* The least eigenvalue beside the largest that is no rounding or curvature: of two faces that meet
 * at 16 degrees. */
static const double least_ratio = 0.02;

void sluice_find_faces(const struct sluice_tangent *tangent, int count,
                       struct sluice_tangent_faces *faces, int *face)
{
    memset(faces, 0, sizeof *faces);
    for (int i = 0; i < count; i++) {
        int k = 0;
        while (k < faces->count &&
               sluice_dot(faces->out[k], tangent[i].out) < alike * sluice_norm(faces->out[k]))
            k++;
        if (k == faces->count && k < SLUICE_FACES_OF_POINT)
            faces->count++;
        if (face)
            face[i] = k < faces->count ? k : -1;
        if (k == faces->count)
            continue;
        faces->of[k]++;
        for (int a = 0; a < 3; a++)
            faces->out[k][a] += tangent[i].out[a];
    }
    for (int k = 0; k < faces->count; k++) {
        const double length = sluice_norm(faces->out[k]);
        for (int a = 0; a < 3; a++)
            faces->out[k][a] /= length;
    }
}

/* Makes element (p, q) of a symmetric matrix 0 by a rotation (Jacobi), which goes to `axes`, too.
 */
static void rotate(double m[3][3], double axes[3][3], int p, int q)
{
    if (m[p][q] == 0)
        return;
    const double theta = (m[q][q] - m[p][p]) / (2 * m[p][q]),
                 t = copysign(1, theta) / (fabs(theta) + hypot(theta, 1)), c = 1 / hypot(t, 1),
                 s = t * c;
    for (int k = 0; k < 3; k++) {
        const double kp = m[k][p], kq = m[k][q];
        m[k][p] = c * kp - s * kq;
        m[k][q] = s * kp + c * kq;
    }
    for (int k = 0; k < 3; k++) {
        const double pk = m[p][k], qk = m[q][k];
        m[p][k] = c * pk - s * qk;
        m[q][k] = s * pk + c * qk;
        const double kp = axes[k][p], kq = axes[k][q];
        axes[k][p] = c * kp - s * kq;
        axes[k][q] = s * kp + c * kq;
    }
}

/* The eigenvectors, as columns of `axes`; m becomes diagonal. */
static void find_axes(double m[3][3], double axes[3][3])
{
    enum { SWEEPS = 12 };
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            axes[i][k] = i == k;
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        rotate(m, axes, 0, 1);
        rotate(m, axes, 0, 2);
        rotate(m, axes, 1, 2);
    }
}

int sluice_sharp_point(const struct sluice_tangent *tangent, int count, const double near[3],
                       int rank, double point[3])
{
    enum { TANGENTS_MOST = 64 };
    struct sluice_tangent_faces faces;
    int face[TANGENTS_MOST], used = 0, taken[3] = {0, 0, 0};
    double m[3][3] = {{0}}, axes[3][3], right[3] = {0, 0, 0};
    count = count < TANGENTS_MOST ? count : TANGENTS_MOST;
    sluice_find_faces(tangent, count, &faces, face);
    for (int i = 0; i < count; i++) {
        if (face[i] < 0)
            continue;
        const double *n = tangent[i].out, weight = 1.0 / faces.of[face[i]];
        const double off = n[0] * (tangent[i].at[0] - near[0]) +
                           n[1] * (tangent[i].at[1] - near[1]) +
                           n[2] * (tangent[i].at[2] - near[2]);
        for (int a = 0; a < 3; a++) {
            right[a] += weight * off * n[a];
            for (int b = 0; b < 3; b++)
                m[a][b] += weight * n[a] * n[b];
        }
    }
    find_axes(m, axes);
    const double largest = fmax(m[0][0], fmax(m[1][1], m[2][2]));
    memcpy(point, near, 3 * sizeof *point);
    while (used < rank) {
        int best = -1;
        for (int k = 0; k < 3; k++)
            if (!taken[k] && m[k][k] > least_ratio * largest &&
                (best < 0 || m[k][k] > m[best][best]))
                best = k;
        if (best < 0)
            break;
        taken[best] = 1;
        used++;
        const double along = (axes[0][best] * right[0] + axes[1][best] * right[1] +
                              axes[2][best] * right[2]) /
                             m[best][best];
        for (int a = 0; a < 3; a++)
            point[a] += along * axes[a][best];
    }
    return used;
}
