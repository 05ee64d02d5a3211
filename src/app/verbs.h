/* The verbs: one function each, in verb_NAME.c, and their table. A new verb is a row in verbs.c and
 * a file. Only main and tests use the table; all others get it in the arguments. */
#ifndef SLUICE_APP_VERBS_H
#define SLUICE_APP_VERBS_H
#include "app/command_line.h"

extern const struct sluice_verb sluice_verbs[];
extern const int sluice_verb_count;

sluice_status sluice_verb_run(const struct sluice_arguments *arguments);
sluice_status sluice_verb_check(const struct sluice_arguments *arguments);
sluice_status sluice_verb_info(const struct sluice_arguments *arguments);
sluice_status sluice_verb_restart(const struct sluice_arguments *arguments);
sluice_status sluice_verb_energy(const struct sluice_arguments *arguments);
sluice_status sluice_verb_plot(const struct sluice_arguments *arguments);
sluice_status sluice_verb_measure(const struct sluice_arguments *arguments);
sluice_status sluice_verb_movie(const struct sluice_arguments *arguments);
sluice_status sluice_verb_surface(const struct sluice_arguments *arguments);
sluice_status sluice_verb_report(const struct sluice_arguments *arguments);
sluice_status sluice_verb_waves(const struct sluice_arguments *arguments);
sluice_status sluice_verb_validate(const struct sluice_arguments *arguments);
sluice_status sluice_verb_converge(const struct sluice_arguments *arguments);
sluice_status sluice_verb_new(const struct sluice_arguments *arguments);
sluice_status sluice_verb_bench(const struct sluice_arguments *arguments);
sluice_status sluice_verb_help(const struct sluice_arguments *arguments);
sluice_status sluice_verb_version(const struct sluice_arguments *arguments);
#endif
