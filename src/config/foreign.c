#include "config/foreign.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "core/nearest_word.h"

void sluice_foreign_plain(const char *word, char *out, size_t size)
{
    size_t n = 0;
    for (; *word && n + 1 < size; word++)
        if (isalnum((unsigned char)*word))
            out[n++] = (char)tolower((unsigned char)*word);
    out[n] = 0;
}

int sluice_foreign_same(const char *a, const char *b)
{
    char plain_a[64], plain_b[64];
    sluice_foreign_plain(a, plain_a, sizeof plain_a);
    sluice_foreign_plain(b, plain_b, sizeof plain_b);
    return plain_a[0] && strcmp(plain_a, plain_b) == 0;
}

/* Whether `word` is one of `words`, with "|" between them. */
static int is_among(const char *word, const char *words)
{
    const size_t n = strlen(word);
    for (const char *w = words; w; w = strchr(w, '|') ? strchr(w, '|') + 1 : NULL)
        if (strncmp(w, word, n) == 0 && (w[n] == '|' || w[n] == 0))
            return 1;
    return 0;
}

/* The key without the numbers of entries: "geometry.[0].shape" is "geometry.shape". */
static void strip_numbers(const char *key, char *out, size_t size)
{
    size_t n = 0;
    while (*key && n + 1 < size) {
        if (key[0] == '[')
            key += strcspn(key, ".") + (strchr(key, '.') != NULL);
        else
            out[n++] = *key++;
    }
    out[n] = 0;
}

const struct sluice_foreign *sluice_foreign_find(const char *word, const char *key)
{
    char plain[64], place[160];
    sluice_foreign_plain(word, plain, sizeof plain);
    strip_numbers(key, place, sizeof place);
    for (int i = 0; i < sluice_foreign_count && plain[0]; i++) {
        const struct sluice_foreign *row = &sluice_foreign_words[i];
        const size_t n = strlen(row->at);
        if (strncmp(place, row->at, n) == 0 && (n == 0 || place[n] == '.' || place[n] == 0) &&
            is_among(plain, row->words))
            return row;
    }
    return NULL;
}

void sluice_foreign_text(const struct sluice_foreign *row, char *out, size_t size)
{
    if (row->kind == SLUICE_FOREIGN_HAS)
        snprintf(out, size, "in Sluice that is %s", row->answer);
    else if (row->kind == SLUICE_FOREIGN_NEEDLESS)
        snprintf(out, size, "not needed, remove it: %s", row->answer);
    else
        snprintf(out, size, "not supported: %s (docs/limits.md#%s)", row->answer, row->limit);
}

const char *sluice_foreign_guess(const char *word, const char *key, const char *const *list,
                                 int count, char answer[SLUICE_FOREIGN_BYTES])
{
    const struct sluice_foreign *foreign = sluice_foreign_find(word, key);
    const char *nearest;
    answer[0] = 0;
    for (int i = 0; i < count; i++)
        if (sluice_foreign_same(word, list[i]))
            return list[i];
    if (!foreign)
        return sluice_nearest_word(word, list, count, &nearest) ? nearest : NULL;
    sluice_foreign_text(foreign, answer, SLUICE_FOREIGN_BYTES);
    return NULL;
}
