/* A choice of `auto`, as a line of the log: --replay reads these and makes the same choices. */
#ifndef SLUICE_SIM_TUNE_CHOICE_H
#define SLUICE_SIM_TUNE_CHOICE_H
#include <stdint.h>

#include "core/status.h"

/* A choice, and the occupancy that it was made for: of cells a cutoff wide that hold fluid. */
struct sluice_choice {
    int64_t step; /* the first step that used it; 0: the start */
    int strategy; /* SLUICE_STRATEGY_... of kernels/registry.h */
    int bins_log2[3];
    double mean;     /* particles a cell, in whole thousandths */
    int64_t fullest; /* particles of the fullest cell */
};

enum { SLUICE_CHOICE_TEXT = 256 };

/* Writes the log's line, without its time; `why` stands in parentheses at the end. */
void sluice_choice_text(const struct sluice_choice *c, const char *why,
                        char text[SLUICE_CHOICE_TEXT]);

/* Reads all choices of a log, by step. Of two for one step the later line counts: a restart wrote
 * it. *choices is malloc'ed, NULL without choices. Errors (SLUICE_IO): the log cannot be read. */
sluice_status sluice_choices_read(const char *path, struct sluice_choice **choices, int *count);
#endif
