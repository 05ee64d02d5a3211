/* The files that come with the program: Python tools, configs, reference data. */
#ifndef SLUICE_APP_SHIPPED_SHIPPED_H
#define SLUICE_APP_SHIPPED_SHIPPED_H
#include <stddef.h>

#include "core/status.h"

enum { SLUICE_SHIPPED_PATH = 4096 };

/* The path of this program, links resolved. Errors (SLUICE_IO): /proc is not mounted. */
sluice_status sluice_shipped_program(char path[SLUICE_SHIPPED_PATH]);

/* The path of a shipped file or folder: "configs", "configs/dam_break.cfg", "data/reference",
 * "tools/sluice_plot.py". It is in ../share/sluice, seen from the program's folder, else, as in a
 * source tree, beside the program or one or two folders above. $SLUICE_TOOLS replaces tools/.
 * Errors (SLUICE_IO): it is in none of these places, or cannot be read. */
sluice_status sluice_shipped_find(const char *name, char path[SLUICE_SHIPPED_PATH]);
#endif
