/* Walls as one surface, by the signed distances of the shapes near a place. */
#ifndef SLUICE_GEOMETRY_NEARBY_H
#define SLUICE_GEOMETRY_NEARBY_H
#include "geometry/geometry.h"

/* The shapes that can matter to a distance, in order. */
struct sluice_nearby_shapes {
    int *shape, count;
};

/* The signed distance (m) of x from the surface of all walls together: later shapes cut earlier
 * ones. `way` is the displacement to the nearest point; `of`: the shape that it belongs to. */
double sluice_nearby_distance(const struct sluice_geometry *g,
                              const struct sluice_nearby_shapes *near, const double x[3],
                              double way[3], int *of);

int sluice_nearby_is_in_domain(const struct sluice_geometry *g, const double x[3]);
#endif
