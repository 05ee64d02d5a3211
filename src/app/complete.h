/* The words that the shells' completions offer. */
#ifndef SLUICE_APP_COMPLETE_H
#define SLUICE_APP_COMPLETE_H
#include <stdio.h>

/* words: [count] what was typed after the program's name, the last one perhaps empty. */
void sluice_complete(FILE *out, int count, char *const *words);
#endif
