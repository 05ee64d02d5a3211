#include "core/nearest_word.h"

#include <limits.h>
#include <string.h>

enum { WORD_MAX = 40 };

static int least3(int a, int b, int c)
{
    const int d = a < b ? a : b;
    return d < c ? d : c;
}

/* The least number of insertions, deletions, substitutions and swaps of neighbours that turns a
 * into b (restricted Damerau-Levenshtein distance; Damerau 1964). INT_MAX if a word is longer than
 * WORD_MAX. */
static int distance(const char *a, const char *b)
{
    const int n = (int)strlen(a), m = (int)strlen(b);
    int d[WORD_MAX + 1][WORD_MAX + 1];
    if (n > WORD_MAX || m > WORD_MAX)
        return INT_MAX;
    for (int i = 0; i <= n; i++)
        for (int j = 0; j <= m; j++) {
            if (i == 0 || j == 0) {
                d[i][j] = i + j;
                continue;
            }
            d[i][j] = least3(d[i - 1][j] + 1, d[i][j - 1] + 1,
                             d[i - 1][j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
                d[i - 2][j - 2] + 1 < d[i][j])
                d[i][j] = d[i - 2][j - 2] + 1;
        }
    return d[n][m];
}

/* Whether a word is the plural of another one, as bodies of body. */
static int is_plural(const char *plural, const char *one)
{
    const size_t n = strlen(one), most = strlen(plural);
    const int ends_in_y = n > 1 && one[n - 1] == 'y';
    return (most == n + 1 && strncmp(plural, one, n) == 0 && plural[n] == 's') ||
           (ends_in_y && most == n + 2 && strncmp(plural, one, n - 1) == 0 &&
            strcmp(plural + n - 1, "ies") == 0);
}

int sluice_nearest_word(const char *word, const char *const *words, int count, const char **nearest)
{
    const int most = 1 + (int)strlen(word) / 4;
    int best = most + 1;
    *nearest = NULL;
    for (int i = 0; i < count; i++) {
        const int same = is_plural(word, words[i]) || is_plural(words[i], word),
                  d = same ? 1 : distance(word, words[i]);
        if (d < best) {
            best = d;
            *nearest = words[i];
        }
    }
    return best <= most;
}
