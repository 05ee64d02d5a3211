/* The effective configuration: every key that applies, with its value. Defaults are marked. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/reader.h"
#include "kernels/registry.h"

/* A struct, the table of its rows, and the tree that gave them. */
struct rows {
    const struct sluice_config *config;
    const struct sluice_row *row;
    int count;
    const void *base;
    const struct sluice_tree_node *node;
};

static void write_text(FILE *out, const char *text)
{
    fputc('"', out);
    for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
        if (*c == '"' || *c == '\\')
            fprintf(out, "\\%c", *c);
        else if (*c == '\n')
            fputs("\\n", out);
        else if (*c == '\t')
            fputs("\\t", out);
        else if (*c < ' ' || *c == 127)
            fprintf(out, "\\x%02x", *c);
        else
            fputc(*c, out);
    }
    fputc('"', out);
}

/* Components of the member in this case. */
static int components(const struct sluice_config *c, const struct sluice_row *row, const void *base)
{
    if (row->length == SLUICE_LENGTH_OF_FIELD &&
        ((const struct sluice_initial *)base)->field != SLUICE_FIELD_OF_VELOCITY)
        return 1;
    if (row->length == SLUICE_LENGTH_OF_TURN)
        return c->dimension == 2 ? 1 : 3;
    if (row->length != SLUICE_LENGTH_FREE)
        return c->dimension;
    const struct sluice_probe *probe = base;
    return sluice_probe_has(probe->kind, SLUICE_PROBE_IS_UPRIGHT) || probe->face >= 0
               ? c->dimension - 1
               : c->dimension;
}

/* Components first .. first + n - 1, as [a, b]. */
static void write_array(FILE *out, const struct sluice_param *p, const void *base, int first, int n)
{
    char text[80];
    for (int i = first; i < first + n; i++) {
        sluice_number_text(p, sluice_param_get(p, base, i), text);
        fprintf(out, "%s%s", i > first ? ", " : "[", text);
    }
    fputc(']', out);
}

static void write_sides(FILE *out, unsigned sides)
{
    const char *before = "[";
    for (int i = 0; i < 6; i++)
        if (sides & 1u << i) {
            fprintf(out, "%s\"%c%c\"", before, "xyz"[i / 2], "-+"[i % 2]);
            before = ", ";
        }
    fputc(']', out);
}

static void write_words(FILE *out, const struct sluice_param *p, unsigned words)
{
    char word[64];
    const char *before = "";
    fputc('[', out);
    for (int i = 0, value; sluice_choice(p, i, word, &value); i++)
        if (words & 1u << value) {
            fprintf(out, "%s\"%s\"", before, word);
            before = ", ";
        }
    fputc(']', out);
}

static void write_points(FILE *out, const struct sluice_points *points)
{
    char x[40], y[40];
    for (int i = 0; i < points->count; i++) {
        sluice_real_text(points->at[i][0], x);
        sluice_real_text(points->at[i][1], y);
        fprintf(out, "%s[%s, %s]", i ? ", " : "(", x, y);
    }
    fputs(points->count ? ")" : "()", out);
}

static void write_value(FILE *out, const struct sluice_config *c, const struct sluice_row *row,
                        const void *base)
{
    const struct sluice_param *p = &row->p;
    const int n = components(c, row, base), is_scalar = sluice_param_types[p->type].length == 1;
    char text[80];
    if (p->type == SLUICE_PARAM_TEXT) {
        write_text(out, (const char *)base + p->offset);
    } else if (p->type == SLUICE_PARAM_POINTS) {
        write_points(out, (const struct sluice_points *)((const char *)base + p->offset));
    } else if (p->type == SLUICE_PARAM_SIDES) {
        write_sides(out, (unsigned)sluice_param_get(p, base, 0));
    } else if (p->type == SLUICE_PARAM_WORDS) {
        write_words(out, p, (unsigned)sluice_param_get(p, base, 0));
    } else if (p->type == SLUICE_PARAM_MATRIX) {
        for (int i = 0; i < n; i++) {
            fputs(n == 1 ? "" : i == 0 ? "(" : ", ", out);
            write_array(out, p, base, 3 * i, c->dimension);
        }
        fputs(n == 1 ? "" : ")", out);
    } else if (is_scalar || (row->length >= SLUICE_LENGTH_OF_FIELD && n == 1)) {
        sluice_number_text(p, sluice_param_get(p, base, 0), text);
        fputs(text, out);
    } else {
        write_array(out, p, base, 0, n);
    }
}

static int is_written(const struct rows *r, const struct sluice_row *row)
{
    return sluice_row_applies(row, r->config->model, r->base) &&
           !(row->p.type == SLUICE_PARAM_FACE && sluice_param_get(&row->p, r->base, 0) < 0) &&
           !(isinf(row->p.preset) && isinf(sluice_param_get(&row->p, r->base, 0)));
}

static void write_key(FILE *out, const struct rows *r, const struct sluice_row *row, size_t group,
                      int depth)
{
    fprintf(out, "%*s%s = ", 4 * depth, "", row->p.path + group);
    write_value(out, r->config, row, r->base);
    fprintf(out, ";%s\n", sluice_tree_find(r->node, row->p.path) ? "" : " # default");
}

/* After the name of a pair, in the same group: the keys of its own table. */
static void write_pair(FILE *out, const struct rows *r, size_t group, int depth)
{
    const struct sluice_pair_info *pair = &sluice_pairs[r->config->pair.index];
    struct rows own = *r;
    own.base = r->config->pair.params.bytes;
    for (int i = 0; i < pair->param_count; i++) {
        const struct sluice_row row = {.p = pair->params[i]};
        write_key(out, &own, &row, group, depth);
    }
}

/* Writes the keys of a group, whose path is the first `group` bytes of row first's, with the dot;
 * and the groups in it, each where its first key stands. */
static void write_group(FILE *out, const struct rows *r, int first, size_t group, int depth)
{
    const char *prefix = r->row[first].p.path;
    for (int k = first; k < r->count; k++) {
        const char *path = r->row[k].p.path, *dot;
        if (strncmp(path, prefix, group) != 0 || !is_written(r, &r->row[k]))
            continue;
        dot = strchr(path + group, '.');
        if (!dot) {
            write_key(out, r, &r->row[k], group, depth);
            if (r->base == r->config &&
                r->row[k].p.offset == offsetof(struct sluice_config, pair.index))
                write_pair(out, r, group, depth);
            continue;
        }
        const size_t inner = (size_t)(dot + 1 - path);
        int begun = 0; /* an earlier row opened it */
        for (int j = first; j < k && !begun; j++)
            begun = strncmp(r->row[j].p.path, path, inner) == 0 && is_written(r, &r->row[j]);
        if (begun)
            continue;
        fprintf(out, "%*s%.*s = {\n", 4 * depth, "", (int)(inner - group) - 1, path + group);
        write_group(out, r, k, inner, depth + 1);
        fprintf(out, "%*s};\n", 4 * depth, "");
    }
}

static void write_list(FILE *out, const struct sluice_config *c, const struct sluice_table *table,
                       const struct sluice_tree_node *root)
{
    int count;
    const char *list;
    memcpy(&count, (const char *)c + table->list_count, sizeof count);
    memcpy(&list, (const char *)c + table->list, sizeof list);
    const struct sluice_tree_node *node = sluice_tree_find(root, table->path);
    if (count == 0 || !node)
        return;
    fprintf(out, "%s = (\n", table->path);
    for (int i = 0; i < count; i++) {
        const struct rows rows = {c, table->row, table->count, list + (size_t)i * table->size,
                                  node->child[i]};
        fputs("    {\n", out);
        write_group(out, &rows, 0, 0, 2);
        fprintf(out, "    }%s\n", i < count - 1 ? "," : "");
    }
    fputs(");\n", out);
}

char *sluice_reader_text(const struct sluice_config *config, const struct sluice_tree_node *root)
{
    const struct rows rows = {config, sluice_config_keys.row, sluice_config_keys.count, config,
                              root};
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    fputs("# The effective configuration: every key that applies; what was not given is marked as "
          "a default.\n",
          out);
    write_group(out, &rows, 0, 0, 0);
    for (int i = 0; i < SLUICE_TABLE_COUNT; i++)
        write_list(out, config, &sluice_config_lists[i], root);
    if (fclose(out) != 0) {
        free(text);
        return NULL;
    }
    return text;
}
