/* Points listed by cells, to find those near a place. The cells that hold points are in a hash, so
 * memory grows with the points and not with the domain. Periodic axes wrap. */
#ifndef SLUICE_GRID_CELL_LISTS_H
#define SLUICE_GRID_CELL_LISTS_H
#include <stdint.h>

#include "core/status.h"
#include "grid/grid.h"

struct sluice_cell_lists {
    int dimension, periodic[3];
    double low[3], length[3]; /* m; of the domain along periodic axes */
    double cell[3];           /* edges of a cell, m */
    int64_t cells[3];         /* along periodic axes */
    int64_t count;
    double (*x)[3];       /* [count] m */
    int64_t *head, *next; /* lists by hash, the last added first: 1 + a point; 0: the end */
    uint64_t mask;        /* of the hash */
};

/* Lists for up to `capacity` points in cells of `edge` (m) or a little more, from grid->low on. A
 * zeroed struct is valid and empty. Errors: memory. */
sluice_status sluice_cell_lists_create(struct sluice_cell_lists *l,
                                       const struct sluice_grid_options *grid, double edge,
                                       int64_t capacity);
void sluice_cell_lists_destroy(struct sluice_cell_lists *l);
void sluice_cell_lists_add(struct sluice_cell_lists *l, const double x[3]);

/* The cell of a place. */
void sluice_cell_lists_cell(const struct sluice_cell_lists *l, const double x[3], int64_t cell[3]);
/* The first point of the list for this cell: 1 + its index; 0: none. The list may also hold points
 * of other cells. The next point after k is next[k]. */
int64_t sluice_cell_lists_first(const struct sluice_cell_lists *l, const int64_t cell[3]);

/* The vector from x to the nearest periodic image of point k, m. Returns its length squared. */
double sluice_cell_lists_way(const struct sluice_cell_lists *l, int64_t k, const double x[3],
                             double way[3]);
#endif
