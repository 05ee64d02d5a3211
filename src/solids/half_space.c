#include <math.h>

#include "core/vector.h"
#include "solids/facets.h"

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

/* A square of its face that covers the box, in 2-D with what is behind it. */
static sluice_status triangles(const struct sluice_solid *solid, struct sluice_facets *facets)
{
    const struct sluice_shape *s = solid->shape;
    double foot[3], way[3] = {0, 0, 0}, out[3] = {0, 0, 0}, u[3], v[3], side[3] = {0, 0, 1};
    const double far = sluice_facets_far(facets, foot), depth = distance(solid, foot, way);
    for (int a = 0; a < solid->dimension; a++)
        out[a] = s->normal[a];
    const double length = sluice_norm(out);
    if (solid->dimension == 3 && fabs(out[2]) > 0.5 * length) {
        side[0] = 1;
        side[2] = 0;
    }
    sluice_cross(out, side, v);
    sluice_cross(v, out, u); /* u x v leads along out */
    const double across = 2 * far / sluice_norm(v), along = 2 * far / sluice_norm(u),
                 back = (2 * far + fabs(depth)) / length;
    for (int a = 0; a < 3; a++) {
        v[a] *= across;
        u[a] *= along;
        foot[a] += way[a] - v[a] / 2;
    }
    if (solid->dimension == 2) {
        const double outline[4][2] = {
            {foot[0] + v[0], foot[1] + v[1]},
            {foot[0], foot[1]},
            {foot[0] - back * out[0], foot[1] - back * out[1]},
            {foot[0] + v[0] - back * out[0], foot[1] + v[1] - back * out[1]}};
        return sluice_facets_add_outline(facets, outline, 4);
    }
    for (int a = 0; a < 3; a++)
        foot[a] -= u[a] / 2;
    return sluice_facets_add_patch(facets, foot, u, v);
}

const struct sluice_solid_kind sluice_solid_half_space = {
    .create = create, .distance = distance, .triangles = triangles};
