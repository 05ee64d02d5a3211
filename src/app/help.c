#include "app/help.h"

#include <string.h>

#include "core/version.h"

void sluice_help_overview(FILE *out)
{
    fprintf(out, "sluice %s: smoothed particle hydrodynamics from a config file to ParaView\n\n",
            sluice_version.version);
    fprintf(out, "Usage: sluice VERB [arguments] [options]\n\n");
    for (int i = 0; i < sluice_verb_count; i++) {
        const struct sluice_verb *verb = &sluice_verbs[i];
        char usage[64];
        snprintf(usage, sizeof usage, "%s %s", verb->name, verb->argument);
        fprintf(out, "  %-22s %s\n", usage, verb->summary);
    }
    fprintf(out,
            "\nTo begin with:\n"
            "  sluice run configs/dam_break.cfg      # half a minute; results in out/dam_break\n"
            "  sluice plot out/dam_break             # pictures\n"
            "  sluice energy out/dam_break           # was energy conserved?\n"
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

/* `text` with every line begun by two spaces. */
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
    for (int i = 0; i < SLUICE_OPTION_COUNT; i++) {
        if (verb->options & SLUICE_OPTION_BIT(i))
            print_option(out, &sluice_options[i]);
    }
    fprintf(out, "\nExamples:\n");
    print_indented(out, verb->examples);
}

/* Tab-separated, for programs: verb NAME COMPLETED-AS SUMMARY, and option VERB --NAME -L
 * COMPLETED-AS ("flag" without argument). */
static void print_list(FILE *out)
{
    for (int v = 0; v < sluice_verb_count; v++) {
        const struct sluice_verb *verb = &sluice_verbs[v];
        fprintf(out, "verb\t%s\t%s\t%s\n", verb->name, verb->complete[0] ? verb->complete : "none",
                verb->summary);
        for (int i = 0; i < SLUICE_OPTION_COUNT; i++) {
            const struct sluice_option_info *option = &sluice_options[i];
            if (!(verb->options & SLUICE_OPTION_BIT(i)))
                continue;
            char letter[3] = "";
            if (option->letter)
                snprintf(letter, sizeof letter, "-%c", option->letter);
            fprintf(out, "option\t%s\t--%s\t%s\t%s\n", verb->name, option->name,
                    letter[0] ? letter : "none", option->argument ? option->complete : "flag");
        }
    }
}

sluice_status sluice_verb_help(const struct sluice_arguments *arguments)
{
    if (arguments->given[SLUICE_OPTION_LIST]) {
        print_list(stdout);
        return SLUICE_OK;
    }
    if (arguments->positional_count == 0) {
        sluice_help_overview(stdout);
        return SLUICE_OK;
    }
    const struct sluice_verb *verb = sluice_verb_find(arguments->positional[0]);
    SLUICE_CHECK(verb, SLUICE_BAD_INPUT, "there is no verb '%s': 'sluice help' lists them",
                 arguments->positional[0]);
    sluice_help_verb(stdout, verb);
    return SLUICE_OK;
}
