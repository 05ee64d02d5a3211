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
/* To the file alone: what is too long for the terminal. */
void sluice_log_detail(struct sluice_log *log, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* To the terminal alone: the short form of details. */
void sluice_log_brief(struct sluice_log *log, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* As a line, begun with "warning: ". */
void sluice_log_warning(struct sluice_log *log, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
#endif
