/* Messages about a configuration. They are gathered and printed together, in the order of the file.
 */
#ifndef SLUICE_CONFIG_REPORT_H
#define SLUICE_CONFIG_REPORT_H
#include <stdarg.h>
#include <stdio.h>

#include "core/status.h"

struct sluice_tree_node;

enum { SLUICE_REPORT_BYTES = 1600, SLUICE_REPORT_LINES = 1024 };

struct sluice_report_line {
    int order; /* line of the text with all includes; lines are sorted by it */
    int warning;
    char text[SLUICE_REPORT_BYTES];
};

struct sluice_report {
    const char *name; /* of the main file, for messages without a node */
    int errors, count;
    struct sluice_report_line *line; /* [count], at most SLUICE_REPORT_LINES */
};

/* Adds "FILE:LINE: key: message" with the place of `node` (NULL: line 1 of the main file), or
 * "--set PATH=VALUE: key: message" if --set made the node. A message that begins with "warning: "
 * is no error. */
void sluice_report_add(struct sluice_report *r, const struct sluice_tree_node *node,
                       const char *key, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void sluice_report_add_va(struct sluice_report *r, const struct sluice_tree_node *node,
                          const char *key, const char *format, va_list arguments);

/* Writes all lines, sorted, to `out` unless it is NULL. If there are errors: fails with their text
 * as the message. */
sluice_status sluice_report_finish(struct sluice_report *r, FILE *out);
void sluice_report_destroy(struct sluice_report *r);
#endif
