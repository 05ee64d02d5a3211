/* Colour on a terminal: red errors, yellow warnings, verdicts green, red, or yellow where water
 * left the domain. Only terminals get colour, and none if NO_COLOR is set and not empty
 * (no-color.org), or if TERM is empty or "dumb". */
#ifndef SLUICE_CORE_COLOUR_H
#define SLUICE_CORE_COLOUR_H
#include <stdio.h>

enum sluice_colour { SLUICE_RED, SLUICE_YELLOW, SLUICE_GREEN };

/* Static texts that switch a colour on `out` on and off; "" if it has no colour. */
const char *sluice_colour_begin(FILE *out, enum sluice_colour colour);
const char *sluice_colour_end(FILE *out);
#endif
