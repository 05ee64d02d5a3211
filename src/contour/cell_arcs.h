/* How a surface crosses a cell of a grid whose corners are inside or outside.
 *
 * The surface crosses each edge between a corner inside and one outside. On each face it joins the
 * crossed edges by lines, two edges a line; so it is one or more closed loops around the cell. A
 * face whose corners alternate has two lines, which either join its corners inside or part them:
 *
 *      o---|---i        o---|---i
 *      |  /    |        |    \  |      i inside, o outside; all cells that share
 *      -        -       -        -     the face must choose the same
 *      |    /  |        |  \    |
 *      i---|---o        i---|---o
 *       joined           parted
 *
 * Corner k has bit a of k along axis a. Edge 4 a + i + 2 j runs along axis a, at side i of axis
 * a + 1 and side j of axis a + 2. Face 2 a + s is side s of axis a. In 2-D the cell is its one
 * face, 0, with the edges y- 0, y+ 1 (along x) and x- 4, x+ 6 (along y), and its loops are open. */
#ifndef SLUICE_CONTOUR_CELL_ARCS_H
#define SLUICE_CONTOUR_CELL_ARCS_H

enum { SLUICE_CELL_EDGES = 12, SLUICE_CELL_ARCS_MOST = 4 };

/* The loop of each edge, from 0; -1: it is not crossed. `inside` has bit k of corner k, `joined`
 * bit f of face f. Returns how many loops there are. */
int sluice_cell_arcs(int dimension, unsigned inside, unsigned joined, int arc[SLUICE_CELL_EDGES]);

/* The corners of a face in turn, anticlockwise in the axes a + 1 and a + 2, and the edges from each
 * to the next. */
void sluice_cell_face(int dimension, int face, int corner[4], int edge[4]);

/* Whether the corners of a face alternate. */
int sluice_cell_alternates(int dimension, unsigned inside, int face);

/* Of the lines on such a face: whether edge k of it shares a line with edge k + 1 rather than
 * k - 1. */
static inline int sluice_cell_goes_on(int is_first_inside, int is_joined, int k)
{
    return (is_first_inside == is_joined) == (k % 2 == 0);
}
#endif
