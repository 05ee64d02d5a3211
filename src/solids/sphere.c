/* Spheres, and discs in two dimensions. */
#include <math.h>

#include "core/allocate.h"
#include "core/vector.h"
#include "solids/facets.h"

static sluice_status create(struct sluice_solid *solid, struct sluice_warnings *warnings)
{
    const struct sluice_shape *s = solid->shape;
    const double pi = acos(-1), r = s->radius;
    (void)warnings;
    for (int a = 0; a < solid->dimension; a++) {
        solid->low[a] = s->centre[a] - r;
        solid->high[a] = s->centre[a] + r;
    }
    solid->volume = solid->dimension == 3 ? 4 * pi / 3 * r * r * r : pi * r * r;
    return SLUICE_OK;
}

static double distance(const struct sluice_solid *solid, const double x[3], double way[3])
{
    const struct sluice_shape *s = solid->shape;
    double r2 = 0;
    for (int a = 0; a < solid->dimension; a++)
        r2 += (x[a] - s->centre[a]) * (x[a] - s->centre[a]);
    const double r = sqrt(r2), d = r - s->radius;
    for (int a = 0; a < solid->dimension; a++)
        way[a] = r > 0 ? -d * (x[a] - s->centre[a]) / r : 0;
    if (r == 0)
        way[0] = s->radius;
    return d;
}

static double reach(const struct sluice_solid *solid, const double direction[3])
{
    const struct sluice_shape *s = solid->shape;
    return sluice_dot(s->centre, direction) + s->radius * sluice_norm(direction);
}

static int moments(const struct sluice_solid *solid, const double middle[3],
                   struct sluice_moments *m)
{
    const double pi = acos(-1), r = solid->shape->radius;
    (void)middle;
    m->volume = solid->dimension == 3 ? 4 * pi / 3 * r * r * r : pi * r * r;
    for (int a = 0; a < solid->dimension; a++)
        m->second[a][a] = m->volume * r * r / (solid->dimension + 2);
    return 1;
}

/* The outline of a disc, or half of it, which turns about the z axis. */
static sluice_status triangles(const struct sluice_solid *solid, struct sluice_facets *facets)
{
    const struct sluice_shape *s = solid->shape;
    const int around = sluice_facets_around(facets, s->radius), is_flat = solid->dimension == 2,
              count = is_flat ? around : (around + 1) / 2 + 1;
    const double pi = acos(-1);
    double(*place)[2];
    SLUICE_ALLOCATE(place, count, "points of a circle");
    for (int i = 0; i < count; i++) {
        const double turn = is_flat ? 2 * pi * i / around : pi * i / (count - 1);
        place[i][0] = is_flat               ? s->centre[0] + s->radius * cos(turn)
                      : i % (count - 1) > 0 ? s->radius * sin(turn)
                                            : 0;
        place[i][1] = is_flat ? s->centre[1] + s->radius * sin(turn) : -s->radius * cos(turn);
    }
    const sluice_status status = is_flat
                                     ? sluice_facets_add_outline(facets, (const double(*)[2])place,
                                                                 count)
                                     : sluice_facets_add_turned(facets, s->centre, 2,
                                                                (const double(*)[2])place, count);
    free(place);
    return status;
}

const struct sluice_solid_kind sluice_solid_sphere = {.create = create,
                                                      .distance = distance,
                                                      .reach = reach,
                                                      .moments = moments,
                                                      .triangles = triangles};
