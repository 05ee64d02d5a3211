/* Volume, centre of mass and inertia of a body of uniform density, from the signed distances of its
 * shapes. */
#ifndef SLUICE_BODIES_MASS_H
#define SLUICE_BODIES_MASS_H
#include "geometry/geometry.h"

struct sluice_body_mass {
    double volume;        /* m^3; in 2-D the area, m^2 */
    double centre[3];     /* of mass, m, config coordinates */
    double inertia[3][3]; /* about the centre, for a density of 1 kg/m^3, m^5; in 2-D [2][2] alone
                             is not 0: the polar moment about z, m^4 */
};

/* The mass of the union of some shapes, which are indices of the config's. Where shapes overlap,
 * the volume counts once. Single shapes, and shapes that are apart from each other, are exact to
 * rounding; where they overlap or are combined by `within` and `without`, flat faces to 1e-6,
 * others to about 3e-5. Flat faces along the axes are those of the lattice, where fluid and
 * contacts meet them too. Errors (SLUICE_BAD_INPUT): a shape without an end; shapes that enclose
 * nothing; memory. */
sluice_status sluice_body_mass(const struct sluice_geometry *g, const int *shape, int count,
                               struct sluice_body_mass *mass);

/* The volume of the shapes as they are asked for, before their faces moved to the lattice; `actual`
 * if none has. Errors: as above. */
sluice_status sluice_body_asked_volume(const struct sluice_geometry *g, const int *shape, int count,
                                       double actual, double *volume);
#endif
