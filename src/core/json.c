#include "core/json.h"

#include <inttypes.h>
#include <math.h>

static void write_text(FILE *out, const char *text)
{
    fputc('"', out);
    for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
        if (*c == '"' || *c == '\\')
            fprintf(out, "\\%c", *c);
        else if (*c < 0x20 || *c == 0x7f)
            fprintf(out, "\\u%04x", (unsigned)*c);
        else
            fputc(*c, out);
    }
    fputc('"', out);
}

static void begin_member(struct sluice_json *json, const char *key)
{
    if (json->depth > 0)
        fprintf(json->out, "%s\n%*s", json->members > 0 ? "," : "", 2 * json->depth, "");
    json->members++;
    if (key) {
        write_text(json->out, key);
        fputs(": ", json->out);
    }
}

void sluice_json_begin(struct sluice_json *json, const char *key, char bracket)
{
    begin_member(json, key);
    fputc(bracket, json->out);
    json->depth++;
    json->members = 0;
}

void sluice_json_end(struct sluice_json *json, char bracket)
{
    json->depth--;
    if (json->members > 0)
        fprintf(json->out, "\n%*s", 2 * json->depth, "");
    fputc(bracket == '{' ? '}' : ']', json->out);
    json->members = 1; /* the enclosing object has at least this one */
    if (json->depth == 0)
        fputc('\n', json->out);
}

void sluice_json_text(struct sluice_json *json, const char *key, const char *value)
{
    begin_member(json, key);
    write_text(json->out, value);
}

void sluice_json_real(struct sluice_json *json, const char *key, double value)
{
    begin_member(json, key);
    if (isfinite(value))
        fprintf(json->out, "%.17g", value);
    else
        fputs("null", json->out);
}

void sluice_json_int(struct sluice_json *json, const char *key, int64_t value)
{
    begin_member(json, key);
    fprintf(json->out, "%" PRId64, value);
}

void sluice_json_bool(struct sluice_json *json, const char *key, int value)
{
    begin_member(json, key);
    fputs(value < 0 ? "null" : value ? "true" : "false", json->out);
}
