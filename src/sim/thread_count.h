/* backend.threads = 0: how many threads share a step. The number is found by timing the run's own
 * steps, so the only cost is that some steps run with a slower number. The results do not depend on
 * it, so it may change at any time.
 *
 *   trial   the present number, then twice as many and so on while that is faster; else half as
 *           many and so on
 *   keep    the fastest, for a while that doubles; a shorter one if steps suddenly take longer */
#ifndef SLUICE_SIM_THREAD_COUNT_H
#define SLUICE_SIM_THREAD_COUNT_H
#include <stdint.h>

enum { SLUICE_THREAD_TRIALS = 16, SLUICE_THREAD_TEXT = 512 };

struct sluice_thread_trial {
    int threads;
    double seconds; /* of a step */
};

struct sluice_thread_count {
    int most; /* threads that there are; 1 or less: nothing to choose */
    int used; /* by the next step */
    int tries;
    struct sluice_thread_trial trial[SLUICE_THREAD_TRIALS]; /* of this trial or the last, [count] */
    int count, best;                                        /* best: in `trial` */
    int steps;            /* timed with `used`; -1: the next one warms up */
    double seconds;       /* of those */
    double trial_seconds; /* of this trial, or the last */
    double kept, keep;    /* s since the last trial, and how long to the next */
    double expected;      /* s a step; 0: not known */
};

/* Before the first step of a run of so many particles. */
void sluice_thread_count_begin(struct sluice_thread_count *c, int most, int64_t particles);

/* A step with c->used threads took `seconds`. 1: a trial has ended. */
int sluice_thread_count_step(struct sluice_thread_count *c, double seconds);

/* The result of the last trial, for the log: "2 of 16; a step takes 4: 0.71 ms, 2: 0.62 ms". */
void sluice_thread_count_text(const struct sluice_thread_count *c, char text[SLUICE_THREAD_TEXT]);
#endif
