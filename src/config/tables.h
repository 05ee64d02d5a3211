/* The parameter tables of the configuration: every key with its type, default, unit, range,
 * sentence and conditions. Reading, checking, the effective text, `sluice info` and docs/config.md
 * use these rows and the pairs' own. */
#ifndef SLUICE_CONFIG_TABLES_H
#define SLUICE_CONFIG_TABLES_H
#include "config/config.h"
#include "config/syntax/tree.h"
#include "core/param.h"

/* Components of an array: one a dimension; one to three; three for a velocity, else one; of what
 * turns one in a plane (about z) and three in space. */
enum sluice_row_length {
    SLUICE_LENGTH_DIMENSION,
    SLUICE_LENGTH_FREE,
    SLUICE_LENGTH_OF_FIELD,
    SLUICE_LENGTH_OF_TURN
};

/* The row applies only if the int at `offset` of the same struct has one of the values in `bits`;
 * bits 0: always. */
struct sluice_row_when {
    size_t offset;
    unsigned bits;
};

struct sluice_row {
    struct sluice_param p; /* preset NAN: required wherever the key applies */
    struct sluice_row_when
        when[2]; /* both must hold; the rows of those ints come earlier in the table */
    struct sluice_row_when also[2]; /* or either of these */
    enum sluice_row_length length;
    unsigned
        models; /* of a list's row: bits of the models that have it; 0: all that have the list */
};

struct sluice_table {
    const char *path; /* of a list: "probes"; "" for the keys outside lists */
    const char *doc;
    const struct sluice_row *row; /* [count] */
    int count;
    size_t size;             /* of the struct that an entry fills */
    size_t list, list_count; /* offsets in sluice_config of the array's pointer and its length */
    int limit;               /* most entries */
    unsigned models;         /* bits of the models that have the list */
    size_t file, line;       /* offsets in an entry of its place in the text */
};

/* The keys outside lists, and the lists. */
extern const struct sluice_table sluice_config_keys;
enum {
    SLUICE_TABLE_GEOMETRY,
    SLUICE_TABLE_MOTIONS,
    SLUICE_TABLE_BODIES,
    SLUICE_TABLE_MOORINGS,
    SLUICE_TABLE_INITIAL,
    SLUICE_TABLE_FORCES,
    SLUICE_TABLE_PROBES,
    SLUICE_TABLE_OPENINGS,
    SLUICE_TABLE_COUNT
};
extern const struct sluice_table sluice_config_lists[SLUICE_TABLE_COUNT];

/* Marks a row's `choices`: the words are the names of the pairs that have parameters. */
extern const char sluice_choices_of_pairs[];

/* Word i of a row's choices and its value. 0: there are no more. */
int sluice_choice(const struct sluice_param *p, int i, char word[64], int *value);
/* The word of a value; "" if it has none. Returns `word`. */
const char *sluice_choice_word(const struct sluice_param *p, int value, char word[64]);
/* The words whose values are in `bits`, as `"a", "b" or "c"`. */
void sluice_choices_text(const struct sluice_param *p, unsigned bits, char *out, size_t size);

/* The types of keys: a row for each enum sluice_param_type. */
enum sluice_member { SLUICE_MEMBER_DOUBLE, SLUICE_MEMBER_LONG, SLUICE_MEMBER_INT };
struct sluice_param_info {
    const char *name;          /* for people */
    int length;                /* components that the member has room for; 0: it is a text */
    enum sluice_member member; /* type of a component */
};
extern const struct sluice_param_info sluice_param_types[];

/* Component i of a row's member in the struct `base`. Whole numbers are exact up to 2^53. */
double sluice_param_get(const struct sluice_param *p, const void *base, int i);
void sluice_param_put(const struct sluice_param *p, void *base, int i, double value);

/* A component in the syntax of a config: 0.5, 3, true, "wcsph", "x-". */
void sluice_number_text(const struct sluice_param *p, double value, char out[80]);
/* The shortest decimal that reads back to the same double, always with a point or an exponent. */
void sluice_real_text(double value, char out[40]);
/* "from 0 to 1 m", "at least 0 s". */
void sluice_range_text(const struct sluice_param *p, char *out, size_t size);

/* Whether a row applies in the struct `base`, of a config with this model. */
int sluice_row_applies(const struct sluice_row *row, int model, const void *base);

/* Whether rows or lists with these bits of models apply; 0: to all. A model that could not be read,
 * -1, has all of them, as it is reported itself. */
int sluice_models_have(unsigned models, int model);

/* "it belongs to model = "gas", but that is "lj": remove one of the two" */
void sluice_models_text(unsigned models, int model, char *out, size_t size);

/* The row whose word, or true or false, sets the int of a condition; NULL: none does. */
const struct sluice_row *sluice_row_of_condition(const struct sluice_table *table,
                                                 const struct sluice_row_when *when);

/* The groups and lists whose presence counts, and what notes it; the last has the path NULL. */
struct sluice_group_row {
    const char *path;
    enum sluice_tree_kind kind;
    unsigned models;
    size_t used; /* offset of an int in struct sluice_config */
};
extern const struct sluice_group_row sluice_config_groups[];
/* The path of the one whose presence is the condition; NULL: none is. */
const char *sluice_group_of_condition(const struct sluice_row_when *when);
#endif
