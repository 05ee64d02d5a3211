/* The fastest choices that `auto` found, kept from run to run: $XDG_CACHE_HOME/sluice/choices, or
 * ~/.cache/sluice/choices. Text, a line a key:
 *
 *   KEY<tab>STRATEGY<tab>LOG2X LOG2Y LOG2Z
 *
 * A bad or unwritable file never ends a run: the log has a warning, and the run measures. */
#ifndef SLUICE_SIM_CHOICE_CACHE_H
#define SLUICE_SIM_CHOICE_CACHE_H
#include "core/log.h"
#include "sim/choice.h"

enum { SLUICE_CACHE_KEY = 1024, SLUICE_CACHE_ENTRIES = 500 };

/* Strategy and bins that were kept under a key, which has no tabs or newlines; 0: none. */
int sluice_choice_cache_find(const char *key, struct sluice_choice *c, struct sluice_log *log);

/* Keeps a choice under a key, in place of an earlier one. Beyond SLUICE_CACHE_ENTRIES entries the
 * oldest are dropped. */
void sluice_choice_cache_keep(const char *key, const struct sluice_choice *c,
                              struct sluice_log *log);
#endif
