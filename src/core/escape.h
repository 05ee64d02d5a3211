/* Control bytes in what a user or a file gave, made visible. */
#ifndef SLUICE_CORE_ESCAPE_H
#define SLUICE_CORE_ESCAPE_H
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

/* Whether a text has a control byte other than a line end or a tab: below 32, 127, or one of
 * UTF-8's U+0080 to U+009F. */
int sluice_has_control(const char *text);

/* Copies a text with its control bytes as \x1b. The text ends early where it does not fit. */
void sluice_escape(const char *text, char *out, size_t size);

/* vfprintf with the control bytes of the result escaped. */
void sluice_print_escaped(FILE *out, const char *format, va_list arguments)
    __attribute__((format(printf, 2, 0)));
#endif
