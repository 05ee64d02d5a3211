#include "app/command_line.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/nearest_word.h"

const struct sluice_option_info sluice_options[SLUICE_OPTION_COUNT] = {
#define X(id, letter, name, argument, complete, text) {letter, name, argument, complete, text},
    SLUICE_OPTIONS(X)
#undef X
};

/* One option as typed: the length of its name, and the value if joined on. */
struct typed {
    const char *text;   /* as typed, for messages */
    size_t name_length; /* of text, dashes included */
    const char *value;  /* NULL: the next argument, if the option takes one */
};

const struct sluice_verb *sluice_verb_find(const struct sluice_verb *verbs, int count,
                                           const char *name)
{
    for (int i = 0; i < count; i++)
        if (strcmp(verbs[i].name, name) == 0)
            return &verbs[i];
    return NULL;
}

struct sluice_option_info sluice_verb_option(const struct sluice_verb *verb, int option)
{
    const struct sluice_verb_option *own = verb->options;
    while (own->option != SLUICE_OPTION_COUNT && (int)own->option != option)
        own++;
    if (own->option == SLUICE_OPTION_COUNT)
        return (struct sluice_option_info){.name = NULL};
    struct sluice_option_info info = sluice_options[option];
    info.argument = !own->argument ? info.argument : own->argument[0] ? own->argument : NULL;
    info.complete = own->complete ? own->complete : info.complete;
    info.text = own->text ? own->text : info.text;
    return info;
}

static sluice_status unknown_verb(const struct sluice_arguments *arguments, const char *name)
{
    const char *names[32];
    const int count = arguments->verb_count < 32 ? arguments->verb_count : 32;
    for (int i = 0; i < count; i++)
        names[i] = arguments->verbs[i].name;
    const char *nearest;
    SLUICE_CHECK(strcmp(name, "convert") != 0 && strcmp(name, "import") != 0, SLUICE_BAD_INPUT,
                 "there is no verb '%s': 'sluice new --from Case_Def.xml' converts a case of "
                 "DualSPHysics; particles = \"FILE\" reads a table",
                 name);
    SLUICE_CHECK(!sluice_nearest_word(name, names, count, &nearest), SLUICE_BAD_INPUT,
                 "there is no verb '%s': did you mean 'sluice %s'?", name, nearest);
    return SLUICE_FAIL(SLUICE_BAD_INPUT, "there is no verb '%s': 'sluice help' lists them", name);
}

static sluice_status unknown_option(const struct sluice_verb *verb, const struct typed *typed)
{
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)typed->name_length, typed->text);
    const char *names[SLUICE_OPTION_COUNT];
    int count = 0;
    for (; verb->options[count].option != SLUICE_OPTION_COUNT; count++)
        names[count] = sluice_options[verb->options[count].option].name;
    const char *nearest;
    SLUICE_CHECK(strncmp(name, "--", 2) != 0 ||
                     !sluice_nearest_word(name + 2, names, count, &nearest),
                 SLUICE_BAD_INPUT, "'%s' has no option '%s': did you mean '--%s'?", verb->name,
                 name, nearest);
    return SLUICE_FAIL(SLUICE_BAD_INPUT,
                       "'%s' has no option '%s': 'sluice %s --help' lists its options", verb->name,
                       name, verb->name);
}

/* The option of `typed`, or SLUICE_OPTION_COUNT. */
static int find_option(const struct typed *typed)
{
    for (int i = 0; i < SLUICE_OPTION_COUNT; i++) {
        const char *name = sluice_options[i].name;
        if (strncmp(typed->text, "--", 2) == 0) {
            if (strlen(name) == typed->name_length - 2 &&
                strncmp(typed->text + 2, name, strlen(name)) == 0)
                return i;
        } else if (sluice_options[i].letter && typed->text[1] == sluice_options[i].letter) {
            return i;
        }
    }
    return SLUICE_OPTION_COUNT;
}

static struct typed split_option(const char *text)
{
    struct typed typed = {text, strlen(text), NULL};
    if (strncmp(text, "--", 2) == 0) {
        const char *equals = strchr(text, '=');
        if (equals) {
            typed.name_length = (size_t)(equals - text);
            typed.value = equals + 1;
        }
    } else if (text[2] != '\0') {
        typed.name_length = 2;
        typed.value = text[2] == '=' ? text + 3 : text + 2;
    }
    return typed;
}

int sluice_option_of(const char *text, const char **value)
{
    const struct typed typed = split_option(text);
    *value = typed.value;
    return find_option(&typed);
}

static sluice_status take_value(struct sluice_arguments *arguments, int option, const char *value)
{
    const struct sluice_option_info info = sluice_verb_option(arguments->verb, option);
    SLUICE_CHECK(value && value[0] != '\0', SLUICE_BAD_INPUT, "--%s needs a value: --%s %s",
                 info.name, info.name, info.argument);
    if (option == SLUICE_OPTION_SET) {
        SLUICE_CHECK(arguments->set_count < SLUICE_SET_MAX, SLUICE_BAD_INPUT,
                     "--set was given more than %d times: put the values into a config file",
                     (int)SLUICE_SET_MAX);
        arguments->set[arguments->set_count++] = value;
    } else if (option == SLUICE_OPTION_LINE || option == SLUICE_OPTION_PLANE) {
        SLUICE_CHECK(arguments->place_count < SLUICE_PLACES_MAX, SLUICE_BAD_INPUT,
                     "more than %d lines and planes: measure the others in another call",
                     (int)SLUICE_PLACES_MAX);
        arguments->place[arguments->place_count].option = (enum sluice_option)option;
        arguments->place[arguments->place_count++].value = value;
    } else {
        SLUICE_CHECK(arguments->given[option] == 1, SLUICE_BAD_INPUT,
                     "--%s was given twice: '%s' and '%s'; give one", info.name,
                     arguments->value[option], value);
    }
    arguments->value[option] = value;
    return SLUICE_OK;
}

/* Takes argv[*i], and the next one if it is the option's value. */
static sluice_status parse_option(struct sluice_arguments *arguments, int argc, char **argv, int *i)
{
    const struct typed typed = split_option(argv[*i]);
    const int option = find_option(&typed);
    if (option == SLUICE_OPTION_COUNT || !sluice_verb_option(arguments->verb, option).name)
        return unknown_option(arguments->verb, &typed);

    arguments->given[option]++;
    if (sluice_verb_option(arguments->verb, option).argument) {
        const char *value = typed.value;
        if (!value && *i + 1 < argc)
            value = argv[++*i];
        return take_value(arguments, option, value);
    }
    SLUICE_CHECK(!typed.value, SLUICE_BAD_INPUT, "'%s': --%s takes no value", typed.text,
                 sluice_options[option].name);
    return SLUICE_OK;
}

static sluice_status take_positional(struct sluice_arguments *arguments, const char *text)
{
    const struct sluice_verb *verb = arguments->verb;
    SLUICE_CHECK(arguments->positional_count < verb->most, SLUICE_BAD_INPUT,
                 "'%s' is one argument too many: usage is sluice %s%s%s [options]", text,
                 verb->name, verb->argument[0] ? " " : "", verb->argument);
    arguments->positional[arguments->positional_count++] = text;
    return SLUICE_OK;
}

/* `sluice --help` and `sluice --version` are verbs, too; other options follow their verb. */
static sluice_status find_verb(struct sluice_arguments *arguments, const char *text)
{
    const char *name = text;
    if (strcmp(text, "--help") == 0 || strcmp(text, "-h") == 0)
        name = "help";
    if (strcmp(text, "--version") == 0 || strcmp(text, "-V") == 0)
        name = "version";
    SLUICE_CHECK(name[0] != '-', SLUICE_BAD_INPUT,
                 "'%s' stands before the verb: write sluice VERB %s ...", text, text);
    arguments->verb = sluice_verb_find(arguments->verbs, arguments->verb_count, name);
    return arguments->verb ? SLUICE_OK : unknown_verb(arguments, name);
}

sluice_status sluice_arguments_parse(struct sluice_arguments *arguments,
                                     const struct sluice_verb *verbs, int count, int argc,
                                     char **argv)
{
    memset(arguments, 0, sizeof *arguments);
    arguments->argv = argv;
    arguments->verbs = verbs;
    arguments->verb_count = count;
    SLUICE_CHECK(argc > 1, SLUICE_BAD_INPUT, "no verb: 'sluice help' lists them");
    SLUICE_TRY(find_verb(arguments, argv[1]));

    int only_positional = 0;
    for (int i = 2; i < argc; i++) {
        if (!only_positional && strcmp(argv[i], "--") == 0)
            only_positional = 1;
        else if (!only_positional && argv[i][0] == '-' && argv[i][1] != '\0')
            SLUICE_TRY(parse_option(arguments, argc, argv, &i));
        else
            SLUICE_TRY(take_positional(arguments, argv[i]));
    }
    const struct sluice_verb *verb = arguments->verb;
    SLUICE_CHECK(arguments->positional_count >= verb->least || arguments->given[SLUICE_OPTION_HELP],
                 SLUICE_BAD_INPUT, "'%s' needs %s: sluice %s %s; 'sluice %s --help' has examples",
                 verb->name, verb->argument, verb->name, verb->argument, verb->name);
    return SLUICE_OK;
}

sluice_status sluice_arguments_int(const struct sluice_arguments *arguments,
                                   enum sluice_option option, long long least, long long preset,
                                   long long *out)
{
    *out = preset;
    const char *text = arguments->value[option];
    if (!text)
        return SLUICE_OK;
    char *end;
    errno = 0;
    const long long value = strtoll(text, &end, 10);
    SLUICE_CHECK(errno == 0 && end != text && *end == '\0' && value >= least, SLUICE_BAD_INPUT,
                 "--%s %s: a whole number of at least %lld is needed", sluice_options[option].name,
                 text, least);
    *out = value;
    return SLUICE_OK;
}

sluice_status sluice_arguments_ints(const struct sluice_arguments *arguments,
                                    enum sluice_option option, int least, int most,
                                    int value[SLUICE_LIST_MAX], int *count)
{
    const char *text = arguments->value[option], *at = text;
    *count = 0;
    while (at) {
        char *end;
        const long number = strtol(at, &end, 10);
        SLUICE_CHECK(end != at && (*end == '\0' || *end == ',') && number >= least &&
                         number <= most,
                     SLUICE_BAD_INPUT,
                     "--%s %s: whole numbers from %d to %d are needed, separated by commas",
                     sluice_options[option].name, text, least, most);
        SLUICE_CHECK(*count < SLUICE_LIST_MAX, SLUICE_BAD_INPUT,
                     "--%s %s: more than %d numbers: give fewer", sluice_options[option].name, text,
                     (int)SLUICE_LIST_MAX);
        value[(*count)++] = (int)number;
        at = *end ? end + 1 : NULL;
    }
    return SLUICE_OK;
}
