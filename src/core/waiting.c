#include "core/waiting.h"

#include <stdarg.h>
#include <unistd.h>

#include "core/timer.h"

static const double draw_every = 0.5; /* s */

void sluice_waiting_begin(struct sluice_waiting *waiting, FILE *out)
{
    const int file = out ? fileno(out) : -1; /* of a stream in memory: -1 */
    *waiting = (struct sluice_waiting){.begun = sluice_seconds()};
    if (file >= 0 && isatty(file))
        waiting->terminal = out;
}

void sluice_waiting_tell(struct sluice_waiting *waiting, const char *format, ...)
{
    const double now = sluice_seconds();
    va_list arguments;
    if (!waiting || !waiting->terminal || now - waiting->drawn < draw_every)
        return;
    fputc('\r', waiting->terminal);
    va_start(arguments, format);
    vfprintf(waiting->terminal, format, arguments);
    va_end(arguments);
    fprintf(waiting->terminal, ", %.0f s\033[K", now - waiting->begun);
    fflush(waiting->terminal);
    waiting->drawn = now;
}

void sluice_waiting_end(struct sluice_waiting *waiting)
{
    if (waiting->drawn > 0) {
        fputs("\r\033[K", waiting->terminal);
        fflush(waiting->terminal);
    }
    waiting->drawn = 0;
}
