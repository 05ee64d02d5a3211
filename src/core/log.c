#include "core/log.h"

#include <stdarg.h>
#include <time.h>

#include "core/colour.h"

enum reader { TO_FILE = 1, TO_TERMINAL = 2 };

static void write_line(struct sluice_log *log, int readers, const char *label, const char *format,
                       va_list arguments)
{
    if (log && log->file && readers & TO_FILE) {
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
    if (log && log->terminal && readers & TO_TERMINAL) {
        if (log->before_terminal)
            log->before_terminal(log->before_data);
        if (label[0])
            fprintf(log->terminal, "%s%s%s", sluice_colour_begin(log->terminal, SLUICE_YELLOW),
                    label, sluice_colour_end(log->terminal));
        vfprintf(log->terminal, format, arguments);
        fputc('\n', log->terminal);
        fflush(log->terminal);
    }
}

void sluice_log_line(struct sluice_log *log, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    write_line(log, TO_FILE | TO_TERMINAL, "", format, arguments);
    va_end(arguments);
}

void sluice_log_detail(struct sluice_log *log, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    write_line(log, TO_FILE, "", format, arguments);
    va_end(arguments);
}

void sluice_log_brief(struct sluice_log *log, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    write_line(log, TO_TERMINAL, "", format, arguments);
    va_end(arguments);
}

void sluice_log_warning(struct sluice_log *log, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    write_line(log, TO_FILE | TO_TERMINAL, "warning: ", format, arguments);
    va_end(arguments);
}
