#include "surface/moments.h"

#include <math.h>
#include <string.h>

void sluice_moments_of_box(int dimension, const double middle[3], const double half[3],
                           struct sluice_moments *m)
{
    memset(m, 0, sizeof *m);
    m->volume = 1;
    for (int a = 0; a < dimension; a++)
        m->volume *= 2 * half[a];
    for (int a = 0; a < dimension; a++) {
        m->first[a] = m->volume * middle[a];
        for (int b = 0; b < dimension; b++)
            m->second[a][b] = m->volume * middle[a] * middle[b];
        m->second[a][a] += m->volume * half[a] * half[a] / 3;
    }
}

void sluice_moments_add_tetrahedron(struct sluice_moments *m, const double a[3], const double b[3],
                                    const double c[3])
{
    const double volume = (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
                           a[2] * (b[0] * c[1] - b[1] * c[0])) /
                          6;
    m->volume += volume;
    for (int k = 0; k < 3; k++) {
        const double sum = a[k] + b[k] + c[k];
        m->first[k] += volume * sum / 4;
        for (int l = 0; l < 3; l++)
            m->second[k][l] += volume / 20 *
                               (a[k] * a[l] + b[k] * b[l] + c[k] * c[l] +
                                sum * (a[l] + b[l] + c[l]));
    }
}

void sluice_moments_add_triangle(struct sluice_moments *m, const double a[3], const double b[3])
{
    const double area = (a[0] * b[1] - a[1] * b[0]) / 2;
    m->volume += area;
    for (int k = 0; k < 2; k++) {
        m->first[k] += area * (a[k] + b[k]) / 3;
        for (int l = 0; l < 2; l++)
            m->second[k][l] += area / 12 *
                               (a[k] * a[l] + b[k] * b[l] + (a[k] + b[k]) * (a[l] + b[l]));
    }
}

void sluice_moments_add(struct sluice_moments *sum, const struct sluice_moments *m,
                        const double middle[3], double sign)
{
    sum->volume += sign * m->volume;
    for (int a = 0; a < 3; a++) {
        sum->first[a] += sign * (m->first[a] + m->volume * middle[a]);
        for (int b = 0; b < 3; b++)
            sum->second[a][b] += sign *
                                 (m->second[a][b] + middle[a] * m->first[b] +
                                  middle[b] * m->first[a] + m->volume * middle[a] * middle[b]);
    }
}

void sluice_moments_turn(struct sluice_moments *m, int dimension, const double rotation[3][3],
                         double scale)
{
    const struct sluice_moments own = *m;
    const double content = pow(scale, dimension);
    memset(m, 0, sizeof *m);
    m->volume = content * own.volume;
    for (int i = 0; i < 3; i++)
        for (int a = 0; a < 3; a++) {
            m->first[i] += content * scale * rotation[i][a] * own.first[a];
            for (int k = 0; k < 3; k++)
                for (int b = 0; b < 3; b++)
                    m->second[i][k] += content * scale * scale * rotation[i][a] * rotation[k][b] *
                                       own.second[a][b];
        }
}
