#include "app/python_tool.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATH_SIZE = 4096 };

const char *sluice_python_path(const char *path, char *text, size_t size)
{
    if (path[0] != '-' || path[1] == '-' || strlen(path) + 3 > size)
        return path;
    snprintf(text, size, "./%s", path);
    return text;
}

sluice_status sluice_python_find_program(char *path, size_t size)
{
    const ssize_t length = readlink("/proc/self/exe", path, size - 1);
    SLUICE_CHECK(length > 0, SLUICE_IO, "/proc/self/exe cannot be read: %s: is /proc mounted?",
                 strerror(errno));
    path[length] = '\0';
    return SLUICE_OK;
}

sluice_status sluice_python_find_tool(const char *tool, char *path, size_t size)
{
    static const char *const beside[] = {"tools", "../tools", "../../tools",
                                         "../share/sluice/tools"};
    const char *wanted = getenv("SLUICE_TOOLS");
    if (wanted && wanted[0] != '\0') {
        const int length = snprintf(path, size, "%s/%s", wanted, tool);
        SLUICE_CHECK(length > 0 && (size_t)length < size && access(path, R_OK) == 0, SLUICE_IO,
                     "%s/%s cannot be read (SLUICE_TOOLS names the folder): unset SLUICE_TOOLS, or "
                     "correct it",
                     wanted, tool);
        return SLUICE_OK;
    }
    char program[PATH_SIZE];
    SLUICE_CHECK(sluice_python_find_program(program, sizeof program) == SLUICE_OK, SLUICE_IO,
                 "%s; or name the folder of %s in SLUICE_TOOLS", sluice_message(), tool);
    const char *folder = dirname(program);
    for (size_t i = 0; i < sizeof beside / sizeof beside[0]; i++) {
        const int length = snprintf(path, size, "%s/%s/%s", folder, beside[i], tool);
        if (length > 0 && (size_t)length < size && access(path, R_OK) == 0)
            return SLUICE_OK;
    }
    return SLUICE_FAIL(SLUICE_IO,
                       "%s is neither beside the program (%s) nor in ../share/sluice/tools: name "
                       "its folder in SLUICE_TOOLS",
                       tool, folder);
}

/* Where the output of a child process goes. */
enum output { OUTPUT_AS_OURS, OUTPUT_TO_STDERR, OUTPUT_ERRORS_ONLY, OUTPUT_NOTHING };

static void redirect(enum output output)
{
    const int nowhere = open("/dev/null", O_WRONLY);
    if (output == OUTPUT_TO_STDERR)
        dup2(STDERR_FILENO, STDOUT_FILENO);
    if (output == OUTPUT_ERRORS_ONLY || output == OUTPUT_NOTHING)
        dup2(nowhere, STDOUT_FILENO);
    if (output == OUTPUT_NOTHING)
        dup2(nowhere, STDERR_FILENO);
}

/* SIGPIPE ends a program if the reader of its standard output has gone. */
enum { NOT_STARTED = 127, NOBODY_READS = 128 + SIGPIPE };

/* Runs a program. Returns its exit status, NOT_STARTED, or 128 + the signal that ended it. */
static int run_program(const char *const *argv, enum output output)
{
    fflush(NULL);
    const pid_t child = fork();
    if (child < 0)
        return NOT_STARTED;
    if (child == 0) {
        signal(SIGPIPE, SIG_DFL);
        redirect(output);
        execvp(argv[0], (char *const *)argv); /* changes none of them */
        _exit(NOT_STARTED);
    }
    int status;
    while (waitpid(child, &status, 0) < 0) {
        if (errno != EINTR)
            return NOT_STARTED;
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Returns 0 if a Python has the modules, NOT_STARTED, or another number if it lacks one. */
static int try_python(const char *python)
{
    const char *const argv[] = {python, "-c", "import numpy, matplotlib, h5py", NULL};
    return run_program(argv, OUTPUT_NOTHING);
}

/* Finds the Python that PYTHON names, or without PYTHON the first one that has the modules. The
 * system's Python may have them if the first on the PATH lacks them. */
static sluice_status find_python(char *python, size_t size)
{
    static const char *const candidates[] = {"python3", "/usr/bin/python3"};
    const char *named = getenv("PYTHON");
    if (named && named[0]) {
        snprintf(python, size, "%s", named);
        const int found = try_python(python);
        SLUICE_CHECK(found == 0, SLUICE_IO, "PYTHON names %s, which %s: correct it, or unset it",
                     named,
                     found == NOT_STARTED ? "cannot be run" : "lacks numpy, matplotlib or h5py");
        return SLUICE_OK;
    }
    for (size_t i = 0; i < sizeof candidates / sizeof candidates[0]; i++) {
        snprintf(python, size, "%s", candidates[i]);
        if (try_python(python) == 0)
            return SLUICE_OK;
    }
    return SLUICE_FAIL(SLUICE_IO, "no Python with numpy, matplotlib and h5py (tried python3, "
                                  "/usr/bin/python3), which pictures need: apt-get install "
                                  "python3-numpy python3-matplotlib python3-h5py, or name a Python "
                                  "that has them in PYTHON");
}

/* What became of a tool, from its exit status. */
static sluice_status status_of(int ended, const char *tool)
{
    switch (ended) {
    case SLUICE_OK:
        return SLUICE_OK;
    case SLUICE_FAILED_CHECK: /* also Python's own status for an exception, with a traceback */
    case SLUICE_BAD_INPUT:
    case SLUICE_IO:
    case SLUICE_DEVICE: /* this one and the next: of a run that the tool made */
    case SLUICE_BLOW_UP:
        return SLUICE_FAIL((sluice_status)ended, "%s", ""); /* the tool has printed its message */
    case NOBODY_READS:
        return SLUICE_FAIL(SLUICE_IO, "%s", "");
    default:
        return SLUICE_FAIL(SLUICE_IO, "%s ended with status %d", tool, ended);
    }
}

static int run_tool(const char *python, const char *path, const char *const *arguments,
                    enum output output)
{
    const char *argv[SLUICE_PYTHON_ARGUMENTS + 3] = {python, path};
    for (int i = 0; arguments[i] && i < SLUICE_PYTHON_ARGUMENTS; i++)
        argv[2 + i] = arguments[i];
    return run_program(argv, output);
}

sluice_status sluice_python_run(const char *tool, const char *const *arguments, int quiet,
                                int to_stderr)
{
    char path[PATH_SIZE], python[PATH_SIZE];
    SLUICE_TRY(sluice_python_find_tool(tool, path, sizeof path));
    SLUICE_TRY(find_python(python, sizeof python));
    const enum output output = quiet       ? OUTPUT_ERRORS_ONLY
                               : to_stderr ? OUTPUT_TO_STDERR
                                           : OUTPUT_AS_OURS;
    return status_of(run_tool(python, path, arguments, output), tool);
}

sluice_status sluice_python_run_plain(const char *tool, const char *const *arguments)
{
    char path[PATH_SIZE];
    const char *named = getenv("PYTHON");
    const char *python = named && named[0] ? named : "python3";
    SLUICE_TRY(sluice_python_find_tool(tool, path, sizeof path));
    const int ended = run_tool(python, path, arguments, OUTPUT_AS_OURS);
    SLUICE_CHECK(ended != NOT_STARTED, SLUICE_IO,
                 "%s cannot be run, which %s needs: install Python 3, or name one in PYTHON",
                 python, tool);
    return status_of(ended, tool);
}
