/* What the triangles of a surface enclose. */
#ifndef SLUICE_TESTS_SUPPORT_SURFACE_VOLUME_H
#define SLUICE_TESTS_SUPPORT_SURFACE_VOLUME_H
#include "bodies/surface.h"
#include "core/vector.h"

/* The volume within the triangles, in 2-D their area; and the area of all triangles, unless
 * `area` is NULL. */
static inline double surface_volume(const struct sluice_body_surface *surface, int dimension,
                                    double *area)
{
    double sum = 0;
    if (area)
        *area = 0;
    for (int64_t i = 0; i < surface->triangles; i++) {
        const double *p = surface->point[surface->triangle[i][0]],
                     *q = surface->point[surface->triangle[i][1]],
                     *r = surface->point[surface->triangle[i][2]];
        double u[3], v[3], normal[3];
        for (int a = 0; a < 3; a++) {
            u[a] = q[a] - p[a];
            v[a] = r[a] - p[a];
        }
        sluice_cross(u, v, normal);
        if (area)
            *area += sluice_norm(normal) / 2;
        sum += dimension == 3 ? sluice_dot(normal, p) / 6 : normal[2] / 2;
    }
    return sum;
}
#endif
