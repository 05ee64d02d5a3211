/* The words of a key that has choices: its own, or the names of pairs or strategies. */
#include <stdio.h>
#include <string.h>

#include "config/tables.h"
#include "kernels/registry.h"

const char sluice_choices_of_pairs[] = "(pairs)";
const char sluice_choices_of_strategies[] = "(strategies)";

int sluice_choice(const struct sluice_param *p, int i, char word[64], int *value)
{
    *value = i;
    if (p->choices == sluice_choices_of_strategies) {
        if (i > SLUICE_STRATEGY_COUNT)
            return 0;
        snprintf(word, 64, "%s", i == 0 ? "auto" : sluice_strategies[i - 1].name);
        return 1;
    }
    if (p->choices == sluice_choices_of_pairs) {
        for (int k = 0; k < SLUICE_PAIR_COUNT; k++)
            if (sluice_pairs[k].param_count > 0 && i-- == 0) {
                snprintf(word, 64, "%s", sluice_pairs[k].name);
                *value = k;
                return 1;
            }
        return 0;
    }
    const char *c = p->choices;
    for (int k = 0; k < i && c; k++) {
        c = strchr(c, '|');
        c = c && c[1] ? c + 1 : NULL; /* a last "|" only ends the last word */
    }
    if (!c)
        return 0;
    snprintf(word, 64, "%.*s", (int)strcspn(c, "|"), c);
    return 1;
}

void sluice_choices_text(const struct sluice_param *p, char *out, size_t size)
{
    char word[64], next[64];
    int value;
    size_t used = 0;
    out[0] = 0;
    int more = sluice_choice(p, 0, word, &value);
    for (int i = 0; more && used < size; i++) {
        more = sluice_choice(p, i + 1, next, &value) && next[0];
        used += (size_t)snprintf(out + used, size - used, "%s\"%s\"",
                                 i == 0 ? ""
                                 : more ? ", "
                                        : " or ",
                                 word);
        memcpy(word, next, sizeof word);
    }
}
