/* Reports unknown keys, and guesses which key was meant. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/foreign.h"
#include "config/reader.h"
#include "kernels/registry.h"

enum { WORD_MAX = 40, NAMES_MAX = 400 };

/* Collects the paths of all keys of the table. The table of keys outside lists also gets the lists
 * and the keys of every pair. Returns their number. */
static int collect(const struct sluice_table *table, const char *paths[NAMES_MAX])
{
    int n = 0;
    for (int i = 0; i < table->count && n < NAMES_MAX; i++)
        paths[n++] = table->row[i].p.path;
    for (int i = 0; table == &sluice_config_keys && i < SLUICE_TABLE_COUNT && n < NAMES_MAX; i++)
        paths[n++] = sluice_config_lists[i].path;
    for (int k = 0; table == &sluice_config_keys && k < SLUICE_PAIR_COUNT; k++)
        for (int i = 0; i < sluice_pairs[k].param_count && n < NAMES_MAX; i++)
            paths[n++] = sluice_pairs[k].params[i].path;
    return n;
}

/* Whether `path` names a group of keys. */
static int is_group(const char *const *paths, int count, const char *path)
{
    const size_t n = strlen(path);
    for (int i = 0; i < count; i++)
        if (strncmp(paths[i], path, n) == 0 && paths[i][n] == '.')
            return 1;
    return 0;
}

static const char *last_word(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot ? dot + 1 : path;
}

/* Collects the words that may stand in `path` instead of its last one: the keys and groups of the
 * same group. Returns their number. */
static int siblings_of(const char *const *paths, int count, const char *path,
                       char word[NAMES_MAX][WORD_MAX + 1])
{
    const size_t base = (size_t)(last_word(path) - path);
    int n = 0;
    for (int i = 0; i < count; i++)
        if (strncmp(paths[i], path, base) == 0) {
            const char *rest = paths[i] + base;
            snprintf(word[n++], WORD_MAX + 1, "%.*s", (int)strcspn(rest, "."), rest);
        }
    return n;
}

/* The length of `path` up to and including its step `name`. 0: it has no such step. */
static int part_with(const char *path, const char *name)
{
    for (const char *step = path; step; step = strchr(step, '.') ? strchr(step, '.') + 1 : NULL) {
        char word[WORD_MAX + 1];
        const int n = snprintf(word, sizeof word, "%.*s", (int)strcspn(step, "."), step);
        if (sluice_foreign_same(word, name))
            return (int)(step - path) + n;
    }
    return 0;
}

/* Reports an unknown key with a guess; the last one is the same word in another group. */
static void unknown_key(struct sluice_reader *r, struct sluice_tree_node *node,
                        const char *const *paths, int count, const char *path, const char *key)
{
    char word[NAMES_MAX][WORD_MAX + 1], answer[SLUICE_FOREIGN_BYTES];
    const char *siblings[NAMES_MAX] = {0};
    const int n = siblings_of(paths, count, path, word);
    for (int i = 0; i < n; i++)
        siblings[i] = word[i];
    const char *meant = sluice_foreign_guess(node->name, key, siblings, n, answer);
    if (meant)
        snprintf(answer, sizeof answer, "did you mean '%s'?", meant);
    if (*answer) {
        sluice_report_add(r->report, node, key, "unknown key: %s", answer);
        return;
    }
    for (int i = 0; i < count; i++) {
        const int whole = part_with(paths[i], node->name);
        int group = whole - 1;
        while (group > 0 && paths[i][group] != '.')
            group--;
        if (group > 0) {
            sluice_report_add(r->report, node, key,
                              "unknown key: did you mean %.*s? It belongs to the group '%.*s'",
                              whole, paths[i], group, paths[i]);
            return;
        }
    }
    sluice_report_add(r->report, node, key, "unknown key: remove it; 'sluice info' lists all keys");
}

/* Reports the unknown keys below a node; `path` is the node's own, relative to the entry. */
static void walk(const struct sluice_entry *e, struct sluice_tree_node *node,
                 const char *const *paths, int count, const char *path)
{
    for (int i = 0; i < node->count; i++) {
        struct sluice_tree_node *child = node->child[i];
        char child_path[SLUICE_KEY_BYTES], key[SLUICE_KEY_BYTES + sizeof e->path];
        if (child->used)
            continue;
        child->used = 1;
        snprintf(child_path, sizeof child_path, "%s%s%.60s", path, *path ? "." : "", child->name);
        snprintf(key, sizeof key, "%s%s%s", e->path, *e->path ? "." : "", child_path);
        if (!is_group(paths, count, child_path))
            unknown_key(e->r, child, paths, count, child_path, key);
        else if (child->kind == SLUICE_TREE_GROUP)
            walk(e, child, paths, count, child_path);
        else
            sluice_report_add(e->r->report, child, key,
                              "%s where a group belongs: write %s = { KEY = VALUE; ... };",
                              sluice_tree_what(child), child->name);
    }
}

void sluice_reader_unknown(const struct sluice_entry *e)
{
    const char *paths[NAMES_MAX];
    walk(e, e->node, paths, collect(e->table, paths), "");
}
