/* What the parts of the reader share: the config being filled, the tree it is filled from, and the
 * messages so far. */
#ifndef SLUICE_CONFIG_READER_H
#define SLUICE_CONFIG_READER_H
#include "config/config.h"
#include "config/report.h"
#include "config/tables.h"
#include "config/tree.h"

enum { SLUICE_KEY_BYTES = 128 };

struct sluice_reader {
    struct sluice_config *config;
    struct sluice_tree_node *root;
    struct sluice_report *report;
};

/* A group of keys and the struct that it fills: the whole config (prefix ""), or an entry of a list
 * (prefix "probes.[0]."). */
struct sluice_entry {
    const struct sluice_table *table;
    struct sluice_tree_node *node;
    void *base;
    char prefix[48];
};

/* The config keeps this behind its `source`. */
struct sluice_config_source {
    struct sluice_source text;
    struct sluice_tree_node *root;
    char *effective;
};

/* Reads all keys and lists, and reports what is wrong with each alone: type, range, choice, length,
 * missing, idle or unknown. */
sluice_status sluice_reader_read(struct sluice_reader *r);
void sluice_reader_row(struct sluice_reader *r, const struct sluice_entry *e,
                       const struct sluice_row *row);

/* Reads the value of a node into the row's member. 0: it was wrong, and was reported under the name
 * `key`. */
int sluice_reader_value(struct sluice_reader *r, const struct sluice_tree_node *node,
                        const struct sluice_entry *e, const struct sluice_row *row,
                        const char *key);

/* Reports every key below that no table has read. */
void sluice_reader_unknown(struct sluice_reader *r, struct sluice_tree_node *node,
                           const struct sluice_table *table, const char *prefix);

/* Reports what keys say together: contradictions, duplicates, places in the wrong dimension. Fills
 * what depends on other keys: names of probes, types of walls, the folder of `particles`. Values
 * that were refused are not looked at again. */
void sluice_reader_check(struct sluice_reader *r);
void sluice_reader_check_shapes(struct sluice_reader *r);
void sluice_reader_check_motions(struct sluice_reader *r);
void sluice_reader_check_initials(struct sluice_reader *r);
void sluice_reader_check_probes(struct sluice_reader *r);

/* Groups (check_groups.c). The first shape of the group `name`, which key `key` of an entry asks
 * for; -1: there is none, which is an error unless a particle file may have it. */
int sluice_reader_find_group(struct sluice_reader *r, int table, int i, const char *key,
                             const char *name);
/* Whether a shape is of the group. */
int sluice_reader_in_group(const struct sluice_config *config, int shape, const char *name);
/* Fluid and walls cannot share a name. */
void sluice_reader_check_name(struct sluice_reader *r, int shape);
/* Gives the shapes of the group that a motion carries its name. 1: there are some, or a particle
 * file may have them. */
int sluice_reader_carry(struct sluice_reader *r, int motion);

/* The node of a key, or of the nearest group above it that was written: where a message about the
 * key points. */
const struct sluice_tree_node *sluice_reader_place(const struct sluice_tree_node *group,
                                                   const char *path);
/* "geometry.[2].min": a key of entry i of a list, or the entry itself (name ""). Returns `out`. */
const char *sluice_reader_key(int table, int i, const char *name, char out[SLUICE_KEY_BYTES]);
/* An error about a key of entry i of a list. */
#define SLUICE_ENTRY_ERROR(r, table, i, name, ...)                                                 \
    do {                                                                                           \
        char key_[SLUICE_KEY_BYTES];                                                               \
        sluice_report_error((r)->report,                                                           \
                            sluice_reader_place(sluice_reader_entry(r, table, i), name),           \
                            sluice_reader_key(table, i, name, key_), __VA_ARGS__);                 \
    } while (0)

/* Whether a key was given, and its value accepted. */
int sluice_reader_given(const struct sluice_tree_node *group, const char *path);
/* The node of entry i of a list. */
const struct sluice_tree_node *sluice_reader_entry(const struct sluice_reader *r, int table, int i);

/* Puts the overrides "path=value" into the tree. */
void sluice_reader_set(struct sluice_reader *r, const char *const *set, int count);

/* The effective configuration, allocated; NULL: out of memory. */
char *sluice_reader_text(const struct sluice_config *config, const struct sluice_tree_node *root);

/* The word of `words` ("|" between them) or of the keys of a table nearest to `word`, near enough
 * to be meant; 0: none is. */
int sluice_nearest_word(const char *word, const char *const *words, int count,
                        const char **nearest);

/* 2 axis + (high side) of "x-", "left", ...; -1: no such side, -2: not in this dimension. */
int sluice_side_of_word(const char *word, int dimension);

/* "from 0 to 1 m", "at least 0 s", "" when any number will do. */
void sluice_range_text(const struct sluice_param *p, char *out, size_t size);

/* The shortest decimal that reads back to the same double, always with a point or an exponent. */
void sluice_real_text(double value, char out[40]);
#endif
