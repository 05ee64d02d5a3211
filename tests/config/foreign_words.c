/* test: 0.1 s */
/* Words of other programs: each answer names keys, choices and sections that exist, and no word
 * hides one of Sluice's own. The two pages for users of other programs keep to keys that exist,
 * too. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/foreign.h"
#include "config/tables.h"
#include "kernels/registry.h"
#include "support/tap.h"

enum { PAGE_BYTES = 1 << 17, WORD_BYTES = 64 };

static const char *page(const char *path)
{
    static char text[PAGE_BYTES];
    FILE *f = fopen(path, "r");
    text[f ? fread(text, 1, sizeof text - 1, f) : 0] = 0;
    if (f)
        fclose(f);
    return text;
}

/* Calls `visit` with the path of every key, those of lists as "geometry.shape", until it returns 1.
 */
static int any_key(int (*visit)(const char *path, const struct sluice_param *p, const void *with),
                   const void *with)
{
    char path[160];
    int found = 0;
    for (int i = 0; i < sluice_config_keys.count && !found; i++)
        found = visit(sluice_config_keys.row[i].p.path, &sluice_config_keys.row[i].p, with);
    for (int k = 0; k < SLUICE_PAIR_COUNT && !found; k++)
        for (int i = 0; i < sluice_pairs[k].param_count && !found; i++)
            found = visit(sluice_pairs[k].params[i].path, &sluice_pairs[k].params[i], with);
    for (int t = 0; t < SLUICE_TABLE_COUNT && !found; t++)
        for (int i = 0; i < sluice_config_lists[t].count && !found; i++) {
            const struct sluice_param *p = &sluice_config_lists[t].row[i].p;
            snprintf(path, sizeof path, "%s.%s", sluice_config_lists[t].path, p->path);
            found = visit(path, p, with);
        }
    return found;
}

/* The key itself, or a group or list that holds it. */
static int is_or_holds(const char *path, const struct sluice_param *p, const void *with)
{
    const size_t n = strlen(with);
    (void)p;
    return strncmp(path, with, n) == 0 && (path[n] == 0 || path[n] == '.');
}

static int has_step(const char *path, const struct sluice_param *p, const void *with)
{
    char step[WORD_BYTES];
    (void)p;
    for (; path; path = strchr(path, '.') ? strchr(path, '.') + 1 : NULL) {
        snprintf(step, sizeof step, "%.*s", (int)strcspn(path, "."), path);
        if (sluice_foreign_same(step, with))
            return 1;
    }
    return 0;
}

struct choice {
    const char *at;
    char word[WORD_BYTES];
};

static int has_choice(const char *path, const struct sluice_param *p, const void *with)
{
    const struct choice *c = with;
    char word[64];
    int value;
    if (strcmp(path, c->at) != 0)
        return 0;
    for (int i = 0; p->choices && sluice_choice(p, i, word, &value); i++)
        if (strcmp(word, c->word) == 0)
            return 1;
    return 0;
}

/* The first word of an answer: a choice in quotes of the key `at`, or a key. */
static void check_answer(const struct sluice_foreign *row)
{
    char first[WORD_BYTES];
    const char *end = row->answer + (row->answer[0] == '"');
    const size_t n = strspn(end, "abcdefghijklmnopqrstuvwxyz0123456789_.-");
    snprintf(first, sizeof first, "%.*s", (int)n, end);
    if (row->kind == SLUICE_FOREIGN_HAS && row->answer[0] == '"') {
        struct choice c = {.at = row->at};
        snprintf(c.word, sizeof c.word, "%s", first);
        ok(any_key(has_choice, &c), "%s: \"%s\" is a choice", row->at, first);
    } else if (row->kind == SLUICE_FOREIGN_HAS && strchr(first, '.')) {
        ok(any_key(is_or_holds, first), "%s is a key", first);
    }
    ok((row->kind == SLUICE_FOREIGN_MISSING) == (row->limit != NULL), "%.20s: a limit", row->words);
}

/* The words are plain, none comes twice at one place, and none hides a key or a choice. */
static void check_words(int index)
{
    const struct sluice_foreign *row = &sluice_foreign_words[index];
    for (const char *w = row->words; w; w = strchr(w, '|') ? strchr(w, '|') + 1 : NULL) {
        char word[WORD_BYTES], plain[WORD_BYTES], key[160];
        snprintf(word, sizeof word, "%.*s", (int)strcspn(w, "|"), w);
        sluice_foreign_plain(word, plain, sizeof plain);
        snprintf(key, sizeof key, "%s%s%s", row->at, *row->at ? "." : "", word);
        struct choice c = {.at = row->at};
        snprintf(c.word, sizeof c.word, "%s", word);
        const int bad = strcmp(word, plain) != 0 || sluice_foreign_find(word, key) != row ||
                        (!*row->at && any_key(has_step, word)) || any_key(has_choice, &c);
        if (bad)
            ok(0, "'%s' at '%s' is plain, comes once, and is no word of Sluice's", word, row->at);
    }
}

/* A heading as the link that leads to it. */
static void link_of(const char *heading, char *out, size_t size)
{
    size_t n = 0;
    for (; *heading && *heading != '\n' && n + 1 < size; heading++)
        if (isalnum((unsigned char)*heading) || *heading == '-')
            out[n++] = (char)tolower((unsigned char)*heading);
        else if (*heading == ' ')
            out[n++] = '-';
    out[n] = 0;
}

static int has_section(const char *text, const char *section)
{
    char link[WORD_BYTES];
    for (const char *line = text; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL)
        if (strncmp(line, "## ", 3) == 0) {
            link_of(line + 3, link, sizeof link);
            if (strcmp(link, section) == 0)
                return 1;
        }
    return 0;
}

/* Every word in backticks that begins with one of Sluice's groups is a key or a group. */
static void check_page_keys(const char *path)
{
    const char *text = page(path);
    int count = 0;
    for (const char *tick = strchr(text, '`'); tick; tick = strchr(tick + 1, '`')) {
        char word[160], group[160];
        snprintf(word, sizeof word, "%.*s",
                 (int)strspn(tick + 1, "abcdefghijklmnopqrstuvwxyz0123456789_."), tick + 1);
        snprintf(group, sizeof group, "%.*s", (int)strcspn(word, "."), word);
        if (strlen(group) + 1 >= strlen(word) || strstr(word, ".csv") || strstr(word, ".hdf") ||
            !any_key(is_or_holds, group))
            continue;
        count++;
        if (!any_key(is_or_holds, word))
            ok(0, "%s: %s is a key", path, word);
    }
    ok(count >= 5, "%s: %d keys exist", path, count);
}

/* The config of the dictionary is whole and right. */
static void check_page_config(void)
{
    struct sluice_config config;
    char text[4096] = "";
    const char *begin = strstr(page("docs/from-dualsphysics.md"), "```text\n");
    if (begin)
        snprintf(text, sizeof text, "%.*s", (int)(strstr(begin + 8, "```") - begin - 8), begin + 8);
    ok(text[0] != 0, "the dictionary has a config");
    is_int(sluice_config_parse(&config, text, "dictionary", NULL, 0, stderr), SLUICE_OK,
           "it has no error");
    sluice_config_destroy(&config);
}

int main(void)
{
    char text[600];
    for (int i = 0; i < sluice_foreign_count; i++) {
        const struct sluice_foreign *row = &sluice_foreign_words[i];
        check_answer(row);
        check_words(i);
        if (row->limit)
            ok(has_section(page("docs/limits.md"), row->limit), "docs/limits.md has #%s",
               row->limit);
    }
    ok(sluice_foreign_find("Time_Max", "time.Time_Max") != NULL, "case and underscores are alike");
    ok(sluice_foreign_find("rectangle", "geometry.[3].shape") != NULL, "entries of lists");
    ok(sluice_foreign_find("rectangle", "probes.[3].kind") == NULL,
       "a word holds at its key alone");
    ok(sluice_foreign_find("", "geometry") == NULL, "no word, no answer");
    ok(sluice_foreign_find("zzz", "zzz") == NULL, "an unknown word has none");
    sluice_foreign_text(sluice_foreign_find("torus", "geometry.[0].torus"), text, sizeof text);
    ok(strstr(text, "(docs/limits.md#geometry)") != NULL, "an unsupported word names its section");
    check_page_keys("docs/limits.md");
    check_page_keys("docs/from-dualsphysics.md");
    check_page_config();
    return done_testing();
}
