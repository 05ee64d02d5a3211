/* Cuts a config into tokens as libconfig 1.5 does, and follows the brackets. */
#include "config/syntax/tokens.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

__attribute__((format(printf, 3, 4))) void sluice_syntax_fail(struct tokens *s, int line,
                                                              const char *format, ...)
{
    va_list arguments;
    if (s->failed)
        return;
    s->failed = 1;
    s->mistake->line = line;
    va_start(arguments, format);
    vsnprintf(s->mistake->what, sizeof s->mistake->what, format, arguments);
    va_end(arguments);
}

static void skip_blanks(struct tokens *s)
{
    for (;;) {
        if (*s->p == '#' || (s->p[0] == '/' && s->p[1] == '/')) {
            s->p += strcspn(s->p, "\n");
        } else if (s->p[0] == '/' && s->p[1] == '*') {
            const char *end = strstr(s->p + 2, "*/");
            if (!end) {
                sluice_syntax_fail(
                    s, s->line, "a comment begins here with /* and never ends: close it with */");
                return;
            }
            for (; s->p < end + 2; s->p++)
                s->line += *s->p == '\n';
        } else if (*s->p && strchr(" \t\r\f\n", *s->p)) {
            s->line += *s->p++ == '\n';
        } else {
            return;
        }
    }
}

static void read_string(struct tokens *s, struct token *t)
{
    for (s->p++; *s->p && *s->p != '"'; s->p++) {
        if (*s->p == '\\' && s->p[1])
            s->p++;
        s->line += *s->p == '\n';
    }
    if (s->line > t->line && !s->long_text)
        s->long_text = t->line;
    if (!*s->p)
        sluice_syntax_fail(s, s->long_text ? s->long_text : t->line,
                           "a text has no closing quote: write it as \"...\" on one line");
    else
        s->p++;
    t->kind = TEXT;
}

static void read_whole(struct tokens *s, struct token *t, int base)
{
    char *end;
    errno = 0;
    t->kind = WHOLE;
    t->whole = strtoll(t->text, &end, base);
    s->p = end;
    if (errno == ERANGE)
        sluice_syntax_fail(s, t->line, "the whole number %.*s has too many digits: %s",
                           end - t->text > 60 ? 60 : (int)(end - t->text), t->text,
                           base == 16 ? "63 bits are the most"
                                      : "write it with a point or an exponent, as 1.0e30");
    for (int i = 0; i < 2 && *s->p == 'L'; i++) /* libconfig's mark of 64 bits, L or LL */
        s->p++;
}

/* s->token is the one before t here. */
static void read_number(struct tokens *s, struct token *t)
{
    const struct token *last = &s->token;
    const char *p = t->text;
    if (*p == '.' && last->kind == NAME && last->text + last->length == p) {
        sluice_syntax_fail(s, t->line,
                           "a . follows '%.*s': write a key of a group as %.*s = { KEY = VALUE; }",
                           last->length, last->text, last->length, last->text);
        return;
    }
    if (p[0] == '0' && (p[1] == 'x' || p[1] == 'X') && isxdigit((unsigned char)p[2])) {
        read_whole(s, t, 16);
        return;
    }
    p += *p == '-' || *p == '+';
    const size_t before = strspn(p, "0123456789"),
                 after = p[before] == '.' ? strspn(p + before + 1, "0123456789") : 0;
    s->p = p + before + (p[before] == '.') + after;
    if (before + after == 0) {
        sluice_syntax_fail(s, t->line, "'%.*s' is no number: write one as 0.5 or 1.0e-3",
                           (int)(s->p - t->text), t->text);
        return;
    }
    const char *exponent = s->p + (s->p[0] && (s->p[1] == '-' || s->p[1] == '+'));
    const int has_exponent = (*s->p == 'e' || *s->p == 'E') && isdigit((unsigned char)exponent[1]);
    if (has_exponent)
        s->p = exponent + 1 + strspn(exponent + 1, "0123456789");
    t->kind = REAL;
    if (p[before] != '.' && !has_exponent)
        read_whole(s, t, 10);
}

int sluice_syntax_same_word(const struct token *t, const char *word)
{
    return (size_t)t->length == strlen(word) && strncasecmp(t->text, word, (size_t)t->length) == 0;
}

void sluice_syntax_begin(struct tokens *s, const struct sluice_source *source,
                         struct sluice_mistake *mistake)
{
    *s = (struct tokens){.source = source, .mistake = mistake, .p = source->text, .line = 1};
    s->open[0] = (struct bracket){.kind = '{', .inside = s->p, .inside_line = 1};
}

/* The last token read takes its place: brackets open or close, keys and elements count. */
static void take(struct tokens *s)
{
    struct bracket *in = &s->open[s->depth];
    const int kind = s->token.kind;
    if (sluice_syntax_opens(kind))
        s->open[++s->depth] = (struct bracket){
            .kind = kind, .line = s->token.line, .inside = s->p, .inside_line = s->line};
    else if (sluice_syntax_closes(kind))
        s->depth -= s->depth > 0;
    else if (sluice_syntax_equals(kind)) {
        s->long_text = 0; /* KEY = follows it, so the text was meant to be long */
        in->keys++;
    } else if (kind >= VALUE && !in->first)
        in->first = kind;
}

void sluice_syntax_advance(struct tokens *s)
{
    take(s);
    skip_blanks(s);
    struct token t = {.kind = BAD, .text = s->p, .line = s->line};
    const int c = (unsigned char)*s->p;
    if (s->failed || c == 0) {
        t.kind = END;
    } else if (c == '"') {
        read_string(s, &t);
    } else if (isalpha(c) || c == '*') {
        while (isalnum((unsigned char)*s->p) || (*s->p && strchr("*_-", *s->p)))
            s->p++;
        t.kind = NAME;
    } else if (isdigit(c) || c == '.' || c == '-' || c == '+') {
        read_number(s, &t);
    } else {
        if (strchr("={}()[];:,", c))
            t.kind = c;
        s->p++;
    }
    t.length = (int)(s->p - t.text);
    t.whole = t.kind == NAME ? sluice_syntax_same_word(&t, "true") : t.whole;
    if (t.kind == NAME && (t.whole || sluice_syntax_same_word(&t, "false")))
        t.kind = BOOL;
    s->earlier = s->before;
    s->before = s->token;
    s->token = t;
}
