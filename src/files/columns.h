/* The columns of a table, declared once as data: the header of the file and the list of all columns
 * (`sluice info --columns`, docs/columns.md) come from it. */
#ifndef SLUICE_FILES_COLUMNS_H
#define SLUICE_FILES_COLUMNS_H
#include <stddef.h>
#include <stdio.h>

/* A list of them ends with a column without a name, {0}. */
struct sluice_column {
    /* In 2-D, and in 3-D (NULL: as in 2-D). A vector has a column for each axis, whose letter takes
     * the place of the star: "force_*". A symmetric tensor has two stars. Names of several columns
     * are separated by commas. */
    const char *name, *space;
    const char *unit; /* in 3-D; "1": a plain number */
    const char *what;
};

/* The name of column k, from 0, that an entry of a list has in a table. Returns 0 if it has no more
 * than k. */
enum { SLUICE_COLUMN_NAME = 64 };
int sluice_column_name(const struct sluice_column *column, int dimension, int k,
                       char name[SLUICE_COLUMN_NAME]);

/* Appends the columns of a list to a header: "dt" becomes "dt,force_x,force_y". The header must
 * fit. Returns `header`. */
char *sluice_columns_header(const struct sluice_column *columns, int dimension, char *header,
                            size_t size);

/* Prints a list, as rows of a table in markdown or as text. */
void sluice_columns_print(FILE *out, const struct sluice_column *columns, int markdown);
#endif
