/* Triangles between the points of a contour. */
#ifndef SLUICE_CONTOUR_CONTOUR_JOIN_H
#define SLUICE_CONTOUR_CONTOUR_JOIN_H
#include "contour/contour.h"
#include "contour/closed_surface.h"

/* Fills a surface with the points, triangles and segments of a contour. The caller destroys it, on
 * failure as well. Errors: memory. */
sluice_status sluice_contour_join(const struct sluice_contour *contour,
                                  struct sluice_closed_surface *surface);

/* contour_untangle.c: moves points of faces so that no triangle is turned over, as far as possible.
 * Points in the axes of the union; normal: [triangles] outwards. Errors: memory. */
sluice_status sluice_contour_untangle(const struct sluice_contour *contour,
                                      const double (*normal)[3],
                                      struct sluice_closed_surface *surface);
#endif
