/* A token that was refused is explained by the two tokens before it and the innermost bracket. */
#include "config/syntax/wording.h"

#include <ctype.h>
#include <string.h>

enum { SHOWN_MAX = 40 };

/* How a token is printed by %.*s. */
#define SHOWN(t) (t)->length > SHOWN_MAX ? SHOWN_MAX : (t)->length, (t)->text

/* The token stands where `wanted` belongs. */
static void unexpected(struct tokens *s, const char *wanted)
{
    const struct token *t = &s->token;
    if (s->long_text)
        sluice_syntax_fail(s, s->long_text,
                           "a text runs over the end of its line: is its closing quote missing?");
    else if (t->kind == END)
        sluice_syntax_fail(s, t->line, "the file ends where %s belongs", wanted);
    else if (t->kind == BAD && (unsigned char)*t->text >= 128)
        sluice_syntax_fail(s, t->line,
                           "a letter or blank that is not ASCII stands where %s belongs: remove "
                           "it, or put it into a text",
                           wanted);
    else if (t->kind == BAD && *t->text == '\'')
        sluice_syntax_fail(s, t->line, "a text stands in \"double quotes\": ' begins none");
    else if (t->kind == BAD && !isprint((unsigned char)*t->text))
        sluice_syntax_fail(s, t->line,
                           "a byte of code %d stands where %s belongs: is it a text file?",
                           (unsigned char)*t->text, wanted);
    else
        sluice_syntax_fail(s, t->line, "'%.*s' stands where %s belongs", SHOWN(t), wanted);
}

/* No key, where one belongs. */
static void no_key(struct tokens *s)
{
    const struct token *t = &s->token, *before = &s->before;
    const int opened = s->open[s->depth].line;
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

/* The line of the first key of the innermost group with the same name. */
static int first_line(const struct tokens *s)
{
    const struct bracket *group = &s->open[s->depth];
    struct sluice_mistake ignored;
    struct tokens look;
    sluice_syntax_begin(&look, s->source, &ignored);
    look.p = group->inside;
    look.line = group->inside_line;
    do
        sluice_syntax_advance(&look);
    while (look.token.text < s->token.text &&
           !(look.depth == 0 && look.token.kind == NAME && sluice_syntax_at_key(&look) &&
             look.token.length == s->token.length &&
             memcmp(look.token.text, s->token.text, (size_t)s->token.length) == 0));
    return look.token.line;
}

/* A key that a group has already: the only key that is refused. */
static void twice(struct tokens *s)
{
    const struct token *t = &s->token;
    const struct sluice_source_line first = sluice_source_where(s->source, first_line(s));
    if (first.file == sluice_source_where(s->source, t->line).file)
        sluice_syntax_fail(
            s, t->line, "'%.*s' is set twice in one group, first at line %d: remove one of the two",
            SHOWN(t), first.line);
    else
        sluice_syntax_fail(
            s, t->line,
            "'%.*s' is set twice in one group, first at %.250s:%d: remove one of the two", SHOWN(t),
            first.file, first.line);
}

/* No = after a key. It may be a word that belongs to the value before it. */
static void no_equals(struct tokens *s)
{
    const struct token *key = &s->before, *before = &s->earlier;
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

/* No value: of `key`, or of a list or array (NULL). */
static void no_value(struct tokens *s, const struct token *key)
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
        unexpected(s, s->open[s->depth].kind == '[' ? "an array's element" : "a value");
}

static const char *kind_name(int kind)
{
    return kind == WHOLE  ? "whole numbers"
           : kind == REAL ? "numbers with a point"
           : kind == BOOL ? "true or false"
                          : "texts";
}

/* The element of an array whose kind is not that of the first one: the token, or a text before it,
 * as libconfig knows a text only by the token after it. NULL: none. */
static const struct token *odd_element(const struct tokens *s)
{
    const struct bracket *in = &s->open[s->depth];
    const int at_element = sluice_syntax_at_element(s);
    if (in->kind != '[' || !in->first)
        return NULL;
    if (at_element && s->token.kind > VALUE && s->token.kind != in->first)
        return &s->token;
    return !at_element && s->before.kind == TEXT && in->first != TEXT ? &s->before : NULL;
}

/* No element of a list or array, or a wrong one. */
static void no_element(struct tokens *s)
{
    const struct token *t = &s->token, *odd = odd_element(s);
    const struct bracket *in = &s->open[s->depth];
    const int is_list = in->kind == '(', closing = is_list ? ')' : ']';
    if (odd)
        sluice_syntax_fail(s, odd->line,
                           "an array mixes %s and %s: its elements must be of one kind",
                           kind_name(in->first), kind_name(odd->kind));
    else if (sluice_syntax_at_element(s) && !is_list && sluice_syntax_opens(t->kind))
        sluice_syntax_fail(
            s, t->line, "an array [ ] holds plain values only: write ( ) around arrays and groups");
    else if (s->before.kind == ',' && t->kind == closing)
        sluice_syntax_fail(s, t->line, "a comma stands before the closing %c: remove it", closing);
    else if (sluice_syntax_at_element(s))
        no_value(s, NULL);
    else if (is_list && (t->kind == '{' || t->kind == '['))
        sluice_syntax_fail(s, t->line,
                           "the elements of a list need a comma between them: write }, { or ], [");
    else if (t->kind == END || t->kind == NAME || t->kind == ';' || t->kind == '}')
        sluice_syntax_fail(s, in->line, "the %s with %c",
                           is_list ? "( here is never closed: end the list"
                                   : "[ here is never closed: end the array",
                           closing);
    else
        unexpected(s, is_list ? "a comma or )" : "a comma or ]");
}

void sluice_syntax_word(struct tokens *s)
{
    if (s->open[s->depth].kind != '{')
        no_element(s);
    else if (s->before.kind == NAME)
        no_equals(s);
    else if (sluice_syntax_equals(s->before.kind))
        no_value(s, &s->earlier);
    else if (s->token.kind == NAME)
        twice(s);
    else
        no_key(s);
}
