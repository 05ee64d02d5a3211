/* CSV files that are read once, line by line: particles, the motion of a body, corners, heights.
 * Empty lines and lines that begin with # are skipped; the first other line names the columns. */
#ifndef SLUICE_FILES_READ_CSV_H
#define SLUICE_FILES_READ_CSV_H
#include <stdio.h>

#include "core/status.h"

enum { SLUICE_ROWS_COLUMNS = 16 };

struct sluice_rows {
    const char *path; /* borrowed, for messages */
    FILE *stream;
    char *text;     /* the line, without a byte order mark; the caller may change it */
    long long line; /* its number in the file, from 1 */
    char *memory;
    const char *wrong;               /* why reading failed; NULL: it did not */
    int columns;                     /* of the file */
    int column[SLUICE_ROWS_COLUMNS]; /* [columns] which of the names each one has */
    unsigned has;                    /* bits of the names that the header has */
    unsigned refused; /* bits of the names that the caller refuses: no error offers them */
};

/* Opens a regular file. Returns NULL, or why it cannot be read. */
const char *sluice_rows_open(struct sluice_rows *rows, const char *path);
/* Reads the next line that is not skipped. Returns 0 at the end of the file, or if reading fails:
 * sluice_rows_end tells which. */
int sluice_rows_next(struct sluice_rows *rows);
/* Cuts the next field off the text, up to a comma, without blanks around it. Returns NULL after the
 * last. */
char *sluice_rows_field(char **rest);
/* Cuts the next name off a header, up to commas or blanks. */
char *sluice_rows_name(char **rest);
/* Reads the line as numbers, apart by commas or blanks, one for each column: value[k] is that of
 * name k of the header. Errors: a number is missing, is none, or is not finite. */
sluice_status sluice_rows_numbers(const struct sluice_rows *rows, double *value);
/* Reads the first line: names of columns, each one of the `count` names given; `next` cuts them off
 * the line, as sluice_rows_field or sluice_rows_name. The name "t" may be written "time", as tables
 * of a run have it. Errors: no line, an unknown name, a name twice. */
sluice_status sluice_rows_header(struct sluice_rows *rows, const char *const *names, int count,
                                 char *(*next)(char **rest));
/* After the last line. Errors: reading failed, a line is too long, or the file is no text. */
sluice_status sluice_rows_end(const struct sluice_rows *rows);
void sluice_rows_close(struct sluice_rows *rows);
#endif
