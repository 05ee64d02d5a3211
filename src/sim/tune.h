/* backend.strategy = "auto": how pairs are found, by measuring.
 *
 * A look (measure_choices.c) sorts the case's own particles and computes their forces with one
 * strategy and bins after another, and takes the fastest. There is one at the start, and one in a
 * step whose number is a multiple of SLUICE_TUNE_EVERY where cells have become fuller or emptier by
 * a quarter since the last one. Whether there is one depends on the particles alone; what it takes
 * depends on the clock, and so is a line of the log and stands in the checkpoint: whoever replays
 * these makes the same run.
 *
 * Looks may cost backend.auto_share of the run, of SLUICE_TUNE_STEPS steps if it is longer. A run
 * too short for a look of a few evaluations takes the backend's rule: `window`, bins by the number
 * of neighbours. */
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

/* After the grid was created: whether there is anything to choose. Nothing is yet: without
 * sluice_tune_begin the rule stays. */
void sluice_tune_create(struct sluice_sim *sim);

/* Lets it choose; `always`: as for a long run, however short this one is. Before the first forces,
 * or the first step of a restart. */
void sluice_tune_begin(struct sluice_sim *sim, int always);

/* Those of `count` choices, by step, that are of steps after `after` are to be taken again. Errors
 * (SLUICE_BAD_INPUT): the strategy is not auto's to choose, the backend does not have one of them.
 */
sluice_status sluice_tune_replay(struct sluice_sim *sim, const struct sluice_choice *choices,
                                 int count, int64_t after);

/* After the sort of a step (0: of the start), before its forces; where anything is due, nothing
 * else may be under way. */
sluice_status sluice_tune(struct sluice_sim *sim, int64_t step);

/* The furthest step up to `furthest` that may be queued: in front of one where something is due, it
 * is to be booked first. */
int64_t sluice_tune_limit(const struct sluice_sim *sim, int64_t furthest);

/* Takes a strategy and bins into use: the next sort is of all sets. */
void sluice_tune_use(struct sluice_sim *sim, const struct sluice_choice *choice);

/* measure_choices.c. Whether there is time for a look, from what earlier ones took; before the
 * first, and after a restart, there is. */
int sluice_look_pays(const struct sluice_sim *sim);
/* Measures, and fills strategy and bins of *found; `why` says in words how it was found.
 * The particles are as before, sorted in the old bins, but for scratch. */
sluice_status sluice_look(struct sluice_sim *sim, struct sluice_choice *found, char why[128]);
/* Seconds of a sort and forces with a choice, after some that warm up; what is written over stays
 * so: for benchmarks. */
sluice_status sluice_look_time(struct sluice_sim *sim, const struct sluice_choice *choice,
                               double *seconds);

/* tune_choices.c. What a look tries with the bins of the rule or with cells, `window` first; fills
 * `choice` and returns how many there are. */
enum { SLUICE_TUNE_CHOICES = 16 };
int sluice_tune_choices(const struct sluice_sim *sim, struct sluice_choice *choice);
/* Whether a look could have found it: what else a file may say is not tried. */
int sluice_tune_is_possible(const struct sluice_sim *sim, const struct sluice_choice *choice);
/* backend.bins leave nothing to choose. */
int sluice_tune_bins_are_given(const struct sluice_sim *sim);
#endif
