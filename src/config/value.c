/* Reads the value of a node into the member of a struct, and checks it against the key's row. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/foreign.h"
#include "config/reader.h"
#include "core/escape.h"

/* The key that is being read. */
struct target {
    const struct sluice_entry *e;
    const struct sluice_param *p;
    const char *key; /* its name in messages */
};

/* Reports an error of a node. Returns 0, which the caller returns in turn. */
__attribute__((format(printf, 3, 4))) static int
refuse(const struct target *t, const struct sluice_tree_node *n, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    sluice_report_add_va(t->e->r->report, n, t->key, format, arguments);
    va_end(arguments);
    return 0;
}

static int side_of_word(const char *word, int dimension)
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

/* The value as a config has it, for messages. For a group, list or array its kind. */
static const char *value_text(const struct sluice_tree_node *n, char out[80])
{
    if (n->kind == SLUICE_TREE_WHOLE)
        snprintf(out, 80, "%lld", n->whole);
    else if (n->kind == SLUICE_TREE_REAL)
        sluice_real_text(n->real, out);
    else if (n->kind == SLUICE_TREE_TEXT)
        snprintf(out, 80, "\"%.60s\"", n->text);
    else
        snprintf(out, 80, "%s",
                 n->kind != SLUICE_TREE_BOOL ? sluice_tree_what(n)
                 : n->whole                  ? "true"
                                             : "false");
    return out;
}

static int is_number(const struct sluice_tree_node *n)
{
    return n->kind == SLUICE_TREE_WHOLE || n->kind == SLUICE_TREE_REAL;
}

static int is_sequence(const struct sluice_tree_node *n)
{
    return n->kind == SLUICE_TREE_ARRAY || n->kind == SLUICE_TREE_LIST;
}

static int wrong_type(const struct target *t, const struct sluice_tree_node *n, const char *wanted,
                      const char *remedy)
{
    char text[80];
    const char *found = n->kind >= SLUICE_TREE_WHOLE ? sluice_tree_what(n) : "";
    return refuse(t, n, "%s%s%s where %s belongs: %s", value_text(n, text), *found ? " is " : "",
                  found, wanted, remedy);
}

/* Reads a number, which must lie in the row's range. */
static int read_number(const struct target *t, const struct sluice_tree_node *n, double *out)
{
    const int whole = sluice_param_types[t->p->type].member != SLUICE_MEMBER_DOUBLE;
    char range[120], text[80], *end;
    if (!is_number(n) || (whole && n->kind == SLUICE_TREE_REAL)) {
        const char *remedy = whole ? "write it without a point or an exponent, as 10"
                                   : "write it as 0.5 or 1.0e-3";
        if (n->kind == SLUICE_TREE_TEXT && *n->text && isfinite(strtod(n->text, &end)) && !*end)
            remedy = "remove the quotes";
        return wrong_type(t, n, whole ? "a whole number" : "a number", remedy);
    }
    sluice_range_text(t->p, range, sizeof range);
    if (!(n->real >= t->p->least && n->real <= t->p->most))
        return refuse(t, n, "%s is out of range: it must be %s", value_text(n, text), range);
    *out = n->real;
    return 1;
}

static int unknown_choice(const struct target *t, const struct sluice_tree_node *n,
                          const char *const *list, int count, const char *words)
{
    char answer[SLUICE_FOREIGN_BYTES];
    const char *meant = sluice_foreign_guess(n->text, t->key, list, count, answer);
    if (meant)
        snprintf(answer, sizeof answer, "did you mean \"%s\"", meant);
    return refuse(t, n, "\"%.60s\" is no choice: %s%s must be %s", n->text, answer,
                  meant     ? "? It"
                  : *answer ? ". It"
                            : "it",
                  words);
}

static int read_choice(const struct target *t, const struct sluice_tree_node *n, double *out)
{
    char words[400], word[32][64];
    const char *list[32];
    int count = 0;
    sluice_choices_text(t->p, ~0u, words, sizeof words);
    if (n->kind != SLUICE_TREE_TEXT)
        return wrong_type(t, n, "a word", words);
    for (int value; count < 32 && sluice_choice(t->p, count, word[count], &value); count++) {
        list[count] = word[count];
        *out = value;
        if (strcmp(n->text, word[count]) == 0)
            return 1;
    }
    return unknown_choice(t, n, list, count, words);
}

static int read_text(const struct target *t, const struct sluice_tree_node *n, char *out)
{
    double value;
    if (t->p->choices && !read_choice(t, n, &value))
        return 0;
    if (n->kind != SLUICE_TREE_TEXT)
        return wrong_type(t, n, "a text", "write it in quotes, as \"text\"");
    if (sluice_has_control(n->text))
        return refuse(t, n, "\"%.120s\" has control characters: leave them out", n->text);
    if (strlen(n->text) >= SLUICE_TEXT_MAX)
        return refuse(t, n, "the text has %zu bytes, at most %d are allowed: shorten it",
                      strlen(n->text), SLUICE_TEXT_MAX - 1);
    strcpy(out, n->text);
    return 1;
}

static int read_side(const struct target *t, const struct sluice_tree_node *n, double *out)
{
    const int dimension = t->e->r->config->dimension == 2 ? 2 : 3;
    const char *sides = dimension == 2 ? "x- x+ y- y+, or left right bottom top"
                                       : "x- x+ y- y+ z- z+, or left right front back bottom top";
    if (n->kind != SLUICE_TREE_TEXT)
        return wrong_type(t, n, "a side in quotes", sides);
    const int side = side_of_word(n->text, dimension);
    *out = side;
    return side >= 0 || refuse(t, n, "\"%.40s\" is no side%s: it must be one of %s", n->text,
                               side == -2 ? " in 2-D" : "", sides);
}

/* Reads one name or an array of names as bits. `read_one` gives the number of a name. */
static int read_bits(const struct target *t, const struct sluice_tree_node *n,
                     int (*read_one)(const struct target *, const struct sluice_tree_node *,
                                     double *),
                     const char *wanted, const char *remedy, double *out)
{
    int good = 1;
    unsigned bits = 0;
    if (n->kind != SLUICE_TREE_TEXT && !is_sequence(n))
        return wrong_type(t, n, wanted, remedy);
    for (int i = 0; i < (is_sequence(n) ? n->count : 1); i++) {
        const struct sluice_tree_node *one = is_sequence(n) ? n->child[i] : n;
        double number;
        if (!read_one(t, one, &number))
            good = 0;
        else if (bits & 1u << (int)number)
            good = refuse(t, one, "\"%s\" is named twice: name it once", one->text);
        else
            bits |= 1u << (int)number;
    }
    *out = bits;
    return good;
}

static int read_sides(const struct target *t, const struct sluice_tree_node *n, double *out)
{
    if (n->kind == SLUICE_TREE_ARRAY && n->count == 0)
        return refuse(t, n, "no side is named: name one, as [\"bottom\"]");
    return read_bits(t, n, read_side, "an array of sides",
                     "write it as [\"left\", \"right\", \"bottom\"]", out);
}

static int read_words(const struct target *t, const struct sluice_tree_node *n, double *out)
{
    char word[64], remedy[100];
    snprintf(remedy, sizeof remedy, "write it as [\"%s\"]", sluice_choice_word(t->p, 0, word));
    return read_bits(t, n, read_choice, "an array of words", remedy, out);
}

/* Reads a value of one component, or one component of an array. */
static int read_component(const struct target *t, const struct sluice_tree_node *n, double *out)
{
    switch (t->p->type) {
    case SLUICE_PARAM_BOOL:
    case SLUICE_PARAM_BOOLS:
        *out = (double)n->whole;
        return n->kind == SLUICE_TREE_BOOL ||
               wrong_type(t, n, "true or false", "write true or false, without quotes");
    case SLUICE_PARAM_CHOICE:
        return read_choice(t, n, out);
    case SLUICE_PARAM_SIDES:
        return read_sides(t, n, out);
    case SLUICE_PARAM_WORDS:
        return read_words(t, n, out);
    case SLUICE_PARAM_FACE:
        return read_side(t, n, out);
    default:
        return read_number(t, n, out);
    }
}

/* "write it as [0.5, 0.5]": a number for each component. */
static void repeat_value(const struct sluice_tree_node *n, int count, char *text, size_t size)
{
    char value[80];
    value_text(n, value);
    int used = snprintf(text, size, "write it as [%s", value);
    for (int i = 1; i < count && used < (int)size; i++)
        used += snprintf(text + used, size - (size_t)used, ", %s", value);
    if (used < (int)size)
        snprintf(text + used, size - (size_t)used, "]");
}

/* Reads an array of `least` to `most` components. If one is enough, a plain number will do. */
static int read_array(const struct target *t, const struct sluice_tree_node *n, int least, int most,
                      double *out)
{
    static const char *const examples[][2] = {{"[0.0, 0.5]", "[0.0, 0.5, 1.0]"},
                                              {"[1, 2]", "[1, 2, 3]"},
                                              {"[true, false]", "[true, false, false]"}};
    const enum sluice_member member = sluice_param_types[t->p->type].member;
    const int kind = t->p->type == SLUICE_PARAM_BOOLS ? 2 : member != SLUICE_MEMBER_DOUBLE;
    const char *example = most == 1 ? "0.5" : examples[kind][most == 3];
    char remedy[300];
    int good = 1;
    if (least == 1 && is_number(n))
        return read_number(t, n, &out[0]);
    snprintf(remedy, sizeof remedy, "write it as %s", example);
    if (is_number(n) && kind != 2 && most > 1 &&
        t->p->least >= 0) /* zeros of the example may be out of range */
        repeat_value(n, most, remedy, sizeof remedy);
    if (!is_sequence(n))
        return wrong_type(t, n, most == 1 ? "a number" : "an array", remedy);
    if (n->count != most && least == most)
        return refuse(t, n, "it has %d component%s where %d belong%s (dimension = %d): %s",
                      n->count, n->count == 1 ? "" : "s", most, most == 1 ? "s" : "",
                      t->e->r->config->dimension, remedy);
    if (n->count < least || n->count > most)
        return refuse(t, n, "it has %d components where %d to %d belong: %s", n->count, least, most,
                      remedy);
    for (int i = 0; i < n->count; i++)
        good &= read_component(t, n->child[i], &out[i]);
    return good;
}

/* Reads a list of rows, one for each dimension. A scalar field has a single row: a plain array. */
static int read_matrix(const struct target *t, const struct sluice_tree_node *n, int rows,
                       int columns, double out[9])
{
    int good = 1;
    if (rows == 1)
        return read_array(t, n, columns, columns, out);
    if (n->kind != SLUICE_TREE_LIST)
        return wrong_type(t, n, "a list of rows",
                          rows == 2
                              ? "write it as ([0.5, 0.0], [0.0, -0.5])"
                              : "write it as ([1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, -2.0])");
    if (n->count != rows)
        return refuse(t, n,
                      "it has %d rows where %d belong: one [ ] for each component of the velocity",
                      n->count, rows);
    for (int i = 0; i < rows; i++)
        good &= read_array(t, n->child[i], columns, columns, out + 3 * i);
    return good;
}

/* One message for all points with a wrong number of components. */
static int check_points(const struct target *t, const struct sluice_tree_node *n)
{
    int wrong = 0, first = 0;
    for (int i = n->count - 1; i >= 0; i--)
        if (is_sequence(n->child[i]) && n->child[i]->count != 2) {
            wrong++;
            first = i;
        }
    if (!wrong)
        return 1;
    return refuse(t, n->child[first],
                  "%d of %d points have a wrong number of components; point %d has %d where 2 "
                  "belong%s: write it as [0.0, 0.5]",
                  wrong, n->count, first + 1, n->child[first]->count,
                  t->e->r->config->dimension == 3 ? " (in 3-D those across `axis`)" : "");
}

static int read_points(const struct target *t, const struct sluice_tree_node *n,
                       struct sluice_points *out)
{
    int good = 1;
    if (n->kind != SLUICE_TREE_LIST)
        return wrong_type(t, n, "a list of points",
                          "write it as ([0.0, 0.0], [4.0, 0.0], [4.0, 0.8])");
    if (n->count > SLUICE_POINTS_MAX)
        return refuse(t, n, "it has %d points, at most %d are allowed here: give more as a file",
                      n->count, SLUICE_POINTS_MAX);
    if (!check_points(t, n))
        return 0;
    for (int i = 0; i < n->count; i++)
        good &= read_array(t, n->child[i], 2, 2, out->at[i]);
    out->count = good ? n->count : 0;
    return good;
}

/* Reads as many components as the case has dimensions, unless the row says otherwise. */
static int read_components(const struct target *t, const struct sluice_tree_node *n,
                           const struct sluice_row *row, double out[9])
{
    const int d = t->e->r->config->dimension, known = d == 2 || d == 3;
    int least = known ? d : 2, most = known ? d : 3, rows = 1;
    if (row->length == SLUICE_LENGTH_FREE)
        least = 1;
    if (row->length == SLUICE_LENGTH_OF_FIELD) {
        const int field = ((const struct sluice_initial *)t->e->base)->field;
        if (field < 0 || !known) /* wrong `field` or `dimension`: reported at that key */
            return 0;
        rows = field == SLUICE_FIELD_OF_VELOCITY ? d : 1;
    }
    if (row->length == SLUICE_LENGTH_OF_TURN)
        least = most = d == 2 ? 1 : 3;
    if (t->p->type == SLUICE_PARAM_MATRIX)
        return read_matrix(t, n, rows, most, out);
    if (row->length == SLUICE_LENGTH_OF_FIELD)
        least = most = rows;
    return read_array(t, n, least, most, out);
}

int sluice_reader_value(const struct sluice_entry *e, const struct sluice_tree_node *node,
                        const struct sluice_row *row, const char *key)
{
    const struct target t = {e, &row->p, key};
    const int length = sluice_param_types[row->p.type].length;
    double value[9] = {0};
    if (row->p.type == SLUICE_PARAM_POINTS)
        return read_points(&t, node, (struct sluice_points *)((char *)e->base + row->p.offset));
    if (length == 0)
        return read_text(&t, node, (char *)e->base + row->p.offset);
    if (!(length == 1 ? read_component(&t, node, value) : read_components(&t, node, row, value)))
        return 0;
    for (int i = 0; i < length; i++)
        sluice_param_put(&row->p, e->base, i, value[i]);
    return 1;
}
