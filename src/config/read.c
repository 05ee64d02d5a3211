/* The tables walked: each row finds its key in the tree, or takes its default. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/reader.h"
#include "kernels/registry.h"

/* The member's default. A choice without one becomes -1: checks skip what depends on it. */
static void preset(const struct sluice_row *row, void *base)
{
    const struct sluice_param *p = &row->p;
    const double none = p->type == SLUICE_PARAM_CHOICE ? -1 : 0;
    if (p->type == SLUICE_PARAM_TEXT)
        strcpy((char *)base + p->offset, p->preset_text ? p->preset_text : "");
    for (int i = 0; i < sluice_param_length(p->type); i++)
        sluice_param_put(p, base, i, isnan(p->preset) ? none : p->preset);
}

static void missing(struct sluice_reader *r, const struct sluice_entry *e,
                    const struct sluice_row *row, const char *key)
{
    const char *rest;
    const struct sluice_tree_node *parent = sluice_tree_walk(e->node, row->p.path, &rest);
    char words[400];
    if (parent->kind != SLUICE_TREE_GROUP)
        return; /* said with the group */
    if (row->p.type == SLUICE_PARAM_CHOICE) {
        sluice_choices_text(&row->p, ~0u, words, sizeof words);
        sluice_report_error(r->report, parent, key, "missing: it has no default; choose %s (%s)",
                            words, row->p.doc);
        return;
    }
    sluice_report_error(r->report, parent, key, "missing: it has no default; give %s (%s)",
                        row->p.type == SLUICE_PARAM_VECTOR || row->p.type == SLUICE_PARAM_LONGS ||
                                row->p.type == SLUICE_PARAM_MATRIX
                            ? "its components"
                        : row->p.type == SLUICE_PARAM_SIDES ? "the sides"
                                                            : "a number",
                        row->p.doc);
}

/* A key that stands where it does not apply: an error, unless it was made idle from the command
 * line. */
static void idle(struct sluice_reader *r, const struct sluice_entry *e,
                 const struct sluice_row *row, struct sluice_tree_node *node, const char *key)
{
    for (int i = 0; i < 2; i++) {
        const struct sluice_row one = {.when = {row->when[i]}};
        if (sluice_row_applies(&one, e->base))
            continue;
        const struct sluice_row *cause = sluice_row_of_condition(e->table, &row->when[i]);
        int value;
        memcpy(&value, (const char *)e->base + row->when[i].offset, sizeof value);
        if (cause && value < 0)
            return; /* said with the cause */
        const struct sluice_tree_node *switched = cause ? sluice_tree_find(e->node, cause->p.path)
                                                        : NULL;
        if (switched && switched->set && !node->set)
            return;
        char words[200];
        if (!cause) {
            sluice_report_error(r->report, node, key,
                                "given beside a lattice, which sets it: remove one of the two");
        } else {
            sluice_choices_text(&cause->p, row->when[i].bits, words, sizeof words);
            char now[64];
            sluice_report_error(
                r->report, node, key,
                "it belongs to %s = %s, but that is \"%s\"%s: remove one of the two", cause->p.path,
                words, sluice_choice_word(&cause->p, value, now), switched ? "" : " (the default)");
        }
        return;
    }
}

void sluice_reader_row(struct sluice_reader *r, const struct sluice_entry *e,
                       const struct sluice_row *row)
{
    char key[SLUICE_KEY_BYTES];
    struct sluice_tree_node *node = sluice_tree_find(e->node, row->p.path);
    snprintf(key, sizeof key, "%s%s", e->prefix, row->p.path);
    preset(row, e->base);
    if (node)
        node->used = 1;
    if (!sluice_row_applies(row, e->base)) {
        if (node)
            idle(r, e, row, node, key);
        if (row->p.type == SLUICE_PARAM_CHOICE)
            *(int *)((char *)e->base +
                     row->p.offset) = 0; /* the first word: fluid is filled solid */
        return;
    }
    if (node) {
        node->bad = !sluice_reader_value(r, node, e, row, key);
        if (node->bad)
            preset(row, e->base);
        if (node->bad && row->p.type == SLUICE_PARAM_CHOICE)
            *(int *)((char *)e->base + row->p.offset) = -1;
    } else if (isnan(row->p.preset)) {
        missing(r, e, row, key);
    }
}

static void read_entry(struct sluice_reader *r, const struct sluice_table *table,
                       struct sluice_tree_node *node, int index, char *base)
{
    struct sluice_entry e = {.table = table, .node = node, .base = base};
    snprintf(e.prefix, sizeof e.prefix, "%s.[%d].", table->path, index);
    snprintf(base + table->file, SLUICE_TEXT_MAX, "%.*s", SLUICE_TEXT_MAX - 1,
             node->file ? node->file : r->report->name);
    *(int *)(base + table->line) = node->line;
    if (node->kind != SLUICE_TREE_GROUP) {
        char key[SLUICE_KEY_BYTES];
        snprintf(key, sizeof key, "%s.[%d]", table->path, index);
        sluice_report_error(r->report, node, key,
                            "%s where a group belongs: write { KEY = VALUE; ... }",
                            sluice_tree_what(node));
        node->used = 1;
        for (int i = 0; i < table->count; i++)
            preset(&table->row[i], base);
        return;
    }
    for (int i = 0; i < table->count; i++)
        sluice_reader_row(r, &e, &table->row[i]);
    sluice_reader_unknown(r, node, table, e.prefix);
}

static sluice_status read_list(struct sluice_reader *r, const struct sluice_table *table)
{
    struct sluice_tree_node *node = sluice_tree_find(r->root, table->path);
    int *count = (int *)((char *)r->config + table->list_count);
    void **list = (void **)((char *)r->config + table->list);
    if (!node)
        return SLUICE_OK;
    node->used = 1;
    if (node->kind != SLUICE_TREE_LIST) {
        sluice_report_error(r->report, node, table->path,
                            "%s where a list of groups belongs: write ( { ... }, { ... } )",
                            sluice_tree_what(node));
        return SLUICE_OK;
    }
    if (node->count > table->limit) {
        sluice_report_error(r->report, node, table->path,
                            "%d entries, at most %d are allowed: remove some", node->count,
                            table->limit);
        return SLUICE_OK;
    }
    const int model = r->config->model;
    if (model >= 0 && !(table->models & 1u << model)) {
        const struct sluice_tree_node *switched = sluice_tree_find(r->root, "model");
        if (!switched || !switched->set || node->set)
            sluice_report_error(
                r->report, node, table->path,
                "it belongs to model = \"wcsph\", but that is \"lj\": remove one of the two");
        return SLUICE_OK;
    }
    if (node->count == 0)
        return SLUICE_OK;
    *list = calloc((size_t)node->count, table->size);
    SLUICE_CHECK(*list, SLUICE_DEVICE, "out of memory for %d entries of %s", node->count,
                 table->path);
    *count = node->count;
    for (int i = 0; i < node->count; i++)
        read_entry(r, table, node->child[i], i, (char *)*list + (size_t)i * table->size);
    return SLUICE_OK;
}

/* The pair's own table, into pair.params. */
static void read_pair(struct sluice_reader *r)
{
    struct sluice_config *c = r->config;
    struct sluice_tree_node *node = sluice_tree_find(r->root, "pair");
    struct sluice_entry e = {
        .table = &sluice_config_keys, .node = r->root, .base = c->pair.params.bytes};
    if (c->model != SLUICE_MODEL_LJ)
        c->pair.index = -1;
    if (c->pair.index < 0) {
        for (int i = 0; node && node->kind == SLUICE_TREE_GROUP && i < node->count; i++)
            node->child[i]->used = 1; /* said with the model, or with the pair's name */
        const struct sluice_tree_node *switched = sluice_tree_find(r->root, "model");
        if (node && c->model == SLUICE_MODEL_WCSPH && !sluice_tree_find(node, "name") &&
            !(switched && switched->set))
            sluice_report_error(
                r->report, node, "pair",
                "it belongs to model = \"lj\", but that is \"wcsph\": remove one of the two");
        return;
    }
    for (int i = 0; i < sluice_pairs[c->pair.index].param_count; i++) {
        const struct sluice_row row = {.p = sluice_pairs[c->pair.index].params[i]};
        sluice_reader_row(r, &e, &row);
    }
}

sluice_status sluice_reader_read(struct sluice_reader *r)
{
    struct sluice_config *c = r->config;
    const struct sluice_entry e = {.table = &sluice_config_keys, .node = r->root, .base = c};
    c->lattice.used = sluice_tree_find(r->root, "lattice") != NULL;
    c->thermal.used = sluice_tree_find(r->root, "thermal") != NULL;
    c->fluid.second.used = sluice_tree_find(r->root, "fluid.second") != NULL;
    for (int i = 0; i < sluice_config_keys.count; i++)
        sluice_reader_row(r, &e, &sluice_config_keys.row[i]);
    read_pair(r);
    for (int i = 0; i < SLUICE_TABLE_COUNT; i++)
        SLUICE_TRY(read_list(r, &sluice_config_lists[i]));
    sluice_reader_unknown(r, r->root, &sluice_config_keys, "");
    return SLUICE_OK;
}
