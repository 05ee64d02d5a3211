/* A closed surface of flat elements: triangles in space, segments of a line in a plane.
 *
 * A tree of boxes answers where the nearest point is and how often the surface winds around a
 * point. The generalized winding number (Jacobson, Kavan & Sorkine-Hornung 2013)
 * is 1 inside and 0 outside a closed surface, and between them near a hole; so it needs no seed
 * point, and says inside and outside even where elements are missing. Far parts of the surface
 * count as one dipole each (Barill et al. 2018, equation 4). */
#ifndef SLUICE_SURFACE_SURFACE_H
#define SLUICE_SURFACE_SURFACE_H
#include <stdint.h>

#include "core/status.h"
#include "core/threads.h"
#include "surface/moments.h"

/* A box around elements first .. first + count - 1 of `order`; the first child follows its parent.
 */
struct sluice_surface_node {
    double low[3], high[3];
    double dipole[3], centre[3], radius; /* sum of areas times normals; of all the elements */
    int64_t first, count, second;        /* second: the other child; 0: a leaf */
};

struct sluice_surface {
    int dimension; /* 2: segments (a, b), the solid on the left; 3: triangles (a, b, c),
                      anticlockwise seen from outside */
    int64_t vertex_count, element_count;
    double (*vertex)[3];
    int32_t (*element)[3]; /* in two dimensions the third is 0 */
    int64_t node_count;
    struct sluice_surface_node *node;
    int64_t *order;
    double low[3], high[3];
    double volume; /* enclosed; an area in 2-D */
    int has_holes; /* 0: it is closed */
};

/* Builds the tree over vertex and element, which the surface takes over and frees, on failure as
 * well. The volume is that of a closed surface. `team` may be NULL. Errors: memory. */
sluice_status sluice_surface_build(struct sluice_surface *surface, struct sluice_threads *team);
void sluice_surface_destroy(struct sluice_surface *surface);

/* Once the tree is built: measures its nodes again, after elements were turned. */
void sluice_surface_measure(struct sluice_surface *surface, struct sluice_threads *team);

/* The largest x . direction of all its points. */
double sluice_surface_reach(const struct sluice_surface *surface, const double direction[3]);

/* The moments about `middle` of what a closed surface encloses. */
void sluice_surface_moments(const struct sluice_surface *surface, const double middle[3],
                            struct sluice_moments *moments);

/* The generalized winding number of x. */
double sluice_surface_winding(const struct sluice_surface *surface, const double x[3]);

/* The signed distance of x, negative where the winding number is over one half; `way` leads to the
 * nearest point. */
double sluice_surface_distance(const struct sluice_surface *surface, const double x[3],
                               double way[3]);

/* How far around x the side is that of x. Away from the elements the winding number is harmonic,
 * and between two whole numbers; so Harnack's inequality bounds it (Gilbarg & Trudinger 2001,
 * section 2.5). */
double sluice_surface_certain(const struct sluice_surface *surface, const double x[3]);

/* Corner k of an element. */
static inline const double *sluice_surface_corner(const struct sluice_surface *s, int64_t element,
                                                  int k)
{
    return s->vertex[s->element[element][k]];
}

/* The normal of an element, outwards, with the length of its area (of its length in 2-D). */
void sluice_surface_normal(const struct sluice_surface *surface, int64_t element, double normal[3]);
#endif
