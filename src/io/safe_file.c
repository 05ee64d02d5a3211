#include "io/safe_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_BYTES = 4096 };

sluice_status sluice_safe_file_temporary(const char *path, char *out, size_t size)
{
    const int length = snprintf(out, size, "%s.tmp", path);
    SLUICE_CHECK(length >= 0 && (size_t)length < size, SLUICE_IO,
                 "%s: the path is longer than %zu bytes; use a shorter one", path, size - 5);
    return SLUICE_OK;
}

/* Writes until all is written or the system refuses; returns the bytes written, errno says why they
 * are fewer. */
static size_t write_all(int file, const char *data, size_t bytes)
{
    size_t done = 0;
    while (done < bytes) {
        const ssize_t n = write(file, data + done, bytes - done);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            break;
        done += (size_t)n;
    }
    return done;
}

sluice_status sluice_safe_file_write(const char *path, const void *data, size_t bytes)
{
    char temporary[PATH_BYTES];
    SLUICE_TRY(sluice_safe_file_temporary(path, temporary, sizeof temporary));
    const int file = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    SLUICE_CHECK(file >= 0, SLUICE_IO, "%s: cannot be created: %s", temporary, strerror(errno));

    const size_t done = write_all(file, data, bytes);
    int error = done < bytes ? errno : 0;
    if (error == 0 && fsync(file) != 0)
        error = errno;
    if (close(file) != 0 && error == 0)
        error = errno;
    if (error != 0) {
        unlink(temporary);
        return SLUICE_FAIL(SLUICE_IO,
                           "%s: %s after %zu of %zu bytes; what was there before is unchanged",
                           path, strerror(error), done, bytes);
    }
    return sluice_safe_file_commit(path);
}

/* The entry of the folder must reach the disk too, or a power cut brings the old name back. */
static int sync_folder_of(const char *path)
{
    char folder[PATH_BYTES];
    const char *slash = strrchr(path, '/');
    if (slash == NULL)
        snprintf(folder, sizeof folder, ".");
    else
        snprintf(folder, sizeof folder, "%.*s", slash == path ? 1 : (int)(slash - path), path);

    const int file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file < 0)
        return errno;
    /* Some file systems (network ones) refuse to synchronise a folder: the rename itself has been
     * done. */
    const int error = fsync(file) != 0 && errno != EINVAL && errno != EROFS ? errno : 0;
    close(file);
    return error;
}

sluice_status sluice_safe_file_commit(const char *path)
{
    char temporary[PATH_BYTES];
    SLUICE_TRY(sluice_safe_file_temporary(path, temporary, sizeof temporary));
    if (rename(temporary, path) != 0) {
        const int error = errno;
        unlink(temporary);
        return SLUICE_FAIL(SLUICE_IO, "%s: cannot be renamed to %s: %s", temporary, path,
                           strerror(error));
    }
    const int error = sync_folder_of(path);
    SLUICE_CHECK(error == 0, SLUICE_IO, "%s: the folder cannot be synchronised with the disk: %s",
                 path, strerror(error));
    return SLUICE_OK;
}

/* Reads what is left of an open file into memory that grows as needed; returns errno, 0 when all is
 * well. */
static int read_all(int file, char **data, size_t *bytes)
{
    size_t capacity = 1 << 16, used = 0;
    char *buffer = malloc(capacity);
    while (buffer != NULL) {
        const ssize_t n = read(file, buffer + used, capacity - used - 1);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0) {
            const int error = errno;
            free(buffer);
            return error;
        }
        used += (size_t)n;
        if (n == 0) {
            buffer[used] = '\0';
            *data = buffer;
            *bytes = used;
            return 0;
        }
        if (capacity - used < 2) {
            char *larger = realloc(buffer, 2 * capacity);
            if (larger == NULL)
                free(buffer);
            buffer = larger;
            capacity *= 2;
        }
    }
    return ENOMEM;
}

sluice_status sluice_safe_file_read(const char *path, char **data, size_t *bytes)
{
    size_t length = 0;
    *data = NULL;
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    SLUICE_CHECK(file >= 0, SLUICE_IO, "%s: cannot be opened: %s", path, strerror(errno));
    const int error = read_all(file, data, &length);
    close(file);
    SLUICE_CHECK(error == 0, SLUICE_IO, "%s: cannot be read: %s", path, strerror(error));
    if (bytes != NULL)
        *bytes = length;
    return SLUICE_OK;
}
