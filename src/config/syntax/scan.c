/* One pass over a config before libconfig reads it. What libconfig is given differs so:
 *
 * - One token stands on a line, without comments: the line of an error is the token.
 * - Whole numbers are decimal with an L, as 1.5 cuts others to 32 bits, silently.
 * - Whole numbers of an array that has numbers with a point get one.
 * - Texts are escaped anew, as versions know different escapes.
 * - Unknown bytes become an @, as some versions skip some of them.
 *
 * Second and trailing commas, which some versions take, end the scan with a mistake. */
#include "config/syntax/scan.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/syntax/tokens.h"
#include "config/syntax/wording.h"

/* Libconfig compares each key with all before it in its group, letter by letter. */
enum { KEYS_MAX = 1000 /* of a group */, KEY_MAX = 100 /* letters */ };

static void no_memory(struct tokens *s)
{
    sluice_syntax_fail(s, 0, "%s", sluice_source_no_memory);
}

/* Makes the text long enough for n more bytes and a zero. 0: out of memory. */
static int reserve(struct sluice_scan *scan, struct tokens *s, size_t n)
{
    if (scan->length + n + 1 > scan->capacity) {
        const size_t capacity = 2 * (scan->length + n) + 1024;
        char *grown = realloc(scan->text, capacity);
        if (!grown) {
            no_memory(s);
            return 0;
        }
        scan->text = grown;
        scan->capacity = capacity;
    }
    return 1;
}

static void write_bytes(struct sluice_scan *scan, struct tokens *s, const char *bytes, size_t n)
{
    if (!reserve(scan, s, n))
        return;
    memcpy(scan->text + scan->length, bytes, n);
    scan->length += n;
    scan->text[scan->length] = 0;
}

static unsigned hex_digit(char c)
{
    const char digit = (char)tolower((unsigned char)c);
    return (unsigned)(isdigit((unsigned char)c) ? c - '0' : digit - 'a' + 10);
}

/* The byte at *p of a text, where an escape is one byte: *p goes on to the next. */
static unsigned char next_byte(const char **p)
{
    static const char letters[] = "fnrt\\\"", codes[] = "\f\n\r\t\\\"";
    const char *at = *p, *letter = *at == '\\' ? strchr(letters, at[1]) : NULL;
    unsigned code = (unsigned char)*at;
    int used = 1;
    if (letter) {
        code = (unsigned char)codes[letter - letters];
        used = 2;
    } else if (at[0] == '\\' && at[1] == 'x' && isxdigit((unsigned char)at[2]) &&
               isxdigit((unsigned char)at[3])) {
        code = 16 * hex_digit(at[2]) + hex_digit(at[3]);
        used = 4;
    }
    *p += used;
    return (unsigned char)code;
}

/* A text on one line, with the escapes that all versions know. */
static void write_text(struct sluice_scan *scan, struct tokens *s)
{
    const char *p = s->token.text + 1, *end = s->token.text + s->token.length - 1;
    write_bytes(scan, s, "\"", 1);
    while (p < end && !s->failed) {
        char escape[8];
        const unsigned char c = next_byte(&p);
        if (c == 0)
            sluice_syntax_fail(s, s->token.line,
                               "a text holds the byte 0 as \\x00, which would end it: remove it");
        else if (c == '"' || c == '\\')
            snprintf(escape, sizeof escape, "\\%c", c);
        else if (c < ' ' || c == 127)
            snprintf(escape, sizeof escape, "\\x%02x", c);
        else
            snprintf(escape, sizeof escape, "%c", c);
        if (c)
            write_bytes(scan, s, escape, strlen(escape));
    }
    write_bytes(scan, s, "\"", 1);
}

/* Whether the array whose [ is s->token holds a number with a point. */
static int has_real(const struct tokens *s)
{
    struct sluice_mistake ignored;
    struct tokens look;
    sluice_syntax_begin(&look, s->source, &ignored);
    look.p = s->p;
    do
        sluice_syntax_advance(&look);
    while (look.token.kind == WHOLE || look.token.kind == ',');
    return look.token.kind == REAL;
}

static void write_token(struct sluice_scan *scan, struct tokens *s, int is_real)
{
    const struct token *t = &s->token;
    char number[32];
    if (t->kind == TEXT) {
        write_text(scan, s);
    } else if (t->kind == WHOLE) {
        const int n = snprintf(number, sizeof number, is_real ? "%lld.0" : "%lldL", t->whole);
        write_bytes(scan, s, number, (size_t)n);
    } else if (t->kind == BAD) {
        write_bytes(scan, s, "@", 1);
    } else {
        write_bytes(scan, s, t->text, (size_t)t->length);
    }
    write_bytes(scan, s, "\n", 1);
}

/* Keeps the line of a token that begins a key or an element, of an array with a real one or not. */
static void note_node(struct sluice_scan *scan, struct tokens *s, int is_real)
{
    const int kind = s->token.kind;
    if (kind == NAME ? !sluice_syntax_at_key(s)
                     : !sluice_syntax_at_element(s) || !(kind > VALUE || sluice_syntax_opens(kind)))
        return;
    if (scan->node_count == scan->node_capacity) {
        const int capacity = 2 * scan->node_capacity + 256;
        int *grown = realloc(scan->node_line, (size_t)capacity * sizeof *grown);
        if (!grown) {
            no_memory(s);
            return;
        }
        scan->node_line = grown;
        scan->node_capacity = capacity;
    }
    scan->node_line[scan->node_count++] = is_real && kind == WHOLE ? -s->token.line : s->token.line;
}

/* Whether libconfig must not see a token: some versions take it, or 1.5 loses the memory of a text
 * that it refuses. */
static int must_be_refused(const struct tokens *s)
{
    const int kind = s->token.kind, before = s->before.kind, inside = s->open[s->depth].kind;
    const int closing = inside == '(' ? ')' : ']';
    if (kind == TEXT)
        return before != TEXT && !sluice_syntax_equals(before) && !sluice_syntax_at_element(s);
    return inside != '{' && before == ',' && (kind == ',' || kind == closing);
}

/* Refuses a token beyond the limits that libconfig lacks, or one that it must not see. */
static void check_token(struct tokens *s)
{
    const int kind = s->token.kind, line = s->token.line;
    if (sluice_syntax_opens(kind) && s->depth == SLUICE_SYNTAX_DEPTH_MAX)
        sluice_syntax_fail(s, line, "brackets are nested deeper than %d: remove some",
                           SLUICE_SYNTAX_DEPTH_MAX);
    else if (kind == NAME && sluice_syntax_at_key(s) && s->open[s->depth].keys == KEYS_MAX)
        sluice_syntax_fail(s, line, "more than %d keys in one group: is it the right file?",
                           KEYS_MAX);
    else if (kind == NAME && sluice_syntax_at_key(s) && s->token.length > KEY_MAX)
        sluice_syntax_fail(s, line, "the key %.40s... has %d letters, more than %d: shorten it",
                           s->token.text, s->token.length, KEY_MAX);
    else if (must_be_refused(s))
        sluice_syntax_word(s);
}

/* Takes a token. *is_real: the array around it holds a number with a point. */
static void take_token(struct sluice_scan *scan, struct tokens *s, int *is_real)
{
    check_token(s);
    if (s->failed)
        return;
    if (s->token.kind == '[')
        *is_real = has_real(s);
    const int in_real = *is_real && s->open[s->depth].kind == '[';
    note_node(scan, s, in_real);
    write_token(scan, s, in_real);
    scan->token_count += !s->failed;
}

int sluice_scan_text(struct sluice_scan *scan, const struct sluice_source *source,
                     struct sluice_mistake *mistake)
{
    struct tokens s;
    size_t whole = 0; /* bytes of whole tokens */
    int is_real = 0;
    *scan = (struct sluice_scan){0};
    sluice_syntax_begin(&s, source, mistake);
    write_bytes(scan, &s, "", 0);
    for (sluice_syntax_advance(&s); s.token.kind != END; sluice_syntax_advance(&s)) {
        take_token(scan, &s, &is_real);
        if (s.failed) /* too deep a bracket, for example, must not be opened */
            break;
        whole = scan->length;
    }
    if (s.failed && scan->text)
        scan->text[whole] = 0;
    return !s.failed;
}

void sluice_scan_destroy(struct sluice_scan *scan)
{
    free(scan->text);
    free(scan->node_line);
    *scan = (struct sluice_scan){0};
}
