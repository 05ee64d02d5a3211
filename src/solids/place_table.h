/* Tables of places: the corners of a polygon, the heights of a bed. */
#ifndef SLUICE_SOLIDS_PLACE_TABLE_H
#define SLUICE_SOLIDS_PLACE_TABLE_H
#include <stdint.h>

#include "core/status.h"

struct sluice_place_row {
    double x[3];
    long long line; /* of the file */
};

struct sluice_place_table {
    int64_t count, capacity;
    struct sluice_place_row *row;
    unsigned has; /* bits of the axes that the file has columns for */
};

/* Reads a CSV table whose columns are some of x, y and z, at least two. Errors: the file cannot be
 * read, a column of another name, a number that is missing or not finite. */
sluice_status sluice_place_table_read(struct sluice_place_table *table, const char *path);
void sluice_place_table_destroy(struct sluice_place_table *table);
#endif
