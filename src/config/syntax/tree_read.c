/* libconfig parses a config's text, and its settings become nodes. */
#include <libconfig.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "config/syntax/scan.h"
#include "config/syntax/tokens.h"
#include "config/syntax/wording.h"

/* Settings that become nodes, in the order of the text. */
struct copy {
    const struct sluice_source *source;
    const struct sluice_scan *scan;
    int used; /* lines of scan->node_line, one for each node */
};

/* Whether libconfig has the memory that it needs at most for this text. 1.5 does not look whether
 * it got any and crashes without; later versions end the process. Other threads could take it in
 * between, but none runs while a config is read. */
static int has_memory(const struct sluice_scan *scan)
{
    const size_t slack = 2u << 20, /* malloc may take a MiB at once, and libconfig's fixed tables */
        node = 512, /* a setting, its name, value and list, each with malloc's own bytes */
        wanted = slack + 4 * scan->length + node * (size_t)scan->node_count;
    void *p = mmap(NULL, wanted, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return p != MAP_FAILED && munmap(p, wanted) == 0;
}

static void set_line(struct sluice_tree_node *n, const struct sluice_source *source, int line)
{
    const struct sluice_source_line at = sluice_source_where(source, line);
    n->file = at.file;
    n->line = at.line;
    n->order = line;
}

/* Takes the kind of a setting, and the value of a plain one. 0: out of memory. */
static int take_value(struct sluice_tree_node *n, const config_setting_t *setting)
{
    switch (config_setting_type(setting)) {
    case CONFIG_TYPE_GROUP:
        n->kind = SLUICE_TREE_GROUP;
        break;
    case CONFIG_TYPE_LIST:
        n->kind = SLUICE_TREE_LIST;
        break;
    case CONFIG_TYPE_ARRAY:
        n->kind = SLUICE_TREE_ARRAY;
        break;
    case CONFIG_TYPE_FLOAT:
        n->kind = SLUICE_TREE_REAL;
        n->real = config_setting_get_float(setting);
        break;
    case CONFIG_TYPE_BOOL:
        n->kind = SLUICE_TREE_BOOL;
        n->whole = config_setting_get_bool(setting) != 0;
        break;
    case CONFIG_TYPE_STRING:
        n->kind = SLUICE_TREE_TEXT;
        n->text = strdup(config_setting_get_string(setting));
        return n->text != NULL;
    default: /* the scan made all whole numbers 64 bits wide */
        n->kind = SLUICE_TREE_WHOLE;
        n->whole = config_setting_get_int64(setting);
        n->real = (double)n->whole;
    }
    return 1;
}

/* Makes a number whole again that the scan gave a point; one beyond 2^53 may be another, and stays
 * real. */
static void make_whole(struct sluice_tree_node *n)
{
    if (n->kind == SLUICE_TREE_REAL && n->real > -0x1p53 && n->real < 0x1p53) {
        n->kind = SLUICE_TREE_WHOLE;
        n->whole = (long long)n->real;
    }
}

/* Fills a node, whose line is set, with a setting and all below it, no deeper than the scan allows.
 * 0: out of memory. */
static int copy_setting(struct copy *c, struct sluice_tree_node *n, config_setting_t *setting)
{
    const int count = config_setting_is_aggregate(setting) ? config_setting_length(setting) : 0;
    if (!take_value(n, setting))
        return 0;
    n->child = count ? calloc((size_t)count, sizeof(struct sluice_tree_node *)) : NULL;
    if (count && !n->child)
        return 0;
    for (int i = 0; i < count; i++) {
        config_setting_t *from = config_setting_get_elem(setting, (unsigned)i);
        const char *name = config_setting_name(from);
        struct sluice_tree_node *child = calloc(1, sizeof *child);
        if (!child)
            return 0;
        n->child[n->count++] = child;
        const int line = c->used < c->scan->node_count ? c->scan->node_line[c->used] : n->order;
        set_line(child, c->source, abs(line));
        c->used++;
        if (name && !(child->name = strdup(name)))
            return 0;
        if (!copy_setting(c, child, from))
            return 0;
        if (line < 0)
            make_whole(child);
    }
    return 1;
}

static void no_memory(struct sluice_mistake *mistake)
{
    mistake->line = 0;
    snprintf(mistake->what, sizeof mistake->what, "%s", sluice_source_no_memory);
}

/* Words what libconfig refused: the token with that number, from 1. */
static void word_refusal(const struct sluice_source *source, int number,
                         struct sluice_mistake *mistake)
{
    struct tokens s;
    sluice_syntax_begin(&s, source, mistake);
    for (int i = 0; i < number && (i == 0 || s.token.kind != END); i++)
        sluice_syntax_advance(&s);
    sluice_syntax_word(&s);
}

int sluice_tree_parse(struct sluice_tree_node **root, const struct sluice_source *source,
                      struct sluice_mistake *mistake)
{
    struct sluice_scan scan;
    config_t parsed;
    *root = NULL;
    int good = sluice_scan_text(&scan, source, mistake);
    if ((!good && mistake->line == 0) || !has_memory(&scan)) {
        no_memory(mistake);
        sluice_scan_destroy(&scan);
        return 0;
    }
    config_init(&parsed);
    /* Never a file: that ends the process where the file is a folder. */
    const int read = config_read_string(&parsed, scan.text) == CONFIG_TRUE;
    const int number = read ? 0 : config_error_line(&parsed);
    if (!read && (good || number <= scan.token_count)) { /* else the scan's own mistake is first */
        word_refusal(source, number, mistake);
        good = 0;
    }
    if (good) {
        struct copy c = {source, &scan, 0};
        *root = calloc(1, sizeof **root);
        if (*root)
            set_line(*root, source, 1);
        good = *root && copy_setting(&c, *root, config_root_setting(&parsed));
        if (!good) {
            no_memory(mistake);
            sluice_tree_destroy(root);
        }
    }
    config_destroy(&parsed);
    sluice_scan_destroy(&scan);
    return good;
}

sluice_status sluice_tree_read(struct sluice_tree_node **root, const struct sluice_source *source)
{
    struct sluice_mistake mistake;
    char quote[72];
    if (sluice_tree_parse(root, source, &mistake))
        return SLUICE_OK;
    SLUICE_CHECK(mistake.line > 0, SLUICE_DEVICE, "%s", mistake.what);
    const struct sluice_source_line at = sluice_source_where(source, mistake.line);
    sluice_source_quote(source, mistake.line, quote);
    return SLUICE_FAIL(SLUICE_BAD_INPUT, "%s:%d: syntax: %s; the line reads: %s", at.file, at.line,
                       mistake.what, quote);
}
