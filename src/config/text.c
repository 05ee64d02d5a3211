/* The effective configuration: every key that applies, with its value; what was not given is marked
 * as a default. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/reader.h"
#include "kernels/registry.h"

struct writer {
    FILE *out;
    int depth;      /* of the groups that are open */
    char group[64]; /* the path of the innermost, "" outside */
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

static void write_real(FILE *out, double value)
{
    char text[40];
    sluice_real_text(value, text);
    fputs(text, out);
}

static void write_reals(FILE *out, const double *value, int n)
{
    fputc('[', out);
    for (int i = 0; i < n; i++) {
        fputs(i ? ", " : "", out);
        write_real(out, value[i]);
    }
    fputc(']', out);
}

static void write_sides(FILE *out, unsigned sides)
{
    fputc('[', out);
    for (int i = 0, any = 0; i < 6; i++)
        if (sides & 1u << i) {
            fprintf(out, "%s\"%c%c\"", any ? ", " : "", "xyz"[i / 2], "-+"[i % 2]);
            any = 1;
        }
    fputc(']', out);
}

static void write_choice(FILE *out, const struct sluice_param *p, int value)
{
    char word[64] = "";
    for (int i = 0, v; sluice_choice(p, i, word, &v) && v != value; i++)
        ;
    fprintf(out, "\"%s\"", word);
}

/* How many components the member has in this case. */
static int components(const struct sluice_config *c, const struct sluice_row *row, const void *base)
{
    if (row->length == SLUICE_LENGTH_OF_FIELD &&
        ((const struct sluice_initial *)base)->field != SLUICE_FIELD_OF_VELOCITY)
        return 1;
    if (row->length != SLUICE_LENGTH_FREE)
        return c->dimension;
    const struct sluice_probe *probe = base;
    return probe->kind == SLUICE_PROBE_HEIGHT || probe->face >= 0 ? c->dimension - 1 : c->dimension;
}

static void write_value(FILE *out, const struct sluice_config *c, const struct sluice_row *row,
                        const void *base)
{
    const void *from = (const char *)base + row->p.offset;
    const int n = components(c, row, base);
    switch (row->p.type) {
    case SLUICE_PARAM_REAL:
        write_real(out, *(const double *)from);
        break;
    case SLUICE_PARAM_INT:
        fprintf(out, "%lld", *(const long long *)from);
        break;
    case SLUICE_PARAM_SMALL:
        fprintf(out, "%d", *(const int *)from);
        break;
    case SLUICE_PARAM_BOOL:
        fputs(*(const int *)from ? "true" : "false", out);
        break;
    case SLUICE_PARAM_CHOICE:
        write_choice(out, &row->p, *(const int *)from);
        break;
    case SLUICE_PARAM_TEXT:
        write_text(out, from);
        break;
    case SLUICE_PARAM_SIDES:
        write_sides(out, *(const unsigned *)from);
        break;
    case SLUICE_PARAM_FACE:
        fprintf(out, "\"%c%c\"", "xyz"[*(const int *)from / 2], "-+"[*(const int *)from % 2]);
        break;
    case SLUICE_PARAM_VECTOR:
        if (row->length == SLUICE_LENGTH_OF_FIELD && n == 1)
            write_real(out, *(const double *)from);
        else
            write_reals(out, from, n);
        break;
    case SLUICE_PARAM_MATRIX:
        if (n == 1)
            write_reals(out, from, c->dimension);
        for (int i = 0; n > 1 && i < n; i++) {
            fputs(i ? ", " : "(", out);
            write_reals(out, (const double *)from + 3 * i, n);
            fputs(i == n - 1 ? ")" : "", out);
        }
        break;
    default:
        fputc('[', out);
        for (int i = 0; i < n; i++)
            if (row->p.type == SLUICE_PARAM_BOOLS)
                fprintf(out, "%s%s", i ? ", " : "", ((const int *)from)[i] ? "true" : "false");
            else
                fprintf(out, "%s%lld", i ? ", " : "",
                        row->p.type == SLUICE_PARAM_INTS ? ((const int *)from)[i]
                                                         : ((const long long *)from)[i]);
        fputc(']', out);
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
    if (!sluice_row_applies(row, base))
        return;
    if (row->p.type == SLUICE_PARAM_FACE && *(const int *)((const char *)base + row->p.offset) < 0)
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
    const struct sluice_tree_node *node = sluice_tree_child(root, table->path, strlen(table->path));
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

/* The pair's own table. */
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
            sluice_row_applies(row, config))
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
