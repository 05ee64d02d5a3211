/* Signed distances of shapes with what `within`, `without` and periodic axes make of them. */
#include <math.h>
#include <string.h>

#include "geometry/geometry.h"

/* The layers outside the domain's faces, as if they had no end. */
static double distance_of_walls(const struct sluice_geometry *g, unsigned sides, const double x[3],
                                double way[3])
{
    double least = INFINITY;
    for (int a = 0; a < g->dimension; a++)
        for (int high = 0; high < 2; high++) {
            const double face = g->origin[a] + (high ? (double)g->n[a] * g->step[a] : 0),
                         d = high ? face - x[a] : x[a] - face;
            if (!sluice_has_side(sides, a, high) || d >= least)
                continue;
            least = d;
            way[0] = way[1] = way[2] = 0;
            way[a] = face - x[a];
        }
    return least;
}

/* The signed distance from the union of the earlier shapes of this name. */
static double distance_of_all(const struct sluice_geometry *g, int before, const char *name,
                              const double x[3], double way[3])
{
    double least = INFINITY, one[3];
    for (int k = 0; k < before; k++) {
        if (strcmp(g->asked[k].name, name) != 0)
            continue;
        const double d = sluice_geometry_distance(g, k, x, one);
        if (d < least) {
            least = d;
            memcpy(way, one, sizeof one);
        }
    }
    return least;
}

/* The lowest and highest images of a solid along each axis. A solid that reaches beyond the domain
 * has none: its cells beyond do not come back on the other side. */
static void set_images(const struct sluice_geometry *g, const struct sluice_solid *solid,
                       int most[3], double period[3])
{
    for (int a = 0; a < 3; a++) {
        period[a] = (double)g->n[a] * g->step[a];
        most[a] = a < g->dimension && g->periodic[a] &&
                  solid->low[a] > g->origin[a] - 0.49 * g->step[a] &&
                  solid->high[a] < g->origin[a] + period[a] + 0.49 * g->step[a];
    }
}

static double distance_of_box(const struct sluice_solid *solid, int dimension, const double x[3])
{
    double sum = 0;
    for (int a = 0; a < dimension; a++) {
        const double d = fmax(0, fmax(solid->low[a] - x[a], x[a] - solid->high[a]));
        sum += d * d;
    }
    return sqrt(sum);
}

/* The nearest of the periodic images of a solid. */
static double distance_of_images(const struct sluice_geometry *g, int shape, const double x[3],
                                 double way[3])
{
    const struct sluice_solid *solid = &g->solid[shape];
    double least = sluice_solid_distance(solid, x, way), one[3], period[3];
    int most[3];
    set_images(g, solid, most, period);
    for (int i = -most[0]; i <= most[0]; i++)
        for (int j = -most[1]; j <= most[1]; j++)
            for (int k = -most[2]; k <= most[2]; k++) {
                const double at[3] = {x[0] + i * period[0], x[1] + j * period[1],
                                      x[2] + k * period[2]};
                if ((i == 0 && j == 0 && k == 0) ||
                    distance_of_box(solid, g->dimension, at) >= fmax(least, 0))
                    continue;
                const double d = sluice_solid_distance(solid, at, one);
                if (d < least) {
                    least = d;
                    memcpy(way, one, sizeof one);
                }
            }
    return least;
}

double sluice_geometry_box_distance(const struct sluice_geometry *g, int shape, const double x[3])
{
    const struct sluice_solid *solid = &g->solid[shape];
    double least = INFINITY, period[3];
    int most[3];
    if (g->asked[shape].kind == SLUICE_SHAPE_WALLS)
        return 0;
    set_images(g, solid, most, period);
    for (int i = -most[0]; i <= most[0]; i++)
        for (int j = -most[1]; j <= most[1]; j++)
            for (int k = -most[2]; k <= most[2]; k++) {
                const double at[3] = {x[0] + i * period[0], x[1] + j * period[1],
                                      x[2] + k * period[2]};
                least = fmin(least, distance_of_box(solid, g->dimension, at));
            }
    return least;
}

double sluice_geometry_distance(const struct sluice_geometry *g, int shape, const double x[3],
                                double way[3])
{
    const struct sluice_shape *s = &g->asked[shape];
    double other[3];
    if (s->kind == SLUICE_SHAPE_WALLS)
        return distance_of_walls(g, s->sides, x, way);
    double most = distance_of_images(g, shape, x, way);
    if (s->within[0]) {
        const double d = distance_of_all(g, shape, s->within, x, other);
        if (d > most) {
            most = d;
            memcpy(way, other, sizeof other);
        }
    }
    if (s->without[0]) {
        const double d = -distance_of_all(g, shape, s->without, x, other);
        if (d > most) {
            most = d;
            memcpy(way, other, sizeof other);
        }
    }
    return most;
}
