/* Prisms: a polygon that sweeps along an axis; in two dimensions the polygon itself. */
#ifndef SLUICE_SOLIDS_PRISM_H
#define SLUICE_SOLIDS_PRISM_H
#include "solids/facets.h"
#include "solids/sharp.h"
#include "solids/solid.h"
#include "surface/surface.h"

struct sluice_prism {
    struct sluice_surface surface; /* of two dimensions: the polygon's edges */
    int axes[2];                   /* of the polygon's plane */
    int along;                     /* the axis that it sweeps along; -1: none, in 2-D */
    double from, to;               /* its ends there; infinite: it has none */
};

/* Builds a prism from the corners in order, either way round, and sets the extent and the volume
 * of the solid. `along` is -1 in 2-D. Errors: memory. */
sluice_status sluice_prism_create(struct sluice_prism *prism, struct sluice_solid *solid,
                                  const double (*corner)[2], int64_t count, int along, double from,
                                  double to);
void sluice_prism_destroy(struct sluice_prism *prism);
double sluice_prism_reach(const struct sluice_prism *prism, const double direction[3]);
double sluice_prism_distance(const struct sluice_prism *prism, const double x[3], double way[3]);

/* As of struct sluice_solid_kind. */
int sluice_prism_moments(const struct sluice_prism *prism, const double middle[3],
                         struct sluice_moments *moments);
sluice_status sluice_prism_sharp(const struct sluice_prism *prism, struct sluice_sharp *sharp);
sluice_status sluice_prism_triangles(const struct sluice_prism *prism,
                                     struct sluice_facets *facets);
#endif
