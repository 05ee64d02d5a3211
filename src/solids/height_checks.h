/* Errors of a table of heights that can be found without the rest of the case. */
#ifndef SLUICE_SOLIDS_HEIGHT_CHECKS_H
#define SLUICE_SOLIDS_HEIGHT_CHECKS_H
#include "solids/place_table.h"
#include "solids/solid.h"

/* Refuses heights that stand for no data, and a few among others that are farther outside the
 * domain than this is long. Rows of the shape's `no_data` are not looked at. Errors: such a row;
 * memory. */
sluice_status sluice_heights_check(const struct sluice_solid *solid,
                                   const struct sluice_place_table *table);

/* Gives the rows of `no_data` heights: those of a line (columns 0) are left out; those of a sorted
 * grid of so many columns get the mean of their neighbours, from the known ones outwards. Warns of
 * it, and of single heights that jump against all their neighbours. Errors: no row has a height;
 * memory. */
sluice_status sluice_heights_mend(const struct sluice_solid *solid,
                                  struct sluice_place_table *table, int64_t columns,
                                  struct sluice_warnings *warnings);
#endif
