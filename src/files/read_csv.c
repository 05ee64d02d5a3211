#include "files/read_csv.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LINE_BYTES = 65536 };

const char *sluice_rows_open(struct sluice_rows *rows, const char *path)
{
    struct stat about;
    *rows = (struct sluice_rows){.path = path};
    /* Opening a pipe would wait for its writer. */
    const int file = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (file < 0)
        return strerror(errno);
    const int is_regular = fstat(file, &about) == 0 && S_ISREG(about.st_mode);
    rows->memory = malloc(LINE_BYTES);
    rows->stream = is_regular && rows->memory ? fdopen(file, "r") : NULL;
    if (rows->stream)
        return NULL;
    close(file);
    free(rows->memory);
    return is_regular ? "no memory" : "it is no regular file, but a folder, a pipe or a device";
}

/* One line without its end into the memory: its length; -1: there is none, or rows->wrong. */
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

void sluice_rows_close(struct sluice_rows *rows)
{
    fclose(rows->stream);
    free(rows->memory);
    *rows = (struct sluice_rows){0};
}
