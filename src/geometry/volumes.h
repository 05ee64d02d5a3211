/* Volumes of combined shapes, of which no closed form is known. Internal to src/geometry. */
#ifndef SLUICE_GEOMETRY_VOLUMES_H
#define SLUICE_GEOMETRY_VOLUMES_H
#include "geometry/geometry.h"

/* The volume of a box, in 2-D its area. */
double sluice_geometry_box_volume(const struct sluice_geometry *g, const double low[3],
                                  const double high[3]);

/* The volume of a shape within a box: an estimate, and its standard deviation. */
struct sluice_volume_sample {
    double volume, deviation; /* m^3; m^2 in 2-D */
};

/* The volume of a shape within the cells that it can own. */
struct sluice_volume_sample sluice_geometry_estimate_volume(const struct sluice_geometry *g,
                                                            int shape);

/* The volume of a shape that the domain and its walls' layers have no room for. INFINITY: the
 * shape has no end there. */
double sluice_geometry_volume_beyond(const struct sluice_geometry *g, int shape);
#endif
