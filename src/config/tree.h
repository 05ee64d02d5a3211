/* The keys of a configuration as they were written: libconfig's tree in our own nodes, which know
 * their file and line, can be replaced by --set, and are marked when a table has read them: what is
 * left over is unknown. */
#ifndef SLUICE_CONFIG_TREE_H
#define SLUICE_CONFIG_TREE_H
#include "config/source.h"

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

/* Reads the text with libconfig. Errors: the first syntax error, as "FILE:LINE: syntax: what,
 * remedy, in: the line". The tree borrows the names of the files from the source, which must
 * outlive it. */
sluice_status sluice_tree_read(struct sluice_tree_node **root, const struct sluice_source *source);
void sluice_tree_destroy(struct sluice_tree_node **node);

/* The child of that name, or NULL; along a path with dots. */
struct sluice_tree_node *sluice_tree_child(const struct sluice_tree_node *node, const char *name,
                                           size_t length);
struct sluice_tree_node *sluice_tree_find(const struct sluice_tree_node *node, const char *path);

/* The slot of one step of a path: NAME in a group, [N] or the `name` of an entry in a list; NULL:
 * there is none. */
struct sluice_tree_node **sluice_tree_step(const struct sluice_tree_node *node, const char *step,
                                           size_t length);

/* The length of the first step of a path, and where the next one begins (NULL: it is the last).
 * "a.b", "a.[0]", "a[0]". */
size_t sluice_tree_first_step(const char *path, const char **rest);

/* Puts `child` (taken) in place of the child of the same name, or at the end. NULL: out of memory,
 * `child` is gone. */
struct sluice_tree_node *sluice_tree_put(struct sluice_tree_node *group,
                                         struct sluice_tree_node *child);

/* An empty group, standing where `like` stands. */
struct sluice_tree_node *sluice_tree_group(const char *name, size_t length,
                                           const struct sluice_tree_node *like);

/* "a whole number", "a group { }", ...: what a node is, for messages. */
const char *sluice_tree_what(const struct sluice_tree_node *node);
#endif
