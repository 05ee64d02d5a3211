/* Where the shapes of a union begin and end along its axes. */
#ifndef SLUICE_BODIES_UNION_FACES_H
#define SLUICE_BODIES_UNION_FACES_H
#include "bodies/solid_union.h"

/* The places along an axis, ascending, where the extents of the shapes end, and of those that they
 * are combined with, from u->low to u->high. Cells that end there are whole cells of boxes along
 * the axes. Only the first SLUICE_FACES_MOST are listed. Returns how many there are. */
enum { SLUICE_FACES_MOST = 16 };
int sluice_union_faces(const struct sluice_solid_union *u, int axis, double at[SLUICE_FACES_MOST]);
#endif
