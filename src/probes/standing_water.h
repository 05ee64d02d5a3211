/* The water that stands on a wall at the start: on its lattice's steps, and on its true surface.
 *
 *     |~~~~~~~|~~~~~~~|      A slope of cells holds another volume of water than the slope itself,
 *     |       |   ____/      and forces are those on the cells.
 *     |   ____|__/####
 *     |__/####|#######
 */
#ifndef SLUICE_PROBES_STANDING_WATER_H
#define SLUICE_PROBES_STANDING_WATER_H
#include "case/case.h"

struct sluice_standing_water {
    double on_steps, on_surface; /* N, in 2-D N/m; of water at rest, open above */
    int shape;                   /* a shape of the group on the lattice; -1: none, or unknown */
};

/* For the walls and bodies of a group. Unknown where gravity is not along the last axis, for
 * particles of a file, and where the lattice has too many cells to look at. */
struct sluice_standing_water sluice_find_standing_water(const struct sluice_case *c,
                                                        const char *group);
#endif
