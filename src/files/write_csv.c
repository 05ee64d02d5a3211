#include "files/write_csv.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "files/safe_file.h"

enum { FLUSH_BYTES = 1 << 16 };

static int count_columns(const char *header)
{
    int columns = header[0] != '\0';
    for (const char *c = header; *c != '\0'; c++)
        columns += *c == ',';
    return columns;
}

/* The first line, as text of its own; NULL: no memory. */
static char *header_line(const char *header)
{
    static const char first[] = "step,time,";
    const size_t size = sizeof first + strlen(header) + 1;
    char *line = malloc(size);
    if (line != NULL)
        snprintf(line, size, "%s%s\n", first, header);
    return line;
}

/* Opens a table that is whole and the run's alone, to add rows at its end. */
static sluice_status open_to_append(struct sluice_csv *csv, const char *path, const char *header,
                                    int digits)
{
    memset(csv, 0, sizeof *csv);
    csv->columns = count_columns(header);
    csv->digits = digits;
    csv->file = open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
    SLUICE_CHECK(csv->file >= 0, SLUICE_IO, "%s: cannot be opened: %s", path, strerror(errno));
    csv->size = (int64_t)lseek(csv->file, 0, SEEK_END);
    csv->path = strdup(path);
    csv->capacity = FLUSH_BYTES;
    csv->buffer = malloc(csv->capacity);
    if (csv->path == NULL || csv->buffer == NULL) {
        close(csv->file);
        free(csv->path);
        free(csv->buffer);
        memset(csv, 0, sizeof *csv);
        return SLUICE_FAIL(SLUICE_DEVICE, "%s: no memory for its buffer", path);
    }
    return SLUICE_OK;
}

sluice_status sluice_csv_create(struct sluice_csv *csv, const char *path, const char *header,
                                int digits)
{
    memset(csv, 0, sizeof *csv);
    csv->file = -1;
    char *line = header_line(header);
    SLUICE_CHECK(line != NULL, SLUICE_DEVICE, "%s: no memory for its header", path);
    const sluice_status status = sluice_safe_file_write(path, line, strlen(line));
    free(line);
    SLUICE_TRY(status);
    return open_to_append(csv, path, header, digits);
}

/* Bytes of the text before the first row that is unfinished or of a later step. Steps never go down
 * in a table. */
static size_t whole_length(const char *text, int64_t step)
{
    const char *row = strchr(text, '\n');
    row = row != NULL ? row + 1 : text;
    for (;;) {
        char *end;
        const char *newline = strchr(row, '\n');
        const long long found = strtoll(row, &end, 10);
        if (newline == NULL || end == row || *end != ',' || found > step)
            return (size_t)(row - text);
        row = newline + 1;
    }
}

/* Whether writing into the file would change another one, or the same under another name. */
static int is_shared(const char *path)
{
    struct stat file;
    return lstat(path, &file) != 0 || !S_ISREG(file.st_mode) || file.st_nlink != 1;
}

sluice_status sluice_csv_reopen(struct sluice_csv *csv, const char *path, const char *header,
                                int digits, int64_t step)
{
    char *text = NULL;
    size_t bytes;
    memset(csv, 0, sizeof *csv);
    csv->file = -1;
    if (access(path, F_OK) != 0)
        return sluice_csv_create(csv, path, header, digits);
    SLUICE_TRY(sluice_safe_file_read(path, &text, &bytes));
    char *line = header_line(header);
    sluice_status status = SLUICE_OK;
    if (line == NULL)
        status = SLUICE_FAIL(SLUICE_DEVICE, "%s: no memory for its header", path);
    else if (strncmp(text, line, strlen(line)) != 0)
        status = SLUICE_FAIL(
            SLUICE_IO,
            "%s: its columns are not step,time,%s; it belongs to another run, move it away", path,
            header);
    if (status == SLUICE_OK) {
        const size_t kept = whole_length(text, step);
        if (kept < bytes || is_shared(path))
            status = sluice_safe_file_write(path, text, kept);
    }
    free(text);
    free(line);
    SLUICE_TRY(status);
    return open_to_append(csv, path, header, digits);
}

sluice_status sluice_csv_row(struct sluice_csv *csv, int64_t step, double time,
                             const double *values)
{
    const size_t longest = 64 + 32 * (size_t)csv->columns;
    if (csv->capacity - csv->used < longest)
        SLUICE_TRY(sluice_csv_flush(csv));
    if (csv->capacity < longest) { /* a line of many points */
        char *larger = realloc(csv->buffer, longest);
        SLUICE_CHECK(larger != NULL, SLUICE_DEVICE, "%s: no memory for a row of %d columns",
                     csv->path, csv->columns);
        csv->buffer = larger;
        csv->capacity = longest;
    }
    char *at = csv->buffer + csv->used, *end = csv->buffer + csv->capacity;
    at += snprintf(at, (size_t)(end - at), "%lld,%.17g", (long long)step, time);
    for (int c = 0; c < csv->columns; c++)
        if (isnan(values[c])) /* never -nan, which few readers know */
            at += snprintf(at, (size_t)(end - at), csv->has_gaps ? "," : ",nan");
        else
            at += snprintf(at, (size_t)(end - at), ",%.*g", csv->digits, values[c]);
    *at++ = '\n';
    csv->used = (size_t)(at - csv->buffer);
    return SLUICE_OK;
}

/* Writes the whole table under its name again, from the open file that was deleted. */
static sluice_status restore(struct sluice_csv *csv)
{
    char *text;
    size_t bytes = 0;
    const int error = sluice_safe_file_read_all(csv->file, &text, &bytes);
    const sluice_status status = error == 0 && bytes >= (size_t)csv->size
                                     ? sluice_safe_file_write(csv->path, text, (size_t)csv->size)
                                     : SLUICE_FAIL(
                                           SLUICE_IO,
                                           "%s: was deleted, and its rows cannot be read again",
                                           csv->path);
    free(text);
    SLUICE_TRY(status);
    const int file = open(csv->path, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
    SLUICE_CHECK(file >= 0, SLUICE_IO, "%s: cannot be opened: %s", csv->path, strerror(errno));
    close(csv->file); /* of the deleted file, which nobody will read */
    csv->file = file;
    csv->replaced = 0;
    csv->news = "was deleted while the run wrote it; it is there again, with all of its rows";
    return SLUICE_OK;
}

/* Checks whether the name still leads to the table. */
static sluice_status keep_name(struct sluice_csv *csv)
{
    struct stat own, there;
    if (fstat(csv->file, &own) != 0)
        return SLUICE_OK; /* writing will say what is wrong */
    if (lstat(csv->path, &there) != 0)
        return errno == ENOENT ? restore(csv) : SLUICE_OK;
    const int replaced = own.st_dev != there.st_dev || own.st_ino != there.st_ino;
    if (replaced && !csv->replaced)
        csv->news = "another file took its name while the run wrote it; move that one away before "
                    "the run ends, or the run's rows are lost";
    csv->replaced = replaced;
    return SLUICE_OK;
}

sluice_status sluice_csv_flush(struct sluice_csv *csv)
{
    size_t done;
    SLUICE_TRY(keep_name(csv));
    const int error = sluice_safe_file_write_at(csv->file, csv->buffer, csv->used, (off_t)csv->size,
                                                &done);
    if (error != 0) {
        /* A row that is written in part is cut off, here or at a restart. */
        const int cut = ftruncate(csv->file, (off_t)csv->size);
        return SLUICE_FAIL(SLUICE_IO,
                           "%s: cannot be written: %s after %lld bytes (%zu more wanted)%s",
                           csv->path, strerror(error), (long long)csv->size, csv->used,
                           cut == 0 ? "; its rows so far are whole" : "");
    }
    csv->size += (int64_t)csv->used;
    csv->used = 0;
    return SLUICE_OK;
}

sluice_status sluice_csv_sync(struct sluice_csv *csv)
{
    SLUICE_TRY(sluice_csv_flush(csv));
    SLUICE_CHECK(fdatasync(csv->file) == 0, SLUICE_IO,
                 "%s: cannot be synchronised with the disk: %s", csv->path, strerror(errno));
    return SLUICE_OK;
}

sluice_status sluice_csv_close(struct sluice_csv *csv)
{
    sluice_status status = SLUICE_OK;
    if (csv->path == NULL)
        return status;
    status = sluice_csv_flush(csv);
    if (csv->replaced && status == SLUICE_OK)
        status = SLUICE_FAIL(
            SLUICE_IO,
            "%s: another file took its name while the run wrote it; the run's rows "
            "are lost",
            csv->path);
    if (close(csv->file) != 0 && status == SLUICE_OK)
        status = SLUICE_FAIL(SLUICE_IO, "%s: cannot be closed: %s", csv->path, strerror(errno));
    free(csv->path);
    free(csv->buffer);
    memset(csv, 0, sizeof *csv);
    csv->file = -1;
    return status;
}
