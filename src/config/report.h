/* Messages about a configuration, gathered so that all are said at once, in the order of the file.
 */
#ifndef SLUICE_CONFIG_REPORT_H
#define SLUICE_CONFIG_REPORT_H
#include <stdarg.h>
#include <stdio.h>

#include "core/status.h"

struct sluice_tree_node;

enum { SLUICE_REPORT_BYTES = 1200, SLUICE_REPORT_LINES = 1024 };

struct sluice_report_line {
    int order; /* line of the text with all includes, for sorting */
    int warning;
    char text[SLUICE_REPORT_BYTES];
};

struct sluice_report {
    const char *name; /* of the main file: stands for what has no line of its own */
    int errors, count, capacity;
    struct sluice_report_line *line; /* [count] the first SLUICE_REPORT_LINES that were found */
};

/* Adds "FILE:LINE: key: message" for the place where `node` stands (NULL: line 1 of the main file;
 * set by --set: its text). Warnings say so after the key. */
void sluice_report_error(struct sluice_report *r, const struct sluice_tree_node *node,
                         const char *key, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void sluice_report_warning(struct sluice_report *r, const struct sluice_tree_node *node,
                           const char *key, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

void sluice_report_add(struct sluice_report *r, const struct sluice_tree_node *node,
                       const char *key, int warning, const char *format, va_list arguments);

/* Writes all lines, sorted, to `out` (NULL: nowhere). With errors among them: fails with their text
 * as the message. */
sluice_status sluice_report_finish(struct sluice_report *r, FILE *out);
void sluice_report_destroy(struct sluice_report *r);
#endif
