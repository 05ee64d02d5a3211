#include "config/scan.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum token_kind { END, NAME, WHOLE, WIDE, REAL, BOOL, STRING, PUNCTUATION, BAD };

struct token {
    enum token_kind kind;
    const char *text; /* not ended by a zero */
    int length, line;
};

enum { DEPTH_MAX = 64, KEYS_MAX = 1000 };

struct parser {
    struct sluice_scan *scan;
    const char *start, *p;
    int line;
    struct token token; /* the next one, not yet taken */
    int long_text; /* line of the first text that ran over a line's end: its quote is the suspect of
                      what follows */
    int depth, failed, value_line;
};

struct key {
    const char *text;
    int length, line;
};

__attribute__((format(printf, 3, 4))) static void fail_at(struct parser *s, int line,
                                                          const char *format, ...)
{
    if (s->failed)
        return;
    s->failed = 1;
    s->scan->line = line;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(s->scan->what, sizeof s->scan->what, format, arguments);
    va_end(arguments);
}

static int is_name_start(int c)
{
    return isalpha(c) || c == '*';
}

static int is_name(int c)
{
    return isalnum(c) || c == '*' || c == '_' || c == '-';
}

static void skip_blanks(struct parser *s)
{
    for (;;) {
        if (*s->p == '\n') {
            s->line++;
            s->p++;
        } else if (*s->p == ' ' || *s->p == '\t' || *s->p == '\r' || *s->p == '\f') {
            s->p++;
        } else if (*s->p == '#' || (s->p[0] == '/' && s->p[1] == '/')) {
            while (*s->p && *s->p != '\n')
                s->p++;
        } else if (s->p[0] == '/' && s->p[1] == '*') {
            const int first = s->line;
            for (s->p += 2; *s->p && !(s->p[0] == '*' && s->p[1] == '/'); s->p++)
                s->line += *s->p == '\n';
            if (!*s->p) {
                fail_at(s, first, "a comment begins here with /* and never ends: close it with */");
                return;
            }
            s->p += 2;
        } else {
            return;
        }
    }
}

static void read_string(struct parser *s, struct token *t)
{
    const int first = s->line;
    for (s->p++; *s->p && *s->p != '"'; s->p++) {
        if (*s->p == '\\' && s->p[1])
            s->p++;
        s->line += *s->p == '\n';
    }
    if (!*s->p) {
        const int suspect = s->long_text ? s->long_text : first;
        fail_at(s, suspect, "a text has no closing quote: write it as \"...\" on one line");
        return;
    }
    s->p++;
    t->kind = STRING;
    if (s->line > first && !s->long_text)
        s->long_text = first;
}

static void note_wide(struct parser *s)
{
    struct sluice_scan *scan = s->scan;
    if (scan->wide_count == SLUICE_SCAN_WIDE_MAX)
        fail_at(s, s->line, "more than %d whole numbers beyond 32 bits: is it the right file?",
                SLUICE_SCAN_WIDE_MAX);
    else
        scan->wide[scan->wide_count++] = (size_t)(s->p - s->start);
}

static void read_whole(struct parser *s, struct token *t, int base)
{
    char digits[32];
    const int n = (int)(s->p - t->text);
    snprintf(digits, sizeof digits, "%.*s", n, t->text);
    errno = 0;
    const long long value = strtoll(digits, NULL, base);
    if (errno == ERANGE || n >= (int)sizeof digits) {
        fail_at(s, t->line,
                "the whole number %.*s has too many digits: write it with a point or an exponent, "
                "as 1.0e30",
                n > 60 ? 60 : n, t->text);
        return;
    }
    t->kind = WHOLE;
    if (*s->p == 'L') {
        s->p += s->p[1] == 'L' ? 2 : 1;
        t->kind = WIDE;
    } else if (value > INT_MAX || value < INT_MIN) {
        note_wide(s);
        t->kind = WIDE;
    }
}

static void read_number(struct parser *s, struct token *t)
{
    int digits = 0, real = 0;
    if (s->p[0] == '0' && (s->p[1] == 'x' || s->p[1] == 'X') && isxdigit((unsigned char)s->p[2])) {
        for (s->p += 2; isxdigit((unsigned char)*s->p); s->p++)
            ;
        read_whole(s, t, 16);
        return;
    }
    s->p += *s->p == '-' || *s->p == '+';
    for (; isdigit((unsigned char)*s->p); s->p++)
        digits++;
    if (*s->p == '.') {
        real = 1;
        for (s->p++; isdigit((unsigned char)*s->p); s->p++)
            digits++;
    }
    const char *e = s->p;
    if (digits > 0 && (*e == 'e' || *e == 'E')) {
        e += e[1] == '-' || e[1] == '+' ? 2 : 1;
        if (isdigit((unsigned char)*e)) {
            real = 1;
            for (s->p = e; isdigit((unsigned char)*s->p); s->p++)
                ;
        }
    }
    if (digits == 0)
        fail_at(s, t->line, "'%.*s' is no number: write one as 0.5 or 1.0e-3",
                (int)(s->p - t->text), t->text);
    else if (real)
        t->kind = REAL;
    else
        read_whole(s, t, 10);
}

static int same_word(const struct token *t, const char *word)
{
    if ((size_t)t->length != strlen(word))
        return 0;
    for (int i = 0; i < t->length; i++)
        if (tolower((unsigned char)t->text[i]) != word[i])
            return 0;
    return 1;
}

/* Reads the next token into s->token. */
static void advance(struct parser *s)
{
    skip_blanks(s);
    struct token t = {BAD, s->p, 1, s->line};
    const int c = (unsigned char)*s->p;
    if (s->failed || c == 0) {
        t.kind = END;
        t.length = 0;
    } else if (c == '"') {
        read_string(s, &t);
    } else if (is_name_start(c)) {
        while (is_name((unsigned char)*s->p))
            s->p++;
        t.kind = NAME;
    } else if (isdigit(c) || c == '.' || c == '-' || c == '+') {
        read_number(s, &t);
    } else {
        if (strchr("={}()[];:,", c))
            t.kind = PUNCTUATION;
        s->p++;
    }
    t.length = (int)(s->p - t.text);
    if (t.kind == NAME && (same_word(&t, "true") || same_word(&t, "false")))
        t.kind = BOOL;
    s->token = t;
}

static int is_mark(const struct parser *s, char c)
{
    return s->token.kind == PUNCTUATION && *s->token.text == c;
}

static int shown(const struct token *t)
{
    return t->length > 40 ? 40 : t->length;
}

/* The error of a token that stands where `wanted` belongs. */
static void unexpected(struct parser *s, const char *wanted)
{
    const struct token *t = &s->token;
    if (s->long_text)
        fail_at(s, s->long_text,
                "a text runs over the end of its line: is its closing quote missing?");
    else if (t->kind == END)
        fail_at(s, t->line, "the file ends where %s belongs", wanted);
    else if (t->kind == BAD && !isprint((unsigned char)*t->text))
        fail_at(s, t->line, "a byte of code %d stands where %s belongs: is it a text file?",
                (unsigned char)*t->text, wanted);
    else
        fail_at(s, t->line, "'%.*s' stands where %s belongs", shown(t), t->text, wanted);
}

/* A value without quotes that is no number. */
static void bare_word(struct parser *s)
{
    static const char *const not_finite[] = {"nan", "inf", "infinity"};
    const struct token *t = &s->token;
    for (size_t i = 0; i < sizeof not_finite / sizeof *not_finite; i++)
        if (same_word(t, not_finite[i])) {
            fail_at(s, t->line, "%.*s is no finite number: write one, as 0.5", shown(t), t->text);
            return;
        }
    fail_at(s, t->line, "the text %.*s has no quotes: write \"%.*s\"", shown(t), t->text, shown(t),
            t->text);
}

static void parse_value(struct parser *s, const struct key *key);

static const char *kind_name(enum token_kind kind)
{
    switch (kind) {
    case WHOLE:
        return "whole numbers";
    case WIDE:
        return "whole numbers beyond 32 bits";
    case REAL:
        return "numbers with a point";
    case BOOL:
        return "true or false";
    default:
        return "texts";
    }
}

static void mixed(struct parser *s, enum token_kind first)
{
    const enum token_kind now = s->token.kind;
    if ((first == WHOLE && now == REAL) || (first == REAL && now == WHOLE))
        fail_at(s, s->token.line,
                "an array mixes whole numbers and numbers with a point: give each a point, as in "
                "[0.0, 0.5]");
    else
        fail_at(s, s->token.line, "an array mixes %s and %s: its elements must be of one kind",
                kind_name(first), kind_name(now));
}

static void parse_array(struct parser *s, int line)
{
    enum token_kind first = END;
    advance(s);
    if (is_mark(s, ']')) {
        advance(s);
        return;
    }
    while (!s->failed) {
        const enum token_kind kind = s->token.kind;
        if (is_mark(s, '[') || is_mark(s, '(') || is_mark(s, '{'))
            fail_at(s, s->token.line,
                    "an array [ ] holds plain values only: write ( ) around arrays and groups");
        else if (is_mark(s, ']'))
            fail_at(s, s->token.line, "a comma stands before the closing ]: remove it");
        else if (kind == NAME)
            bare_word(s);
        else if (kind != WHOLE && kind != WIDE && kind != REAL && kind != BOOL && kind != STRING)
            unexpected(s, "an array's element");
        else if (first != END && kind != first)
            mixed(s, first);
        first = kind;
        advance(s);
        while (kind == STRING && s->token.kind == STRING)
            advance(s);
        if (is_mark(s, ']'))
            break;
        if (s->token.kind == END || s->token.kind == NAME || is_mark(s, ';') || is_mark(s, '}'))
            fail_at(s, line, "the [ here is never closed: end the array with ]");
        else if (!is_mark(s, ','))
            unexpected(s, "a comma or ]");
        advance(s);
    }
    advance(s);
}

static void parse_list(struct parser *s, int line)
{
    advance(s);
    if (is_mark(s, ')')) {
        advance(s);
        return;
    }
    while (!s->failed) {
        if (is_mark(s, ')'))
            fail_at(s, s->token.line, "a comma stands before the closing ): remove it");
        parse_value(s, NULL);
        if (is_mark(s, ')'))
            break;
        if (is_mark(s, '{') || is_mark(s, '['))
            fail_at(s, s->token.line,
                    "the elements of a list need a comma between them: write }, { or ], [");
        else if (s->token.kind == END || s->token.kind == NAME || is_mark(s, ';') ||
                 is_mark(s, '}'))
            fail_at(s, line, "the ( here is never closed: end the list with )");
        else if (!is_mark(s, ','))
            unexpected(s, "a comma or )");
        advance(s);
    }
    advance(s);
}

static void note_key(struct parser *s, struct key *keys, int *count)
{
    const struct token *t = &s->token;
    for (int i = 0; i < *count; i++)
        if (keys[i].length == t->length && memcmp(keys[i].text, t->text, (size_t)t->length) == 0) {
            s->scan->other_line = keys[i].line;
            fail_at(s, t->line,
                    "'%.*s' is set twice in one group, first at %%OTHER%%: remove one of the two",
                    shown(t), t->text);
            return;
        }
    if (*count == KEYS_MAX)
        fail_at(s, t->line, "more than %d keys in one group: is it the right file?", KEYS_MAX);
    else
        keys[(*count)++] = (struct key){t->text, t->length, t->line};
}

static void no_arithmetic(struct parser *s, int line, char sign)
{
    fail_at(s, line, "'%c' follows a value: nothing is calculated here, write the number", sign);
}

/* What stands where a key belongs. */
static void no_key(struct parser *s, int opened)
{
    if (is_mark(s, '}'))
        fail_at(s, s->token.line, "a } without its {: remove it");
    else if (is_mark(s, ')') || is_mark(s, ']'))
        fail_at(s, s->token.line,
                "a %c without its opening: remove it, or look for what is missing before",
                *s->token.text);
    else if (s->token.kind == END && opened)
        fail_at(s, opened, "the { here is never closed: end the group with }");
    else if (s->token.kind == WHOLE && s->value_line == s->token.line &&
             s->p - s->start > s->token.length && s->token.text[-1] == ',')
        fail_at(s, s->token.line,
                "a number stands after a comma, outside any array: write a decimal point (0.5), or "
                "[ ] around them");
    else if ((s->token.kind == WHOLE || s->token.kind == REAL) && s->token.text > s->start &&
             (isdigit((unsigned char)s->token.text[-1]) || s->token.text[-1] == '.'))
        fail_at(s, s->token.line, "the number ends before '%.*s': write one as 0.5 or 1.0e-3",
                shown(&s->token), s->token.text);
    else if (s->value_line == s->token.line && *s->token.text == '/')
        no_arithmetic(s, s->token.line, '/');
    else if (is_mark(s, ';') || is_mark(s, ','))
        fail_at(s, s->token.line, "'%c' stands where a key belongs: remove it", *s->token.text);
    else
        unexpected(s, "a key");
}

/* KEY = VALUE; ... up to the end of the file (opened 0) or the } of the group opened at that line.
 */
static void parse_settings(struct parser *s, int opened)
{
    struct key *keys = malloc(KEYS_MAX * sizeof *keys);
    int count = 0;
    if (!keys) {
        fail_at(s, s->line, "out of memory");
        return;
    }
    while (!s->failed) {
        if (opened ? is_mark(s, '}') : s->token.kind == END)
            break;
        if (s->token.kind != NAME) {
            no_key(s, opened);
            break;
        }
        note_key(s, keys, &count);
        const struct key key = {s->token.text, s->token.length, s->token.line};
        advance(s);
        if (!s->failed && !is_mark(s, '=') && !is_mark(s, ':')) {
            if (s->long_text)
                unexpected(s, "=");
            else if (s->value_line == key.line && *key.text == '*')
                no_arithmetic(s, key.line, '*');
            else if (s->value_line == key.line)
                fail_at(
                    s, key.line,
                    "the word '%.*s' follows a value: text needs quotes, a number takes no unit",
                    shown(&(struct token){NAME, key.text, key.length, 0}), key.text);
            else
                fail_at(s, key.line, "'%.*s' is not followed by = and a value: write KEY = VALUE",
                        key.length > 40 ? 40 : key.length, key.text);
        }
        if (!s->failed)
            s->long_text = 0; /* KEY = after it: the text was meant to be long */
        advance(s);
        parse_value(s, &key);
        s->value_line = s->token.line;
        if (is_mark(s, ';') || is_mark(s, ','))
            advance(s);
    }
    free(keys);
}

static void parse_value(struct parser *s, const struct key *key)
{
    const int line = s->token.line;
    if (s->failed)
        return;
    if (++s->depth > DEPTH_MAX)
        fail_at(s, line, "brackets are nested deeper than %d: remove some", DEPTH_MAX);
    if (is_mark(s, '{')) {
        advance(s);
        parse_settings(s, line);
        advance(s);
    } else if (is_mark(s, '(')) {
        parse_list(s, line);
    } else if (is_mark(s, '[')) {
        parse_array(s, line);
    } else if (s->token.kind == NAME && !s->long_text) {
        bare_word(s);
    } else if (s->token.kind == WHOLE || s->token.kind == WIDE || s->token.kind == REAL ||
               s->token.kind == BOOL) {
        advance(s);
    } else if (s->token.kind == STRING) {
        while (s->token.kind == STRING)
            advance(s);
    } else if (key && !s->long_text &&
               (s->token.kind == END || is_mark(s, ';') || is_mark(s, '}'))) {
        fail_at(s, key->line, "'%.*s' has no value: write %.*s = VALUE",
                key->length > 40 ? 40 : key->length, key->text, key->length > 40 ? 40 : key->length,
                key->text);
    } else {
        unexpected(s, "a value");
    }
    s->depth--;
}

int sluice_scan_text(struct sluice_scan *scan, const char *text)
{
    *scan = (struct sluice_scan){0};
    struct parser s = {.scan = scan, .start = text, .p = text, .line = 1};
    advance(&s);
    parse_settings(&s, 0);
    return s.failed;
}
