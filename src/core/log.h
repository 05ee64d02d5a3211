/* The log of a run: lines with the wall time, to a file and, unless quiet, to the terminal. */
#ifndef SLUICE_CORE_LOG_H
#define SLUICE_CORE_LOG_H
#include <stdio.h>

struct sluice_log {
    FILE *file;     /* log.txt; NULL: none */
    FILE *terminal; /* usually stderr; NULL: quiet */
    void (*before_terminal)(void *),
        *before_data; /* clears a progress line that is in the way; NULL: nothing */
};

/* Borrowed streams; NULL as log is allowed and says nothing. Lines are flushed. */
void sluice_log_line(struct sluice_log *log, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* The same, begun with "warning: ". */
void sluice_log_warning(struct sluice_log *log, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
#endif
