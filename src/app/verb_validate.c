/* sluice validate: the Python tool, found and run with this very program. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "app/python.h"
#include "app/verbs.h"

enum { PATH_SIZE = 4096, ARGUMENTS_MAX = 31 };

sluice_status sluice_verb_validate(const struct sluice_arguments *arguments)
{
    static const struct {
        enum sluice_option option;
        const char *name;
    } passed[] = {
        {SLUICE_OPTION_LIST, "--list"},       {SLUICE_OPTION_QUICK, "--quick"},
        {SLUICE_OPTION_OUT, "--out"},         {SLUICE_OPTION_RESOLUTION, "--resolution"},
        {SLUICE_OPTION_BACKEND, "--backend"}, {SLUICE_OPTION_THREADS, "--threads"},
    };
    char program[PATH_SIZE];
    const char *of_tool[ARGUMENTS_MAX + 1] = {"--sluice", program};
    int n = 2;
    const ssize_t got = readlink("/proc/self/exe", program, sizeof program - 1);
    SLUICE_CHECK(got > 0, SLUICE_IO, "/proc/self/exe cannot be read: %s", strerror(errno));
    program[got] = '\0';
    for (size_t i = 0; i < sizeof passed / sizeof *passed; i++) {
        if (!arguments->given[passed[i].option])
            continue;
        of_tool[n++] = passed[i].name;
        if (arguments->value[passed[i].option])
            of_tool[n++] = arguments->value[passed[i].option];
    }
    for (int i = 0; i < arguments->positional_count; i++)
        of_tool[n++] = arguments->positional[i];
    return sluice_python_run("sluice_validate.py", of_tool, 0, 0);
}
