/* The points of a body that its contacts test, chosen from places on its surface. */
#ifndef SLUICE_CONTACT_CONTACT_POINTS_H
#define SLUICE_CONTACT_CONTACT_POINTS_H
#include <stdint.h>

#include "core/status.h"

/* A place of the surface, m, and the direction outwards there, of length 1. */
struct sluice_contact_spot {
    double x[3], out[3];
};

struct sluice_contact_spots {
    int dimension;
    double step; /* wanted from point to point, m */
    int64_t count, capacity;
    struct sluice_contact_spot *spot; /* [count]; the caller frees it */
};

/* Lists places of a facet: its corners, and more where it is longer than 1.5 steps. `corners`: 2,
 * an edge of an outline in 2-D with the body on its left; 3, a triangle, anticlockwise seen from
 * outside. Errors: memory. */
sluice_status sluice_contact_spots_add(struct sluice_contact_spots *spots,
                                       const double corner[3][3], int corners);

/* Chooses points: corners first, then edges, then faces. No two of one side are within half a step,
 * corners aside. The caller frees *point. Errors: memory. */
sluice_status sluice_contact_spots_choose(struct sluice_contact_spots *spots, double (**point)[3],
                                          int64_t *points);
#endif
