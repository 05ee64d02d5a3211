/* Guesses which known word a misspelt word stands for. */
#ifndef SLUICE_CORE_NEAREST_WORD_H
#define SLUICE_CORE_NEAREST_WORD_H

/* Finds the word of `words` that needs the fewest changes to become `word`. A change inserts,
 * deletes or replaces a letter, or swaps two neighbours. A word of n letters may differ by at most
 * 1 + n/4 changes. Returns 1 if a word is near enough, otherwise 0. */
int sluice_nearest_word(const char *word, const char *const *words, int count,
                        const char **nearest);
#endif
