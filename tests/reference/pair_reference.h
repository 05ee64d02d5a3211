/* Every pair, summed plainly in double over all particles and images: the equations of
 * docs/theory.md written a second time, without the program's own pair code, bins and frames,
 * except the positions' (frame, offset). */
#ifndef SLUICE_TESTS_PAIR_REFERENCE_H
#define SLUICE_TESTS_PAIR_REFERENCE_H
#include "support/pair_state.h"

/* The values that a pass should leave on its target, and for each the sum of magnitudes that its
 * error is measured against. */
struct reference {
    int64_t n, *of_id;         /* of_id: where a particle is in the arrays; ids are below n */
    double (*a)[3], *a_scale;  /* ACCELERATION (lj, wcsph) */
    double *rate, *rate_scale; /* RATE (wcsph, dynamic, shift) */
    double *p, *p_scale;       /* wall pressure (adami) */
    double (*v)[3];            /* PREDICTED velocity of walls (adami), REACTION */
    double (*shift)[3], *shift_scale;           /* SHIFT (shift, wcsph) */
    double (*stress)[6], *stress_scale;         /* STRESS_NEXT (wcsph) */
    double (*slope)[3], *slope_scale;           /* HEAD_GRADIENT_NEXT (wcsph) */
    double (*correction)[6], *correction_scale; /* CORRECTION (wcsph) */
    double *memory;                             /* MEMORY (wcsph) */
    double (*head)[4], (*head_scale)[4];        /* HEAD (mdbc) */
    double sum[SLUICE_SUM_COUNT], scale[SLUICE_SUM_COUNT];
    double close_pairs; /* pairs whose distance is the cutoff to 1e-5: float may count them either
                           way */
};

/* From the sets as world_read() found them, before the pass runs: it reads ACCELERATION as the body
 * forces, and shifting RATE as that of the main loop. */
void reference_run(struct reference *r, const struct world *w, const struct sluice_pass *pass);
void reference_free(struct reference *r);
#endif
