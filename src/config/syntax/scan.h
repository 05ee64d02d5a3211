/* The text of a config made ready for libconfig. Internal to src/config/syntax. */
#ifndef SLUICE_CONFIG_SYNTAX_SCAN_H
#define SLUICE_CONFIG_SYNTAX_SCAN_H
#include "config/syntax/tree.h"

struct sluice_scan {
    char *text; /* [length] for libconfig, ended by a zero: one token a line */
    size_t length, capacity;
    int token_count;
    int *node_line; /* [node_count] of the source: each key, each element of a list or array;
                       negative: a whole number that was given a point */
    int node_count, node_capacity;
};

/* Writes what libconfig is to read, so that all its versions read the same, and nothing changes
 * silently. 0: the scan itself refuses the text, and the text for libconfig ends before it;
 * *mistake has the reason and the line of the source (0: out of memory). The caller destroys the
 * scan. */
int sluice_scan_text(struct sluice_scan *scan, const struct sluice_source *source,
                     struct sluice_mistake *mistake);
void sluice_scan_destroy(struct sluice_scan *scan);
#endif
