#include "app/help.h"

#include <string.h>

#include "app/verbs.h"
#include "core/version.h"

void sluice_help_overview(FILE *out, const struct sluice_verb *verbs, int count)
{
    fprintf(out, "sluice %s: smoothed particle hydrodynamics from a config file to ParaView\n\n",
            sluice_version.version);
    fprintf(out, "Usage: sluice VERB [arguments] [options]\n\n");
    for (int i = 0; i < count; i++) {
        const struct sluice_verb *verb = &verbs[i];
        char usage[64];
        snprintf(usage, sizeof usage, "%s %s", verb->name, verb->argument);
        fprintf(out, "  %-22s %s\n", usage, verb->summary);
    }
    fprintf(out,
            "\nTo begin with:\n"
            "  sluice new                   # cases by question\n"
            "  sluice new dam_break         # copies one to the folder dam_break\n"
            "  cd dam_break\n"
            "  sluice run dam_break.cfg     # half a minute; results in out/dam_break\n"
            "  sluice plot out/dam_break    # pictures\n"
            "  sluice energy out/dam_break  # was energy conserved?\n"
            "\n'sluice VERB --help' explains a verb with examples; 'man sluice' has everything.\n");
}

static void print_option(FILE *out, const struct sluice_option_info *option)
{
    char usage[64];
    char letter[8] = "    ";
    if (option->letter)
        snprintf(letter, sizeof letter, "-%c, ", option->letter);
    snprintf(usage, sizeof usage, "%s--%s%s%s", letter, option->name, option->argument ? " " : "",
             option->argument ? option->argument : "");
    fprintf(out, "  %-23s %s\n", usage, option->text);
}

/* Prints each line of `text` after two spaces. */
static void print_indented(FILE *out, const char *text)
{
    for (const char *line = text; *line;) {
        const size_t length = strcspn(line, "\n");
        fprintf(out, "  %.*s\n", (int)length, line);
        line += length + (line[length] == '\n');
    }
}

void sluice_help_verb(FILE *out, const struct sluice_verb *verb)
{
    fprintf(out, "Usage: sluice %s%s%s [options]\n\n%s\n", verb->name, verb->argument[0] ? " " : "",
            verb->argument, verb->about);
    fprintf(out, "\nOptions:\n");
    for (int i = 0; verb->options[i].option != SLUICE_OPTION_COUNT; i++) {
        const struct sluice_option_info option = sluice_verb_option(verb, verb->options[i].option);
        print_option(out, &option);
    }
    fprintf(out, "\nExamples:\n");
    print_indented(out, verb->examples);
}

/* Tab-separated, for programs: verb NAME COMPLETION SUMMARY, and option VERB --NAME -L COMPLETION
 * ("flag" without an argument). */
static void print_list(FILE *out, const struct sluice_verb *verbs, int count)
{
    for (int v = 0; v < count; v++) {
        const struct sluice_verb *verb = &verbs[v];
        fprintf(out, "verb\t%s\t%s\t%s\n", verb->name, verb->complete[0] ? verb->complete : "none",
                verb->summary);
        for (int i = 0; verb->options[i].option != SLUICE_OPTION_COUNT; i++) {
            const struct sluice_option_info option = sluice_verb_option(verb,
                                                                        verb->options[i].option);
            char letter[3] = "";
            if (option.letter)
                snprintf(letter, sizeof letter, "-%c", option.letter);
            fprintf(out, "option\t%s\t--%s\t%s\t%s\n", verb->name, option.name,
                    letter[0] ? letter : "none", option.argument ? option.complete : "flag");
        }
    }
}

sluice_status sluice_verb_help(const struct sluice_arguments *arguments)
{
    const struct sluice_verb *verbs = arguments->verbs, *verb;
    const char *name = arguments->positional[0];
    const int count = arguments->verb_count;
    if (arguments->given[SLUICE_OPTION_LIST]) {
        print_list(stdout, verbs, count);
    } else if (!name) {
        sluice_help_overview(stdout, verbs, count);
    } else {
        verb = sluice_verb_find(verbs, count, name);
        SLUICE_CHECK(verb, SLUICE_BAD_INPUT, "there is no verb '%s': 'sluice help' lists them",
                     name);
        sluice_help_verb(stdout, verb);
    }
    return SLUICE_OK;
}
