/* Shapes of a gas: each is filled with a lattice of its own.
 *
 * A box is filled by whole cells: the lattice is stretched a little on each axis, so that a box
 * across a periodic axis tiles it, and two boxes that touch have a plain face between them. In
 * other shapes the lattice lies about the shape's centre, and is stretched only along periodic axes
 * that the shape spans. A shape has the sites inside of it that no later shape contains.
 *
 * The mass of a particle is its shape's density times the volume of a site. */
#ifndef SLUICE_GEOMETRY_GAS_SHAPES_H
#define SLUICE_GEOMETRY_GAS_SHAPES_H
#include "core/warnings.h"
#include "geometry/lattice.h"
#include "solids/solid.h"

struct sluice_gas_shape {
    struct sluice_solid solid;
    double low[3], high[3];        /* its extent in the domain, m */
    struct sluice_lattice lattice; /* of fluid, otherwise without particles */
    double asked[3];               /* edges of a cell before they were stretched, m */
    double mass;                   /* of a particle, kg; kg/m in 2-D */
    int is_filled;                 /* all sites of the lattice are in the shape */
};

struct sluice_gas_shapes {
    const struct sluice_config *config; /* borrowed */
    struct sluice_gas_shape *shape;     /* [config->shape_count]; NULL: none */
};

/* Makes the lattices. Warns of one that is stretched by more than 3%. Errors: a file that cannot be
 * read, fluid beyond the domain, memory. After an error it is destroyed. */
sluice_status sluice_gas_shapes_create(struct sluice_gas_shapes *g,
                                       const struct sluice_config *config,
                                       struct sluice_warnings *warnings);
void sluice_gas_shapes_destroy(struct sluice_gas_shapes *g);

/* Where a site of a shape's lattice belongs. */
enum sluice_gas_site { SLUICE_SITE_OUTSIDE, SLUICE_SITE_CUT, SLUICE_SITE_FILLED };
enum sluice_gas_site sluice_gas_shapes_site(const struct sluice_gas_shapes *g, int shape,
                                            const double x[3]);

/* Lowers *least and raises *most to the (m/rho)^(1/D) of the shapes of fluid, m. */
void sluice_gas_shapes_spacings(const struct sluice_gas_shapes *g, double *least, double *most);

/* Upper bound of the number of particles. */
double sluice_gas_shapes_bound(const struct sluice_gas_shapes *g);
#endif
