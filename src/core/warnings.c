#include "core/warnings.h"

#include <stdarg.h>

#include "core/colour.h"
#include "core/escape.h"
#include "core/waiting.h"

void sluice_warn(struct sluice_warnings *warnings, const char *format, ...)
{
    warnings->count++;
    if (!warnings->out)
        return;
    sluice_waiting_end(warnings->waiting);
    va_list arguments;
    va_start(arguments, format);
    fprintf(warnings->out, "%swarning: %s", sluice_colour_begin(warnings->out, SLUICE_YELLOW),
            sluice_colour_end(warnings->out));
    if (warnings->about)
        fprintf(warnings->out, "%s: ", warnings->about);
    sluice_print_escaped(warnings->out, format, arguments);
    fputc('\n', warnings->out);
    va_end(arguments);
}
