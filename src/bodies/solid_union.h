/* The union of the shapes that make a body: its signed distance and its extent, in axes of its own.
 *
 * The axes are those of the largest shape, which its rotation turns. So the faces of a turned box
 * lie across the axes, and what is divided into cells along them fits its faces. Places y in these
 * axes and x of the config: y_i = axis_i . x. */
#ifndef SLUICE_BODIES_SOLID_UNION_H
#define SLUICE_BODIES_SOLID_UNION_H
#include "geometry/geometry.h"

struct sluice_solid_union {
    const struct sluice_geometry *g; /* borrowed */
    int dimension, count;
    double axis[3][3];      /* axis[i]: the i-th, in config coordinates; in 2-D the third is z */
    double low[3], high[3]; /* extent along the axes, m; in 2-D the third is 0 */
    struct sluice_union_part {
        int shape;              /* index of the config's */
        double low[3], high[3]; /* extent along the axes, m */
        double box[2][3];       /* and along those of the config */
    } * part;                   /* [count] */
};

/* Errors (SLUICE_BAD_INPUT): a shape without an end; shapes without an extent; memory. After an
 * error it is destroyed. */
sluice_status sluice_solid_union_create(struct sluice_solid_union *u,
                                        const struct sluice_geometry *g, const int *shape,
                                        int count);
void sluice_solid_union_destroy(struct sluice_solid_union *u);

/* The signed distance (m) of y from a part, negative inside, and the displacement to its surface,
 * as sluice_geometry_distance; periodic images of the part do not count. */
double sluice_solid_union_part_distance(const struct sluice_solid_union *u, int part,
                                        const double y[3], double way[3]);

/* The same from the union: the least of all parts. Inside, where parts touch, its size is a lower
 * bound. */
double sluice_solid_union_distance(const struct sluice_solid_union *u, const double y[3],
                                   double way[3]);

/* The extent of a shape along one of the axes, m, no larger than that of the shapes that `within`
 * names; infinite where it has no end. */
void sluice_solid_union_extent(const struct sluice_solid_union *u, int shape, int axis, double *low,
                               double *high);

/* y -> x, and back; of places, and of directions. */
void sluice_solid_union_to_config(const struct sluice_solid_union *u, const double y[3],
                                  double x[3]);
void sluice_solid_union_from_config(const struct sluice_solid_union *u, const double x[3],
                                    double y[3]);
#endif
