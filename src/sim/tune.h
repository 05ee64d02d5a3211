/* backend.strategy = "auto": chooses the strategy and the bins by measuring.
 *
 * A measurement (tune_measure.c) sorts the case's own particles and computes their forces with one
 * strategy and bins after another, and takes the fastest. It is made at the start, and in a step
 * whose number is a multiple of SLUICE_TUNE_EVERY if cells have become fuller or emptier by a
 * quarter since the last one. The particles alone decide whether it is made, but the clock decides
 * its result: each choice is a line of the log and stands in the checkpoint, and a replay of these
 * makes the same run.
 *
 * Measurements may take backend.auto_share of the run, or of SLUICE_TUNE_STEPS steps if it is
 * longer. A run that is too short takes the rule: `window`, or for a gas whose spacings differ more
 * than twofold `bucket`, and the backend's bins by the number of neighbours.
 *
 *     tune.c             when to measure, and using the choice
 *     tune_candidates.c  what to try
 *     tune_measure.c     timing the candidates
 *     tune_choice.c      a choice as a line of the log
 *     tune_cache.c       choices of earlier runs */
#ifndef SLUICE_SIM_TUNE_H
#define SLUICE_SIM_TUNE_H
#include "backend/backend.h"
#include "sim/tune_choice.h"

struct sluice_sim;

/* After the grid was created. The backend's rule is in use until sluice_tune_begin. */
void sluice_tune_create(struct sluice_sim *sim);

/* Starts choosing; `always`: as in a long run. Call it before the first forces, or before the first
 * step of a restart. */
void sluice_tune_begin(struct sluice_sim *sim, int always);

/* Replays those of `count` choices that are of steps after `after`. Errors (SLUICE_BAD_INPUT):
 * backend.strategy is not "auto"; the backend does not have one of the strategies. */
sluice_status sluice_tune_replay(struct sluice_sim *sim, const struct sluice_choice *choices,
                                 int count, int64_t after);

/* Chooses, if the step may change the choice. Call it after the step's sort (0: of the start) and
 * before its forces; then no other step may be under way. */
sluice_status sluice_tune(struct sluice_sim *sim, int64_t step);

/* The furthest step up to `furthest` that may be queued: all steps before one that may change the
 * choice are booked first. */
int64_t sluice_tune_limit(const struct sluice_sim *sim, int64_t furthest);

/* tune_measure.c. Whether there is time to measure, by the time of earlier measurements; always
 * before the first one, and after a restart. */
int sluice_tune_has_time(const struct sluice_sim *sim);
/* Measures, and fills strategy and bins of *found; `why` says in words how it was found. Afterwards
 * the particles are sorted in the old bins again; scratch fields have changed. */
sluice_status sluice_tune_measure(struct sluice_sim *sim, struct sluice_choice *found,
                                  char why[128]);
/* For benchmarks: seconds of a sort and forces with a choice, after a warm-up. The overwritten
 * fields are not restored. */
sluice_status sluice_tune_time(struct sluice_sim *sim, const struct sluice_choice *choice,
                               double *seconds);

/* tune_candidates.c. Takes a strategy and bins into use: the next bin() sorts all sets. */
void sluice_tune_use(struct sluice_sim *sim, const struct sluice_choice *choice);
/* Lists the strategies to try, each with bins of the rule or of cells, the rule's first, then
 * `window`; returns their number. */
enum { SLUICE_TUNE_CHOICES = 16 };
int sluice_tune_choices(const struct sluice_sim *sim, struct sluice_choice *choice);
/* Makes the bins finer by the powers of two x, and yz in y and z. Returns 0 where that cannot be:
 * backend.bins are set, or a bin would be larger than its frame. */
int sluice_tune_refine(const struct sluice_sim *sim, struct sluice_choice *choice, int x, int yz);
/* Whether a measurement could have found a choice; a file may hold others. */
int sluice_tune_is_possible(const struct sluice_sim *sim, const struct sluice_choice *choice);
#endif
