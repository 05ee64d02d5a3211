/* --set path=value: a key put into the tree, checked afterwards like any other. So are the values
 * of `settings` where the config has none. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/reader.h"

enum { TEXT_BYTES = 4096 };

/* Marks the node and all below it as made by a --set. */
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

/* A number that was refused would be no better as a text. */
static int is_whole_number(const char *value)
{
    value += *value == '-' || *value == '+';
    return *value && value[strspn(value, "0123456789")] == 0;
}

/* Parses a value as a config would. A bare word counts as a text. *out NULL: the error is reported.
 * Errors: no memory. */
static sluice_status parse_value(struct sluice_reader *r, const struct sluice_tree_node *at,
                                 const char *path, const char *value, struct sluice_tree_node **out)
{
    char line[TEXT_BYTES];
    struct sluice_mistake mistake = {.line = 0};
    struct sluice_source source;
    struct sluice_tree_node *root = NULL, *node = NULL;
    snprintf(line, sizeof line, "value = %s;", value);
    const int good = sluice_source_take(&source, line, "--set") == SLUICE_OK &&
                     sluice_tree_parse(&root, &source, &mistake);
    int has_memory = good || mistake.line > 0;
    if (good && root->count == 1) {
        node = root->child[0];
        root->count = 0;
    } else if (root) {
        sluice_report_add(r->report, at, path, "'%.200s' is not one value: write --set path=value",
                          value);
    } else if (has_memory && !strpbrk(value, "\"{}[]()=;#") && !is_whole_number(value)) {
        node = text_node(value);
        has_memory = node != NULL;
    } else if (has_memory) {
        sluice_report_add(r->report, at, path, "%s", mistake.what);
    }
    sluice_tree_destroy(&root);
    sluice_source_destroy(&source);
    *out = node;
    SLUICE_CHECK(has_memory, SLUICE_DEVICE, "no memory for --set %s", at->set);
    return SLUICE_OK;
}

/* Says why the path has no such step below `node`. `step` is a part of `path`. */
static void no_such_step(struct sluice_reader *r, const struct sluice_tree_node *at,
                         const char *path, const struct sluice_tree_node *node, const char *step,
                         int length)
{
    if (node->kind == SLUICE_TREE_GROUP)
        sluice_report_add(r->report, at, path, "out of memory");
    else if (node->kind != SLUICE_TREE_LIST)
        sluice_report_add(r->report, at, path,
                          "there is nothing below '%.*s', which is %s: shorten the path",
                          (int)(step - path) - 1, path, sluice_tree_what(node));
    else if (*step == '[')
        sluice_report_add(r->report, at, path, "no entry %.*s: the list has %d, counted from [0]",
                          length, step, node->count);
    else
        sluice_report_add(
            r->report, at, path,
            "no entry is named '%.*s': use a name that the list holds, or its number as [0]",
            length, step);
}

/* Puts `value` (taken) at the end of the path, making groups on the way. */
static void put(struct sluice_reader *r, const struct sluice_tree_node *at, const char *path,
                struct sluice_tree_node *value)
{
    struct sluice_tree_node *node = r->root;
    for (const char *step = path, *rest; step; step = rest) {
        const size_t n = sluice_tree_first_step(step, &rest);
        struct sluice_tree_node **slot = sluice_tree_step(node, step, n);
        if (!slot && node->kind == SLUICE_TREE_GROUP) {
            slot = sluice_tree_add(node, step, (int)n);
            if (slot)
                (*slot)->set = at->set;
        }
        if (!slot) {
            no_such_step(r, at, path, node, step, (int)n);
            sluice_tree_destroy(&value);
            return;
        }
        node = *slot;
        if (!rest) {
            free(value->name);
            value->name = node->name;
            node->name = NULL;
            sluice_tree_destroy(slot);
            *slot = value;
        }
    }
}

/* Names and [N], with dots between them. */
static int is_path(const char *path)
{
    for (const char *rest; path; path = rest) {
        const size_t n = sluice_tree_first_step(path, &rest),
                     digits = *path == '[' ? strspn(path + 1, "0123456789") : 0;
        if (*path == '[' ? digits == 0 || n != digits + 2 || path[n - 1] != ']'
                         : !isalpha((unsigned char)*path))
            return 0;
        for (size_t i = 0; *path != '[' && i < n; i++)
            if (!isalnum((unsigned char)path[i]) && path[i] != '_' && path[i] != '-')
                return 0;
    }
    return 1;
}

static sluice_status set_one(struct sluice_reader *r, const char *text)
{
    const struct sluice_tree_node at = {.set = text};
    const char *equals = strchr(text, '=');
    char path[SLUICE_KEY_BYTES], value[TEXT_BYTES - 64];
    const size_t n = equals ? (size_t)(equals - text) : 0;
    if (n == 0) {
        sluice_report_add(r->report, &at, "usage",
                          "no key and value: write --set path=value, as --set time.end=2.0");
        return SLUICE_OK;
    }
    if (n >= sizeof path || strlen(equals + 1) >= sizeof value) {
        sluice_report_add(r->report, &at, "usage", "too long: put it into the config file");
        return SLUICE_OK;
    }
    memcpy(path, text, n);
    path[n] = 0;
    strcpy(value, equals + 1);
    for (size_t i = n; i > 0 && path[i - 1] == ' '; i--)
        path[i - 1] = 0;
    if (!is_path(path)) {
        sluice_report_add(
            r->report, &at, "usage",
            "'%s' is no path: write names with dots between them, entries of a list as "
            "probes.[0].every or by their name",
            path);
        return SLUICE_OK;
    }
    for (const char *c = value; *c; c++)
        if ((unsigned char)*c < ' ' && *c != '\t') {
            sluice_report_add(r->report, &at, path,
                              "the value holds a control character: put it into the config file");
            return SLUICE_OK;
        }
    struct sluice_tree_node *node;
    SLUICE_TRY(parse_value(r, &at, path, value + strspn(value, " \t"), &node));
    if (node) {
        mark(node, text);
        put(r, &at, path, node);
    }
    return SLUICE_OK;
}

sluice_status sluice_reader_set(struct sluice_reader *r, const char *const *set, int count)
{
    for (int i = 0; i < count; i++)
        SLUICE_TRY(set_one(r, set[i]));
    return SLUICE_OK;
}

/* --- settings --- */

/* The values of a named set: docs/guide-waves.md, "Waves that keep their height". */
static const struct {
    const char *name, *path, *value;
} presets[] = {
    {"waves", "kernel.h_over_dp", "2.0"},
    {"waves", "fluid.gradients", "\"renormalised\""},
    {"waves", "fluid.viscosity", "{ kind = \"artificial\"; alpha = 0.001; }"},
};

static void place(struct sluice_tree_node *node, const struct sluice_tree_node *at)
{
    node->file = at->file;
    node->line = at->line;
    node->set = at->set;
    for (int i = 0; i < node->count; i++)
        place(node->child[i], at);
}

sluice_status sluice_reader_add_settings(struct sluice_reader *r)
{
    const struct sluice_tree_node *at = sluice_tree_find(r->root, "settings");
    for (size_t i = 0; at && at->text && i < sizeof presets / sizeof *presets; i++) {
        struct sluice_tree_node *node;
        if (strcmp(at->text, presets[i].name) != 0 || sluice_tree_find(r->root, presets[i].path))
            continue;
        SLUICE_TRY(parse_value(r, at, presets[i].path, presets[i].value, &node));
        if (!node)
            continue;
        place(node, at);
        put(r, at, presets[i].path, node);
    }
    return SLUICE_OK;
}
