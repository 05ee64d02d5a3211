/* The surface of a body at t = 0, in config coordinates. */
#ifndef SLUICE_BODIES_SURFACE_H
#define SLUICE_BODIES_SURFACE_H
#include "contour/closed_surface.h"
#include "core/warnings.h"
#include "geometry/geometry.h"

/* Of the union of some shapes, indices of the config's. Points are about `factor` spacings apart,
 * closer on bodies of less than eight of these, and lie on the surface; corners and edges have
 * points of their own. Thin parts make the whole finer, down to an eighth; `warnings` tells if that
 * is not enough, and the surface then lacks them. Errors (SLUICE_BAD_INPUT): a shape without an
 * end; shapes that enclose nothing, or are too thin almost everywhere; memory. */
sluice_status sluice_body_surface_create(struct sluice_closed_surface *surface,
                                         const struct sluice_geometry *g, const int *shape,
                                         int count, double factor,
                                         struct sluice_warnings *warnings);
void sluice_body_surface_destroy(struct sluice_closed_surface *surface);
#endif
