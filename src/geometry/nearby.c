#include "geometry/nearby.h"

#include <math.h>
#include <string.h>

double sluice_nearby_distance(const struct sluice_geometry *g,
                              const struct sluice_nearby_shapes *near, const double x[3],
                              double way[3], int *of)
{
    double d = INFINITY, one[3];
    for (int i = 0; i < near->count; i++) {
        const int s = near->shape[i], wall = g->asked[s].type == SLUICE_SHAPE_WALL;
        const double least = sluice_geometry_box_distance(g, s, x);
        if (wall ? least >= d && least > 0 : isinf(d) || (least > 0 && -least <= d))
            continue;
        const double own = sluice_geometry_distance(g, s, x, one);
        if (wall ? own < d : -own > d) {
            d = wall ? own : -own;
            memcpy(way, one, sizeof one);
            *of = s;
        }
    }
    return d;
}

int sluice_nearby_is_in_domain(const struct sluice_geometry *g, const double x[3])
{
    const double rounding = 1e-6 * g->spacing;
    for (int a = 0; a < g->dimension; a++)
        if (!g->periodic[a] && (x[a] < g->origin[a] - rounding ||
                                x[a] > g->origin[a] + (double)g->n[a] * g->step[a] + rounding))
            return 0;
    return 1;
}
