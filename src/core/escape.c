#define _GNU_SOURCE /* vasprintf */
#include "core/escape.h"

#include <stdlib.h>
#include <string.h>

/* How many bytes at p are a control character: 0, 1, or 2 in UTF-8. Line ends and tabs are none. */
static int control_at(const unsigned char *p)
{
    if (*p && (*p < 32 || *p == 127))
        return *p != '\n' && *p != '\t';
    return p[0] == 0xc2 && p[1] >= 0x80 && p[1] < 0xa0 ? 2 : 0;
}

int sluice_has_control(const char *text)
{
    const unsigned char *p = (const unsigned char *)text;
    while (*p && !control_at(p))
        p++;
    return *p != 0;
}

void sluice_escape(const char *text, char *out, size_t size)
{
    static const char digit[] = "0123456789abcdef";
    size_t used = 0;
    for (const unsigned char *p = (const unsigned char *)text; *p;) {
        const int bytes = control_at(p);
        if (used + 4 * (size_t)(bytes ? bytes : 1) >= size)
            break;
        for (int i = 0; i < bytes; i++, p++) {
            const char hex[4] = {'\\', 'x', digit[*p >> 4], digit[*p & 15]};
            memcpy(out + used, hex, 4);
            used += 4;
        }
        if (!bytes)
            out[used++] = (char)*p++;
    }
    out[used] = 0;
}

void sluice_print_escaped(FILE *out, const char *format, va_list arguments)
{
    char *text = NULL;
    const int length = vasprintf(&text, format, arguments);
    if (length < 0)
        return; /* no memory for a message: there is no way to say so either */
    if (sluice_has_control(text)) {
        const size_t size = 4 * (size_t)length + 8;
        char *escaped = malloc(size);
        if (escaped)
            sluice_escape(text, escaped, size);
        fputs(escaped ? escaped : "(no memory for this message)", out);
        free(escaped);
    } else {
        fputs(text, out);
    }
    free(text);
}
