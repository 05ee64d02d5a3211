/* A closed surface as points and triangles, in 2-D as a filled outline. */
#ifndef SLUICE_CONTOUR_CLOSED_SURFACE_H
#define SLUICE_CONTOUR_CLOSED_SURFACE_H
#include <stdint.h>

/* In 3-D the triangles are the surface, closed, each edge shared by two, anticlockwise seen from
 * outside. In 2-D the segments are the outline, with the body on their left, and the triangles fill
 * it. */
struct sluice_closed_surface {
    int dimension;
    int64_t points, on_surface; /* the first of them; in 2-D the rest lie within the outline */
    double (*point)[3];
    int64_t triangles, segments;
    int32_t (*triangle)[3];
    int32_t (*segment)[2]; /* none in 3-D */
};
#endif
