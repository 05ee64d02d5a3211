#ifndef SLUICE_APP_COLUMNS_PAGE_H
#define SLUICE_APP_COLUMNS_PAGE_H
#include <stdio.h>

/* Every column of the tables that a run writes, with unit and sentence: as text, or as
 * docs/columns.md has it. */
void sluice_columns_describe(FILE *out, int markdown);
#endif
