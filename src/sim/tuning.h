/* The state of auto: sim/tune.h. */
#ifndef SLUICE_SIM_TUNING_H
#define SLUICE_SIM_TUNING_H
#include "sim/tune_choice.h"

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
