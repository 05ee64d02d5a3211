/* Points on the sharp corners and edges of a solid, which the contacts of bodies test. */
#ifndef SLUICE_SOLIDS_SHARP_H
#define SLUICE_SOLIDS_SHARP_H
#include "solids/solid.h"
#include "surface/surface.h"

/* The list to fill: points within low .. high (m, config coordinates) count. */
struct sluice_sharp {
    const struct sluice_solid *solid;
    double spacing;         /* of points along an edge, at most, m */
    double low[3], high[3]; /* m */
    double (*point)[3];     /* [count] m, config coordinates */
    int64_t count, capacity;
};

/* Appends the points of a solid; the caller frees `point`. Errors: memory. */
sluice_status sluice_sharp_list(struct sluice_sharp *sharp, const struct sluice_solid *solid);

/* For kinds of solids, in their own coordinates: a corner; the points between the ends of an edge;
 * a circle about an axis. Errors: memory. */
sluice_status sluice_sharp_add_corner(struct sluice_sharp *sharp, const double own[3]);
sluice_status sluice_sharp_add_edge(struct sluice_sharp *sharp, const double a[3],
                                    const double b[3]);
sluice_status sluice_sharp_add_circle(struct sluice_sharp *sharp, const double centre[3], int axis,
                                      double radius);

/* sharp_mesh.c: the edges where two triangles make a ridge of more than 30 degrees. */
sluice_status sluice_sharp_add_ridges(struct sluice_sharp *sharp,
                                      const struct sluice_surface *surface);
#endif
