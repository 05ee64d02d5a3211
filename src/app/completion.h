/* The words that shells offer at a TAB. */
#ifndef SLUICE_APP_COMPLETION_H
#define SLUICE_APP_COMPLETION_H
#include <stdio.h>

#include "app/command_line.h"

/* words: [count] the words after the program's name; the last is being typed and may be empty. */
void sluice_complete(FILE *out, const struct sluice_verb *verbs, int verb_count, int count,
                     char *const *words);
#endif
