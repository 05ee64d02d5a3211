#include "sim/thread_count.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Particles per thread at the start: with fewer, a thread is rarely worth its cost. */
enum { PARTICLES_A_THREAD = 1500 };

/* A number of threads is timed for so many steps and seconds; two steps are enough if they take as
 * long as `window_most`. */
enum { WINDOW_STEPS = 8, FEWEST_STEPS = 2 };
static const double window_least = 0.05, window_most = 0.5;
static const double gain = 0.97; /* less is the clock's noise */
static const double keep_least = 1, keep_most = 60, trials_apart = 20; /* s; of a trial */

static int more(int threads, int most)
{
    return 2 * threads < most ? 2 * threads : most;
}

/* The next smaller power of two. */
static int fewer(int threads)
{
    int n = 1;
    while (2 * n < threads)
        n *= 2;
    return n;
}

static void use(struct sluice_thread_count *c, int threads)
{
    c->used = threads;
    c->steps = -1;
    c->seconds = 0;
}

static void begin_trial(struct sluice_thread_count *c)
{
    c->tries = 1;
    c->count = c->best = 0;
    c->trial_seconds = 0;
    use(c, c->used);
}

void sluice_thread_count_begin(struct sluice_thread_count *c, int most, int64_t particles)
{
    memset(c, 0, sizeof *c);
    c->most = most;
    c->used = 1;
    c->keep = keep_least;
    while (c->used < most && particles >= (int64_t)PARTICLES_A_THREAD * more(c->used, most))
        c->used = more(c->used, most);
    begin_trial(c);
}

static int is_window_full(const struct sluice_thread_count *c)
{
    if (c->steps >= WINDOW_STEPS)
        return c->seconds >= window_least;
    /* Whether enough steps were timed: fewer do if they are long, or far longer than with another
     * number. */
    return c->steps >= FEWEST_STEPS && (c->seconds >= window_most ||
                                        (c->tries && c->count > 0 && c->steps >= WINDOW_STEPS / 2 &&
                                         c->seconds > 2 * c->steps * c->trial[c->best].seconds));
}

static int was_tried(const struct sluice_thread_count *c, int threads)
{
    for (int k = 0; k < c->count; k++)
        if (c->trial[k].threads == threads)
            return 1;
    return 0;
}

/* The number to try after the last one; 0: the trial is over. */
static int next_number(const struct sluice_thread_count *c)
{
    const int best = c->trial[c->best].threads, first = c->trial[0].threads;
    if (c->count == SLUICE_THREAD_TRIALS)
        return 0;
    if (best >= first && !was_tried(c, more(best, c->most)))
        return more(best, c->most);
    if (best <= first && !was_tried(c, fewer(best)))
        return fewer(best);
    return 0;
}

static int end_trial(struct sluice_thread_count *c)
{
    c->tries = 0;
    c->expected = c->trial[c->best].seconds;
    c->kept = 0;
    c->keep = fmax(c->keep, trials_apart * c->trial_seconds);
    use(c, c->trial[c->best].threads);
    return 1;
}

/* Ends a window of a trial. */
static int book_trial(struct sluice_thread_count *c, double seconds)
{
    struct sluice_thread_trial *t = &c->trial[c->count++];
    *t = (struct sluice_thread_trial){c->used, seconds};
    if (seconds < gain * c->trial[c->best].seconds)
        c->best = c->count - 1;
    const int next = next_number(c);
    if (next == 0)
        return end_trial(c);
    use(c, next);
    return 0;
}

/* Ends a window between trials. */
static void book_kept(struct sluice_thread_count *c, double seconds)
{
    const int slower = seconds > 1.5 * c->expected;
    c->expected = seconds;
    c->steps = 0;
    c->seconds = 0;
    if (c->kept < c->keep && !(slower && c->kept >= keep_least))
        return;
    c->keep = slower ? keep_least : fmin(2 * c->keep, keep_most);
    begin_trial(c);
}

int sluice_thread_count_step(struct sluice_thread_count *c, double seconds)
{
    if (c->most <= 1)
        return 0;
    if (c->tries)
        c->trial_seconds += seconds;
    c->kept += seconds;
    if (c->steps++ < 0)
        return 0;
    c->seconds += seconds;
    if (!is_window_full(c))
        return 0;
    if (c->tries)
        return book_trial(c, c->seconds / c->steps);
    book_kept(c, c->seconds / c->steps);
    return 0;
}

void sluice_thread_count_text(const struct sluice_thread_count *c, char text[SLUICE_THREAD_TEXT])
{
    size_t used = (size_t)snprintf(text, SLUICE_THREAD_TEXT, "%d of %d; a step takes", c->used,
                                   c->most);
    for (int k = 0; k < c->count && used < SLUICE_THREAD_TEXT; k++)
        used += (size_t)snprintf(text + used, SLUICE_THREAD_TEXT - used, "%s %d: %.3g ms",
                                 k ? "," : "", c->trial[k].threads, 1e3 * c->trial[k].seconds);
}
