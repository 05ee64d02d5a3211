/* Progress of a run: a line on the terminal that is rewritten; and in the log a line every tenth of
 * the run or every minute, whichever comes first. */
#ifndef SLUICE_APP_PROGRESS_H
#define SLUICE_APP_PROGRESS_H
#include "core/log.h"
#include "sim/sim.h"

struct sluice_progress {
    struct sluice_log *log; /* borrowed */
    FILE *terminal;         /* for the line that is rewritten; NULL: none */
    int drawn;              /* the line is on the terminal */
    int begun;
    double drawn_at, logged_at; /* s on the clock */
    double logged_fraction;
    struct sluice_progress_mark {
        double wall, steps, fraction; /* s on the clock; steps and part of the run done */
    } mark[2]; /* two moments in the past, the older one first: rates are since mark[0] */
};

/* `live`: standard error is a terminal and wants the line. */
void sluice_progress_create(struct sluice_progress *progress, struct sluice_log *log, int live);

/* The hook of a run, after each step; `data` is the progress. */
void sluice_progress_step(void *data, const struct sluice_sim *sim);

/* Removes the line from the terminal before other output; the next step draws it again. */
void sluice_progress_clear(void *data);

/* Formats seconds as "1:02:03", "4:05" or "12 s"; "?" if negative or not finite. */
void sluice_progress_duration(double seconds, char *text, size_t size);
#endif
