/* backend.strategy = "auto": chooses strategy and bins by measuring.
 *
 * A look (measure_choices.c) sorts the case's own particles and computes their forces with one
 * strategy and bins after another, and takes the fastest. There is one at the start, and one in a
 * step whose number is a multiple of SLUICE_TUNE_EVERY where cells have become fuller or emptier by
 * a quarter since the last one. The steps with a look depend on the particles alone. The choice
 * depends on the clock. So it is written to the log and into the checkpoint, and a run that replays
 * these is the same.
 *
 * Looks may take the share backend.auto_share of the run's time, or of SLUICE_TUNE_STEPS steps if
 * the run is longer. A run too short for a look of a few evaluations takes the backend's rule:
 * `window`, bins by the number of neighbours. */
#ifndef SLUICE_SIM_TUNE_H
#define SLUICE_SIM_TUNE_H
#include "backend/backend.h"
#include "sim/choice.h"

enum { SLUICE_TUNE_EVERY = 1000, SLUICE_TUNE_STEPS = 10000, SLUICE_TUNE_EVALUATIONS = 50 };

struct sluice_sim;

struct sluice_tuning {
    int is_auto;               /* the strategy is auto's to choose */
    int begun;                 /* sluice_tune_begin was called, and is_auto */
    int looks;                 /* it looks: the run is long enough */
    int64_t every;             /* steps between looks at least: SLUICE_TUNE_EVERY, but in tests */
    int64_t planned;           /* steps, SLUICE_TUNE_STEPS at most */
    int rule_log2[3];          /* the bins of the backend's rule */
    struct sluice_choice last; /* what is in force; the occupancy is that of the last look */
    struct sluice_choice *replay; /* [replay_count] by step, malloc'ed: taken in place of looks */
    int replay_count;
    double seconds;    /* that looks have taken */
    double evaluation; /* seconds of a sort and forces as chosen; 0: not measured */
};

/* Call it after the grid was created: finds whether auto has anything to choose. It chooses nothing
 * yet: without sluice_tune_begin the backend's rule stays. */
void sluice_tune_create(struct sluice_sim *sim);

/* Lets auto choose. Call it before the first forces, or before the first step of a restart.
 * `always`: choose even in a short run. */
void sluice_tune_begin(struct sluice_sim *sim, int always);

/* Makes auto repeat the choices, `count` in the order of steps, of the steps after `after`. Errors
 * (SLUICE_BAD_INPUT): the strategy is not auto's to choose, the backend does not have one of them.
 */
sluice_status sluice_tune_replay(struct sluice_sim *sim, const struct sluice_choice *choices,
                                 int count, int64_t after);

/* Looks, or takes a replayed choice, if one is due. Call it after the sort of a step (0: the start)
 * and before its forces; if a choice is due, no other step may be under way. */
sluice_status sluice_tune(struct sluice_sim *sim, int64_t step);

/* The furthest step up to `furthest` that may be queued. A step in which a choice is due waits
 * until all steps before it are booked. */
int64_t sluice_tune_limit(const struct sluice_sim *sim, int64_t furthest);

/* Switches to a strategy and bins: the next sort sorts all sets. */
void sluice_tune_use(struct sluice_sim *sim, const struct sluice_choice *choice);

/* measure_choices.c. Whether there is time for a look, by the time of earlier ones. Before the
 * first look, and after a restart, there always is. */
int sluice_look_pays(const struct sluice_sim *sim);
/* Measures, and fills strategy and bins of *found; `why` says in words how it was found. Afterwards
 * the particles are as before, sorted in the old bins; only scratch fields differ. */
sluice_status sluice_look(struct sluice_sim *sim, struct sluice_choice *found, char why[128]);
/* Seconds of a sort and forces with a choice, after a warm-up. Overwritten fields are not restored:
 * for benchmarks. */
sluice_status sluice_look_time(struct sluice_sim *sim, const struct sluice_choice *choice,
                               double *seconds);

/* tune_choices.c. Fills `choice` with the choices that a look tries in the bins of the rule or in
 * cells, `window` first; returns their number. */
enum { SLUICE_TUNE_CHOICES = 16 };
int sluice_tune_choices(const struct sluice_sim *sim, struct sluice_choice *choice);
/* Whether a look could have found this choice; others in the cache's file are not tried. */
int sluice_tune_is_possible(const struct sluice_sim *sim, const struct sluice_choice *choice);
/* Whether backend.bins leave no bins to choose. */
int sluice_tune_bins_are_given(const struct sluice_sim *sim);
#endif
