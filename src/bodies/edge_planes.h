/* The planes that meet at an edge or a corner of a surface within a cell. */
#ifndef SLUICE_BODIES_EDGE_PLANES_H
#define SLUICE_BODIES_EDGE_PLANES_H
#include "bodies/cut_box.h"

/* The signed distance d (m) of a place and its gradient, of length 1. */
struct sluice_distance_sample {
    double at[3], d, out[3];
};

/* Finds the planes that the surface has in a cell about 0, from distances of places in it. Those
 * inside a convex edge are nearest to its faces, so each shows a plane of the surface; those
 * outside a hollow edge likewise. Every other distance must agree with these planes to `tolerance`
 * (m), and at least `least` samples must show each plane: of a round surface each shows another
 * one. Returns how many there are, or -1: the surface in the cell is neither convex nor hollow, or
 * has too many faces. `side`: the half-spaces whose common part is the solid
 * (*is_hollow 0), or what is outside of it (1). */
int sluice_edge_planes(const struct sluice_distance_sample *sample, int samples, int dimension,
                       const double half[3], double tolerance, int least,
                       struct sluice_half_space side[SLUICE_CUTS_MOST], int *is_hollow);
#endif
