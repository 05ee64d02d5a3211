/* The words for what libconfig refuses: it gives a line only. Internal to src/config/syntax. */
#ifndef SLUICE_CONFIG_SYNTAX_WORDING_H
#define SLUICE_CONFIG_SYNTAX_WORDING_H
#include "config/syntax/tokens.h"

/* Says why s->token, which was refused, is wrong, and what to write instead: as the mistake of
 * `s`. */
void sluice_syntax_word(struct tokens *s);
#endif
