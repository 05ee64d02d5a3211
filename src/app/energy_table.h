/* Reads energy.csv: first row, last row, extremes. */
#ifndef SLUICE_APP_ENERGY_TABLE_H
#define SLUICE_APP_ENERGY_TABLE_H
#include "core/status.h"
#include "sim/budget_row.h"

struct sluice_energy_table {
    struct sluice_budget_row first, last; /* missing columns are 0 */
    int64_t rows;
    double max_residual, max_residual_time; /* largest |residual|, J, and its time, s; infinite if
                                               any is not finite */
    double max_identity;                    /* largest finite imbalance of the power identity */
};

/* Reads the table of a run; ignores rows that were cut off (no newline at the end). Errors
 * (SLUICE_IO): no file, no rows, a missing column that the verdict needs, a wrong row (with its
 * line). */
sluice_status sluice_energy_table_read(struct sluice_energy_table *table, const char *path);
#endif
