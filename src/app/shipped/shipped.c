#include "app/shipped/shipped.h"

#include <errno.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SIZE = SLUICE_SHIPPED_PATH };
static const char tools[] = "tools/";

sluice_status sluice_shipped_program(char path[SIZE])
{
    const ssize_t length = readlink("/proc/self/exe", path, SIZE - 1);
    SLUICE_CHECK(length > 0, SLUICE_IO, "/proc/self/exe cannot be read: %s: is /proc mounted?",
                 strerror(errno));
    path[length] = '\0';
    return SLUICE_OK;
}

/* Of a file that can be read: its path, without "..". */
static int find_in(const char *folder, const char *between, const char *name, char path[SIZE])
{
    char text[SIZE], *found = NULL;
    const int length = snprintf(text, sizeof text, "%s/%s%s", folder, between, name);
    if (length > 0 && length < SIZE && access(text, R_OK) == 0)
        found = realpath(text, NULL);
    const int fits = found && snprintf(path, SIZE, "%s", found) < SIZE;
    free(found);
    return fits;
}

sluice_status sluice_shipped_find(const char *name, char path[SIZE])
{
    static const char *const between[] = {"../share/sluice/", "", "../", "../../"};
    const char *named = getenv("SLUICE_TOOLS");
    const int is_tool = strncmp(name, tools, sizeof tools - 1) == 0;
    if (is_tool && named && named[0] != '\0') {
        SLUICE_CHECK(find_in(named, "", name + sizeof tools - 1, path), SLUICE_IO,
                     "%s/%s cannot be read (SLUICE_TOOLS names the folder): unset SLUICE_TOOLS, or "
                     "correct it",
                     named, name + sizeof tools - 1);
        return SLUICE_OK;
    }
    char program[SIZE];
    SLUICE_CHECK(sluice_shipped_program(program) == SLUICE_OK, SLUICE_IO, "%s%s", sluice_message(),
                 is_tool ? "; or name the folder of the tools in SLUICE_TOOLS" : "");
    const char *folder = dirname(program);
    for (size_t i = 0; i < sizeof between / sizeof between[0]; i++)
        if (find_in(folder, between[i], name, path))
            return SLUICE_OK;
    return SLUICE_FAIL(SLUICE_IO,
                       "%s is neither beside the program (%s) nor in ../share/sluice: install "
                       "Sluice again%s",
                       name, folder, is_tool ? ", or name its folder in SLUICE_TOOLS" : "");
}
