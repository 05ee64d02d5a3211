#include "core/waiting.h"

#include <stdarg.h>
#include <unistd.h>

#include "core/escape.h"
#include "core/timer.h"

static const double draw_every = 0.5, patience = 10; /* s */

void sluice_waiting_begin(struct sluice_waiting *waiting, FILE *out)
{
    const int file = out ? fileno(out) : -1; /* of a stream in memory: -1 */
    *waiting = (struct sluice_waiting){
        .begun = sluice_seconds(), .next = patience, .thread = pthread_self()};
    if (file >= 0) {
        waiting->out = out;
        waiting->on_terminal = isatty(file);
    }
}

void sluice_waiting_report(struct sluice_waiting *waiting, const char *format, ...)
{
    va_list arguments;
    if (!waiting || !waiting->out || !pthread_equal(waiting->thread, pthread_self()))
        return;
    const double now = sluice_seconds(), taken = now - waiting->begun;
    if (waiting->on_terminal ? now - waiting->drawn < draw_every : taken < waiting->next)
        return;
    fputs(waiting->on_terminal ? "\r" : "still ", waiting->out);
    va_start(arguments, format);
    sluice_print_escaped(waiting->out, format, arguments);
    va_end(arguments);
    fprintf(waiting->out, waiting->on_terminal ? ", %.0f s\033[K" : ", %.0f s\n", taken);
    fflush(waiting->out);
    waiting->drawn = now;
    while (waiting->next <= taken)
        waiting->next *= 2;
}

void sluice_waiting_end(struct sluice_waiting *waiting)
{
    if (!waiting)
        return;
    if (waiting->on_terminal && waiting->drawn > 0) {
        fputs("\r\033[K", waiting->out);
        fflush(waiting->out);
    }
    waiting->drawn = 0;
}
