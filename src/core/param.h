/* One row of a parameter table: the single source of reading, checking, `sluice info` and the
 * generated reference.
 *
 * A table describes a C struct: each row names the config path of a key and the member that takes
 * its value. The config's own tables and those of the pairs (kernels/pair) have the same rows. */
#ifndef SLUICE_CORE_PARAM_H
#define SLUICE_CORE_PARAM_H
#include <stddef.h>

enum sluice_param_type {
    SLUICE_PARAM_REAL,   /* double; whole numbers are accepted */
    SLUICE_PARAM_INT,    /* long long */
    SLUICE_PARAM_SMALL,  /* int */
    SLUICE_PARAM_BOOL,   /* int, 0 or 1 */
    SLUICE_PARAM_CHOICE, /* int: the index of the word among `choices` */
    SLUICE_PARAM_TEXT,   /* char[SLUICE_TEXT_MAX] */
    SLUICE_PARAM_VECTOR, /* double[3]; a component for each dimension of the case, the rest 0 */
    SLUICE_PARAM_BOOLS,  /* int[3], 0 or 1; components as above */
    SLUICE_PARAM_INTS,   /* int[3]; components as above */
    SLUICE_PARAM_LONGS,  /* long long[3]; components as above */
    SLUICE_PARAM_MATRIX, /* double[3][3]: a list of vectors, row by row */
    SLUICE_PARAM_SIDES,  /* unsigned: bits 1 << (2 axis + (high side)), from names such as "x-" or
                            "left" */
    SLUICE_PARAM_WORDS,  /* unsigned: bits 1 << (index among `choices`), from an array of words */
    SLUICE_PARAM_POINTS, /* struct sluice_points: a list of pairs of numbers */
    SLUICE_PARAM_FACE    /* int: 2 axis + (high side), from one such name; -1: none */
};

enum { SLUICE_TEXT_MAX = 256, SLUICE_POINTS_MAX = 100 };

/* Points of a plane, in a config. */
struct sluice_points {
    int count;
    double at[SLUICE_POINTS_MAX][2];
};

/* The choices of a key stand in one list, X(VALUE, "word") for each: #define LIST(X) X(A, "a") ...
 * enum { LIST(SLUICE_CHOICE_VALUE) }; {LIST(SLUICE_CHOICE_WORD)}; LIST(SLUICE_CHOICES), "a|b|". */
#define SLUICE_CHOICE_VALUE(value, word) value,
#define SLUICE_CHOICE_WORD(value, word)  word,
#define SLUICE_CHOICES(value, word)      word "|"

struct sluice_param {
    const char *path; /* "fluid.viscosity.alpha" */
    enum sluice_param_type type;
    size_t offset; /* of the member in the struct that the table describes */
    double preset; /* the default of a number, bool or choice (its index); NAN: the key is required;
                      INFINITY: without it the program finds the value itself */
    const char *preset_text; /* the default of a text; NULL for the other types */
    const char *unit;        /* "m/s", "1" for a pure number, "" for words */
    double least, most;      /* inclusive range of a number, or of each component */
    const char *choices;     /* "none|artificial|laminar|" for a choice, otherwise NULL */
    const char *doc;         /* one sentence for people */
};
#endif
