/* The choices of `auto`: each is a line of the log, from which a run can repeat it. */
#ifndef SLUICE_SIM_CHOICE_H
#define SLUICE_SIM_CHOICE_H
#include <stdint.h>

#include "core/status.h"

/* A choice, and the occupancy of cells that it was made for: cells of one cutoff that hold fluid.
 */
struct sluice_choice {
    int64_t step; /* the first whose forces were computed so; 0: the start */
    int strategy; /* SLUICE_STRATEGY_... of kernels/registry.h */
    int bins_log2[3];
    double mean;     /* particles of a cell; a whole number of thousandths */
    int64_t fullest; /* of the fullest cell */
};

enum { SLUICE_CHOICE_TEXT = 256 };

/* The log's line, without its time; `why` stands in parentheses at the end. */
void sluice_choice_text(const struct sluice_choice *c, const char *why,
                        char text[SLUICE_CHOICE_TEXT]);

/* All choices of a log, in the order of their steps. If a step has two lines, the later one counts:
 * a restart wrote it. `choices` is malloc'ed, NULL when there are none. Errors (SLUICE_IO): the log
 * cannot be read. */
sluice_status sluice_choices_read(const char *path, struct sluice_choice **choices, int *count);
#endif
