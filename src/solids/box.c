#include <math.h>
#include <string.h>

#include "solids/facets.h"
#include "solids/sharp.h"

static sluice_status create(struct sluice_solid *solid, struct sluice_warnings *warnings)
{
    (void)warnings;
    memcpy(solid->low, solid->shape->min, sizeof solid->low);
    memcpy(solid->high, solid->shape->max, sizeof solid->high);
    solid->volume = 1;
    for (int a = 0; a < solid->dimension; a++)
        solid->volume *= solid->high[a] - solid->low[a];
    return SLUICE_OK;
}

/* Inside: to the nearest face. Outside: to the nearest point of the box. */
double sluice_solid_box_distance(const double low[3], const double high[3], int dimension,
                                 const double x[3], double way[3])
{
    double outside2 = 0, least = INFINITY, to_face = 0;
    int axis = 0;
    way[2] = 0;
    for (int a = 0; a < dimension; a++) {
        const double below = low[a] - x[a], above = high[a] - x[a],
                     face = -below < above ? below : above;
        way[a] = below > 0 ? below : above < 0 ? above : 0;
        outside2 += way[a] * way[a];
        if (fabs(face) < least) {
            least = fabs(face);
            to_face = face;
            axis = a;
        }
    }
    if (outside2 > 0)
        return sqrt(outside2);
    way[axis] = to_face;
    return -least;
}

static double distance(const struct sluice_solid *solid, const double x[3], double way[3])
{
    return sluice_solid_box_distance(solid->shape->min, solid->shape->max, solid->dimension, x,
                                     way);
}

static int moments(const struct sluice_solid *solid, const double middle[3],
                   struct sluice_moments *m)
{
    const double zero[3] = {0, 0, 0},
                 half[3] = {solid->shape->max[0] - middle[0], solid->shape->max[1] - middle[1],
                            solid->shape->max[2] - middle[2]};
    sluice_moments_of_box(solid->dimension, zero, half, m);
    return 1;
}

/* Corner k has its bits: the high end of an axis. */
static sluice_status sharp(const struct sluice_solid *solid, struct sluice_sharp *list)
{
    const int corners = 1 << solid->dimension;
    double corner[8][3] = {{0}};
    for (int k = 0; k < corners; k++) {
        for (int a = 0; a < solid->dimension; a++)
            corner[k][a] = k >> a & 1 ? solid->shape->max[a] : solid->shape->min[a];
        SLUICE_TRY(sluice_sharp_add_corner(list, corner[k]));
    }
    for (int k = 0; k < corners; k++)
        for (int a = 0; a < solid->dimension && solid->dimension == 3; a++)
            if (!(k >> a & 1))
                SLUICE_TRY(sluice_sharp_add_edge(list, corner[k], corner[k | 1 << a]));
    return SLUICE_OK;
}

/* A face across each axis at both ends. */
static sluice_status triangles(const struct sluice_solid *solid, struct sluice_facets *facets)
{
    const double *low = solid->shape->min, *high = solid->shape->max;
    const double outline[4][2] = {
        {low[0], low[1]}, {high[0], low[1]}, {high[0], high[1]}, {low[0], high[1]}};
    if (solid->dimension == 2)
        return sluice_facets_add_outline(facets, outline, 4);
    for (int face = 0; face < 6; face++) {
        const int a = face / 2, is_high = face % 2, b = (a + 1) % 3, c = (a + 2) % 3;
        double corner[3] = {low[0], low[1], low[2]}, u[3] = {0, 0, 0}, v[3] = {0, 0, 0};
        corner[a] = is_high ? high[a] : low[a];
        u[b] = high[b] - low[b];
        v[c] = high[c] - low[c];
        SLUICE_TRY(sluice_facets_add_patch(facets, corner, is_high ? u : v, is_high ? v : u));
    }
    return SLUICE_OK;
}

const struct sluice_solid_kind sluice_solid_box = {.create = create,
                                                   .distance = distance,
                                                   .moments = moments,
                                                   .sharp = sharp,
                                                   .triangles = triangles};
