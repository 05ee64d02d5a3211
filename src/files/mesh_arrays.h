/* Vertices and triangles of a surface. */
#ifndef SLUICE_FILES_MESH_ARRAYS_H
#define SLUICE_FILES_MESH_ARRAYS_H
#include <stdint.h>

struct sluice_mesh {
    int64_t vertex_count, triangle_count;
    double (*vertex)[3]; /* [vertex_count] in the file's unit of length */
    int32_t (
        *triangle)[3]; /* [triangle_count] indices of vertices, anticlockwise seen from outside */
    int64_t unread;    /* bytes behind the triangles of a binary STL file */
    int64_t flat;      /* triangles of the file that were left out, as they have no area */
    int64_t on_line;   /* those of them with three corners: they follow the others in `triangle` */

    double farthest;  /* the largest coordinate of the file, without its sign */
    double precision; /* how far neighbouring numbers of the file are apart there; 0: unknown */
    int digits;       /* that its texts have; 0: it has floats or doubles */

    /* Faces of four corners or more. */
    int64_t concave;      /* that were cut along their own outline */
    int64_t warped;       /* that are not flat */
    double warped_by;     /* the largest distance of a corner from its face's plane */
    double warped_at[3];  /* the middle of that face */
    int64_t crossed;      /* that cross themselves, or have too many corners: left as fans */
    double crossed_at[3]; /* a corner of the first one */
};
#endif
