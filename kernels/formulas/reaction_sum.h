/* The force of some fluid particles on one wall particle, on the host, in double: the pair
 * "reaction" where a probe must know which particle pushes. */
#ifndef SLUICE_KERNELS_REACTION_SUM_H
#define SLUICE_KERNELS_REACTION_SUM_H
#include <stdint.h>

#include "kernels/types/wcsph_params.h"
#include "particles/fields.h"

/* Particles as arrays of doubles, [n][components]; NULL: the set has no such field. */
struct sluice_reaction_side {
    double *field[SLUICE_FIELD_COUNT];
    uint32_t *phase; /* borrowed; NULL: walls, or there is one fluid */
};

/* A fluid particle, and how much of its force counts. */
struct sluice_reaction_partner {
    int64_t particle;
    double d[3]; /* from it to the wall particle, m */
    double fraction;
};

/* Sums `count` partners of wall particle `wall`, in their order; force: N, in 2-D N/m. */
void sluice_reaction_sum(const struct wcsph_reaction_params *params,
                         const struct sluice_reaction_side *walls, int64_t wall,
                         const struct sluice_reaction_side *fluid,
                         const struct sluice_reaction_partner *partner, int count, double force[3]);
#endif
