/* One pass, run by every variant and strategy and compared with the reference. */
#ifndef SLUICE_TESTS_PAIR_TRIAL_H
#define SLUICE_TESTS_PAIR_TRIAL_H
#include "reference/pair_reference.h"
#include "variants.h"

/* The reference, and the worst of all variants against it. At first zero, but for the tolerance. */
struct trial {
    struct reference reference;
    int have; /* the reference */
    double tolerance;
    double error; /* of the largest error, in tolerances */
    char where[256];
};

/* Opens the case on one variant, or ends the test. */
void trial_open(struct world *w, const struct variant *v, int strategy, int real_bytes,
                const struct sluice_grid_options *o, const struct cloud *fluid,
                const struct cloud *walls, sluice_fields wall_fields);

/* The pass of a pair in a world. */
struct sluice_pass trial_pass(struct world *w, int pair, const void *params, unsigned sums,
                              int count);

/* Runs the pass and reads back, or ends the test. */
void trial_run(struct world *w, struct sluice_pass *pass);

/* Runs the pass with one strategy and compares; the first time it makes the reference. `on` names
 * the variant. */
void trial_compare(struct trial *t, struct world *w, struct sluice_pass *pass, int strategy,
                   const char *on);

/* Keeps the largest error, in tolerances, and where it is. */
void trial_note(struct trial *t, double got, double want, double tolerance, const char *what,
                int64_t i, const char *variant);
#endif
