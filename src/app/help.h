/* Help texts, made from the tables of verbs and options. */
#ifndef SLUICE_APP_HELP_H
#define SLUICE_APP_HELP_H
#include <stdio.h>

#include "app/command_line.h"

/* Every verb and first steps; or one verb in full: usage, description, options, examples. */
void sluice_help_overview(FILE *out, const struct sluice_verb *verbs, int count);
void sluice_help_verb(FILE *out, const struct sluice_verb *verb);
#endif
