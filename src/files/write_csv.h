/* Tables that grow while the run goes on: energy.csv, probe_NAME.csv. The first columns are step
 * and time.
 *
 * Rows are gathered in memory and written whole, so a reader (or a crash) finds at most the last
 * row unfinished. */
#ifndef SLUICE_FILES_WRITE_CSV_H
#define SLUICE_FILES_WRITE_CSV_H
#include <stddef.h>
#include <stdint.h>

#include "core/status.h"

struct sluice_csv {
    char *path;
    int file;     /* descriptor, -1: closed */
    int columns;  /* after step and time */
    int digits;   /* significant digits of a value. 17 read back to the same bits; time has 17 */
    int has_gaps; /* 1: a NAN is a missing value, written as an empty field */
    char *buffer; /* rows not yet written */
    size_t used, capacity;
    int64_t size;     /* bytes of the file that are whole rows */
    int replaced;     /* at the last flush another file had the name */
    const char *news; /* what happened to the name, to be logged once after "PATH: "; or NULL */
};

/* Begins a table, in place of an older file. `header` names the columns after "step,time,",
 * separated by commas. */
sluice_status sluice_csv_create(struct sluice_csv *csv, const char *path, const char *header,
                                int digits);

/* Continues a table after a restart. Cuts off rows of later steps than `step`, and an unfinished
 * last row. Begins the table if it is missing. Replaces a link, or a file that has other names too,
 * by a copy, so no other file changes. Errors: the table has other columns. */
sluice_status sluice_csv_reopen(struct sluice_csv *csv, const char *path, const char *header,
                                int digits, int64_t step);

/* Adds a row; `values` has as many numbers as the header has columns after time. Values
 * that are not finite are written as nan or inf; in a table with gaps nan is an empty field. */
sluice_status sluice_csv_row(struct sluice_csv *csv, int64_t step, double time,
                             const double *values);

/* flush hands the rows to the system; if the file was deleted, it writes the whole table again.
 * sync also waits for the disk; it comes before every checkpoint. */
sluice_status sluice_csv_flush(struct sluice_csv *csv);
sluice_status sluice_csv_sync(struct sluice_csv *csv);

/* Flushes and closes; frees even when it fails. Errors: those of writing; another file has the
 * name. A zeroed or closed table is left alone. */
sluice_status sluice_csv_close(struct sluice_csv *csv);
#endif
