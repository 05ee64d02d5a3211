#include "config/reader.h"

#include <stdio.h>

struct sluice_entry sluice_entry_of_config(struct sluice_reader *r)
{
    return (struct sluice_entry){
        .r = r, .table = &sluice_config_keys, .node = r->root, .base = r->config};
}

void sluice_entry_each(struct sluice_reader *r, const struct sluice_table *list,
                       void (*visit)(const struct sluice_entry *e))
{
    const int count = *(const int *)((char *)r->config + list->list_count);
    char *first = *(char **)((char *)r->config + list->list);
    for (int i = 0; i < count; i++) {
        struct sluice_entry e = {
            .r = r, .table = list, .base = first + (size_t)i * list->size, .i = i};
        e.node = sluice_tree_find(r->root, list->path)->child[i];
        snprintf(e.path, sizeof e.path, "%s.[%d]", list->path, i);
        visit(&e);
    }
}

void sluice_entry_report(const struct sluice_entry *e, const char *name, const char *format, ...)
{
    const char *rest;
    char key[SLUICE_KEY_BYTES];
    va_list arguments;
    snprintf(key, sizeof key, "%s%s%s", e->path, *e->path && *name ? "." : "", name);
    va_start(arguments, format);
    sluice_report_add_va(e->r->report, sluice_tree_walk(e->r->root, key, &rest), key, format,
                         arguments);
    va_end(arguments);
}

void sluice_entry_conflicts(const struct sluice_entry *e, const struct sluice_conflict *conflict,
                            size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (conflict[i].holds)
            sluice_entry_report(e, conflict[i].key, "%s", conflict[i].message);
}

int sluice_entry_given(const struct sluice_entry *e, const char *name)
{
    const struct sluice_tree_node *node = sluice_tree_find(e->node, name);
    return node && !node->bad;
}

int sluice_entry_refused(const struct sluice_entry *e, const char *name)
{
    const struct sluice_tree_node *node = sluice_tree_find(e->node, name);
    return node && node->bad;
}
