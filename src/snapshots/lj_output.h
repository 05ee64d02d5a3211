/* The potential energy of each Lennard-Jones particle, for files. The host computes it from the
 * places of the particles: pair loops sum the energy of all particles alone. */
#ifndef SLUICE_SNAPSHOTS_LJ_OUTPUT_H
#define SLUICE_SNAPSHOTS_LJ_OUTPUT_H
#include <stdint.h>

#include "core/status.h"
#include "grid/grid.h"
#include "kernels/types/lj_params.h"

struct sluice_threads;

struct sluice_lj_output {
    struct lj_params pair;
    double tail; /* energy a particle from beyond the cutoff, at a number density of 1 */
};

/* Sets potential[count], from the places x[count] (m) of all particles of the run: half the
 * energy of each of its pairs, plus its part of the tail. In double, in an order that depends on
 * the order of the particles alone. The threads of the team divide the particles. Errors: memory.
 */
sluice_status sluice_lj_potentials(const struct sluice_lj_output *lj, const struct sluice_grid *g,
                                   struct sluice_threads *team, double (*x)[3], int64_t count,
                                   double *potential);
#endif
