/* The tokens of a config, in libconfig's lexical grammar, and the brackets open around each.
 * Internal to src/config/syntax. */
#ifndef SLUICE_CONFIG_SYNTAX_TOKENS_H
#define SLUICE_CONFIG_SYNTAX_TOKENS_H
#include "config/syntax/tree.h"

/* A mark such as '{' is its own kind. A value's kind is VALUE + its enum sluice_tree_kind. */
enum { END, NAME = 256, BAD, VALUE, WHOLE = VALUE + SLUICE_TREE_WHOLE };
enum { REAL = VALUE + SLUICE_TREE_REAL, BOOL = VALUE + SLUICE_TREE_BOOL };
enum { TEXT = VALUE + SLUICE_TREE_TEXT };

enum { SLUICE_SYNTAX_DEPTH_MAX = 64 };

struct token {
    int kind;
    const char *text; /* [length], inside the source */
    int length, line;
    long long whole; /* WHOLE and BOOL */
};

struct bracket {
    int kind;           /* '{', also for the whole text, '(' or '[' */
    int line;           /* where it was opened; 0: the whole text */
    int first;          /* kind of an array's first element; 0: none yet */
    int keys;           /* of a group, so far */
    const char *inside; /* the text after it, whose line is inside_line */
    int inside_line;
};

struct tokens {
    const struct sluice_source *source;
    struct sluice_mistake *mistake;
    const char *p;
    int line;
    struct token token, before, earlier; /* the last one read, and the two before it */
    int long_text; /* line of the first text that runs over its line: its quote may be missing */
    struct bracket open[SLUICE_SYNTAX_DEPTH_MAX + 1]; /* around `token`, which is not in it yet */
    int depth;                                        /* open[depth] is the innermost */
    int failed;
};

/* Stands before the first token of the text; a mistake will be kept there. */
void sluice_syntax_begin(struct tokens *s, const struct sluice_source *source,
                         struct sluice_mistake *mistake);

/* Reads the next token into s->token; END also after a mistake. Not after a bracket at the largest
 * depth. */
void sluice_syntax_advance(struct tokens *s);

/* Keeps the first mistake. */
void sluice_syntax_fail(struct tokens *s, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Whether a token is this word, in any case. */
int sluice_syntax_same_word(const struct token *t, const char *word);

/* What a kind is. */
static inline int sluice_syntax_opens(int kind)
{
    return kind == '{' || kind == '(' || kind == '[';
}
static inline int sluice_syntax_closes(int kind)
{
    return kind == '}' || kind == ')' || kind == ']';
}
static inline int sluice_syntax_equals(int kind)
{
    return kind == '=' || kind == ':';
}
/* Whether s->token stands where an element of a list or array begins. */
static inline int sluice_syntax_at_element(const struct tokens *s)
{
    const int before = s->before.kind;
    return s->open[s->depth].kind != '{' && (before == ',' || sluice_syntax_opens(before));
}
/* Whether s->token stands where a key of a group belongs. */
static inline int sluice_syntax_at_key(const struct tokens *s)
{
    const int before = s->before.kind;
    return s->open[s->depth].kind == '{' && before != NAME && !sluice_syntax_equals(before);
}
#endif
