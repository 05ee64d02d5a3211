/* The surface of a solid as flat facets, for pictures and contacts.
 *
 * In 3-D facets are triangles, anticlockwise seen from outside. In 2-D they are segments with the
 * solid on their left, and triangles that fill the outline. A kind of solid adds them in its own
 * coordinates. */
#ifndef SLUICE_SOLIDS_FACETS_H
#define SLUICE_SOLIDS_FACETS_H
#include <stdint.h>

#include "surface/surface.h"
#include "solids/solid.h"

/* Points of a circle, at least: with edges no longer than `step` besides, an arc is less than a
 * twentieth of `step` from its chord. Edges of one line or circle, at most. */
enum { SLUICE_FACETS_ROUND = 16, SLUICE_FACETS_MOST = 4096 };

struct sluice_facets {
    const struct sluice_solid *solid; /* borrowed */
    double step;                      /* longest edge along a face, m; meshes have their own */
    int around;                       /* points of a circle, at least; 0: SLUICE_FACETS_ROUND */
    double low[3], high[3]; /* m, config coordinates: a solid without an end ends beyond this box */
    int64_t points, point_capacity, triangles, triangle_capacity, segments, segment_capacity;
    double (*point)[3]; /* [points] m, config coordinates */
    int32_t (*triangle)[3], (*segment)[2];
};

/* Lists the facets; none of a walls shape. The caller sets solid, step, low and high, and destroys
 * the list, after an error as well. Errors: memory; 2^31 points. */
sluice_status sluice_facets_list(struct sluice_facets *facets);
void sluice_facets_destroy(struct sluice_facets *facets);
/* Discs, spheres, cylinders and cones. */
int sluice_facets_are_round(const struct sluice_facets *facets);
/* Moves the points of a round solid outwards, by less than a twentieth of `step`, until the
 * triangles have its volume: with points on its surface they enclose up to 2.5% less. Other solids
 * stay as they are. */
void sluice_facets_fill(struct sluice_facets *facets);

/* --- For kinds of solids, in their own coordinates. Errors: memory. --- */

sluice_status sluice_facets_add_point(struct sluice_facets *facets, const double own[3],
                                      int32_t *number);
sluice_status sluice_facets_add_triangle(struct sluice_facets *facets, int32_t a, int32_t b,
                                         int32_t c);
/* A parallelogram; u x v leads out of the solid. */
sluice_status sluice_facets_add_patch(struct sluice_facets *facets, const double corner[3],
                                      const double u[3], const double v[3]);
/* The surface that a line turned around an axis makes: its places (distance from the axis, height
 * above the centre), from the lower end on the axis to the upper one. */
sluice_status sluice_facets_add_turned(struct sluice_facets *facets, const double centre[3],
                                       int axis, const double (*place)[2], int count);
/* A polygon in the plane of two axes, anticlockwise in them, at this third coordinate. Its
 * triangles go anticlockwise, too, unless is_turned. */
sluice_status sluice_facets_add_polygon(struct sluice_facets *facets, const double (*corner)[2],
                                        int64_t count, const int axes[2], double other,
                                        int is_turned);
/* In 2-D: the outline and what fills it, corners anticlockwise. */
sluice_status sluice_facets_add_outline(struct sluice_facets *facets, const double (*corner)[2],
                                        int64_t count);
/* The triangles of a mesh as they are. */
sluice_status sluice_facets_add_surface(struct sluice_facets *facets,
                                        const struct sluice_surface *surface);

/* Pieces of an edge of this length, in own coordinates. */
int sluice_facets_pieces(const struct sluice_facets *facets, double length);
/* Points of a circle of this radius, in own coordinates. */
int sluice_facets_around(const struct sluice_facets *facets, double radius);
/* How far beyond the box a solid without an end goes on, at least, in own coordinates; `middle` of
 * the box. */
double sluice_facets_far(const struct sluice_facets *facets, double middle[3]);
#endif
