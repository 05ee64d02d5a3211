/* One value: from a node of the tree into the member of a struct, checked against its row. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/foreign.h"
#include "config/reader.h"

void sluice_real_text(double value, char out[40])
{
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(out, 40, "%.*g", digits, value);
        if (strtod(out, NULL) == value)
            break;
    }
    if (strchr(out, 'e') && fabs(value) >= 1 && fabs(value) < 1e15 && value == rint(value))
        snprintf(out, 40, "%.1f", value);
    if (!strpbrk(out, ".eEn"))
        strcat(out, ".0");
}

/* Six digits where they say all. */
static const char *bound(double value, char out[32])
{
    snprintf(out, 32, "%g", value);
    if (strtod(out, NULL) != value)
        snprintf(out, 32, "%.16g", value);
    return out;
}

void sluice_range_text(const struct sluice_param *p, char *out, size_t size)
{
    const char *unit = strcmp(p->unit, "1") == 0 ? "" : p->unit;
    const char *space = *unit ? " " : "";
    char least[32], most[32];
    if (p->most >= 1e300)
        snprintf(out, size, "at least %s%s%s", bound(p->least, least), space, unit);
    else
        snprintf(out, size, "from %s to %s%s%s", bound(p->least, least), bound(p->most, most),
                 space, unit);
}

int sluice_side_of_word(const char *word, int dimension)
{
    static const char *const plain[] = {"x-", "x+", "y-", "y+", "z-", "z+"};
    static const char *const alias[] = {"left", "right", "front", "back", "bottom", "top"};
    for (int i = 0; i < 6; i++) {
        if (strcmp(word, plain[i]) == 0)
            return i / 2 < dimension ? i : -2;
        if (strcmp(word, alias[i]) == 0 && dimension == 3)
            return i;
        if (strcmp(word, alias[i]) == 0)
            return i < 2 ? i : i < 4 ? -2 : i - 2; /* in 2-D up is y */
    }
    return -1;
}

/* The value of a plain node as it would be written, or what the node is. */
static const char *shown(const struct sluice_tree_node *n, char out[80])
{
    char number[40];
    switch (n->kind) {
    case SLUICE_TREE_WHOLE:
        snprintf(out, 80, "%lld", n->whole);
        break;
    case SLUICE_TREE_REAL:
        sluice_real_text(n->real, number);
        snprintf(out, 80, "%s", number);
        break;
    case SLUICE_TREE_BOOL:
        snprintf(out, 80, "%s", n->whole ? "true" : "false");
        break;
    case SLUICE_TREE_TEXT:
        snprintf(out, 80, "\"%.60s\"", n->text);
        break;
    default:
        snprintf(out, 80, "%s", sluice_tree_what(n));
    }
    return out;
}

static int is_number(const struct sluice_tree_node *n)
{
    return n->kind == SLUICE_TREE_WHOLE || n->kind == SLUICE_TREE_REAL;
}

static int wrong_type(struct sluice_reader *r, const struct sluice_tree_node *n, const char *key,
                      const char *wanted, const char *remedy)
{
    char text[80];
    const char *found = n->kind >= SLUICE_TREE_WHOLE ? sluice_tree_what(n) : "";
    sluice_report_error(r->report, n, key, "%s%s%s where %s belongs: %s", shown(n, text),
                        *found ? " is " : "", found, wanted, remedy);
    return 0;
}

/* A number within the row's range. `whole`: no fraction. */
static int read_number(struct sluice_reader *r, const struct sluice_tree_node *n,
                       const struct sluice_param *p, const char *key, int whole, double *out)
{
    char range[120], text[80], *end;
    sluice_range_text(p, range, sizeof range);
    if (!is_number(n) || (whole && n->kind == SLUICE_TREE_REAL)) {
        const char *remedy = whole ? "write it without a point or an exponent, as 10"
                                   : "write it as 0.5 or 1.0e-3";
        if (n->kind == SLUICE_TREE_TEXT && *n->text && isfinite(strtod(n->text, &end)) && !*end)
            remedy = "remove the quotes";
        return wrong_type(r, n, key, whole ? "a whole number" : "a number", remedy);
    }
    if (!(n->real >= p->least && n->real <= p->most)) {
        sluice_report_error(r->report, n, key, "%s is out of range: it must be %s", shown(n, text),
                            range);
        return 0;
    }
    *out = n->real;
    return 1;
}

/* Tries in turn: another spelling, a word of another program, a near miss. */
static void unknown_choice(struct sluice_reader *r, const struct sluice_tree_node *n,
                           const char *key, const char *const *list, int count, const char *words)
{
    const char *meant = NULL;
    char answer[SLUICE_FOREIGN_BYTES] = "it must be";
    for (int i = 0; i < count; i++)
        if (sluice_foreign_same(n->text, list[i]))
            meant = list[i];
    const struct sluice_foreign *foreign = sluice_foreign_find(n->text, key);
    if (!meant && foreign) {
        sluice_foreign_text(foreign, answer, sizeof answer);
        strncat(answer, ". It must be", sizeof answer - strlen(answer) - 1);
    } else if (meant || sluice_nearest_word(n->text, list, count, &meant)) {
        snprintf(answer, sizeof answer, "did you mean \"%s\"? It must be", meant);
    }
    sluice_report_error(r->report, n, key, "\"%.60s\" is no choice: %s %s", n->text, answer, words);
}

static int read_choice(struct sluice_reader *r, const struct sluice_tree_node *n,
                       const struct sluice_param *p, const char *key, int *out)
{
    char words[400], word[64], store[32][64];
    const char *list[32];
    int value, count = 0;
    sluice_choices_text(p, words, sizeof words);
    if (n->kind != SLUICE_TREE_TEXT)
        return wrong_type(r, n, key, "a word", words);
    for (int i = 0; sluice_choice(p, i, word, &value) && i < 32; i++) {
        if (strcmp(n->text, word) == 0) {
            *out = value;
            return 1;
        }
        memcpy(store[i], word, sizeof word);
        list[count++] = store[i];
    }
    unknown_choice(r, n, key, list, count, words);
    return 0;
}

static int read_text(struct sluice_reader *r, const struct sluice_tree_node *n,
                     const struct sluice_param *p, const char *key, char *out)
{
    int value;
    if (p->choices) {
        if (!read_choice(r, n, p, key, &value))
            return 0;
    } else if (n->kind != SLUICE_TREE_TEXT) {
        return wrong_type(r, n, key, "a text", "write it in quotes, as \"text\"");
    }
    if (strlen(n->text) >= SLUICE_TEXT_MAX) {
        sluice_report_error(r->report, n, key,
                            "the text has %zu bytes, at most %d are allowed: shorten it",
                            strlen(n->text), SLUICE_TEXT_MAX - 1);
        return 0;
    }
    strcpy(out, n->text);
    return 1;
}

static int read_bool(struct sluice_reader *r, const struct sluice_tree_node *n, const char *key,
                     int *out)
{
    if (n->kind != SLUICE_TREE_BOOL)
        return wrong_type(r, n, key, "true or false", "write true or false, without quotes");
    *out = (int)n->whole;
    return 1;
}

static int read_side(struct sluice_reader *r, const struct sluice_tree_node *n, const char *key,
                     int *side)
{
    const int dimension = r->config->dimension == 2 ? 2 : 3;
    const char *sides = dimension == 2 ? "x- x+ y- y+, or left right bottom top"
                                       : "x- x+ y- y+ z- z+, or left right front back bottom top";
    if (n->kind != SLUICE_TREE_TEXT)
        return wrong_type(r, n, key, "a side in quotes", sides);
    *side = sluice_side_of_word(n->text, dimension);
    if (*side >= 0)
        return 1;
    sluice_report_error(r->report, n, key, "\"%.40s\" is no side%s: it must be one of %s", n->text,
                        *side == -2 ? " in 2-D" : "", sides);
    return 0;
}

static int read_sides(struct sluice_reader *r, const struct sluice_tree_node *n, const char *key,
                      unsigned *bits)
{
    int good = 1, side;
    *bits = 0;
    if (n->kind == SLUICE_TREE_TEXT) {
        good = read_side(r, n, key, &side);
        *bits = good ? 1u << side : 0;
        return good;
    }
    if (n->kind == SLUICE_TREE_ARRAY && n->count == 0) {
        sluice_report_error(r->report, n, key, "no side is named: name one, as [\"bottom\"]");
        return 0;
    }
    if ((n->kind != SLUICE_TREE_ARRAY && n->kind != SLUICE_TREE_LIST) || n->count == 0)
        return wrong_type(r, n, key, "an array of sides",
                          "write it as [\"left\", \"right\", \"bottom\"]");
    for (int i = 0; i < n->count; i++) {
        if (!read_side(r, n->child[i], key, &side)) {
            good = 0;
        } else if (*bits & 1u << side) {
            sluice_report_error(r->report, n->child[i], key,
                                "\"%s\" is named twice: name each side once", n->child[i]->text);
            good = 0;
        } else {
            *bits |= 1u << side;
        }
    }
    return good;
}

/* Components of a vector, each by the row's type, into doubles. `n` from `least` to `most`
 * components; their number in *count. */
static int read_components(struct sluice_reader *r, const struct sluice_tree_node *n,
                           const struct sluice_param *p, const char *key, int least, int most,
                           double out[3])
{
    const int whole = p->type == SLUICE_PARAM_INTS || p->type == SLUICE_PARAM_LONGS,
              bools = p->type == SLUICE_PARAM_BOOLS;
    const char *example = bools   ? (most == 2 ? "[true, false]" : "[true, false, false]")
                          : whole ? (most == 2 ? "[1, 2]" : "[1, 2, 3]")
                                  : (most == 2 ? "[0.0, 0.5]" : "[0.0, 0.5, 1.0]");
    const int array = n->kind == SLUICE_TREE_ARRAY || n->kind == SLUICE_TREE_LIST;
    char remedy[60];
    int good = 1, value = 0;
    if (least == 1 && is_number(n))
        return read_number(r, n, p, key, whole, &out[0]);
    snprintf(remedy, sizeof remedy, "write it as %s", most == 1 ? "0.5" : example);
    if (!array)
        return wrong_type(r, n, key, most == 1 ? "a number" : "an array", remedy);
    if (n->count < least || n->count > most) {
        if (least == most)
            sluice_report_error(
                r->report, n, key,
                "it has %d component%s where %d belong%s (dimension = %d): write it as %s",
                n->count, n->count == 1 ? "" : "s", most, most == 1 ? "s" : "",
                r->config->dimension, most == 1 ? "0.5" : example);
        else
            sluice_report_error(r->report, n, key,
                                "it has %d components where %d to %d belong: write it as %s",
                                n->count, least, most, example);
        return 0;
    }
    for (int i = 0; i < n->count; i++) {
        if (bools) {
            good &= read_bool(r, n->child[i], key, &value);
            out[i] = value;
        } else {
            good &= read_number(r, n->child[i], p, key, whole, &out[i]);
        }
    }
    return good;
}

/* A list of rows, one a dimension; for a scalar field one row alone. */
static int read_matrix(struct sluice_reader *r, const struct sluice_tree_node *n,
                       const struct sluice_param *p, const char *key, int rows, int columns,
                       double out[3][3])
{
    int good = 1;
    if (rows == 1)
        return read_components(r, n, p, key, columns, columns, out[0]);
    if (n->kind != SLUICE_TREE_LIST)
        return wrong_type(r, n, key, "a list of rows",
                          rows == 2
                              ? "write it as ([0.5, 0.0], [0.0, -0.5])"
                              : "write it as ([1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, -2.0])");
    if (n->count != rows) {
        sluice_report_error(
            r->report, n, key,
            "it has %d rows where %d belong: one [ ] for each component of the velocity", n->count,
            rows);
        return 0;
    }
    for (int i = 0; i < rows; i++)
        good &= read_components(r, n->child[i], p, key, columns, columns, out[i]);
    return good;
}

static int read_array(struct sluice_reader *r, const struct sluice_tree_node *n,
                      const struct sluice_entry *e, const struct sluice_row *row, const char *key,
                      void *to)
{
    const int dimension = r->config->dimension == 2 || r->config->dimension == 3
                              ? r->config->dimension
                              : 0;
    int least = dimension ? dimension : 2, most = dimension ? dimension : 3, rows = most;
    double value[3][3] = {{0}};
    if (row->length == SLUICE_LENGTH_FREE) {
        least = 1;
    } else if (row->length == SLUICE_LENGTH_OF_FIELD) {
        const int field = ((const struct sluice_initial *)e->base)->field;
        if (field < 0 || !dimension) /* wrong already */
            return 0;
        rows = field == SLUICE_FIELD_OF_VELOCITY ? dimension : 1;
        if (row->p.type == SLUICE_PARAM_VECTOR)
            least = most = rows;
    }
    if (row->p.type == SLUICE_PARAM_MATRIX) {
        if (!read_matrix(r, n, &row->p, key, rows, most, value))
            return 0;
        memcpy(to, value, sizeof value);
        return 1;
    }
    if (!read_components(r, n, &row->p, key, least, most, value[0]))
        return 0;
    for (int i = 0; i < 3; i++) {
        if (row->p.type == SLUICE_PARAM_VECTOR)
            ((double *)to)[i] = value[0][i];
        else if (row->p.type == SLUICE_PARAM_LONGS)
            ((long long *)to)[i] = (long long)value[0][i];
        else
            ((int *)to)[i] = (int)value[0][i];
    }
    return 1;
}

int sluice_reader_value(struct sluice_reader *r, const struct sluice_tree_node *node,
                        const struct sluice_entry *e, const struct sluice_row *row, const char *key)
{
    void *to = (char *)e->base + row->p.offset;
    double number;
    switch (row->p.type) {
    case SLUICE_PARAM_REAL:
        return read_number(r, node, &row->p, key, 0, to);
    case SLUICE_PARAM_INT:
        if (!read_number(r, node, &row->p, key, 1, &number))
            return 0;
        *(long long *)to = node->whole;
        return 1;
    case SLUICE_PARAM_SMALL:
        if (!read_number(r, node, &row->p, key, 1, &number))
            return 0;
        *(int *)to = (int)node->whole;
        return 1;
    case SLUICE_PARAM_BOOL:
        return read_bool(r, node, key, to);
    case SLUICE_PARAM_CHOICE:
        return read_choice(r, node, &row->p, key, to);
    case SLUICE_PARAM_TEXT:
        return read_text(r, node, &row->p, key, to);
    case SLUICE_PARAM_SIDES:
        return read_sides(r, node, key, to);
    case SLUICE_PARAM_FACE:
        return read_side(r, node, key, to);
    default:
        return read_array(r, node, e, row, key, to);
    }
}
