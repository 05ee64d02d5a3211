/* --set path=value: a key put into the tree, checked afterwards like any other. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/reader.h"
#include "config/scan.h"

enum { TEXT_BYTES = 4096 };

static void mark(struct sluice_tree_node *node, const char *set)
{
    node->set = set;
    node->file = NULL;
    for (int i = 0; i < node->count; i++)
        mark(node->child[i], set);
}

static struct sluice_tree_node *text_node(const char *value)
{
    struct sluice_tree_node *n = calloc(1, sizeof *n);
    if (n) {
        n->kind = SLUICE_TREE_TEXT;
        n->text = strdup(value);
        if (!n->text)
            sluice_tree_destroy(&n);
    }
    return n;
}

/* The value as libconfig would read it; a bare word is a text. NULL: reported. */
static struct sluice_tree_node *value_of(struct sluice_reader *r, const struct sluice_tree_node *at,
                                         const char *path, const char *value)
{
    char line[TEXT_BYTES];
    struct sluice_scan scan;
    struct sluice_source source;
    struct sluice_tree_node *root = NULL, *node = NULL;
    snprintf(line, sizeof line, "value = %s;", value);
    const int bad = sluice_scan_text(&scan, line);
    const int bare = !*value || (bad && !strpbrk(value, "\"{}[]()=;#"));
    if (bad && !bare)
        sluice_report_error(r->report, at, path, "%s", scan.what);
    if (bare)
        return text_node(value);
    if (bad)
        return NULL;
    if (sluice_source_take(&source, line, "--set") == SLUICE_OK &&
        sluice_tree_read(&root, &source) == SLUICE_OK && root->count == 1) {
        node = root->child[0];
        root->count = 0;
        free(node->name);
        node->name = NULL;
    } else {
        sluice_report_error(r->report, at, path,
                            "'%.200s' is not one value: write --set path=value", value);
    }
    sluice_tree_destroy(&root);
    sluice_source_destroy(&source);
    return node;
}

static void no_such_entry(struct sluice_reader *r, const struct sluice_tree_node *at,
                          const char *path, const struct sluice_tree_node *list, const char *step,
                          size_t n)
{
    if (*step == '[')
        sluice_report_error(r->report, at, path, "no entry %.*s: the list has %d, counted from [0]",
                            (int)n, step, list->count);
    else
        sluice_report_error(
            r->report, at, path,
            "no entry is named '%.*s': use a name that the list holds, or its number as [0]",
            (int)n, step);
}

/* Puts `value` (taken) at the end of the path, making groups on the way. */
static void put(struct sluice_reader *r, const struct sluice_tree_node *at, const char *path,
                struct sluice_tree_node *value)
{
    struct sluice_tree_node *node = r->root;
    const char *step = path, *rest;
    for (;; step = rest) {
        const size_t n = sluice_tree_first_step(step, &rest);
        struct sluice_tree_node **slot = sluice_tree_step(node, step, n);
        if (!slot && node->kind == SLUICE_TREE_LIST) {
            no_such_entry(r, at, path, node, step, n);
            break;
        }
        if (node->kind != SLUICE_TREE_GROUP && node->kind != SLUICE_TREE_LIST) {
            sluice_report_error(r->report, at, path,
                                "there is nothing below '%.*s', which is %s: shorten the path",
                                (int)(step - path) - 1, path, sluice_tree_what(node));
            break;
        }
        if (!rest) {
            if (node->kind == SLUICE_TREE_LIST) {
                sluice_tree_destroy(slot);
                *slot = value;
                return;
            }
            value->name = strndup(step, n);
            if (!value->name || !sluice_tree_put(node, value))
                sluice_report_error(r->report, at, path, "out of memory");
            return;
        }
        if (!slot) {
            struct sluice_tree_node *group = sluice_tree_group(step, n, at);
            if (!group || !(group = sluice_tree_put(node, group))) {
                sluice_report_error(r->report, at, path, "out of memory");
                break;
            }
            group->set = at->set;
            node = group;
        } else {
            node = *slot;
        }
    }
    sluice_tree_destroy(&value);
}

/* Steps of names and [N] with dots between them. */
static int good_path(const char *path)
{
    const char *rest;
    for (; path; path = rest) {
        const size_t n = sluice_tree_first_step(path, &rest);
        if (n == 0)
            return 0;
        if (*path == '[' ? path[n - 1] != ']' || strspn(path + 1, "0123456789") != n - 2 || n < 3
                         : !isalpha((unsigned char)*path))
            return 0;
        for (size_t i = 0; *path != '[' && i < n; i++)
            if (!isalnum((unsigned char)path[i]) && path[i] != '_' && path[i] != '-')
                return 0;
    }
    return 1;
}

static void set_one(struct sluice_reader *r, const char *text)
{
    const struct sluice_tree_node at = {.set = text};
    const char *equals = strchr(text, '=');
    char path[SLUICE_KEY_BYTES], value[TEXT_BYTES - 64];
    const size_t n = equals ? (size_t)(equals - text) : 0;
    if (n == 0) {
        sluice_report_error(r->report, &at, "usage",
                            "no key and value: write --set path=value, as --set time.end=2.0");
        return;
    }
    if (n >= sizeof path || strlen(equals + 1) >= sizeof value) {
        sluice_report_error(r->report, &at, "usage", "too long: put it into the config file");
        return;
    }
    memcpy(path, text, n);
    path[n] = 0;
    strcpy(value, equals + 1);
    for (size_t i = n; i > 0 && path[i - 1] == ' '; i--)
        path[i - 1] = 0;
    if (!good_path(path)) {
        sluice_report_error(
            r->report, &at, "usage",
            "'%s' is no path: write names with dots between them, entries of a list as "
            "probes.[0].every or by their name",
            path);
        return;
    }
    for (const char *c = value; *c; c++)
        if ((unsigned char)*c < ' ' && *c != '\t') {
            sluice_report_error(r->report, &at, path,
                                "the value holds a control character: put it into the config file");
            return;
        }
    struct sluice_tree_node *node = value_of(r, &at, path, value + strspn(value, " \t"));
    if (!node)
        return;
    mark(node, text);
    put(r, &at, path, node);
}

void sluice_reader_set(struct sluice_reader *r, const char *const *set, int count)
{
    for (int i = 0; i < count; i++)
        set_one(r, set[i]);
}
