#include "core/log.h"

#include <stdarg.h>
#include <time.h>

#include "core/colour.h"
#include "core/escape.h"

void sluice_log_write(struct sluice_log *log, int readers, const char *label, const char *format,
                      ...)
{
    va_list arguments;
    if (log && log->file && readers & SLUICE_LOG_FILE) {
        char stamp[32] = "";
        const time_t now = time(NULL);
        struct tm broken;
        if (gmtime_r(&now, &broken))
            strftime(stamp, sizeof stamp, "%Y-%m-%dT%H:%M:%SZ", &broken);
        fprintf(log->file, "%s %s", stamp, label);
        va_start(arguments, format);
        sluice_print_escaped(log->file, format, arguments);
        va_end(arguments);
        fputc('\n', log->file);
        fflush(log->file);
    }
    if (log && log->terminal && readers & SLUICE_LOG_TERMINAL) {
        if (log->before_terminal)
            log->before_terminal(log->before_data);
        if (label[0])
            fprintf(log->terminal, "%s%s%s", sluice_colour_begin(log->terminal, SLUICE_YELLOW),
                    label, sluice_colour_end(log->terminal));
        va_start(arguments, format);
        sluice_print_escaped(log->terminal, format, arguments);
        va_end(arguments);
        fputc('\n', log->terminal);
        fflush(log->terminal);
    }
}
