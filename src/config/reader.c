#include "config/reader.h"

#include <stdio.h>

/* A message points at the key, or at the nearest group above it that was written. */
static void add(struct sluice_reader *r, const char *key, int warning, const char *format,
                va_list arguments)
{
    const char *rest;
    sluice_report_add(r->report, sluice_tree_walk(r->root, key, &rest), key, warning, format,
                      arguments);
}

void sluice_reader_error(struct sluice_reader *r, const char *key, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add(r, key, 0, format, arguments);
    va_end(arguments);
}

void sluice_reader_warning(struct sluice_reader *r, const char *key, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add(r, key, 1, format, arguments);
    va_end(arguments);
}

void sluice_entry_error(const struct sluice_list_entry *e, const char *name, const char *format,
                        ...)
{
    char key[SLUICE_KEY_BYTES];
    va_list arguments;
    snprintf(key, sizeof key, "%s.[%d]%s%s", sluice_config_lists[e->table].path, e->i,
             *name ? "." : "", name);
    va_start(arguments, format);
    add(e->r, key, 0, format, arguments);
    va_end(arguments);
}

struct sluice_list_entry sluice_list_entry(struct sluice_reader *r, int table, int i)
{
    return (struct sluice_list_entry){
        r, table, i, sluice_tree_find(r->root, sluice_config_lists[table].path)->child[i]};
}

int sluice_reader_given(const struct sluice_tree_node *group, const char *path)
{
    const struct sluice_tree_node *node = sluice_tree_find(group, path);
    return node && !node->bad;
}

int sluice_reader_refused(const struct sluice_tree_node *group, const char *path)
{
    const struct sluice_tree_node *node = sluice_tree_find(group, path);
    return node && node->bad;
}
