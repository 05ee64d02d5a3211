/* The surface of a body on a grid, by dual contouring: each cell that the surface crosses has a
 * point for each loop of the surface in it, and each edge across the surface joins the points of
 * the cells around it (Ju, Losasso, Schaefer & Warren 2002; one point a loop: Nielson 2004). So it
 * is closed, and each edge of it is shared by two faces. */
#ifndef SLUICE_CONTOUR_CONTOUR_H
#define SLUICE_CONTOUR_CONTOUR_H
#include "contour/cell_arcs.h"
#include "contour/surface_grid.h"

/* A cell that the surface crosses. */
struct sluice_contour_cell {
    int64_t node;    /* its lowest corner */
    unsigned inside; /* bit k: corner k is */
    int32_t first;   /* of its points */
    int arcs;        /* loops: points */
    int arc[SLUICE_CELL_EDGES];
};

/* A face whose corners alternate. It has a point on each of its two lines, so that two cells never
 * share two edges of the surface. */
struct sluice_contour_face {
    int64_t key; /* 3 (lowest corner) + axis across */
    int is_first_inside, is_joined;
    int32_t point[2];
};

struct sluice_contour_point {
    double y[3]; /* m, in the axes of the union */
    int rank;    /* 1 on a face, 2 on an edge, 3 at a corner; in 2-D 2 at a corner */
};

struct sluice_contour {
    const struct sluice_surface_grid *grid; /* borrowed */
    int64_t cells, cell_capacity, faces, face_capacity, points, point_capacity;
    struct sluice_contour_cell *cell; /* ascending by node */
    struct sluice_contour_face *face; /* ascending by key; none in 2-D */
    struct sluice_contour_point *point;
};

/* Finds the cells and how many points each has; contour_points.h places them. Errors: memory, over
 * 2^31 points. After an error it is destroyed. */
sluice_status sluice_contour_create(struct sluice_contour *contour,
                                    const struct sluice_surface_grid *grid);
void sluice_contour_destroy(struct sluice_contour *contour);

/* The cell at a node, or NULL: the surface does not cross it. */
const struct sluice_contour_cell *sluice_contour_find_cell(const struct sluice_contour *contour,
                                                           int64_t node);
/* The face at a node, across an axis, or NULL: it does not alternate. */
const struct sluice_contour_face *sluice_contour_find_face(const struct sluice_contour *contour,
                                                           int64_t node, int axis);

/* The point on the line of such a face that its edge k (cell_arcs.h) is on. */
static inline int32_t sluice_contour_face_point(const struct sluice_contour_face *face, int k)
{
    const int from = sluice_cell_goes_on(face->is_first_inside, face->is_joined, 0) ? 0 : 1;
    return face->point[(k - from + 4) % 4 / 2];
}

/* The low node of an edge of a cell. */
static inline int64_t sluice_contour_edge_node(const struct sluice_surface_grid *grid, int64_t node,
                                               int edge)
{
    const int axis = edge / 4;
    return node + (edge % 2 ? grid->stride[(axis + 1) % 3] : 0) +
           (edge % 4 / 2 ? grid->stride[(axis + 2) % 3] : 0);
}
#endif
