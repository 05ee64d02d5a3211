/* Which faces of a box fluid can reach, and how far the lattice moves them. */
#ifndef SLUICE_GEOMETRY_WET_FACES_H
#define SLUICE_GEOMETRY_WET_FACES_H
#include "geometry/geometry.h"

/* Fills bits 2 axis + (high side): the faces of a shape that fluid can reach from where it starts,
 * around walls that stay where they are and no higher than its own highest cell. All of them where
 * the lattice has more than 2e7 cells, or no fluid. `extent`: the cells of the shape. Errors:
 * memory. */
sluice_status sluice_geometry_wet_faces(const struct sluice_geometry *g, int shape,
                                        const struct sluice_cells *extent, unsigned *faces);

/* How much larger a box is on the lattice along the axes on which both faces are wet, relative. */
double sluice_geometry_wet_error(const struct sluice_geometry *g,
                                 const struct sluice_shape_report *report, unsigned faces);

/* Appends "; its face at x = 0.35 moves by 0.03 to 0.32", for each face that moves. */
void sluice_geometry_describe_moves(const struct sluice_geometry *g,
                                    const struct sluice_shape_report *report, char *text,
                                    size_t size);
#endif
