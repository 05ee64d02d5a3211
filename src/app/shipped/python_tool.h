/* The Python tools that draw, validate and compare runs: finds them and a Python for them, and runs
 * one. */
#ifndef SLUICE_APP_SHIPPED_PYTHON_TOOL_H
#define SLUICE_APP_SHIPPED_PYTHON_TOOL_H
#include <stddef.h>

#include "core/status.h"

enum { SLUICE_PYTHON_ARGUMENTS = 639 }; /* every option, two words for each --set */

/* Runs `tool` ("sluice_plot.py") with its arguments (NULL-terminated, at most
 * SLUICE_PYTHON_ARGUMENTS) and waits for it. `quiet` discards its standard output; `to_stderr`
 * sends it to standard error. Errors: the tool's own status, with no message of ours, since the
 * tool has printed one; SLUICE_IO: no such tool, no Python with numpy, matplotlib and h5py, or the
 * tool was killed. */
sluice_status sluice_python_run(const char *tool, const char *const *arguments, int quiet,
                                int to_stderr);

/* Runs a tool that begins with Python 3 alone, and looks for modules itself: with $PYTHON, the
 * Python beside the program, or that of the PATH. */
sluice_status sluice_python_run_plain(const char *tool, const char *const *arguments);

/* A path that no tool takes for an option: "-x" is "./-x". Returns `path` itself, or `text`. Words
 * that begin with "--" are options of the tool. */
const char *sluice_python_path(const char *path, char *text, size_t size);
#endif
