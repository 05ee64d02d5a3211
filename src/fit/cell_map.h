/* A table from cells of the lattice to numbers 0, 1, 2, ... in the order in which the cells were
 * added. Memory grows with the cells that are in it. */
#ifndef SLUICE_FIT_CELL_MAP_H
#define SLUICE_FIT_CELL_MAP_H
#include <stdint.h>

#include "core/status.h"

/* A zeroed struct is valid and empty. */
struct sluice_cell_map {
    int64_t count, capacity;
    int64_t (*cell)[3]; /* [count] */
    int64_t *slot;      /* 1 + a number; 0: empty */
    uint64_t mask;      /* of the slots */
};

void sluice_cell_map_destroy(struct sluice_cell_map *m);

/* The number of a cell; -1: it is not in the table. */
int64_t sluice_cell_map_find(const struct sluice_cell_map *m, const int64_t cell[3]);

/* Adds a cell that is not in the table; its number is the count before. Errors: memory. */
sluice_status sluice_cell_map_add(struct sluice_cell_map *m, const int64_t cell[3]);
#endif
