#include "core/free_memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The number after `name` in a file of lines "name number"; with name "" the first number. -1:
 * none.
 */
static double number_in_file(const char *path, const char *name)
{
    char line[256];
    double found = -1;
    FILE *file = fopen(path, "r");
    while (file && found < 0 && fgets(line, sizeof line, file))
        if (strncmp(line, name, strlen(name)) == 0 &&
            sscanf(line + strlen(name), "%lf", &found) != 1)
            found = -1;
    if (file)
        fclose(file);
    return found;
}

double sluice_free_memory(void)
{
    double bytes = 1024 * number_in_file("/proc/meminfo", "MemAvailable:");
    if (bytes < 0) {
        const long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
        bytes = pages > 0 && size > 0 ? (double)pages * (double)size : 0;
    }
    /* Without a limit the container's file says "max". */
    const double limit = number_in_file("/sys/fs/cgroup/memory.max", "");
    const double used = number_in_file("/sys/fs/cgroup/memory.current", "");
    if (limit > 0 && used >= 0)
        bytes = fmin(bytes, fmax(0, limit - used));
    return bytes;
}
