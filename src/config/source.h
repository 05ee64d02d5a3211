/* The text of a configuration with its @include files put in, and where each line of it came from.
 *
 * Includes are resolved here, not by libconfig: relative to the file that names them, with a
 * message when one is missing. */
#ifndef SLUICE_CONFIG_SOURCE_H
#define SLUICE_CONFIG_SOURCE_H
#include <stddef.h>

#include "core/status.h"

struct sluice_source_line {
    const char *file;
    int line; /* from 1 */
};

struct sluice_source {
    char *text; /* all of it, lines ended by \n */
    size_t length, capacity;
    struct sluice_source_line *line; /* [line_count] of each line of the text */
    int line_count, line_capacity;
    char **file; /* [file_count] names, as they stand in messages */
    int file_count;
};

/* From a file, or from text in memory that stands for a file `name`. Errors: a file that cannot be
 * read, or is no text, or too large; includes nested too deep. */
sluice_status sluice_source_load(struct sluice_source *s, const char *path);
sluice_status sluice_source_take(struct sluice_source *s, const char *text, const char *name);
void sluice_source_destroy(struct sluice_source *s);

/* Where a line (from 1) of the text came from; lines past the end are the last one. */
struct sluice_source_line sluice_source_where(const struct sluice_source *s, int line);

/* A copy of a line's text, without blanks around it, cut to 60 bytes. */
void sluice_source_quote(const struct sluice_source *s, int line, char out[72]);
#endif
