/* Words of other programs (DualSPHysics, GPUSPH, SPHysics, SPlisHSPlasH, PySPH, LAMMPS) that users
 * write into a config, each with an answer: the key of Sluice, or that Sluice has none.
 *
 * Keys, groups, choices and shapes that no table knows are looked up here before a spelling is
 * guessed. docs/limits.md and docs/from-dualsphysics.md say the same at length. */
#ifndef SLUICE_CONFIG_FOREIGN_H
#define SLUICE_CONFIG_FOREIGN_H
#include <stddef.h>

enum { SLUICE_FOREIGN_BYTES = 600 }; /* room for an answer */

enum sluice_foreign_kind {
    SLUICE_FOREIGN_HAS,      /* Sluice has it under another name */
    SLUICE_FOREIGN_NEEDLESS, /* Sluice does it without a key */
    SLUICE_FOREIGN_MISSING   /* Sluice does not do it */
};

struct sluice_foreign {
    enum sluice_foreign_kind kind;
    const char *at;     /* the row is for this key and those below: "geometry.shape"; "": any key */
    const char *words;  /* "|" between them; lower case letters and digits only */
    const char *answer; /* HAS: begins with a key, or a choice in quotes, if Sluice has one */
    const char *limit;  /* MISSING: the section of docs/limits.md; else NULL */
};
extern const struct sluice_foreign sluice_foreign_words[];
extern const int sluice_foreign_count;

/* The first row for a word at a key ("geometry.[0].shape"); only
 * letters and digits count, in any case. NULL: there is none. */
const struct sluice_foreign *sluice_foreign_find(const char *word, const char *key);

/* "in Sluice that is time.end", "not needed: ...", "not supported: ... (docs/limits.md#bodies)". */
void sluice_foreign_text(const struct sluice_foreign *row, char *out, size_t size);

/* Guesses which word of `list` [count] is meant at a key; the first guess that fits is taken: the
 * same letters in another spelling, a word of another program, a similar word. NULL: none is, and
 * `answer` has the answer for another program's word, or is empty. */
const char *sluice_foreign_guess(const char *word, const char *key, const char *const *list,
                                 int count, char answer[SLUICE_FOREIGN_BYTES]);

/* The letters and digits of `word` in lower case, at most `size` bytes; and whether those of two
 * words are the same. */
void sluice_foreign_plain(const char *word, char *out, size_t size);
int sluice_foreign_same(const char *a, const char *b);
#endif
