/* Text tables that are read once, line by line: particles from a CSV file, the motion of a body.
 * Empty lines and lines that begin with # say nothing; the first line that says something names the
 * columns. */
#ifndef SLUICE_FILES_READ_CSV_H
#define SLUICE_FILES_READ_CSV_H
#include <stddef.h>
#include <stdio.h>

#include "core/status.h"

struct sluice_rows {
    const char *path; /* the caller's, for messages */
    FILE *stream;
    char *text;     /* the line, without what spreadsheets put before the first; may be cut up */
    long long line; /* its number in the file, from 1 */
    char *memory;
    const char *wrong; /* why no more lines came, where that is not the end of the file; or NULL */
};

/* Opens. NULL, or why it cannot be read: only regular files are, as others may never end. */
const char *sluice_rows_open(struct sluice_rows *rows, const char *path);
/* The next line that says something: 1, or 0 at the end of the file and where reading fails:
 * sluice_rows_end. */
int sluice_rows_next(struct sluice_rows *rows);
/* After the last line. Errors: the file cannot be read on, holds a line without end, or no text. */
sluice_status sluice_rows_end(const struct sluice_rows *rows);
void sluice_rows_close(struct sluice_rows *rows);
#endif
