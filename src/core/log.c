#include "core/log.h"

#include <stdarg.h>
#include <time.h>

static void write_line(struct sluice_log *log, const char *label, const char *format,
                       va_list arguments)
{
    if (!log)
        return;
    if (log->file) {
        char stamp[32] = "";
        const time_t now = time(NULL);
        struct tm broken;
        if (gmtime_r(&now, &broken))
            strftime(stamp, sizeof stamp, "%Y-%m-%dT%H:%M:%SZ", &broken);
        va_list copy;
        va_copy(copy, arguments);
        fprintf(log->file, "%s %s", stamp, label);
        vfprintf(log->file, format, copy);
        fputc('\n', log->file);
        fflush(log->file);
        va_end(copy);
    }
    if (log->terminal) {
        if (log->before_terminal)
            log->before_terminal(log->before_data);
        fputs(label, log->terminal);
        vfprintf(log->terminal, format, arguments);
        fputc('\n', log->terminal);
        fflush(log->terminal);
    }
}

void sluice_log_line(struct sluice_log *log, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    write_line(log, "", format, arguments);
    va_end(arguments);
}

void sluice_log_warning(struct sluice_log *log, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    write_line(log, "warning: ", format, arguments);
    va_end(arguments);
}
