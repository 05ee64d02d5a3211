/* Particles in host memory, sorted by cells, for the trial loops of kernels/bench/bench_ops.h; and
 * plain sums over all pairs to check them. Lengths are in cutoffs. */
#ifndef SLUICE_BENCH_SHAKEN_LATTICE_H
#define SLUICE_BENCH_SHAKEN_LATTICE_H
#include <stdint.h>

#include "core/status.h"
#include "particles/id.h"

/* A shaken lattice in an open cube: x, velocity, mass; all rounded to the precision of the reals.
 */
struct sluice_bench_atoms {
    int64_t n; /* a multiple of 64 */
    double edge, reach, filling;
    int box;         /* cells along an edge, at least `reach` wide */
    double (*at)[7]; /* [n] x, y, z, three of velocity, mass, in the order of the cells */
    uint32_t *start; /* [box^3 + 1] first particle of each cell */
};

/* About n of them, `filling` a cubic cutoff, in cells of `reach` cutoffs. */
sluice_status sluice_bench_atoms_create(struct sluice_bench_atoms *a, long long n, double filling,
                                        double reach, int real_bytes);
void sluice_bench_atoms_destroy(struct sluice_bench_atoms *a);

/* The force f on particle i by j at the distance d = x_i - x_j, r2 = d.d. */
typedef void (*sluice_bench_force)(const double i[7], const double j[7], const double d[3],
                                   double r2, const void *params, double f[3]);

/* Compares some of the accelerations [n][3] (reals, host memory) with sums over all particles in
 * double. Row i is particle of[i] (of NULL: particle i). Errors (SLUICE_FAILED_CHECK): they differ.
 */
sluice_status sluice_bench_atoms_check(const struct sluice_bench_atoms *a, const void *got,
                                       int real_bytes, const sluice_id *of,
                                       sluice_bench_force force, const void *params,
                                       const char *what);
#endif
