/* Text tables that are read once, line by line: particles from a CSV file, the motion of a body.
 * Empty lines and lines that begin with # say nothing; the first line that says something names the
 * columns. */
#ifndef SLUICE_IO_ROWS_H
#define SLUICE_IO_ROWS_H
#include <stddef.h>
#include <stdio.h>

struct sluice_rows {
    const char *path; /* the caller's, for messages */
    FILE *stream;
    char *text;     /* the line, without what spreadsheets put before the first; may be cut up */
    long long line; /* its number in the file, from 1 */
    char *memory;   /* getline's */
    size_t size;
};

/* Opens; 0: it cannot be read, errno says why. */
int sluice_rows_open(struct sluice_rows *rows, const char *path);
/* The next line that says something: 1, or 0 at the end of the file and where reading fails
 * (ferror). */
int sluice_rows_next(struct sluice_rows *rows);
void sluice_rows_close(struct sluice_rows *rows);
#endif
