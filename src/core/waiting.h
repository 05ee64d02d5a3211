/* Says on a terminal that long work goes on: one line, which is removed at the end. */
#ifndef SLUICE_CORE_WAITING_H
#define SLUICE_CORE_WAITING_H
#include <stdio.h>

struct sluice_waiting {
    FILE *terminal;      /* borrowed; NULL: nothing is said */
    double begun, drawn; /* s on the clock; drawn 0: no line stands there */
};

/* out: NULL, or any stream; only a terminal gets the line. */
void sluice_waiting_begin(struct sluice_waiting *waiting, FILE *out);

/* Draws the line, with the seconds since the beginning, if the last one is half a second old. Keep
 * it below 60 columns. waiting: NULL says nothing. */
void sluice_waiting_tell(struct sluice_waiting *waiting, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

void sluice_waiting_end(struct sluice_waiting *waiting);
#endif
