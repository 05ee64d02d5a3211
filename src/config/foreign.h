/* Words of other programs (DualSPHysics, GPUSPH, SPHysics, SPlisHSPlasH, PySPH, LAMMPS) that users
 * write into a config, and the answer to each: what Sluice has in its place, or that it has none.
 *
 * Keys, groups, choices and shapes that no table knows are looked up here before a spelling is
 * guessed. docs/limits.md and docs/from-dualsphysics.md say the same at length. */
#ifndef SLUICE_CONFIG_FOREIGN_H
#define SLUICE_CONFIG_FOREIGN_H
#include <stddef.h>

enum { SLUICE_FOREIGN_BYTES = 600 }; /* room for an answer */

enum sluice_foreign_kind {
    SLUICE_FOREIGN_HAS,      /* Sluice has it under another name */
    SLUICE_FOREIGN_NEEDLESS, /* Sluice does it without being told */
    SLUICE_FOREIGN_MISSING   /* Sluice does not do it */
};

struct sluice_foreign {
    enum sluice_foreign_kind kind;
    const char *at;     /* the keys below which it holds: "geometry.shape", "domain"; "": any */
    const char *words;  /* "|" between them; lower case, letters and digits alone */
    const char *answer; /* HAS begins with a key, or with a choice in quotes, where there is one */
    const char *limit;  /* MISSING: the section of docs/limits.md; else NULL */
};
extern const struct sluice_foreign sluice_foreign_words[];
extern const int sluice_foreign_count;

/* The first row for a word at a key ("geometry.[0].shape"); case, "_", "-", "+", "/" and spaces do
 * not count. NULL: there is none. */
const struct sluice_foreign *sluice_foreign_find(const char *word, const char *key);

/* "in Sluice that is time.end", "not needed: ...", "not supported: ... (docs/limits.md#bodies)". */
void sluice_foreign_text(const struct sluice_foreign *row, char *out, size_t size);

/* `word` without what does not count, at most `size` bytes; whether two words are the same then. */
void sluice_foreign_plain(const char *word, char *out, size_t size);
int sluice_foreign_same(const char *a, const char *b);
#endif
