/* sluice plot, movie, surface, report, waves, validate, converge, new: run the Python tools with
 * the options that they share with us. */
#include <stdio.h>

#include "app/shipped/python_tool.h"
#include "app/shipped/shipped.h"
#include "app/verbs.h"

enum { WORD_SIZE = SLUICE_SHIPPED_PATH };

struct tool {
    const char *name;
    const char *argument[SLUICE_PYTHON_ARGUMENTS + 1];
    int count;
    char word[SLUICE_OPTION_COUNT][WORD_SIZE], path[SLUICE_POSITIONAL_MAX][WORD_SIZE];
};

/* A tool that runs this program: `program` can hold the path. */
static sluice_status begin_with_program(struct tool *tool, char program[WORD_SIZE])
{
    tool->argument[tool->count++] = "--sluice";
    tool->argument[tool->count++] = program;
    return sluice_shipped_program(program);
}

/* Adds the options that the tool has too, all but --quiet, as --NAME or --NAME=VALUE (a value may
 * begin with a dash), every --set, then the arguments. */
static sluice_status add_arguments(struct tool *tool, const struct sluice_arguments *arguments)
{
    for (int i = 0; i < SLUICE_OPTION_COUNT; i++) {
        const char *name = sluice_options[i].name, *value = arguments->value[i];
        if (!arguments->given[i] || i == SLUICE_OPTION_QUIET || i == SLUICE_OPTION_SET)
            continue;
        const int length = snprintf(tool->word[i], WORD_SIZE, "--%s%s%s", name, value ? "=" : "",
                                    value ? value : "");
        SLUICE_CHECK(length < WORD_SIZE, SLUICE_BAD_INPUT, "--%s is longer than %d bytes", name,
                     WORD_SIZE - 1);
        tool->argument[tool->count++] = tool->word[i];
    }
    for (int i = 0; i < arguments->set_count; i++) {
        tool->argument[tool->count++] = "--set";
        tool->argument[tool->count++] = arguments->set[i];
    }
    for (int i = 0; i < arguments->positional_count; i++)
        tool->argument[tool->count++] = sluice_python_path(arguments->positional[i], tool->path[i],
                                                           WORD_SIZE);
    return SLUICE_OK;
}

/* Python ends with 1 after an exception, whose traceback it has printed. */
static sluice_status check_unbroken(sluice_status status, const char *tool)
{
    SLUICE_CHECK(status != SLUICE_FAILED_CHECK, SLUICE_IO,
                 "%s broke: a mistake of the tool, see its traceback above", tool);
    return status;
}

/* A tool that draws: it has no checks that could fail. */
static sluice_status draw(const char *name, const struct sluice_arguments *arguments)
{
    struct tool tool = {.name = name};
    SLUICE_TRY(add_arguments(&tool, arguments));
    return check_unbroken(
        sluice_python_run(tool.name, tool.argument, arguments->given[SLUICE_OPTION_QUIET], 0),
        tool.name);
}

sluice_status sluice_verb_plot(const struct sluice_arguments *arguments)
{
    return draw("sluice_plot.py", arguments);
}

sluice_status sluice_verb_movie(const struct sluice_arguments *arguments)
{
    return draw("sluice_movie.py", arguments);
}

/* With --json the tool keeps standard output for it: it has --quiet itself. */
static sluice_status report(const char *name, const struct sluice_arguments *arguments)
{
    struct tool tool = {.name = name};
    if (arguments->given[SLUICE_OPTION_QUIET])
        tool.argument[tool.count++] = "--quiet";
    SLUICE_TRY(add_arguments(&tool, arguments));
    return check_unbroken(sluice_python_run(tool.name, tool.argument, 0, 0), tool.name);
}

sluice_status sluice_verb_surface(const struct sluice_arguments *arguments)
{
    return report("sluice_surface.py", arguments);
}

sluice_status sluice_verb_report(const struct sluice_arguments *arguments)
{
    return report("sluice_report.py", arguments);
}

sluice_status sluice_verb_waves(const struct sluice_arguments *arguments)
{
    return report("sluice_waves.py", arguments);
}

sluice_status sluice_verb_validate(const struct sluice_arguments *arguments)
{
    char program[WORD_SIZE];
    struct tool tool = {.name = "sluice_validate.py"};
    SLUICE_TRY(begin_with_program(&tool, program));
    SLUICE_TRY(add_arguments(&tool, arguments));
    return sluice_python_run(tool.name, tool.argument, 0, 0);
}

sluice_status sluice_verb_converge(const struct sluice_arguments *arguments)
{
    char program[WORD_SIZE];
    struct tool tool = {.name = "sluice_converge.py"};
    SLUICE_TRY(begin_with_program(&tool, program));
    SLUICE_TRY(add_arguments(&tool, arguments));
    return check_unbroken(sluice_python_run(tool.name, tool.argument, 0, 0), tool.name);
}

sluice_status sluice_verb_new(const struct sluice_arguments *arguments)
{
    char configs[SLUICE_SHIPPED_PATH];
    struct tool tool = {.name = "sluice_new.py"};
    SLUICE_TRY(sluice_shipped_find("configs", configs));
    tool.argument[tool.count++] = "--configs";
    tool.argument[tool.count++] = configs;
    SLUICE_TRY(add_arguments(&tool, arguments));
    return check_unbroken(sluice_python_run_plain(tool.name, tool.argument), tool.name);
}
