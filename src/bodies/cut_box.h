/* A box cut by planes: the volume and moments of the rest, exactly. */
#ifndef SLUICE_BODIES_CUT_BOX_H
#define SLUICE_BODIES_CUT_BOX_H

#include "surface/moments.h"

/* The side of a plane where normal . x + offset > 0. */
struct sluice_half_space {
    double normal[3], offset; /* of length 1; m */
};

/* The part of a box about 0 that lies in all of `count` half-spaces. At most SLUICE_CUTS_MOST of
 * them count. */
enum { SLUICE_CUTS_MOST = 8 };
void sluice_cut_box_moments(int dimension, const double half[3],
                            const struct sluice_half_space *side, int count,
                            struct sluice_moments *m);
#endif
