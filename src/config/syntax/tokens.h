/* The tokens of libconfig's grammar, and where the parser stands. Internal to src/config/syntax. */
#ifndef SLUICE_CONFIG_SYNTAX_TOKENS_H
#define SLUICE_CONFIG_SYNTAX_TOKENS_H
#include "config/syntax/tree.h"

/* A mark such as '{' is its own kind. A value's kind is VALUE + its enum sluice_tree_kind. */
enum { END, NAME = 256, BAD, VALUE, WHOLE = VALUE + SLUICE_TREE_WHOLE };
enum { REAL = VALUE + SLUICE_TREE_REAL, BOOL = VALUE + SLUICE_TREE_BOOL };
enum { TEXT = VALUE + SLUICE_TREE_TEXT };

struct token {
    int kind;
    const char *text; /* [length], inside the source */
    int length, line;
    long long whole; /* WHOLE and BOOL */
};

struct parser {
    const struct sluice_source *source;
    struct sluice_mistake *mistake;
    const char *p;
    int line;
    struct token token, before; /* the next one, not yet taken, and the one before it */
    int long_text; /* line of the first text that runs over its line: its quote may be missing */
    int depth, failed;
};

/* Keeps the first error. */
void sluice_syntax_fail(struct parser *s, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void sluice_syntax_no_memory(struct parser *s);

/* Reads the next token into s->token. */
void sluice_syntax_advance(struct parser *s);

/* Whether a token is this word, in any case. */
int sluice_syntax_same_word(const struct token *t, const char *word);
#endif
