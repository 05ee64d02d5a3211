/* What energy.csv says: first row, last row, extremes. */
#ifndef SLUICE_APP_ENERGY_TABLE_H
#define SLUICE_APP_ENERGY_TABLE_H
#include "sim/budget.h"
#include "core/status.h"

struct sluice_energy_table {
    struct sluice_budget_row first, last; /* columns that the file has not are 0 */
    int64_t rows;
    double max_residual, max_residual_time; /* largest |residual|, J, and when, s; infinite where
                                               one is not finite */
    double max_identity; /* largest power-identity imbalance of the finite ones */
};

/* Reads the table of a run. Rows that were cut off (no newline at their end) do not count.
 * Errors (SLUICE_IO): no file, a column that the verdict needs is missing, a row that is wrong
 * (with its line), no rows. */
sluice_status sluice_energy_table_read(struct sluice_energy_table *table, const char *path);
#endif
