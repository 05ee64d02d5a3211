/* Narrow places of the walls, by the signed distances of the shapes.
 *
 *        wall
 *     ==========     gap: open space between two surfaces that face each other
 *        gap
 *     ==========     plate: wall between two surfaces with open space behind both
 *        plate
 *     ==========     floor: wall between a surface and its other side outside the domain */
#ifndef SLUICE_GEOMETRY_NARROW_H
#define SLUICE_GEOMETRY_NARROW_H
#include "geometry/geometry.h"

enum sluice_narrow_kind { SLUICE_NARROW_GAP, SLUICE_NARROW_PLATE, SLUICE_NARROW_FLOOR };

/* The narrowest place of a gap or plate: places that touch are one. */
struct sluice_narrow {
    int kind;
    int shape, other; /* with the surfaces on both sides; the lower one first */
    int axis;         /* across it; -1: it is oblique */
    double x[3];      /* its middle, m */
    double width;     /* m */
    double edge;      /* of a plate that ends there in an edge: the angle between both surfaces,
                         radians; else 0 */
    int64_t places;   /* about one for each cell of the surfaces on both sides */
};

/* Wider ones are not narrow, m. */
struct sluice_narrow_limits {
    double gap, plate, floor;
};

/* Finds the narrow places of all walls, the narrowest first. The caller frees `narrow`. Surfaces
 * closer than a hundredth of a spacing touch, and have no gap. Gaps between two bodies are left
 * out: they change as the bodies move. Errors: memory. */
sluice_status sluice_geometry_find_narrow(const struct sluice_geometry *g,
                                          const struct sluice_narrow_limits *limits,
                                          struct sluice_narrow **narrow, int64_t *count);

/* narrow_join.c, for narrow.c: makes one of the places that touch, and finds where exactly a gap is
 * narrowest. Errors: memory. */
sluice_status sluice_narrow_join(const struct sluice_geometry *g, struct sluice_narrow *narrow,
                                 int64_t *count);
#endif
