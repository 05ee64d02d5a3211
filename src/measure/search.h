/* Sums over the particles near a place:
 *
 *     sum_j V_j f_j W(|x - x_j|; h_j)      of some fields f, and sum_j V_j W
 *
 * Particles are listed by bins, as in a step: the bins of a row of one (y, z) follow one another
 * along x, so the particles of a row that a place can reach are one window of the list.
 *
 *     row (y, z)   | . | : |.. | . |   | . |       a window: its bins from x - w to x + w,
 *                        ^--window-^               w^2 = reach^2 - (way to the row)^2
 *
 * In a gas supports differ. Particles whose supports are within a factor 2 have bins of their own,
 * a level: so a few wide ones do not make the windows of all others wide.
 *
 * A sum has the order level, row, bin, number of the particle: it depends neither on threads nor on
 * other places. */
#ifndef SLUICE_MEASURE_SEARCH_H
#define SLUICE_MEASURE_SEARCH_H
#include <stdint.h>

#include "core/status.h"

enum { SLUICE_SEARCH_LEVELS = 24 };

/* A particle, or an image of one. */
struct sluice_source {
    double x[3];
    double inverse_h; /* 1/m */
    double volume;    /* V, m^D */
    double fluid;     /* 1, or 0 of a wall */
};

struct sluice_search_level {
    double reach;                   /* the widest support, m */
    double low[3], high[3];         /* of the particles, m */
    double width[3], per_length[3]; /* of a bin, m; 1/m */
    int64_t bins[3], first, count;  /* particles first .. first + count - 1 */
    int64_t *start;                 /* [bins + 1] first particle of each bin, x fastest */
};

struct sluice_search {
    int dimension, kernel; /* enum sluice_kernel */
    int sums;              /* fields */
    double support;        /* of the kernel, in h */
    int64_t count;
    struct sluice_source *source; /* [count] by level and bin */
    double *value;                /* [count][sums] */
    int levels;
    struct sluice_search_level level[SLUICE_SEARCH_LEVELS];
};

/* Lists `count` particles; search->dimension, kernel and sums are set. The arrays are the caller's,
 * and no longer needed afterwards. In 2-D z of particles and places is 0. A zeroed struct with
 * these three set is valid and empty. Errors: memory. */
sluice_status sluice_search_fill(struct sluice_search *search, const struct sluice_source *source,
                                 const double *value, int64_t count);
void sluice_search_empty(struct sluice_search *search);

/* Sets sums[search->sums] to sum V f W, weight[0] to sum V W, weight[1] to that of the fluid. */
void sluice_search_sum(const struct sluice_search *search, const double x[3], double *sums,
                       double weight[2]);
#endif
