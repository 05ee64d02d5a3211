/* Goes through the tables: each row reads its key from the tree, or takes its default. */
#include <stdarg.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <stddef.h>
#include <string.h>

#include "config/reader.h"
#include "kernels/registry.h"

/* --- Entries --- */

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

/* --- Keys --- */

/* The member's default. A choice without one becomes -1: checks skip what depends on it. */
static void preset(const struct sluice_row *row, void *base)
{
    const struct sluice_param *p = &row->p;
    const double none = p->type == SLUICE_PARAM_CHOICE ? -1 : 0;
    if (p->type == SLUICE_PARAM_TEXT)
        strcpy((char *)base + p->offset, p->preset_text ? p->preset_text : "");
    if (p->type == SLUICE_PARAM_POINTS)
        ((struct sluice_points *)((char *)base + p->offset))->count = 0;
    for (int i = 0; i < sluice_param_types[p->type].length; i++)
        sluice_param_put(p, base, i, isnan(p->preset) ? none : p->preset);
}

static void missing(const struct sluice_entry *e, const struct sluice_row *row, const char *key)
{
    const char *rest;
    const struct sluice_tree_node *parent = sluice_tree_walk(e->node, row->p.path, &rest);
    char words[400] = "a number";
    const int type = row->p.type, is_choice = type == SLUICE_PARAM_CHOICE;
    if (parent->kind != SLUICE_TREE_GROUP)
        return; /* its parent is no group, which is reported there */
    if (is_choice)
        sluice_choices_text(&row->p, ~0u, words, sizeof words);
    else if (type == SLUICE_PARAM_SIDES)
        strcpy(words, "the sides");
    else if (sluice_param_types[row->p.type].length > 1)
        strcpy(words, "its components");
    sluice_report_add(e->r->report, parent, key, "missing: it has no default; %s %s (%s)",
                      is_choice ? "choose" : "give", words, row->p.doc);
}

/* Whether a --set gave the key. */
static int is_set(const struct sluice_tree_node *group, const char *path)
{
    const struct sluice_tree_node *node = sluice_tree_find(group, path);
    return node && node->set;
}

/* Refuses a key or list of other models, unless a --set changed the model. */
static void refuse_model(const struct sluice_reader *r, unsigned models,
                         const struct sluice_tree_node *node, const char *key)
{
    char text[200];
    sluice_models_text(models, r->config->model, text, sizeof text);
    if (!is_set(r->root, "model") || node->set)
        sluice_report_add(r->report, node, key, "%s", text);
}

/* A key without effect that belongs to one of several words. */
static void idle_also(const struct sluice_entry *e, const struct sluice_row *row,
                      struct sluice_tree_node *node, const char *key)
{
    const struct sluice_row_when *when[] = {&row->when[0], &row->also[0], &row->also[1]};
    char text[400] = "", words[200];
    size_t used = 0;
    for (int k = 0; k < 3 && when[k]->bits && used < sizeof text; k++) {
        const struct sluice_row *cause = sluice_row_of_condition(e->table, when[k]);
        if (sluice_param_get(&cause->p, e->base, 0) < 0 ||
            (is_set(e->node, cause->p.path) && !node->set))
            return; /* as in idle() */
        sluice_choices_text(&cause->p, when[k]->bits, words, sizeof words);
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s = %s", k ? ", or to " : "",
                                 cause->p.path, words);
    }
    sluice_report_add(e->r->report, node, key, "it belongs to %s: remove it, or write one of them",
                      text);
}

/* A key without effect is an error, unless a --set made it so. */
static void idle(const struct sluice_entry *e, const struct sluice_row *row,
                 struct sluice_tree_node *node, const char *key)
{
    const struct sluice_row first = {.when = {row->when[0]}};
    const int model = e->r->config->model;
    const struct sluice_row_when *when = &row->when[sluice_row_applies(&first, model, e->base)];
    const struct sluice_row *cause = sluice_row_of_condition(e->table, when);
    char words[200], now[80];
    if (!sluice_models_have(row->models, model)) {
        refuse_model(e->r, row->models, node, key);
        return;
    }
    if (row->also[0].bits) {
        idle_also(e, row, node, key);
        return;
    }
    if (!cause) {
        sluice_report_add(e->r->report, node, key,
                          when->bits & 1u ? "the %s sets it: remove one of the two"
                                          : "it belongs to %s, which is missing: remove it",
                          sluice_group_of_condition(when));
        return;
    }
    const int value = (int)sluice_param_get(&cause->p, e->base, 0);
    if (value < 0 || (is_set(e->node, cause->p.path) && !node->set))
        return; /* the other key is wrong and reported itself, or a --set changed it */
    sluice_choices_text(&cause->p, when->bits, words, sizeof words);
    sluice_number_text(&cause->p, value, now);
    sluice_report_add(e->r->report, node, key,
                      "it belongs to %s = %s, but that is %s%s: remove one of the two",
                      cause->p.path, words, now,
                      sluice_tree_find(e->node, cause->p.path) ? "" : " (the default)");
}

static void read_row(const struct sluice_entry *e, const struct sluice_row *row)
{
    char key[SLUICE_KEY_BYTES];
    struct sluice_tree_node *node = sluice_tree_find(e->node, row->p.path);
    snprintf(key, sizeof key, "%s%s%s", e->path, *e->path ? "." : "", row->p.path);
    preset(row, e->base);
    if (node)
        node->used = 1;
    if (!sluice_row_applies(row, e->r->config->model, e->base)) {
        if (node)
            idle(e, row, node, key);
        if (row->p.type == SLUICE_PARAM_CHOICE)
            sluice_param_put(&row->p, e->base, 0, 0); /* the first word: so fluid is filled solid */
        return;
    }
    if (node) {
        node->bad = !sluice_reader_value(e, node, row, key);
        if (node->bad)
            preset(row, e->base);
        if (node->bad && row->p.type == SLUICE_PARAM_CHOICE)
            sluice_param_put(&row->p, e->base, 0, -1);
    } else if (isnan(row->p.preset) && !(row->models && e->r->config->model < 0)) {
        missing(e, row, key);
    }
}

static void read_entry(const struct sluice_entry *e)
{
    const struct sluice_table *table = e->table;
    struct sluice_tree_node *node = e->node;
    char *base = e->base;
    if (node->set)
        snprintf(base + table->file, SLUICE_TEXT_MAX, "--set %.*s", (int)strcspn(node->set, "="),
                 node->set);
    else
        snprintf(base + table->file, SLUICE_TEXT_MAX, "%.*s", SLUICE_TEXT_MAX - 1,
                 node->file ? node->file : e->r->report->name);
    *(int *)(base + table->line) = node->line;
    if (node->kind != SLUICE_TREE_GROUP) {
        sluice_entry_report(e, "", "%s where a group belongs: write { KEY = VALUE; ... }",
                            sluice_tree_what(node));
        node->used = 1;
        for (int i = 0; i < table->count; i++)
            preset(&table->row[i], base);
        return;
    }
    for (int i = 0; i < table->count; i++)
        read_row(e, &table->row[i]);
    sluice_reader_unknown(e);
}

/* A path of --set makes groups on its way. */
static void refuse_other_kind(struct sluice_reader *r, const struct sluice_tree_node *node,
                              const char *path)
{
    if (node->set && node->kind == SLUICE_TREE_GROUP)
        sluice_report_add(r->report, node, path,
                          "the config has no such list to change: add %s = ( { ... } ) to it",
                          path);
    else
        sluice_report_add(r->report, node, path,
                          "%s where a list of groups belongs: write ( { ... }, { ... } )",
                          sluice_tree_what(node));
}

static sluice_status read_list(struct sluice_reader *r, const struct sluice_table *table)
{
    struct sluice_tree_node *node = sluice_tree_find(r->root, table->path);
    int *count = (int *)((char *)r->config + table->list_count);
    void **list = (void **)((char *)r->config + table->list);
    const int applies = sluice_models_have(table->models, r->config->model);
    if (!node)
        return SLUICE_OK;
    node->used = 1;
    if (node->kind != SLUICE_TREE_LIST)
        refuse_other_kind(r, node, table->path);
    else if (node->count > table->limit)
        sluice_report_add(r->report, node, table->path,
                          "%d entries, at most %d are allowed: remove some", node->count,
                          table->limit);
    else if (!applies)
        refuse_model(r, table->models, node, table->path);
    if (node->kind != SLUICE_TREE_LIST || node->count > table->limit || !applies ||
        node->count == 0)
        return SLUICE_OK;
    *list = calloc((size_t)node->count, table->size);
    SLUICE_CHECK(*list, SLUICE_DEVICE, "out of memory for %d entries of %s", node->count,
                 table->path);
    *count = node->count;
    sluice_entry_each(r, table, read_entry);
    return SLUICE_OK;
}

/* Reads the keys of the pair's own table into pair.params. */
static void read_pair(struct sluice_reader *r)
{
    const unsigned lj = 1u << SLUICE_MODEL_LJ;
    struct sluice_config *c = r->config;
    struct sluice_tree_node *node = sluice_tree_find(r->root, "pair");
    struct sluice_entry e = sluice_entry_of_config(r);
    e.base = c->pair.params.bytes;
    if (c->model != SLUICE_MODEL_LJ)
        c->pair.index = -1;
    if (c->pair.index < 0) {
        for (int i = 0; node && node->kind == SLUICE_TREE_GROUP && i < node->count; i++)
            node->child[i]->used = 1; /* the wrong model or pair is reported instead */
        if (node && !sluice_models_have(lj, c->model) && !sluice_tree_find(node, "name"))
            refuse_model(r, lj, node, "pair");
        return;
    }
    for (int i = 0; i < sluice_pairs[c->pair.index].param_count; i++) {
        const struct sluice_row row = {.p = sluice_pairs[c->pair.index].params[i]};
        read_row(&e, &row);
    }
}

/* Notes the groups and lists that the model has. Keys and entries of another model refuse
 * themselves, so only an empty group is refused here. */
static void find_groups(const struct sluice_reader *r)
{
    for (const struct sluice_group_row *g = sluice_config_groups; g->path; g++) {
        const struct sluice_tree_node *node = sluice_tree_find(r->root, g->path);
        const int has = sluice_models_have(g->models, r->config->model),
                  is_group = node && node->kind == SLUICE_TREE_GROUP,
                  used = has && node && node->kind == g->kind && (is_group || node->count > 0);
        memcpy((char *)r->config + g->used, &used, sizeof used);
        if (is_group && node->count == 0 && !has)
            refuse_model(r, g->models, node, g->path);
    }
}

sluice_status sluice_reader_read(struct sluice_reader *r)
{
    const struct sluice_entry e = sluice_entry_of_config(r);
    for (int i = 0; i < sluice_config_keys.count; i++) {
        read_row(&e, &sluice_config_keys.row[i]);
        if (sluice_config_keys.row[i].p.offset == offsetof(struct sluice_config, model))
            find_groups(r); /* before the rows that depend on them */
    }
    read_pair(r);
    for (int i = 0; i < SLUICE_TABLE_COUNT; i++)
        SLUICE_TRY(read_list(r, &sluice_config_lists[i]));
    sluice_reader_unknown(&e);
    return SLUICE_OK;
}
