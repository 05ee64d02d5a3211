/* The keys of a configuration as written: a tree of nodes that know their file and line. --set
 * replaces nodes; a table marks the nodes that it reads, so the rest are unknown keys. */
#ifndef SLUICE_CONFIG_SYNTAX_TREE_H
#define SLUICE_CONFIG_SYNTAX_TREE_H
#include "config/syntax/source.h"

enum sluice_tree_kind {
    SLUICE_TREE_GROUP,
    SLUICE_TREE_LIST,
    SLUICE_TREE_ARRAY,
    SLUICE_TREE_WHOLE,
    SLUICE_TREE_REAL,
    SLUICE_TREE_BOOL,
    SLUICE_TREE_TEXT
};

struct sluice_tree_node {
    char *name; /* NULL: the root, or an element of a list or array */
    enum sluice_tree_kind kind;
    long long whole;                 /* WHOLE, and BOOL as 0 or 1 */
    double real;                     /* REAL, and WHOLE as a real */
    char *text;                      /* TEXT */
    struct sluice_tree_node **child; /* [count]: GROUP, LIST, ARRAY */
    int count;
    const char *file; /* borrowed from the source */
    int line;         /* of the file, from 1 */
    int order;        /* line of the text with all includes */
    const char *set;  /* borrowed: the text of the --set that made it, or NULL */
    int used;         /* a table has read it, or refused it with a message */
    int bad;          /* its value was refused */
    char *where;      /* made by sluice_config_where */
};

/* A syntax error. */
struct sluice_mistake {
    int line;       /* of the text, from 1; 0: out of memory */
    char what[400]; /* the error and its remedy */
};

/* Parses the text with libconfig. Arrays may mix whole and real numbers. The tree borrows
 * file names from the source, which must outlive it. 0: *mistake is the first error, *root NULL. */
int sluice_tree_parse(struct sluice_tree_node **root, const struct sluice_source *source,
                      struct sluice_mistake *mistake);
/* The same with a status. Error: "FILE:LINE: syntax: error: remedy; the line reads: LINE". */
sluice_status sluice_tree_read(struct sluice_tree_node **root, const struct sluice_source *source);
void sluice_tree_destroy(struct sluice_tree_node **node);

/* The slot of one step of a path: NAME in a group, [N] or the `name` of an entry in a list; NULL:
 * there is none. */
struct sluice_tree_node **sluice_tree_step(const struct sluice_tree_node *node, const char *step,
                                           size_t length);

/* The length of the first step of a path, and where the next one begins (NULL: it is the last).
 * "a.b", "a.[0]", "a[0]". */
size_t sluice_tree_first_step(const char *path, const char **rest);

/* The node at the end of a path, or the last one on the way; *rest is then the part of the path
 * that is missing, else NULL. */
struct sluice_tree_node *sluice_tree_walk(const struct sluice_tree_node *node, const char *path,
                                          const char **rest);
/* The node at the end of a path; NULL: none. */
struct sluice_tree_node *sluice_tree_find(const struct sluice_tree_node *node, const char *path);

/* Adds an empty group to the end of `parent`; `name` NULL: without a name. Returns its slot; NULL:
 * out of memory. */
struct sluice_tree_node **sluice_tree_add(struct sluice_tree_node *parent, const char *name,
                                          int length);

/* The kind of a node, for messages: "a whole number", "a group { }", ... */
const char *sluice_tree_what(const struct sluice_tree_node *node);
#endif
