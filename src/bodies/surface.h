/* The surface of a body at t = 0, in config coordinates: triangles for pictures, and the points
 * that its contacts test. */
#ifndef SLUICE_BODIES_SURFACE_H
#define SLUICE_BODIES_SURFACE_H
#include <stdint.h>

#include "geometry/geometry.h"

/* In 3-D the triangles are the surface of each part, anticlockwise seen from outside; in 2-D they
 * fill it. Parts that overlap are whole. Triangles of round solids have the solid's volume, so
 * their points are a little outside (sluice_facets_fill). */
struct sluice_body_surface {
    int64_t points, triangles, contacts;
    double (*point)[3];     /* [points] m */
    int32_t (*triangle)[3]; /* [triangles] */
    double (*contact)[3];   /* [contacts] m: on the surface of the union of all parts */
};

/* The surface of some shapes, indices of the config's. `within` and `without` cut the facets of all
 * shapes that take part, along lines that are straight within a facet. Facets and contacts are
 * about `step` spacings apart, closer on bodies of less than eight of these; a mesh has its own
 * triangles, unless it is cut. Contacts are at all corners, and along edges. Errors
 * (SLUICE_BAD_INPUT): a shape without an end; shapes that enclose nothing; memory. */
sluice_status sluice_body_surface_create(struct sluice_body_surface *surface,
                                         const struct sluice_geometry *g, const int *shape,
                                         int count, double step);
/* The surface of a group of walls for pictures: without contacts, with long facets where it is
 * flat, and finer where it is round. Shapes without an end stop at the domain's walls. `triangles`
 * is 0 where the shapes do not give it: walls of the domain, and half-spaces and the like, which
 * are oblique to it. Errors: memory. */
sluice_status sluice_wall_surface_create(struct sluice_body_surface *surface,
                                         const struct sluice_geometry *g, const int *shape,
                                         int count);
void sluice_body_surface_destroy(struct sluice_body_surface *surface);
#endif
