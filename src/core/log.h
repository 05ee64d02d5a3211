/* The log of a run: lines with the UTC time to a file and, unless quiet, to the terminal. */
#ifndef SLUICE_CORE_LOG_H
#define SLUICE_CORE_LOG_H
#include <stdio.h>

struct sluice_log {
    FILE *file;     /* log.txt; NULL: none */
    FILE *terminal; /* usually stderr; NULL: quiet */
    void (*before_terminal)(void *),
        *before_data; /* removes a progress line from the terminal; NULL: nothing */
};

enum { SLUICE_LOG_FILE = 1, SLUICE_LOG_TERMINAL = 2 };

/* Writes one line to the readers, after the label, and flushes it. A log of NULL writes nothing. */
void sluice_log_write(struct sluice_log *log, int readers, const char *label, const char *format,
                      ...) __attribute__((format(printf, 4, 5)));

#define sluice_log_line(log, ...)                                                                  \
    sluice_log_write((log), SLUICE_LOG_FILE | SLUICE_LOG_TERMINAL, "", __VA_ARGS__)
#define sluice_log_warning(log, ...)                                                               \
    sluice_log_write((log), SLUICE_LOG_FILE | SLUICE_LOG_TERMINAL, "warning: ", __VA_ARGS__)
/* To the file alone: details that are too long for the terminal. */
#define sluice_log_detail(log, ...) sluice_log_write((log), SLUICE_LOG_FILE, "", __VA_ARGS__)
/* To the terminal alone: a short form of the details. */
#define sluice_log_brief(log, ...) sluice_log_write((log), SLUICE_LOG_TERMINAL, "", __VA_ARGS__)
#endif
