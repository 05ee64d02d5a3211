/* Colour on a terminal: red errors, yellow warnings, green and red verdicts. A stream that is not a
 * terminal gets none, nor does any where NO_COLOR is set and not empty (no-color.org), or where
 * TERM is empty or "dumb". */
#ifndef SLUICE_CORE_COLOUR_H
#define SLUICE_CORE_COLOUR_H
#include <stdio.h>

enum sluice_colour { SLUICE_RED, SLUICE_YELLOW, SLUICE_GREEN };

/* What begins a colour on `out`, and what ends it: static texts, "" where there is no colour. */
const char *sluice_colour_begin(FILE *out, enum sluice_colour colour);
const char *sluice_colour_end(FILE *out);
#endif
