#include "config/tree.h"

#include <libconfig.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/scan.h"

static const char no_memory[] = "out of memory while reading a config";

void sluice_tree_destroy(struct sluice_tree_node **node)
{
    if (!*node)
        return;
    for (int i = 0; i < (*node)->count; i++)
        sluice_tree_destroy(&(*node)->child[i]);
    free((*node)->child);
    free((*node)->name);
    free((*node)->text);
    free((*node)->where);
    free(*node);
    *node = NULL;
}

/* One node with the value of a setting, without its children. */
static struct sluice_tree_node *node_of(const config_setting_t *setting,
                                        const struct sluice_source *source)
{
    struct sluice_tree_node *n = calloc(1, sizeof *n);
    if (!n)
        return NULL;
    const int line = (int)config_setting_source_line(setting);
    const struct sluice_source_line at = sluice_source_where(source, line);
    n->file = at.file;
    n->line = at.line;
    n->order = line;
    switch (config_setting_type(setting)) {
    case CONFIG_TYPE_GROUP:
        n->kind = SLUICE_TREE_GROUP;
        break;
    case CONFIG_TYPE_LIST:
        n->kind = SLUICE_TREE_LIST;
        break;
    case CONFIG_TYPE_ARRAY:
        n->kind = SLUICE_TREE_ARRAY;
        break;
    case CONFIG_TYPE_FLOAT:
        n->kind = SLUICE_TREE_REAL;
        n->real = config_setting_get_float(setting);
        break;
    case CONFIG_TYPE_BOOL:
        n->kind = SLUICE_TREE_BOOL;
        n->whole = config_setting_get_bool(setting) != 0;
        break;
    case CONFIG_TYPE_STRING:
        n->kind = SLUICE_TREE_TEXT;
        n->text = strdup(config_setting_get_string(setting));
        break;
    default:
        n->kind = SLUICE_TREE_WHOLE;
        n->whole = config_setting_get_int64(setting);
        n->real = (double)n->whole;
    }
    if (config_setting_name(setting))
        n->name = strdup(config_setting_name(setting));
    if ((config_setting_name(setting) && !n->name) || (n->kind == SLUICE_TREE_TEXT && !n->text))
        sluice_tree_destroy(&n);
    return n;
}

/* The setting with all below it; nested no deeper than the scan allows. */
static struct sluice_tree_node *copy_tree(const config_setting_t *setting,
                                          const struct sluice_source *source)
{
    struct sluice_tree_node *n = node_of(setting, source);
    const int count = config_setting_is_aggregate(setting) ? config_setting_length(setting) : 0;
    if (!n || count == 0)
        return n;
    n->child = calloc((size_t)count, sizeof(struct sluice_tree_node *));
    for (int i = 0; n->child && i < count; i++) {
        n->child[i] = copy_tree(config_setting_get_elem(setting, (unsigned)i), source);
        if (!n->child[i])
            break;
        n->count++;
    }
    if (n->count < count)
        sluice_tree_destroy(&n);
    return n;
}

static sluice_status syntax_error(const struct sluice_source *source, int line, int other_line,
                                  const char *what)
{
    const struct sluice_source_line at = sluice_source_where(source, line),
                                    other = sluice_source_where(source, other_line);
    const char *mark = strstr(what, "%OTHER%");
    char quote[72], place[300] = "";
    sluice_source_quote(source, line, quote);
    if (mark && strcmp(at.file, other.file) == 0)
        snprintf(place, sizeof place, "line %d", other.line);
    else if (mark)
        snprintf(place, sizeof place, "%.250s:%d", other.file, other.line);
    return SLUICE_FAIL(SLUICE_BAD_INPUT, "%s:%d: syntax: %.*s%s%s; the line reads: %s", at.file,
                       at.line, mark ? (int)(mark - what) : (int)strlen(what), what, place,
                       mark ? mark + strlen("%OTHER%") : "", quote);
}

/* The text as libconfig wants it: an L after whole numbers beyond 32 bits. */
static char *widened(const struct sluice_source *source, const struct sluice_scan *scan)
{
    char *text = malloc(source->length + (size_t)scan->wide_count + 1), *to = text;
    size_t from = 0;
    for (int i = 0; text && i < scan->wide_count; i++) {
        memcpy(to, source->text + from, scan->wide[i] - from);
        to += scan->wide[i] - from;
        from = scan->wide[i];
        *to++ = 'L';
    }
    if (text)
        memcpy(to, source->text + from, source->length - from + 1);
    return text;
}

sluice_status sluice_tree_read(struct sluice_tree_node **root, const struct sluice_source *source)
{
    struct sluice_scan scan;
    config_t parsed;
    sluice_status status = SLUICE_OK;
    *root = NULL;
    if (sluice_scan_text(&scan, source->text)) {
        status = syntax_error(source, scan.line, scan.other_line, scan.what);
        return status;
    }
    char *text = widened(source, &scan);
    SLUICE_CHECK(text, SLUICE_DEVICE, "%s", no_memory);
    config_init(&parsed);
    if (!config_read_string(&parsed, text)) {
        const char *what = config_error_text(&parsed);
        status = syntax_error(source, config_error_line(&parsed), 0,
                              what ? what : "not understood");
    } else {
        *root = copy_tree(config_root_setting(&parsed), source);
        if (!*root)
            status = SLUICE_FAIL(SLUICE_DEVICE, "%s", no_memory);
    }
    config_destroy(&parsed);
    free(text);
    return status;
}

struct sluice_tree_node *sluice_tree_child(const struct sluice_tree_node *node, const char *name,
                                           size_t length)
{
    for (int i = 0; node && node->kind == SLUICE_TREE_GROUP && i < node->count; i++)
        if (strlen(node->child[i]->name) == length &&
            memcmp(node->child[i]->name, name, length) == 0)
            return node->child[i];
    return NULL;
}

struct sluice_tree_node *sluice_tree_find(const struct sluice_tree_node *node, const char *path)
{
    struct sluice_tree_node *found = NULL;
    for (;;) {
        const size_t n = strcspn(path, ".");
        found = sluice_tree_child(node, path, n);
        if (!found || path[n] == 0)
            return found;
        node = found;
        path += n + 1;
    }
}

struct sluice_tree_node **sluice_tree_step(const struct sluice_tree_node *node, const char *step,
                                           size_t length)
{
    char digits[16];
    if (node->kind == SLUICE_TREE_GROUP) {
        for (int i = 0; i < node->count; i++)
            if (strlen(node->child[i]->name) == length &&
                memcmp(node->child[i]->name, step, length) == 0)
                return &node->child[i];
        return NULL;
    }
    if (node->kind != SLUICE_TREE_LIST)
        return NULL;
    if (length > 2 && length < sizeof digits && step[0] == '[' && step[length - 1] == ']') {
        memcpy(digits, step + 1, length - 2);
        digits[length - 2] = 0;
        const size_t n = strspn(digits, "0123456789");
        const long index = atol(digits);
        return n == length - 2 && index < node->count ? &node->child[index] : NULL;
    }
    for (int i = 0; i < node->count; i++) {
        const struct sluice_tree_node *name = sluice_tree_child(node->child[i], "name", 4);
        if (name && name->kind == SLUICE_TREE_TEXT && strlen(name->text) == length &&
            memcmp(name->text, step, length) == 0)
            return &node->child[i];
    }
    return NULL;
}

size_t sluice_tree_first_step(const char *path, const char **rest)
{
    const size_t n = *path == '[' ? strcspn(path, "].") + (path[strcspn(path, "].")] == ']')
                                  : strcspn(path, ".[");
    *rest = path[n] == '.' ? path + n + 1 : path[n] ? path + n : NULL;
    return n;
}

struct sluice_tree_node *sluice_tree_put(struct sluice_tree_node *group,
                                         struct sluice_tree_node *child)
{
    for (int i = 0; child->name && i < group->count; i++)
        if (group->child[i]->name && strcmp(group->child[i]->name, child->name) == 0) {
            sluice_tree_destroy(&group->child[i]);
            return group->child[i] = child;
        }
    struct sluice_tree_node **grown = realloc(group->child, ((size_t)group->count + 1) *
                                                                sizeof(struct sluice_tree_node *));
    if (!grown) {
        sluice_tree_destroy(&child);
        return NULL;
    }
    group->child = grown;
    return group->child[group->count++] = child;
}

struct sluice_tree_node *sluice_tree_group(const char *name, size_t length,
                                           const struct sluice_tree_node *like)
{
    struct sluice_tree_node *n = calloc(1, sizeof *n);
    if (!n)
        return NULL;
    n->kind = SLUICE_TREE_GROUP;
    n->file = like->file;
    n->line = like->line;
    n->order = like->order;
    n->name = strndup(name, length);
    if (!n->name)
        sluice_tree_destroy(&n);
    return n;
}

const char *sluice_tree_what(const struct sluice_tree_node *node)
{
    switch (node->kind) {
    case SLUICE_TREE_GROUP:
        return "a group { }";
    case SLUICE_TREE_LIST:
        return "a list ( )";
    case SLUICE_TREE_ARRAY:
        return "an array [ ]";
    case SLUICE_TREE_WHOLE:
        return "a whole number";
    case SLUICE_TREE_REAL:
        return "a number with a point";
    case SLUICE_TREE_BOOL:
        return "true or false";
    default:
        return "a text";
    }
}
