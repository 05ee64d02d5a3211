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
#include "sim/tune_choice.h"

enum { SLUICE_CACHE_KEY = 1024, SLUICE_CACHE_ENTRIES = 500 };

/* Finds strategy and bins of a key, which has no tabs or newlines; returns 0 if there are none. */
int sluice_choice_cache_find(const char *key, struct sluice_choice *c, struct sluice_log *log);

/* Keeps a choice under a key, in place of an earlier one. The oldest entries beyond
 * SLUICE_CACHE_ENTRIES are dropped. */
void sluice_choice_cache_keep(const char *key, const struct sluice_choice *c,
                              struct sluice_log *log);
#endif
