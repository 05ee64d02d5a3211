/* What a run says while it goes on: one line that is rewritten, on a terminal; and in the log a
 * line every tenth of the way or every minute, whichever comes first. */
#ifndef SLUICE_APP_PROGRESS_H
#define SLUICE_APP_PROGRESS_H
#include "core/log.h"
#include "sim/sim.h"

struct sluice_progress {
    struct sluice_log *log;                     /* borrowed */
    FILE *terminal;                             /* takes the line that is rewritten; NULL: none */
    int drawn;                                  /* a line stands there */
    double wall_begun, wall_drawn, wall_logged; /* s */
    double fraction_logged;
    double wall_mark[2], steps_mark[2],
        fraction_mark[2]; /* two moments in the past, for rates: [0] the older */
    int begun;
};

/* `live`: standard error is a terminal and wants the line. */
void sluice_progress_create(struct sluice_progress *progress, struct sluice_log *log, int live);

/* After each step; the hook of a run, `data` is the progress. */
void sluice_progress_step(void *data, const struct sluice_sim *sim);

/* Takes the line away, so that something else can be printed; it comes back with the next step. */
void sluice_progress_clear(void *data);

/* "1:02:03", "4:05", "12 s", or "?" when it is not known (negative or not finite). */
void sluice_progress_duration(double seconds, char *text, size_t size);
#endif
