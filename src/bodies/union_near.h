/* The shapes near a cell of a union of shapes. */
#ifndef SLUICE_BODIES_UNION_NEAR_H
#define SLUICE_BODIES_UNION_NEAR_H
#include "bodies/solid_union.h"

/* A part of the union whose surface may be in a cell. */
struct sluice_union_near {
    int part;
    int is_seam;   /* there is no surface at d: inner parts of the shape meet there */
    double d;      /* of the cell's middle, m */
    double out[3]; /* direction of the gradient of d */
};

struct sluice_union_cell {
    double middle[3], half[3];
    int is_full;
    int64_t first, count; /* of the list of near parts; none: empty or full */
};

/* Looks from a place at a part. Returns how far around it all is on the same side, if that is
 * `size` or more, else less than `size`. At the surface itself the direction is that of a place
 * beside it. */
double sluice_union_sample(const struct sluice_solid_union *u, int part, const double y[3],
                           double size, struct sluice_union_near *n);

/* Whether a part is a box along the axes, and the cell lies in it. */
int sluice_union_is_in_box(const struct sluice_solid_union *u, int part,
                           const struct sluice_union_cell *c);
/* Whether it is out of the extent of a part. */
int sluice_union_is_beyond(const struct sluice_solid_union *u, int part,
                           const struct sluice_union_cell *c);

/* The distance of a place in a cell from the plane that a near part has there. */
double sluice_union_plane_distance(const struct sluice_union_cell *c,
                                   const struct sluice_union_near *n, const double y[3]);
#endif
