/* Help texts, made from the tables of verbs and options. */
#ifndef SLUICE_APP_HELP_H
#define SLUICE_APP_HELP_H
#include <stdio.h>

#include "app/verbs.h"

/* All verbs and how to go on; or one verb in full: usage, what it does, options, examples. */
void sluice_help_overview(FILE *out);
void sluice_help_verb(FILE *out, const struct sluice_verb *verb);
#endif
