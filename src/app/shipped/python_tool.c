#include "app/shipped/python_tool.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/shipped/shipped.h"

enum { PATH_SIZE = SLUICE_SHIPPED_PATH };
static const char system_python[] = "/usr/bin/python3";

const char *sluice_python_path(const char *path, char *text, size_t size)
{
    if (path[0] != '-' || path[1] == '-' || strlen(path) + 3 > size)
        return path;
    snprintf(text, size, "./%s", path);
    return text;
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

/* The package sluice is not beside the tools: pip has put it among a Python's modules. */
static int is_by_pip(const char *tool)
{
    char package[PATH_SIZE + 16];
    snprintf(package, sizeof package, "%.*s/../python", (int)(strrchr(tool, '/') - tool), tool);
    return access(package, F_OK) != 0;
}

/* Returns 0 if a Python has the modules, NOT_STARTED, or another number if it lacks one. A package
 * that pip installed is one of them; its module `runs` tells it from a folder of the same name. */
static int try_python(const char *python, int by_pip)
{
    const char *const argv[] = {python, "-c",
                                by_pip ? "import numpy, matplotlib, h5py, sluice.runs"
                                       : "import numpy, matplotlib, h5py",
                                NULL};
    return run_program(argv, OUTPUT_NOTHING);
}

/* The Python in the program's folder, as in a virtual environment; "": there is none, or it is the
 * system's, which comes after that on the PATH. */
static void find_python_beside(char path[PATH_SIZE])
{
    static const char name[] = "python3";
    if (sluice_shipped_program(path) != SLUICE_OK)
        path[0] = '\0';
    char *slash = strrchr(path, '/');
    if (!slash || (size_t)(slash + 1 - path) + sizeof name > PATH_SIZE)
        path[0] = '\0';
    else
        strcpy(slash + 1, name);
    if (access(path, X_OK) != 0 || strcmp(path, system_python) == 0)
        path[0] = '\0';
}

/* Finds the Python that PYTHON names, or without PYTHON the first one that has the modules. The
 * system's Python may have them if the first on the PATH lacks them. */
static sluice_status find_python(int by_pip, char python[PATH_SIZE])
{
    char beside[PATH_SIZE];
    const char *const candidates[] = {beside, "python3", system_python};
    const char *named = getenv("PYTHON");
    if (named && named[0]) {
        snprintf(python, PATH_SIZE, "%s", named);
        const int found = try_python(python, by_pip);
        SLUICE_CHECK(found == 0, SLUICE_IO, "PYTHON names %s, which %s: correct it, or unset it",
                     named,
                     found == NOT_STARTED ? "cannot be run"
                     : by_pip             ? "lacks numpy, matplotlib, h5py or sluice"
                                          : "lacks numpy, matplotlib or h5py");
        return SLUICE_OK;
    }
    find_python_beside(beside);
    for (size_t i = 0; i < sizeof candidates / sizeof candidates[0]; i++) {
        snprintf(python, PATH_SIZE, "%s", candidates[i]);
        if (python[0] && try_python(python, by_pip) == 0)
            return SLUICE_OK;
    }
    char remedy[PATH_SIZE + 64] = "apt-get install python3-numpy python3-matplotlib python3-h5py";
    if (by_pip)
        snprintf(remedy, sizeof remedy, "\"%s\" -m pip install \"sluice-sph[look]\"",
                 beside[0] ? beside : "python3");
    return SLUICE_FAIL(SLUICE_IO,
                       "no Python with numpy, matplotlib and h5py (tried %s%spython3, %s), which "
                       "pictures need: %s, or name a Python that has them in PYTHON",
                       beside, beside[0] ? ", " : "", system_python, remedy);
}

sluice_status sluice_python_run(const char *tool, const char *const *arguments, int quiet,
                                int to_stderr)
{
    char shipped[PATH_SIZE], path[PATH_SIZE], python[PATH_SIZE];
    const char *argv[SLUICE_PYTHON_ARGUMENTS + 3] = {python, path};
    snprintf(shipped, sizeof shipped, "tools/%s", tool);
    SLUICE_TRY(sluice_shipped_find(shipped, path));
    SLUICE_TRY(find_python(is_by_pip(path), python));
    for (int i = 0; arguments[i] && i < SLUICE_PYTHON_ARGUMENTS; i++)
        argv[2 + i] = arguments[i];
    const int ended = run_program(argv, quiet       ? OUTPUT_ERRORS_ONLY
                                        : to_stderr ? OUTPUT_TO_STDERR
                                                    : OUTPUT_AS_OURS);
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
