/* A choice of `auto`, as a line of the log: --replay reads these and makes the same choices; and
 * the state of auto (sim/tune.h). */
#ifndef SLUICE_SIM_TUNE_CHOICE_H
#define SLUICE_SIM_TUNE_CHOICE_H
#include <stdint.h>

#include "core/status.h"

/* A choice, and the occupancy that it was made for: of cells a cutoff wide that hold fluid. */
struct sluice_choice {
    int64_t step; /* the first step that used it; 0: the start */
    int strategy; /* SLUICE_STRATEGY_... of kernels/registry.h */
    int bins_log2[3];
    double mean;     /* particles a cell, in whole thousandths */
    int64_t fullest; /* particles of the fullest cell */
};

enum { SLUICE_CHOICE_TEXT = 256 };

/* Writes the log's line, without its time; `why` stands in parentheses at the end. */
void sluice_choice_text(const struct sluice_choice *c, const char *why,
                        char text[SLUICE_CHOICE_TEXT]);

/* Reads all choices of a log, by step. The later of two lines for one step counts: a restart wrote
 * it. *choices is malloc'ed, NULL without choices. *unread: the first line with a choice that
 * cannot be repeated, from 1; 0: none. Errors (SLUICE_IO): the log cannot be read. */
sluice_status sluice_choices_read(const char *path, struct sluice_choice **choices, int *count,
                                  int *unread);

/* --- The state of auto --- */

enum { SLUICE_TUNE_EVERY = 1000, SLUICE_TUNE_STEPS = 10000, SLUICE_TUNE_EVALUATIONS = 50 };

/* `bucket` is faster if spacings differ more: on an H100 from 1.6, on a CPU from 3. */
enum { SLUICE_TUNE_CONTRAST = 2 };

struct sluice_tuning {
    int is_auto;                     /* the strategy is auto's to choose */
    int begun;                       /* sluice_tune_begin was called, and is_auto */
    int measures;                    /* the run is long enough to measure */
    int64_t every;                   /* steps between checks: SLUICE_TUNE_EVERY, but in tests */
    int64_t planned;                 /* steps, SLUICE_TUNE_STEPS at most */
    int rule_strategy, rule_log2[3]; /* what the rule takes: the strategy, and the bins */
    struct sluice_choice last;       /* in use; its occupancy is that of the last measurement */
    struct sluice_choice *replay; /* [replay_count] by step, malloc'ed: taken without measuring */
    int replay_count;
    double seconds;    /* spent on measuring */
    double evaluation; /* seconds of a sort and forces as chosen; 0: not measured */
};
#endif
