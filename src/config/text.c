/* The effective configuration: every key that applies, with its value. Defaults are marked. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/reader.h"
#include "kernels/registry.h"

struct writer {
    FILE *out;
    int depth;      /* of the groups that are open */
    char group[64]; /* path of the innermost open group; "" outside */
};

static void indent(const struct writer *w)
{
    fprintf(w->out, "%*s", 4 * w->depth, "");
}

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
    return probe->kind == SLUICE_PROBE_HEIGHT || probe->face >= 0 ? c->dimension - 1 : c->dimension;
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

/* Closes and opens groups until that of `path` is open; returns the key's own name. */
static const char *enter(struct writer *w, const char *path)
{
    for (;;) {
        const size_t n = strlen(w->group);
        if (n == 0 || (strncmp(path, w->group, n) == 0 && path[n] == '.'))
            break;
        char *dot = strrchr(w->group, '.');
        *(dot ? dot : w->group) = 0;
        w->depth--;
        indent(w);
        fputs("};\n", w->out);
    }
    for (;;) {
        const size_t n = strlen(w->group);
        const char *name = path + n + (n > 0), *dot = strchr(name, '.');
        if (!dot)
            return name;
        indent(w);
        fprintf(w->out, "%.*s = {\n", (int)(dot - name), name);
        snprintf(w->group, sizeof w->group, "%.*s", (int)(dot - path), path);
        w->depth++;
    }
}

static void write_row(struct writer *w, const struct sluice_config *c, const struct sluice_row *row,
                      const void *base, const struct sluice_tree_node *node)
{
    if (!sluice_row_applies(row, c->model, base))
        return;
    if (row->p.type == SLUICE_PARAM_FACE && sluice_param_get(&row->p, base, 0) < 0)
        return;
    if (isinf(row->p.preset) && isinf(sluice_param_get(&row->p, base, 0)))
        return;
    const char *name = enter(w, row->p.path);
    indent(w);
    fprintf(w->out, "%s = ", name);
    write_value(w->out, c, row, base);
    fprintf(w->out, ";%s\n", sluice_tree_find(node, row->p.path) ? "" : " # default");
}

static void write_list(struct writer *w, const struct sluice_config *c,
                       const struct sluice_table *table, const struct sluice_tree_node *root)
{
    int count;
    const char *list;
    memcpy(&count, (const char *)c + table->list_count, sizeof count);
    memcpy(&list, (const char *)c + table->list, sizeof list);
    const struct sluice_tree_node *node = sluice_tree_find(root, table->path);
    if (count == 0 || !node)
        return;
    fprintf(w->out, "%s = (\n", table->path);
    for (int i = 0; i < count; i++) {
        struct writer inner = {.out = w->out, .depth = 2};
        fputs("    {\n", w->out);
        for (int k = 0; k < table->count; k++)
            write_row(&inner, c, &table->row[k], list + (size_t)i * table->size, node->child[i]);
        fprintf(w->out, "    }%s\n", i < count - 1 ? "," : "");
    }
    fputs(");\n", w->out);
}

/* Writes the keys of the pair's own table. */
static void write_pair(struct writer *w, const struct sluice_config *c,
                       const struct sluice_tree_node *root)
{
    for (int i = 0; i < sluice_pairs[c->pair.index].param_count; i++) {
        const struct sluice_row row = {.p = sluice_pairs[c->pair.index].params[i]};
        write_row(w, c, &row, c->pair.params.bytes, root);
    }
}

char *sluice_reader_text(const struct sluice_config *config, const struct sluice_tree_node *root)
{
    char *text = NULL;
    size_t size = 0;
    struct writer w = {.out = open_memstream(&text, &size)};
    if (!w.out)
        return NULL;
    fputs("# The effective configuration: every key that applies; what was not given is marked as "
          "a default.\n",
          w.out);
    for (int i = 0; i < sluice_config_keys.count; i++) {
        const struct sluice_row *row = &sluice_config_keys.row[i];
        write_row(&w, config, row, config, root);
        if (row->p.offset == offsetof(struct sluice_config, pair.index) &&
            sluice_row_applies(row, config->model, config))
            write_pair(&w, config, root); /* in the same group */
    }
    enter(&w, "");
    for (int i = 0; i < SLUICE_TABLE_COUNT; i++)
        write_list(&w, config, &sluice_config_lists[i], root);
    if (fclose(w.out) != 0) {
        free(text);
        return NULL;
    }
    return text;
}
