/* The moments of a union of shapes, from their signed distances. */
#ifndef SLUICE_BODIES_UNION_MOMENTS_H
#define SLUICE_BODIES_UNION_MOMENTS_H
#include "bodies/solid_union.h"
#include "surface/moments.h"

/* The moments about `origin` (m), in the axes of the union. Boxes along these axes are exact to
 * rounding, flat faces to 1e-6, others to about 3e-5 of the volume. Errors: memory. */
sluice_status sluice_union_moments(const struct sluice_solid_union *u, const double origin[3],
                                   struct sluice_moments *moments);
#endif
