#include "config/syntax/source.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "files/safe_file.h"

enum { DEPTH_MAX = 10, FILES_MAX = 1000, BYTES_MAX = 16 << 20, PATH_BYTES = 4096 };

const char sluice_source_no_memory[] = "out of memory while reading a config";

static sluice_status append(struct sluice_source *s, const char *text, size_t n)
{
    SLUICE_CHECK(s->length + n < BYTES_MAX, SLUICE_BAD_INPUT,
                 "%s: the config is larger than %d MiB with its includes: is it the right file?",
                 s->file[0], BYTES_MAX >> 20);
    if (s->length + n + 1 > s->capacity) {
        const size_t capacity = 2 * (s->length + n) + 1024;
        char *grown = realloc(s->text, capacity);
        SLUICE_CHECK(grown, SLUICE_DEVICE, "%s", sluice_source_no_memory);
        s->text = grown;
        s->capacity = capacity;
    }
    memcpy(s->text + s->length, text, n);
    s->length += n;
    s->text[s->length] = 0;
    return SLUICE_OK;
}

static sluice_status append_line(struct sluice_source *s, const char *text, size_t n,
                                 const char *file, int line)
{
    if (s->line_count == s->line_capacity) {
        const int capacity = 2 * s->line_capacity + 64;
        struct sluice_source_line *grown = realloc(s->line, (size_t)capacity * sizeof *grown);
        SLUICE_CHECK(grown, SLUICE_DEVICE, "%s", sluice_source_no_memory);
        s->line = grown;
        s->line_capacity = capacity;
    }
    s->line[s->line_count++] = (struct sluice_source_line){file, line};
    SLUICE_TRY(append(s, text, n));
    return append(s, "\n", 1);
}

/* The source's own copy of a file's name; NULL: out of memory. */
static const char *keep_name(struct sluice_source *s, const char *name)
{
    char **grown = realloc(s->file, ((size_t)s->file_count + 1) * sizeof(char *));
    if (!grown)
        return NULL;
    s->file = grown;
    grown[s->file_count] = strdup(name);
    if (!grown[s->file_count])
        return NULL;
    return grown[s->file_count++];
}

/* An include is a regular file; the config itself may come from a pipe. NULL: *why is the reason.
 */
static FILE *open_file(const char *path, int is_include, const char **why)
{
    int file = -1;
    *why = is_include ? sluice_safe_file_open(path, &file) : NULL;
    if (*why)
        return NULL;
    FILE *f = is_include ? fdopen(file, "rb") : fopen(path, "rb");
    *why = f ? NULL : strerror(errno);
    if (!f && is_include)
        close(file);
    return f;
}

/* The whole file, ended by a zero, malloc'ed; NULL: *why is the reason, or is
 * `sluice_source_no_memory`. */
static char *read_file(const char *path, int is_include, size_t *length, const char **why)
{
    FILE *f = open_file(path, is_include, why);
    char *text = f ? malloc(BYTES_MAX) : NULL; /* only the pages that are read take memory */
    if (f && !text)
        *why = sluice_source_no_memory;
    if (text) {
        *length = fread(text, 1, BYTES_MAX, f);
        *why = ferror(f)                  ? strerror(errno)
               : *length == BYTES_MAX     ? "it is too large for a config"
               : memchr(text, 0, *length) ? "it is no text"
                                          : NULL;
    }
    if (f)
        fclose(f);
    if (!text || *why) {
        free(text);
        return NULL;
    }
    text[*length] = 0;
    return text;
}

/* Follows comments and strings over a line: an @include inside them is text. The state is 0, '"'
 * inside a string, or '*' inside a comment. */
static int state_after(const char *p, const char *end, int state)
{
    for (; p < end; p++) {
        if (state == '"') {
            if (*p == '\\')
                p++;
            else if (*p == '"')
                state = 0;
        } else if (state == '*') {
            if (p[0] == '*' && p[1] == '/') {
                state = 0;
                p++;
            }
        } else if (*p == '"') {
            state = '"';
        } else if (p[0] == '/' && p[1] == '*') {
            state = '*';
            p++;
        } else if (*p == '#' || (p[0] == '/' && p[1] == '/')) {
            break;
        }
    }
    return state;
}

/* The name in a line `@include "name"`: its start and length, and the first byte after it. 0: the
 * line is something else. */
static size_t include_name(const char *p, const char *end, const char **name, const char **rest)
{
    while (p < end && (*p == ' ' || *p == '\t'))
        p++;
    if (end - p < 10 || strncmp(p, "@include", 8) != 0)
        return 0;
    p += 8;
    while (p < end && (*p == ' ' || *p == '\t'))
        p++;
    const char *close = p < end && *p == '"' ? memchr(p + 1, '"', (size_t)(end - p - 1)) : NULL;
    if (!close)
        return 0;
    *name = p + 1;
    *rest = close + 1;
    return (size_t)(close - p - 1);
}

static sluice_status add_file(struct sluice_source *s, const char *path,
                              const struct sluice_source_line *from, int depth);

static sluice_status add_include(struct sluice_source *s, const char *name, size_t n,
                                 struct sluice_source_line from, int depth)
{
    char path[PATH_BYTES];
    const char *slash = strrchr(from.file, '/');
    const int folder = name[0] == '/' || !slash ? 0 : (int)(slash - from.file) + 1;
    const int used = snprintf(path, sizeof path, "%.*s%.*s", folder, from.file, (int)n, name);
    SLUICE_CHECK(n > 0 && used<(int)sizeof path, SLUICE_BAD_INPUT,
                               "%s:%d: @include: the name is %s: name a file, relative to the "
                               "folder of this one",
                               from.file, from.line, n> 0
                     ? "too long"
                     : "empty");
    SLUICE_CHECK(depth < DEPTH_MAX, SLUICE_BAD_INPUT,
                 "%s:%d: @include: '%.*s' would be file %d in a row, at most %d are allowed: does "
                 "a file include itself?",
                 from.file, from.line, (int)n, name, depth + 1, DEPTH_MAX);
    SLUICE_CHECK(s->file_count <= FILES_MAX, SLUICE_BAD_INPUT,
                 "%s:%d: @include: '%.*s' would be include %d, at most %d are allowed: do files "
                 "include each other more often than meant?",
                 from.file, from.line, (int)n, name, s->file_count, FILES_MAX);
    return add_file(s, path, &from, depth + 1);
}

static sluice_status add_text(struct sluice_source *s, const char *text, size_t length,
                              const char *file, int depth)
{
    const int marked = strncmp(text, "\xef\xbb\xbf", 3) == 0; /* as some editors begin UTF-8 */
    const char *p = text + (marked ? 3 : 0), *stop = text + length;
    int state = 0;
    for (int line = 1; p < stop; line++) {
        const char *newline = memchr(p, '\n', (size_t)(stop - p));
        const char *end = newline ? newline : stop, *name = NULL, *rest = NULL;
        const size_t n = state == 0 ? include_name(p, end, &name, &rest) : 0;
        if (rest && state == 0) {
            SLUICE_TRY(add_include(s, name, n, (struct sluice_source_line){file, line}, depth));
            p = rest;
        }
        SLUICE_TRY(append_line(s, p, (size_t)(end - p), file, line));
        state = state_after(p, end, state);
        p = newline ? newline + 1 : stop;
    }
    return SLUICE_OK;
}

static sluice_status add_file(struct sluice_source *s, const char *path,
                              const struct sluice_source_line *from, int depth)
{
    const char *file = keep_name(s, path), *why = NULL;
    size_t length = 0;
    SLUICE_CHECK(file, SLUICE_DEVICE, "%s", sluice_source_no_memory);
    char *text = read_file(path, from != NULL, &length, &why);
    SLUICE_CHECK(text || why != sluice_source_no_memory, SLUICE_DEVICE, "%s",
                 sluice_source_no_memory);
    SLUICE_CHECK(text || !from, SLUICE_BAD_INPUT,
                 "%s:%d: @include: cannot read '%s': %s: name a file, relative to this one",
                 from->file, from->line, path, why);
    SLUICE_CHECK(text, SLUICE_IO, "cannot read the config '%s': %s", path, why);
    const int is_xml = strncmp(text, "<?xml", 5) == 0 || strncmp(text, "<case", 5) == 0;
    if (is_xml)
        free(text);
    SLUICE_CHECK(!is_xml, SLUICE_BAD_INPUT,
                 "%s is XML, as a case of DualSPHysics is; a config has KEY = VALUE in libconfig's "
                 "form: 'sluice new --from %s' converts it, docs/from-dualsphysics.md translates",
                 path, path);
    const sluice_status status = add_text(s, text, length, file, depth);
    free(text);
    return status;
}

sluice_status sluice_source_load(struct sluice_source *s, const char *path)
{
    *s = (struct sluice_source){0};
    SLUICE_TRY(add_file(s, path, NULL, 1));
    return append(s, "", 0);
}

sluice_status sluice_source_take(struct sluice_source *s, const char *text, const char *name)
{
    *s = (struct sluice_source){0};
    const char *file = keep_name(s, name);
    SLUICE_CHECK(file, SLUICE_DEVICE, "%s", sluice_source_no_memory);
    SLUICE_TRY(append(s, "", 0));
    return add_text(s, text, strlen(text), file, 1);
}

void sluice_source_destroy(struct sluice_source *s)
{
    for (int i = 0; i < s->file_count; i++)
        free(s->file[i]);
    free(s->file);
    free(s->line);
    free(s->text);
    *s = (struct sluice_source){0};
}

struct sluice_source_line sluice_source_where(const struct sluice_source *s, int line)
{
    if (s->line_count == 0)
        return (struct sluice_source_line){s->file_count ? s->file[0] : "", 1};
    const int last = s->line_count;
    return s->line[(line < 1 ? 1 : line > last ? last : line) - 1];
}

void sluice_source_quote(const struct sluice_source *s, int line, char out[72])
{
    const char *p = s->text;
    for (int i = 1; i < line && strchr(p, '\n'); i++)
        p = strchr(p, '\n') + 1;
    p += strspn(p, " \t");
    int n = (int)strcspn(p, "\n");
    while (n > 0 && (unsigned char)p[n - 1] <= ' ')
        n--;
    snprintf(out, 72, "%.*s%s", n > 60 ? 60 : n, p, n > 60 ? "..." : "");
    for (char *c = out; *c; c++)
        if ((unsigned char)*c < ' ')
            *c = ' ';
}
