/* sluice plot: the Python tool, found and run. */
#include <stdio.h>

#include "app/python.h"
#include "app/verbs.h"

/* Options that the tool has under the same names. */
static const enum sluice_option passed[] = {
    SLUICE_OPTION_OUT,       SLUICE_OPTION_FIELD,     SLUICE_OPTION_TIMES, SLUICE_OPTION_PROBE,
    SLUICE_OPTION_COLUMN,    SLUICE_OPTION_SNAPSHOTS, SLUICE_OPTION_LABEL, SLUICE_OPTION_COLUMNS,
    SLUICE_OPTION_REFERENCE, SLUICE_OPTION_FACTORS,
};
enum { PASSED = sizeof passed / sizeof *passed, WORD_SIZE = 4096 };

sluice_status sluice_verb_plot(const struct sluice_arguments *arguments)
{
    char word[PASSED][WORD_SIZE];
    const char *of_tool[SLUICE_POSITIONAL_MAX + PASSED + 1] = {NULL};
    int count = 0;
    for (int i = 0; i < arguments->positional_count; i++)
        of_tool[count++] = arguments->positional[i];
    for (int i = 0; i < PASSED; i++) {
        const char *value = arguments->value[passed[i]];
        if (!value)
            continue;
        /* joined by "=": a value may begin with a dash */
        const int n = snprintf(word[i], WORD_SIZE, "--%s=%s", sluice_options[passed[i]].name,
                               value);
        SLUICE_CHECK(n < WORD_SIZE, SLUICE_BAD_INPUT, "--%s is longer than %d bytes",
                     sluice_options[passed[i]].name, WORD_SIZE - 1);
        of_tool[count++] = word[i];
    }
    const sluice_status status = sluice_python_run("sluice_plot.py", of_tool,
                                                   arguments->given[SLUICE_OPTION_QUIET], 0);
    return status == SLUICE_FAILED_CHECK ? SLUICE_IO
                                         : status; /* Python's own, of a tool that broke */
}
