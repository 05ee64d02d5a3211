/* Particles on the host in the order of cells, for the trial loops of backend/bench_ops.h, and
 * plain sums over them. Lengths in cutoffs. */
#ifndef SLUICE_BENCH_SHAKEN_LATTICE_H
#define SLUICE_BENCH_SHAKEN_LATTICE_H
#include <stdint.h>

#include "core/status.h"

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

/* What a force on particle i is, and the sum of the magnitudes in it. */
typedef void (*sluice_bench_force)(const double i[7], const double j[7], const double d[3],
                                   double r2, const void *params, double f[3]);

/* Compares accelerations [n][3] of reals in host memory, of[i] the particle that row i is (NULL:
 * i), with sums over all particles in double, for some. Errors (SLUICE_FAILED_CHECK): they differ.
 */
sluice_status sluice_bench_atoms_check(const struct sluice_bench_atoms *a, const void *got,
                                       int real_bytes, const uint32_t *of, sluice_bench_force force,
                                       const void *params, const char *what);
#endif
