/* The Python tools that draw and validate: where they are, which Python can run them, and running
 * one. */
#ifndef SLUICE_APP_PYTHON_H
#define SLUICE_APP_PYTHON_H
#include <stddef.h>

#include "core/status.h"

/* Runs `tool` ("sluice_plot.py") with its arguments (NULL-terminated, up to 31) and waits for it.
 * `quiet`: what it prints is thrown away; otherwise it goes to standard error when `to_stderr`.
 * Errors (SLUICE_IO): no such tool, no Python with numpy, matplotlib and h5py, or the tool failed;
 * each with the remedy. SLUICE_BAD_INPUT and SLUICE_FAILED_CHECK: the tool ended with these. */
sluice_status sluice_python_run(const char *tool, const char *const *arguments, int quiet,
                                int to_stderr);

/* The path of a tool: in $SLUICE_TOOLS, else beside the program (tools/ in its folder or one or two
 * above), else in
 * ../share/sluice/tools. Errors (SLUICE_IO): it is in none of them. */
sluice_status sluice_python_find_tool(const char *tool, char *path, size_t size);
#endif
