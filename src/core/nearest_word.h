/* Finds the word that a misspelt one was meant to be. */
#ifndef SLUICE_CORE_NEAREST_WORD_H
#define SLUICE_CORE_NEAREST_WORD_H

/* The word of `words` with the fewest letters changed from `word`, at most one and one more for
 * every four of its letters. 0: none is near enough. */
int sluice_nearest_word(const char *word, const char *const *words, int count,
                        const char **nearest);
#endif
