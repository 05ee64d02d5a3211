/* Stored neighbours of two types for `sluice bench claims`: a force on each particle from its list,
 * in which fluid and walls act by different formulas. The loops:
 * kernels/bench/cpu/loops/typed_lists.c. */
#ifndef SLUICE_KERNELS_BENCH_TYPED_LISTS_H
#define SLUICE_KERNELS_BENCH_TYPED_LISTS_H
#include <stdint.h>

#include "kernels/types/real.h"

enum sluice_typed_way {
    SLUICE_TYPED_BRANCH, /* one list as found; the loop looks at each neighbour's type */
    SLUICE_TYPED_TWO,    /* a list for each type */
    SLUICE_TYPED_SPLIT, /* one list: fluid from its beginning forwards, walls from its end backwards
                         */
    SLUICE_TYPED_WAYS
};
enum { SLUICE_NEIBS_END = -1 };

/* Particle i has entries[i most] to entries[(i + 1) most - 1]; so in `walls`, the second list of
 * TWO. Each section ends with SLUICE_NEIBS_END. SPLIT may share the mark. */
struct sluice_typed_lists {
    enum sluice_typed_way way;
    int64_t count;
    int most;
    const int32_t *entries, *walls;
    const void *x; /* [count][4] reals: the position in units of the reach; 1: a wall, 0: fluid */
    void *force;   /* [count][3] */
};

/* The force over the distance, of a neighbour at d, nearer than 1, added to `sum`: of fluid with
 * the gradient of Wendland's C2; walls push by (1 - r)^2 / r^2 (after Monaghan & Kajtar 2009). */
HD void typed_add(int is_wall, const real d[3], real sum[3])
{
    const real r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2], r = REAL_SQRT(r2), q = 1 - r;
    const real f = is_wall ? q * q / (r2 + (real)0.01) : 20 * q * q * q;
    for (int c = 0; c < 3; c++)
        sum[c] += f * d[c];
}
#endif
