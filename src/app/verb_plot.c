/* sluice plot: the Python tool, found and run. */
#include "app/python.h"
#include "app/verbs.h"

sluice_status sluice_verb_plot(const struct sluice_arguments *arguments)
{
    const char *of_tool[SLUICE_POSITIONAL_MAX + 1] = {NULL};
    for (int i = 0; i < arguments->positional_count; i++)
        of_tool[i] = arguments->positional[i];
    const sluice_status status = sluice_python_run("sluice_plot.py", of_tool,
                                                   arguments->given[SLUICE_OPTION_QUIET], 0);
    return status == SLUICE_FAILED_CHECK ? SLUICE_IO
                                         : status; /* Python's own, of a tool that broke */
}
