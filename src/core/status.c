#include "core/status.h"

#include <stdarg.h>
#include <stdio.h>

#include "core/escape.h"

/* One record a thread, as errno is: the message must outlive the frames that it passes through. */
static _Thread_local char message[4096];

sluice_status sluice_fail(sluice_status code, const char *format, ...)
{
    char text[sizeof message]; /* the arguments may hold the last message */
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    sluice_escape(text, message, sizeof message);
    return code;
}

const char *sluice_message(void)
{
    return message;
}
