#include "config/syntax/tree.h"

#include <stdlib.h>
#include <string.h>

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
        const struct sluice_tree_node *name = sluice_tree_find(node->child[i], "name");
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

struct sluice_tree_node *sluice_tree_walk(const struct sluice_tree_node *node, const char *path,
                                          const char **rest)
{
    for (*rest = path; *rest && **rest; path = *rest) {
        const size_t n = sluice_tree_first_step(path, rest);
        struct sluice_tree_node **slot = sluice_tree_step(node, path, n);
        if (!slot) {
            *rest = path;
            return (struct sluice_tree_node *)node;
        }
        node = *slot;
    }
    *rest = NULL;
    return (struct sluice_tree_node *)node;
}

struct sluice_tree_node *sluice_tree_find(const struct sluice_tree_node *node, const char *path)
{
    const char *rest;
    struct sluice_tree_node *found = sluice_tree_walk(node, path, &rest);
    return rest ? NULL : found;
}

struct sluice_tree_node **sluice_tree_add(struct sluice_tree_node *parent, const char *name,
                                          int length)
{
    const size_t count = (size_t)parent->count;
    struct sluice_tree_node *n = calloc(1, sizeof *n),
                            **grown = realloc(parent->child, (count + 1) * sizeof n);
    if (grown)
        parent->child = grown;
    if (n && name)
        n->name = strndup(name, (size_t)length);
    if (!grown || !n || (name && !n->name)) {
        sluice_tree_destroy(&n);
        return NULL;
    }
    grown[parent->count++] = n;
    return &grown[count];
}

const char *sluice_tree_what(const struct sluice_tree_node *node)
{
    static const char *const what[] = {[SLUICE_TREE_GROUP] = "a group { }",
                                       [SLUICE_TREE_LIST] = "a list ( )",
                                       [SLUICE_TREE_ARRAY] = "an array [ ]",
                                       [SLUICE_TREE_WHOLE] = "a whole number",
                                       [SLUICE_TREE_REAL] = "a number with a point",
                                       [SLUICE_TREE_BOOL] = "true or false",
                                       [SLUICE_TREE_TEXT] = "a text"};
    return what[node->kind];
}
