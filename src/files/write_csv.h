/* Tables that grow while the run goes on: energy.csv, probe_NAME.csv. The first columns are step
 * and time.
 *
 * Rows are gathered in memory and written whole, so that a reader (or a crash) meets at most the
 * last row unfinished. */
#ifndef SLUICE_FILES_WRITE_CSV_H
#define SLUICE_FILES_WRITE_CSV_H
#include <stddef.h>
#include <stdint.h>

#include "core/status.h"

struct sluice_csv {
    char *path;
    int file;    /* descriptor, -1: closed */
    int columns; /* after step and time */
    int digits; /* significant ones of a value; 17: the same bits when read back. Time always has 17
                 */
    int has_gaps; /* 1: NAN is a value that is not there, an empty field */
    char *buffer; /* rows not yet written */
    size_t used, capacity;
    int64_t size;     /* bytes of the file that are whole rows */
    int replaced;     /* another file has the name, by the last flush */
    const char *news; /* of the name, to be said once after "PATH: "; NULL: none */
};

/* Begins a table; what was there is replaced. `header` names the columns after "step,time,",
 * separated by commas. */
sluice_status sluice_csv_create(struct sluice_csv *csv, const char *path, const char *header,
                                int digits);

/* Goes on with a table after a restart: rows of later steps than `step`, and an unfinished last
 * row, are cut off. A table that is missing is begun. A link, or a file with other names, is
 * replaced by a copy, so that nothing else changes. Errors: the columns are not these. */
sluice_status sluice_csv_reopen(struct sluice_csv *csv, const char *path, const char *header,
                                int digits, int64_t step);

/* Adds a row; `values` has as many numbers as the header has columns after time. Not finite is
 * written as nan or inf; nan as an empty field where the table has gaps. */
sluice_status sluice_csv_row(struct sluice_csv *csv, int64_t step, double time,
                             const double *values);

/* flush: hands the rows to the system, and writes the whole table again where it was deleted. sync:
 * also to the disk; a checkpoint is written only after it. */
sluice_status sluice_csv_flush(struct sluice_csv *csv);
sluice_status sluice_csv_sync(struct sluice_csv *csv);

/* Flushes and closes; frees even when it fails. Errors: those of writing; another file has the
 * name. A zeroed or closed table is left alone. */
sluice_status sluice_csv_close(struct sluice_csv *csv);
#endif
