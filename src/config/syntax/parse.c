/* The grammar of libconfig, parsed into a tree of nodes. Every error says what to write instead. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/syntax/tokens.h"

enum { DEPTH_MAX = 64, KEYS_MAX = 1000, SHOWN_MAX = 40 };

/* How a token is printed by %.*s. */
#define SHOWN(t) (t)->length > SHOWN_MAX ? SHOWN_MAX : (t)->length, (t)->text

/* --- Errors --- */

/* Reports the next token, which is not the `wanted` one. */
static void unexpected(struct parser *s, const char *wanted)
{
    const struct token *t = &s->token;
    if (s->long_text)
        sluice_syntax_fail(s, s->long_text,
                           "a text runs over the end of its line: is its closing quote missing?");
    else if (t->kind == END)
        sluice_syntax_fail(s, t->line, "the file ends where %s belongs", wanted);
    else if (t->kind == BAD && !isprint((unsigned char)*t->text))
        sluice_syntax_fail(s, t->line,
                           "a byte of code %d stands where %s belongs: is it a text file?",
                           (unsigned char)*t->text, wanted);
    else
        sluice_syntax_fail(s, t->line, "'%.*s' stands where %s belongs", SHOWN(t), wanted);
}

/* Reports the next token, which is no key. The group was opened at that line (0: no group). */
static void no_key(struct parser *s, int opened)
{
    const struct token *t = &s->token, *before = &s->before;
    const int is_number = t->kind == WHOLE || t->kind == REAL,
              touches = before->text && before->text + before->length == t->text;
    if (t->kind == '}')
        sluice_syntax_fail(s, t->line, "a } without its {: remove it");
    else if (t->kind == ')' || t->kind == ']')
        sluice_syntax_fail(
            s, t->line, "a %c without its opening: remove it, or look for what is missing before",
            t->kind);
    else if (t->kind == END && opened)
        sluice_syntax_fail(s, opened, "the { here is never closed: end the group with }");
    else if (t->kind == WHOLE && before->kind == ',' && touches)
        sluice_syntax_fail(
            s, t->line,
            "a number stands after a comma, outside any array: write a decimal point (0.5), or "
            "[ ] around them");
    else if (is_number && touches && (before->kind == WHOLE || before->kind == REAL))
        sluice_syntax_fail(s, t->line, "the number ends before '%.*s': write one as 0.5 or 1.0e-3",
                           SHOWN(t));
    else if (*t->text == '/' && before->line == t->line)
        sluice_syntax_fail(s, t->line,
                           "'/' follows a value: nothing is calculated here, write the number");
    else if (t->kind == ';' || t->kind == ',')
        sluice_syntax_fail(s, t->line, "'%c' stands where a key belongs: remove it", t->kind);
    else
        unexpected(s, "a key");
}

/* A key without its =. It may be a word that belongs to the value before it. */
static void no_equals(struct parser *s, const struct token *key, const struct token *before)
{
    const int follows = before->kind >= VALUE && before->line == key->line;
    if (s->long_text)
        unexpected(s, "=");
    else if (follows && *key->text == '*')
        sluice_syntax_fail(s, key->line,
                           "'*' follows a value: nothing is calculated here, write the number");
    else if (follows)
        sluice_syntax_fail(
            s, key->line,
            "the word '%.*s' follows a value: text needs quotes, a number takes no unit",
            SHOWN(key));
    else
        sluice_syntax_fail(
            s, key->line, "'%.*s' is not followed by = and a value: write KEY = VALUE", SHOWN(key));
}

/* Reports the next token, which is no value: of `key`, or of a list or array (NULL). */
static void no_value(struct parser *s, const struct token *key, int in_array)
{
    const struct token *t = &s->token;
    const int kind = s->long_text ? BAD : t->kind; /* after a long text its quote is the suspect */
    if (kind == NAME && (sluice_syntax_same_word(t, "nan") || sluice_syntax_same_word(t, "inf") ||
                         sluice_syntax_same_word(t, "infinity")))
        sluice_syntax_fail(s, t->line, "%.*s is no finite number: write one, as 0.5", SHOWN(t));
    else if (kind == NAME)
        sluice_syntax_fail(s, t->line, "the text %.*s has no quotes: write \"%.*s\"", SHOWN(t),
                           SHOWN(t));
    else if (key && (kind == END || kind == ';' || kind == '}'))
        sluice_syntax_fail(s, key->line, "'%.*s' has no value: write %.*s = VALUE", SHOWN(key),
                           SHOWN(key));
    else
        unexpected(s, in_array ? "an array's element" : "a value");
}

/* --- Grammar --- */

static void parse_value(struct parser *s, struct sluice_tree_node *parent, const struct token *key);

static void set_line(const struct parser *s, struct sluice_tree_node *n, int line)
{
    const struct sluice_source_line at = sluice_source_where(s->source, line);
    n->file = at.file;
    n->line = at.line;
    n->order = line;
}

/* The length of a text without its quotes and escapes, which go to `out`. */
static size_t unescape(const struct token *t, char *out)
{
    static const char letters[] = "fnrt\\\"", codes[] = "\f\n\r\t\\\"";
    const char *end = t->text + t->length - 1;
    size_t n = 0;
    for (const char *p = t->text + 1; p < end; p++) {
        const char *letter = *p == '\\' ? strchr(letters, p[1]) : NULL;
        unsigned code;
        if (letter && p++)
            out[n++] = codes[letter - letters];
        else if (p[0] == '\\' && p[1] == 'x' && isxdigit((unsigned char)p[2]) &&
                 isxdigit((unsigned char)p[3]) && sscanf(p + 2, "%2x", &code) == 1) {
            out[n++] = (char)code;
            p += 3;
        } else
            out[n++] = *p;
    }
    return n;
}

/* One text, or several in a row, which are joined. */
static void parse_text(struct parser *s, struct sluice_tree_node *n)
{
    size_t used = 0;
    for (; s->token.kind == TEXT && !s->failed; sluice_syntax_advance(s)) {
        char *grown = realloc(n->text, used + (size_t)s->token.length);
        if (!grown) {
            sluice_syntax_no_memory(s);
            return;
        }
        n->text = grown;
        used += unescape(&s->token, grown + used);
        grown[used] = 0;
    }
}

static const char *kind_name(int kind)
{
    return kind == WHOLE  ? "whole numbers"
           : kind == REAL ? "numbers with a point"
           : kind == BOOL ? "true or false"
                          : "texts";
}

/* An array holds plain values of one kind. */
static void check_element(struct parser *s, const struct sluice_tree_node *array)
{
    const int kind = s->token.kind,
              first = array->count ? VALUE + (int)array->child[0]->kind : kind;
    if (kind == '[' || kind == '(' || kind == '{')
        sluice_syntax_fail(
            s, s->token.line,
            "an array [ ] holds plain values only: write ( ) around arrays and groups");
    else if (kind < VALUE || kind == first)
        return;
    else if (first + kind == WHOLE + REAL)
        sluice_syntax_fail(
            s, s->token.line,
            "an array mixes whole numbers and numbers with a point: give each a point, as in "
            "[0.0, 0.5]");
    else
        sluice_syntax_fail(s, s->token.line,
                           "an array mixes %s and %s: its elements must be of one kind",
                           kind_name(first), kind_name(kind));
}

/* The elements of a list or array, up to its closing bracket. */
static void parse_elements(struct parser *s, struct sluice_tree_node *n, int closing)
{
    const int line = s->token.line, is_list = closing == ')';
    sluice_syntax_advance(s);
    while (!s->failed && s->token.kind != closing) {
        if (!is_list)
            check_element(s, n);
        parse_value(s, n, NULL);
        const int kind = s->token.kind;
        if (kind == closing)
            break;
        if (is_list && (kind == '{' || kind == '['))
            sluice_syntax_fail(
                s, s->token.line,
                "the elements of a list need a comma between them: write }, { or ], [");
        else if (kind == END || kind == NAME || kind == ';' || kind == '}')
            sluice_syntax_fail(s, line, "the %s with %c",
                               is_list ? "( here is never closed: end the list"
                                       : "[ here is never closed: end the array",
                               closing);
        else if (kind != ',')
            unexpected(s, is_list ? "a comma or )" : "a comma or ]");
        sluice_syntax_advance(s);
        if (s->token.kind == closing)
            sluice_syntax_fail(s, s->token.line, "a comma stands before the closing %c: remove it",
                               closing);
    }
    sluice_syntax_advance(s);
}

/* A group has a key once. */
static void check_key(struct parser *s, const struct sluice_tree_node *group)
{
    const struct token *t = &s->token;
    struct sluice_tree_node **slot = sluice_tree_step(group, t->text, (size_t)t->length);
    const struct sluice_tree_node *first = slot ? *slot : NULL;
    const char *file = sluice_source_where(s->source, t->line).file;
    if (group->count == KEYS_MAX)
        sluice_syntax_fail(s, t->line, "more than %d keys in one group: is it the right file?",
                           KEYS_MAX);
    if (first && first->file == file)
        sluice_syntax_fail(
            s, t->line, "'%.*s' is set twice in one group, first at line %d: remove one of the two",
            SHOWN(t), first->line);
    else if (first)
        sluice_syntax_fail(
            s, t->line,
            "'%.*s' is set twice in one group, first at %.250s:%d: remove one of the two", SHOWN(t),
            first->file, first->line);
}

/* KEY = VALUE; ... up to the end of the file (opened 0) or the } of the group opened at that line.
 */
static void parse_settings(struct parser *s, struct sluice_tree_node *group, int opened)
{
    while (!s->failed && s->token.kind != (opened ? '}' : END)) {
        const struct token key = s->token, before = s->before;
        if (key.kind != NAME) {
            no_key(s, opened);
            return;
        }
        check_key(s, group);
        sluice_syntax_advance(s);
        if (s->token.kind != '=' && s->token.kind != ':')
            no_equals(s, &key, &before);
        s->long_text = 0; /* KEY = follows it, so the text was meant to be long */
        sluice_syntax_advance(s);
        parse_value(s, group, &key);
        if (s->token.kind == ';' || s->token.kind == ',')
            sluice_syntax_advance(s);
    }
}

static void parse_value(struct parser *s, struct sluice_tree_node *parent, const struct token *key)
{
    const struct token first = s->token;
    const int line = key ? key->line : first.line;
    struct sluice_tree_node **slot = s->failed ? NULL
                                               : sluice_tree_add(parent, key ? key->text : NULL,
                                                                 key ? key->length : 0);
    if (!slot) {
        sluice_syntax_no_memory(s);
        return;
    }
    struct sluice_tree_node *n = *slot;
    set_line(s, n, line);
    if (++s->depth > DEPTH_MAX)
        sluice_syntax_fail(s, first.line, "brackets are nested deeper than %d: remove some",
                           DEPTH_MAX);
    if (first.kind == '{') {
        n->kind = SLUICE_TREE_GROUP;
        sluice_syntax_advance(s);
        parse_settings(s, n, first.line);
        sluice_syntax_advance(s);
    } else if (first.kind == '(' || first.kind == '[') {
        n->kind = first.kind == '(' ? SLUICE_TREE_LIST : SLUICE_TREE_ARRAY;
        parse_elements(s, n, first.kind == '(' ? ')' : ']');
    } else if (first.kind > VALUE) {
        n->kind = (enum sluice_tree_kind)(first.kind - VALUE);
        n->whole = first.whole;
        n->real = first.kind == REAL ? strtod(first.text, NULL) : (double)first.whole;
        if (first.kind == TEXT)
            parse_text(s, n);
        else
            sluice_syntax_advance(s);
    } else {
        no_value(s, key, parent->kind == SLUICE_TREE_ARRAY);
    }
    s->depth--;
}

int sluice_tree_parse(struct sluice_tree_node **root, const struct sluice_source *source,
                      struct sluice_mistake *mistake)
{
    struct parser s = {.source = source, .mistake = mistake, .p = source->text, .line = 1};
    *root = calloc(1, sizeof **root);
    if (!*root) {
        sluice_syntax_no_memory(&s);
        return 0;
    }
    set_line(&s, *root, 1);
    sluice_syntax_advance(&s);
    parse_settings(&s, *root, 0);
    if (s.failed)
        sluice_tree_destroy(root);
    return !s.failed;
}

sluice_status sluice_tree_read(struct sluice_tree_node **root, const struct sluice_source *source)
{
    struct sluice_mistake mistake;
    char quote[72];
    if (sluice_tree_parse(root, source, &mistake))
        return SLUICE_OK;
    SLUICE_CHECK(mistake.line > 0, SLUICE_DEVICE, "%s", mistake.what);
    const struct sluice_source_line at = sluice_source_where(source, mistake.line);
    sluice_source_quote(source, mistake.line, quote);
    return SLUICE_FAIL(SLUICE_BAD_INPUT, "%s:%d: syntax: %s; the line reads: %s", at.file, at.line,
                       mistake.what, quote);
}
