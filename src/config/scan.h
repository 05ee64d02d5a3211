/* The grammar of libconfig, walked once before libconfig reads: for messages that say what is wrong
 * and what to write. libconfig says "syntax error", wraps whole numbers beyond 32 bits around, and
 * takes a comment that is never closed as the rest of the file. */
#ifndef SLUICE_CONFIG_SCAN_H
#define SLUICE_CONFIG_SCAN_H
#include <stddef.h>

enum { SLUICE_SCAN_WHAT_BYTES = 320, SLUICE_SCAN_WIDE_MAX = 64 };

struct sluice_scan {
    int line;                          /* of the first error, from 1; 0: none */
    int other_line;                    /* a line that `what` names by %OTHER%; 0: none */
    char what[SLUICE_SCAN_WHAT_BYTES]; /* "what is wrong: what to write" */
    size_t wide[SLUICE_SCAN_WIDE_MAX]; /* [wide_count] offsets just past whole numbers that need an
                                          L for libconfig to keep their bits */
    int wide_count;
};

/* Finds the first error in `text`. 0: there is none. */
int sluice_scan_text(struct sluice_scan *scan, const char *text);
#endif
