/* A grid around a body: which of its nodes are inside, and where its edges cross the surface. */
#ifndef SLUICE_CONTOUR_SURFACE_GRID_H
#define SLUICE_CONTOUR_SURFACE_GRID_H
#include <stdint.h>

#include "bodies/solid_union.h"

/* Where an edge of the grid crosses the surface, and the plane that the surface has there. */
struct sluice_crossing {
    int64_t key;            /* 3 (low node) + axis; ascending */
    double at[3], out[3];   /* m, in the axes of the union; normal outwards, of length 1 */
    int has_plane, is_rise; /* rise: the low node is inside */
};

struct sluice_surface_grid {
    const struct sluice_solid_union *u; /* borrowed */
    int dimension;
    int64_t nodes[3]; /* on each axis; of 2-D 1 along z. The outer ones are outside */
    int64_t stride[3], all;
    double low[3], step[3]; /* m: the first node; from node to node */
    float *d; /* [all] m: signed distances near the surface, elsewhere the sign alone */
    int64_t crossings, capacity;
    struct sluice_crossing *crossing;
    int64_t missed; /* edges on which a part that is thinner than the grid lies between nodes */
};

/* Faces of the extent lie in the middle between two nodes; at least `least` nodes are within it on
 * its longest axis. `step`: the longest from node to node, m. Errors: memory. After an error it is
 * destroyed. */
sluice_status sluice_surface_grid_create(struct sluice_surface_grid *grid,
                                         const struct sluice_solid_union *u, double step,
                                         int least);
void sluice_surface_grid_destroy(struct sluice_surface_grid *grid);

/* The nodes that such a grid would have. */
double sluice_surface_grid_size(const struct sluice_solid_union *u, double step, int least);

/* The crossing of the edge from a node along an axis; NULL: there is none. */
const struct sluice_crossing *sluice_surface_grid_find(const struct sluice_surface_grid *grid,
                                                       int64_t node, int axis);

static inline int sluice_surface_grid_is_inside(const struct sluice_surface_grid *grid,
                                                int64_t node)
{
    return grid->d[node] < 0;
}

/* The coordinates of a node, m, in the axes of the union. */
static inline void sluice_surface_grid_place(const struct sluice_surface_grid *grid, int64_t node,
                                             double y[3])
{
    for (int a = 2; a >= 0; a--) {
        const int64_t at = node / grid->stride[a];
        y[a] = grid->low[a] + (double)at * grid->step[a];
        node %= grid->stride[a];
    }
}
#endif
