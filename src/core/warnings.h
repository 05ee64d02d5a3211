/* Warnings about the user's input, counted and printed as they are found. */
#ifndef SLUICE_CORE_WARNINGS_H
#define SLUICE_CORE_WARNINGS_H
#include <stdint.h>
#include <stdio.h>

struct sluice_waiting;

struct sluice_warnings {
    FILE *out; /* borrowed; NULL: count only */
    int64_t count;
    const char *about; /* what they are about, with the place in the config; NULL: nothing */
    struct sluice_waiting *waiting; /* borrowed, reports what takes long; NULL: nobody does */
};

/* Prints one line that begins with "warning: ", yellow on a terminal, and "ABOUT: ". */
void sluice_warn(struct sluice_warnings *warnings, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
#endif
