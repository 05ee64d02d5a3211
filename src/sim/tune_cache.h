/* The choices of `auto`, kept from run to run in $XDG_CACHE_HOME/sluice/choices or
 * ~/.cache/sluice/choices. A text file with one line a key:
 *
 *   KEY<tab>STRATEGY<tab>LOG2X LOG2Y LOG2Z
 *
 * A damaged cache ends no run: the log says that it cannot be read or written, and the run
 * measures. */
#ifndef SLUICE_SIM_TUNE_CACHE_H
#define SLUICE_SIM_TUNE_CACHE_H
#include "core/log.h"
#include "sim/sim.h"

enum { SLUICE_CACHE_KEY = 1024, SLUICE_CACHE_ENTRIES = 500 };

/* The key of a choice, without tabs or newlines: the program, the device, pairs, precision,
 * dimension, frames, and classes of the number of particles and of their density. */
void sluice_choice_cache_key(const struct sluice_sim *sim, const struct sluice_passes *passes,
                             const struct sluice_choice *cells, char key[SLUICE_CACHE_KEY]);

/* Collective: finds the choice of an earlier run, in the first rank's cache. */
sluice_status sluice_choice_cache_find(const struct sluice_sim *sim, const char *key,
                                       struct sluice_choice *choice, int *found);

/* Keeps a choice under a key, in place of an earlier one. The oldest entries beyond
 * SLUICE_CACHE_ENTRIES are dropped. */
void sluice_choice_cache_keep(const char *key, const struct sluice_choice *c,
                              struct sluice_log *log);
#endif
