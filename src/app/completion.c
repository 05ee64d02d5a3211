/* Words for the shells' completion: sluice --complete WORD..., of which the last is being typed.
 *
 * Each line is a word, a tab, and its description. A line ":dir", ":file" or ":config", a tab and a
 * prefix asks the shell to complete a path after the prefix. No space follows a word that ends with
 * "=". tools/completion has a script for each shell. */
#include "app/completion.h"

#include <string.h>

#include "app/shipped/shipped.h"
#include "bench/bench.h"
#include "config/tables.h"

/* Words that begin with `typed` are offered, with `prefix` before them. */
struct offer {
    FILE *out;
    const struct sluice_verb *verbs;
    int verb_count;
    const char *typed, *prefix;
    int prefix_length;
};

static void offer_word(const struct offer *o, const char *word, const char *suffix,
                       const char *what)
{
    if (strncmp(word, o->typed, strlen(o->typed)) == 0)
        fprintf(o->out, "%.*s%s%s\t%s\n", o->prefix_length, o->prefix, word, suffix, what);
}

/* "a|b|c", or "a, b, c". */
static void offer_words(const struct offer *o, const char *words)
{
    char word[64];
    while (*words) {
        const size_t n = strcspn(words, "|,");
        snprintf(word, sizeof word, "%.*s", (int)n, words);
        offer_word(o, word, "", "");
        words += n;
        words += strspn(words, "|, ");
    }
}

static void offer_verbs(const struct offer *o)
{
    for (int i = 0; i < o->verb_count; i++)
        offer_word(o, o->verbs[i].name, "", o->verbs[i].summary);
}

/* Cases: a file beside the tools has a line for each, in this format, and headings with "#". */
static void offer_cases(const struct offer *o, const char *list)
{
    char path[SLUICE_SHIPPED_PATH], line[256];
    FILE *f = NULL;
    if (sluice_shipped_find(list, path) == SLUICE_OK)
        f = fopen(path, "r");
    while (f && fgets(line, sizeof line, f)) {
        char *tab = strchr(line, '\t');
        line[strcspn(line, "\n")] = 0;
        if (tab)
            *tab = 0;
        if (line[0] != '#')
            offer_word(o, line, "", tab ? tab + 1 : "");
    }
    if (f)
        fclose(f);
}

/* The parameter of "fluid.eos", "probes.[0].kind" or "probes.NAME.kind", or NULL. */
static const struct sluice_param *find_key(const char *path, size_t length)
{
    const char *last = path;
    for (size_t i = 0; i < length; i++)
        if (path[i] == '.')
            last = path + i + 1;
    for (int i = 0; i < sluice_config_keys.count; i++) {
        const struct sluice_param *p = &sluice_config_keys.row[i].p;
        if (strlen(p->path) == length && strncmp(p->path, path, length) == 0)
            return p;
    }
    for (int t = 0; t < SLUICE_TABLE_COUNT; t++) {
        const struct sluice_table *table = &sluice_config_lists[t];
        const size_t n = strlen(table->path), rest = length - (size_t)(last - path);
        for (int i = 0; strncmp(path, table->path, n) == 0 && i < table->count; i++)
            if (strlen(table->row[i].p.path) == rest &&
                strncmp(table->row[i].p.path, last, rest) == 0)
                return &table->row[i].p;
    }
    return NULL;
}

static void offer_values(const struct offer *o, const struct sluice_param *p)
{
    char word[64];
    int value;
    for (int i = 0; p->choices && sluice_choice(p, i, word, &value); i++)
        if (word[0])
            offer_word(o, word, "", "");
    if (p->type == SLUICE_PARAM_BOOL)
        offer_words(o, "true|false");
    if (strcmp(p->path, "particles") == 0)
        fprintf(o->out, ":file\t%.*s\n", o->prefix_length, o->prefix);
}

/* Keys for --set or, after "key=", the key's values. */
static void offer_keys(const struct offer *o)
{
    const char *equals = strchr(o->typed, '=');
    if (equals) {
        const struct sluice_param *p = find_key(o->typed, (size_t)(equals - o->typed));
        char before[256];
        const int n = snprintf(before, sizeof before, "%.*s%.*s=", o->prefix_length, o->prefix,
                               (int)(equals - o->typed), o->typed);
        struct offer value = *o;
        value.typed = equals + 1;
        value.prefix = before;
        value.prefix_length = n;
        if (p && n < (int)sizeof before)
            offer_values(&value, p);
        return;
    }
    for (int i = 0; i < sluice_config_keys.count; i++)
        offer_word(o, sluice_config_keys.row[i].p.path, "=", sluice_config_keys.row[i].p.doc);
    for (int k = 0; k < SLUICE_PAIR_COUNT; k++)
        for (int i = 0; i < sluice_pairs[k].param_count; i++)
            offer_word(o, sluice_pairs[k].params[i].path, "=", sluice_pairs[k].params[i].doc);
}

/* `kind` is a completion of command_line.h; `first` is the verb's first argument. */
static void offer_kind(const struct offer *o, const char *kind, const char *first)
{
    char cases[SLUICE_BENCH_NAMES];
    if (strcmp(kind, "none") == 0 || !*kind)
        return;
    if (strcmp(kind, "verb") == 0) {
        offer_verbs(o);
    } else if (strcmp(kind, "key") == 0) {
        offer_keys(o);
    } else if (strcmp(kind, "case") == 0) {
        offer_cases(o, "tools/validate/cases.txt");
    } else if (strcmp(kind, "shipped") == 0) {
        offer_cases(o, "tools/shipped/cases.txt");
    } else if (strcmp(kind, "bench") == 0) {
        sluice_bench_case_names(first, cases);
        offer_words(o, cases);
    } else if (strcmp(kind, "dir") == 0 || strcmp(kind, "file") == 0 ||
               strcmp(kind, "config") == 0) {
        fprintf(o->out, ":%s\t%.*s\n", kind, o->prefix_length, o->prefix);
    } else {
        offer_words(o, kind);
    }
}

/* The completion of argument `index` of a verb, from "KIND;KIND" or "KIND*". */
static void kind_of_argument(const struct sluice_verb *verb, int index, char kind[128])
{
    const char *at = verb->complete;
    for (; index > 0 && strchr(at, ';'); index--)
        at = strchr(at, ';') + 1;
    const size_t n = strcspn(at, ";*");
    snprintf(kind, 128, "%.*s", index > 0 && at[n] != '*' ? 0 : (int)n, at);
}

/* The state of the command line before the word that is being typed. */
struct before {
    int option;                     /* whose value comes next, or SLUICE_OPTION_COUNT */
    int only_positional;            /* after -- */
    int positional;                 /* arguments so far */
    const char *first;              /* the first argument */
    int given[SLUICE_OPTION_COUNT]; /* options so far */
};

/* An option that the verb does not have is read as in the table of all. */
static int takes_value(const struct sluice_verb *verb, int option)
{
    const struct sluice_option_info info = sluice_verb_option(verb, option);
    return (info.name ? info.argument : sluice_options[option].argument) != NULL;
}

static struct before read_before(const struct sluice_verb *verb, int count, char *const *words)
{
    struct before b = {.option = SLUICE_OPTION_COUNT, .first = ""};
    for (int i = 1; i < count; i++) {
        const char *value = NULL;
        if (b.option != SLUICE_OPTION_COUNT) {
            b.option = SLUICE_OPTION_COUNT;
        } else if (!b.only_positional && strcmp(words[i], "--") == 0) {
            b.only_positional = 1;
        } else if (!b.only_positional && words[i][0] == '-' && words[i][1]) {
            const int option = sluice_option_of(words[i], &value);
            if (option == SLUICE_OPTION_COUNT)
                continue;
            b.given[option] = 1;
            if (takes_value(verb, option) && !value)
                b.option = option;
        } else if (b.positional++ == 0) {
            b.first = words[i];
        }
    }
    return b;
}

static void offer_options(const struct offer *o, const struct sluice_verb *verb, const int *given)
{
    char name[64];
    for (int i = 0; verb->options[i].option != SLUICE_OPTION_COUNT; i++) {
        const int option = verb->options[i].option;
        snprintf(name, sizeof name, "--%s", sluice_options[option].name);
        if (option == SLUICE_OPTION_SET || !given[option])
            offer_word(o, name, "", sluice_verb_option(verb, option).text);
    }
}

static void offer_option_value(const struct offer *o, const struct sluice_verb *verb, int option,
                               const char *first)
{
    const struct sluice_option_info info = sluice_verb_option(verb, option);
    offer_kind(o, info.name ? info.complete : "none", first);
}

void sluice_complete(FILE *out, const struct sluice_verb *verbs, int verb_count, int count,
                     char *const *words)
{
    if (count < 1)
        return;
    struct offer o = {out, verbs, verb_count, .typed = words[count - 1], .prefix = ""};
    if (count == 1) {
        offer_verbs(&o);
        return;
    }
    const struct sluice_verb *verb = sluice_verb_find(verbs, verb_count, words[0]);
    char kind[128];
    if (!verb)
        return;
    const struct before b = read_before(verb, count - 1, words);
    if (b.option != SLUICE_OPTION_COUNT) {
        offer_option_value(&o, verb, b.option, b.first);
    } else if (o.typed[0] == '-' && !b.only_positional) {
        const char *value = NULL;
        const int option = sluice_option_of(o.typed, &value);
        if (strncmp(o.typed, "--", 2) != 0 || !value) {
            offer_options(&o, verb, b.given);
        } else if (option != SLUICE_OPTION_COUNT && takes_value(verb, option)) {
            o.prefix = o.typed;
            o.prefix_length = (int)(value - o.typed);
            o.typed = value;
            offer_option_value(&o, verb, option, b.first);
        }
    } else if (b.positional < verb->most) {
        kind_of_argument(verb, b.positional, kind);
        offer_kind(&o, kind, b.first);
    }
}
