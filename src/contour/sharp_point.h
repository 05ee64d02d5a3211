/* The point where planes of a surface meet: a corner, a point of an edge, or of a smooth face. */
#ifndef SLUICE_CONTOUR_SHARP_POINT_H
#define SLUICE_CONTOUR_SHARP_POINT_H

/* A plane through a point of the surface. */
struct sluice_tangent {
    double at[3], out[3]; /* m; normal outwards, of length 1 */
};

enum { SLUICE_FACES_OF_POINT = 8 };

/* Tangents whose normals are alike are of one face. */
struct sluice_tangent_faces {
    int count;
    int of[SLUICE_FACES_OF_POINT];        /* how many tangents are of each face */
    double out[SLUICE_FACES_OF_POINT][3]; /* its normal, the mean of theirs */
};

/* Sorts tangents into faces. `face` (NULL: not wanted) gets the face of each, or -1: too many. */
void sluice_find_faces(const struct sluice_tangent *tangent, int count,
                       struct sluice_tangent_faces *faces, int *face);

/* The point with the least sum of squared distances from the planes, each face counting once; of
 * several such points the one nearest to `near` (quadratic error function; Garland & Heckbert 1997,
 * Ju et al. 2002, section 2.3). At most `rank` directions are moved along: 1 on a face, 2 on an
 * edge, 3 at a corner. Returns how many were. */
int sluice_sharp_point(const struct sluice_tangent *tangent, int count, const double near[3],
                       int rank, double point[3]);
#endif
