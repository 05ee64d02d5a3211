#include "files/read_csv.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "files/safe_file.h"

enum { LINE_BYTES = 65536 };

const char *sluice_rows_open(struct sluice_rows *rows, const char *path)
{
    int file;
    *rows = (struct sluice_rows){.path = path};
    const char *why = sluice_safe_file_open(path, &file);
    if (why)
        return why;
    rows->memory = malloc(LINE_BYTES);
    rows->stream = rows->memory ? fdopen(file, "r") : NULL;
    if (rows->stream)
        return NULL;
    close(file);
    free(rows->memory);
    return "no memory";
}

/* Reads a line without its end: returns its length, -1 at the end of the file or with rows->wrong
 * set. */
static int next_line(struct sluice_rows *rows)
{
    int n = 0, c;
    while ((c = getc_unlocked(rows->stream)) != EOF && c != '\n' && c != 0 && n < LINE_BYTES - 1)
        rows->memory[n++] = (char)c;
    rows->memory[n] = 0;
    if (c == EOF && ferror(rows->stream))
        rows->wrong = strerror(errno);
    else if (c == 0)
        rows->wrong = "it is no text, but has bytes of zero";
    else if (c != EOF && c != '\n')
        rows->wrong = "the line is longer than 65535 bytes: is it a table?";
    return rows->wrong || (c == EOF && n == 0) ? -1 : n;
}

int sluice_rows_next(struct sluice_rows *rows)
{
    static const char byte_order_mark[] = "\xEF\xBB\xBF";
    while (!rows->wrong && next_line(rows) >= 0) {
        rows->text = rows->memory;
        if (rows->line++ == 0 && strncmp(rows->text, byte_order_mark, 3) == 0)
            rows->text += 3;
        const char *first = rows->text;
        while (isspace((unsigned char)*first))
            first++;
        if (*first && *first != '#')
            return 1;
    }
    return 0;
}

sluice_status sluice_rows_end(const struct sluice_rows *rows)
{
    SLUICE_CHECK(!rows->wrong, SLUICE_IO, "%s:%lld: %s", rows->path, rows->line + 1, rows->wrong);
    return SLUICE_OK;
}

/* A hint at the mistake behind an unknown column; "": none. */
static const char *guess_mistake(const char *name)
{
    char *end;
    if (strchr(name, ';'))
        return "; separate them by commas";
    strtod(name, &end);
    return end != name && *end == 0 ? "; the first line names the columns" : "";
}

static int is_time(const char *name)
{
    return strcmp(name, "t") == 0;
}

static int is_name(const char *word, const char *name)
{
    return strcmp(word, name) == 0 || (is_time(name) && strcmp(word, "time") == 0);
}

/* "x, y, t or time": the names that the caller does not refuse. */
static const char *list_names(const struct sluice_rows *rows, const char *const *names, int count,
                              char *text, size_t size)
{
    size_t used = 0;
    for (int k = 0; k < count && used < size; k++)
        if (!(rows->refused & 1u << k))
            used += (size_t)snprintf(text + used, size - used, "%s%s%s", used ? ", " : "", names[k],
                                     is_time(names[k]) ? " or time" : "");
    return text;
}

char *sluice_rows_field(char **rest)
{
    char *field = strsep(rest, ",");
    if (!field)
        return NULL;
    while (isspace((unsigned char)*field))
        field++;
    for (size_t n = strlen(field); n > 0 && isspace((unsigned char)field[n - 1]); n--)
        field[n - 1] = 0;
    return field;
}

char *sluice_rows_name(char **rest)
{
    char *name;
    do
        name = strsep(rest, ", \t\r\n");
    while (name && !*name);
    return name;
}

sluice_status sluice_rows_numbers(const struct sluice_rows *r, double *value)
{
    char *rest = r->text;
    for (int k = 0; k < r->columns; k++) {
        char *end;
        const double x = strtod(rest, &end);
        SLUICE_CHECK(
            end != rest && isfinite(x), SLUICE_BAD_INPUT,
            "%s:%lld: number %d of the row is missing or is none: '%.40s'; the header names "
            "%d columns",
            r->path, r->line, k + 1, rest, r->columns);
        value[r->column[k]] = x;
        rest = end;
        while (isspace((unsigned char)*rest))
            rest++;
        rest += *rest == ',';
    }
    SLUICE_CHECK(*rest == 0, SLUICE_BAD_INPUT,
                 "%s:%lld: '%.40s' after the last of %d columns; remove it", r->path, r->line, rest,
                 r->columns);
    return SLUICE_OK;
}

sluice_status sluice_rows_header(struct sluice_rows *rows, const char *const *names, int count,
                                 char *(*next)(char **rest))
{
    char list[256];
    const int any = sluice_rows_next(rows);
    SLUICE_TRY(sluice_rows_end(rows));
    SLUICE_CHECK(any, SLUICE_BAD_INPUT,
                 "%s: is empty; a line with the names of the columns comes first, of %s",
                 rows->path, list_names(rows, names, count, list, sizeof list));
    char *rest = rows->text;
    for (char *name; (name = next(&rest));) {
        int c = 0;
        while (c < count && !is_name(name, names[c]))
            c++;
        SLUICE_CHECK(c < count, SLUICE_BAD_INPUT,
                     "%s:%lld: column '%.60s' is unknown; there are %s%s", rows->path, rows->line,
                     name, list_names(rows, names, count, list, sizeof list), guess_mistake(name));
        SLUICE_CHECK(!(rows->has & 1u << c), SLUICE_BAD_INPUT,
                     "%s:%lld: column '%s' appears twice%s", rows->path, rows->line, name,
                     is_time(names[c]) ? ", as t or time" : "");
        rows->has |= 1u << c;
        rows->column[rows->columns++] = c;
    }
    return SLUICE_OK;
}

void sluice_rows_close(struct sluice_rows *rows)
{
    fclose(rows->stream);
    free(rows->memory);
    *rows = (struct sluice_rows){0};
}
