#include "core/colour.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int takes_colour(FILE *out)
{
    const char *refused = getenv("NO_COLOR"), *terminal = getenv("TERM");
    return !(refused && refused[0]) && terminal && terminal[0] && strcmp(terminal, "dumb") != 0 &&
           isatty(fileno(out));
}

const char *sluice_colour_begin(FILE *out, enum sluice_colour colour)
{
    static const char *const begin[] = {"\x1b[31m", "\x1b[33m", "\x1b[32m"};
    return takes_colour(out) ? begin[colour] : "";
}

const char *sluice_colour_end(FILE *out)
{
    return takes_colour(out) ? "\x1b[0m" : "";
}
