#include <math.h>

#include "solids/solid.h"

static sluice_status create(struct sluice_solid *solid, struct sluice_warnings *warnings)
{
    (void)warnings;
    for (int a = 0; a < 3; a++) {
        solid->low[a] = -INFINITY;
        solid->high[a] = INFINITY;
    }
    return SLUICE_OK;
}

static double distance(const struct sluice_solid *solid, const double x[3], double way[3])
{
    const struct sluice_shape *s = solid->shape;
    double length2 = 0, along = 0;
    for (int a = 0; a < solid->dimension; a++) {
        length2 += s->normal[a] * s->normal[a];
        along += s->normal[a] * (x[a] - s->centre[a]);
    }
    for (int a = 0; a < solid->dimension; a++)
        way[a] = -along * s->normal[a] / length2;
    return along / sqrt(length2);
}

const struct sluice_solid_kind sluice_solid_half_space = {.create = create, .distance = distance};
