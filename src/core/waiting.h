/* Says that long work goes on: on a terminal by one line, which is removed at the end; in a file or
 * a pipe by a line after ten seconds, and another one each time that the work took twice as long.
 */
#ifndef SLUICE_CORE_WAITING_H
#define SLUICE_CORE_WAITING_H
#include <pthread.h>
#include <stdio.h>

struct sluice_waiting {
    FILE *out; /* borrowed; NULL: nothing is said */
    int on_terminal;
    pthread_t thread;    /* that began it: others are not heard */
    double begun, drawn; /* s on the clock; drawn 0: no line stands on the terminal */
    double next;         /* s after the beginning: the next line of a file or a pipe */
};

/* out: NULL, or any stream. */
void sluice_waiting_begin(struct sluice_waiting *waiting, FILE *out);

/* Draws the line, with the seconds since the beginning, if the last one is half a second old. Keep
 * it below 60 columns. waiting: NULL says nothing, and so do threads other
 * than the one that began it. */
void sluice_waiting_report(struct sluice_waiting *waiting, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Removes the line from the terminal. waiting: NULL has none. */
void sluice_waiting_end(struct sluice_waiting *waiting);
#endif
