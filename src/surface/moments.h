/* Volume, first and second moments of bodies of uniform density 1. */
#ifndef SLUICE_SURFACE_MOMENTS_H
#define SLUICE_SURFACE_MOMENTS_H

/* Integrals over a body; in 2-D over an area. */
struct sluice_moments {
    double volume;       /* m^3; m^2 in 2-D */
    double first[3];     /* of x, m^4; m^3 in 2-D */
    double second[3][3]; /* of x x, m^5; m^4 in 2-D */
};

/* The moments of a box, from its middle to `half` on each axis. */
void sluice_moments_of_box(int dimension, const double middle[3], const double half[3],
                           struct sluice_moments *m);

/* Adds a tetrahedron of 0 and three corners: its volume is positive where they go anticlockwise,
 * seen from outside. */
void sluice_moments_add_tetrahedron(struct sluice_moments *m, const double a[3], const double b[3],
                                    const double c[3]);

/* In 2-D, a triangle of 0 and two corners: its area is positive where 0, a, b go anticlockwise. */
void sluice_moments_add_triangle(struct sluice_moments *m, const double a[3], const double b[3]);

/* Adds `sign` times the moments of what lies about `middle` to the sums, which are about 0. */
void sluice_moments_add(struct sluice_moments *sum, const struct sluice_moments *m,
                        const double middle[3], double sign);

/* The moments of the body that x -> factor x makes of it; factor = scale times a rotation. */
void sluice_moments_turn(struct sluice_moments *m, int dimension, const double rotation[3][3],
                         double scale);
#endif
