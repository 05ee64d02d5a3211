/* The interface between the parts of the reader: the config being filled, the tree of its text, and
 * the messages so far. */
#ifndef SLUICE_CONFIG_READER_H
#define SLUICE_CONFIG_READER_H
#include "config/config.h"
#include "config/report.h"
#include "config/tables.h"
#include "config/syntax/tree.h"

enum { SLUICE_KEY_BYTES = 128 };

struct sluice_reader {
    struct sluice_config *config;
    struct sluice_tree_node *root;
    struct sluice_report *report;
    double particles; /* about how many the shapes checked so far have */
};

/* A group of keys and the struct that it fills: the whole config, or an entry of a list. */
struct sluice_entry {
    struct sluice_reader *r;
    const struct sluice_table *table;
    struct sluice_tree_node *node;
    void *base;
    int i;         /* its place in the list */
    char path[48]; /* "probes.[0]"; "" for the whole config */
};
struct sluice_entry sluice_entry_of_config(struct sluice_reader *r);

/* Calls `visit` for each entry of a list. */
void sluice_entry_each(struct sluice_reader *r, const struct sluice_table *list,
                       void (*visit)(const struct sluice_entry *e));

/* Hidden behind sluice_config.source. */
struct sluice_config_source {
    struct sluice_source text;
    struct sluice_tree_node *root;
    char *effective;
};

/* Reads all keys and lists, and reports the errors of each key by itself: type, range, choice,
 * length; missing, unknown, or without effect in this case. */
sluice_status sluice_reader_read(struct sluice_reader *r);

/* Reads the value of a node into the row's member. 0: refused, with a message about `key`. */
int sluice_reader_value(const struct sluice_entry *e, const struct sluice_tree_node *node,
                        const struct sluice_row *row, const char *key);

/* Reports every key of the entry that no table has read. */
void sluice_reader_unknown(const struct sluice_entry *e);

/* Reports errors of keys together: contradictions, duplicates, places in the wrong dimension. Fills
 * values that depend on other keys: names of probes, types of walls, paths of files. Does not check
 * values that were refused. */
void sluice_reader_check(struct sluice_reader *r);

/* Reports the key `name` of an entry ("": the entry itself). The message gives the line of the key,
 * or of the nearest group above it that was written. */
void sluice_entry_report(const struct sluice_entry *e, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* A mistake in the settings, or a warning, whose message needs no values. */
struct sluice_conflict {
    int holds;
    const char *key, *message;
};
/* Reports those that hold. */
void sluice_entry_conflicts(const struct sluice_entry *e, const struct sluice_conflict *conflict,
                            size_t count);
#define SLUICE_ENTRY_CONFLICTS(e, list)                                                            \
    sluice_entry_conflicts(e, list, sizeof(list) / sizeof *(list))

/* Whether a key was given and its value accepted, or given and refused. */
int sluice_entry_given(const struct sluice_entry *e, const char *name);
int sluice_entry_refused(const struct sluice_entry *e, const char *name);

/* Puts the overrides "path=value" into the tree, or reports what is wrong with them. Errors: no
 * memory. */
sluice_status sluice_reader_set(struct sluice_reader *r, const char *const *set, int count);

/* Puts the values of `settings` into the tree where it has none. Errors: no memory. */
sluice_status sluice_reader_add_settings(struct sluice_reader *r);

/* The effective configuration, allocated; NULL: out of memory. */
char *sluice_reader_text(const struct sluice_config *config, const struct sluice_tree_node *root);
#endif
