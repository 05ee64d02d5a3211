/* The text of a configuration with its @include files put in, and the file and line that each line
 * of it came from. An @include is relative to the file that names it. */
#ifndef SLUICE_CONFIG_SYNTAX_SOURCE_H
#define SLUICE_CONFIG_SYNTAX_SOURCE_H
#include <stddef.h>

#include "core/status.h"

/* The message where memory is missing, of all that reads a config. */
extern const char sluice_source_no_memory[];

struct sluice_source_line {
    const char *file;
    int line; /* from 1 */
};

struct sluice_source {
    char *text; /* all of it, lines ended by \n */
    size_t length, capacity;
    struct sluice_source_line *line; /* [line_count] the origin of each line of the text */
    int line_count, line_capacity;
    char **file; /* [file_count] names, as they stand in messages */
    int file_count;
};

/* Reads a file, or takes text in memory whose messages say `name`. Errors: a file that cannot be
 * read, is no text or too large; includes nested too deep. */
sluice_status sluice_source_load(struct sluice_source *s, const char *path);
sluice_status sluice_source_take(struct sluice_source *s, const char *text, const char *name);
void sluice_source_destroy(struct sluice_source *s);

/* The origin of a line (from 1) of the text; past the end: of the last line. */
struct sluice_source_line sluice_source_where(const struct sluice_source *s, int line);

/* A copy of a line's text, without blanks around it, cut to 60 bytes. */
void sluice_source_quote(const struct sluice_source *s, int line, char out[72]);
#endif
