#include "files/safe_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { PATH_BYTES = 4096, DIGITS = 8, TRIES = 100 };
static const char ending[] = ".tmp";

/* PATH.xxxxxxxx.tmp, a name that nobody can foresee. */
static sluice_status choose_name(const char *path, char *out, size_t size)
{
    uint32_t number;
    if (getrandom(&number, sizeof number, GRND_NONBLOCK) != (ssize_t)sizeof number) {
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        number = (uint32_t)now.tv_nsec ^ (uint32_t)getpid() << 16;
    }
    const int length = snprintf(out, size, "%s.%0*" PRIx32 "%s", path, DIGITS, number, ending);
    SLUICE_CHECK(length >= 0 && (size_t)length < size, SLUICE_IO,
                 "%s: the path is longer than %zu bytes; use a shorter one", path,
                 size - DIGITS - sizeof ending - 1);
    return SLUICE_OK;
}

size_t sluice_safe_file_final_length(const char *name)
{
    const size_t length = strlen(name), added = 1 + DIGITS + sizeof ending - 1;
    if (length <= added)
        return 0;
    const char *number = name + length - added;
    return number[0] == '.' && strspn(number + 1, "0123456789abcdef") == DIGITS &&
                   strcmp(number + 1 + DIGITS, ending) == 0
               ? length - added
               : 0;
}

sluice_status sluice_safe_file_create(const char *path, char *temporary, size_t size, int *file)
{
    *file = -1;
    for (int k = 0; k < TRIES && *file < 0; k++) {
        SLUICE_TRY(choose_name(path, temporary, size));
        *file = open(temporary, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
        if (*file < 0 && errno != EEXIST)
            break;
    }
    SLUICE_CHECK(*file >= 0, SLUICE_IO, "%s: cannot be created: %s", temporary, strerror(errno));
    return SLUICE_OK;
}

int sluice_safe_file_write_at(int file, const void *data, size_t bytes, off_t offset, size_t *done)
{
    *done = 0;
    while (*done < bytes) {
        const ssize_t n = pwrite(file, (const char *)data + *done, bytes - *done,
                                 offset + (off_t)*done);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return n < 0 ? errno : EIO;
        *done += (size_t)n;
    }
    return 0;
}

sluice_status sluice_safe_file_write(const char *path, const void *data, size_t bytes)
{
    char temporary[PATH_BYTES];
    size_t done;
    int file;
    SLUICE_TRY(sluice_safe_file_create(path, temporary, sizeof temporary, &file));
    int error = sluice_safe_file_write_at(file, data, bytes, 0, &done);
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
    return sluice_safe_file_commit(temporary, path);
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

sluice_status sluice_safe_file_commit(const char *temporary, const char *path)
{
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

const char *sluice_safe_file_open(const char *path, int *file)
{
    struct stat about;
    *file = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (*file < 0)
        return strerror(errno);
    if (fstat(*file, &about) == 0 && S_ISREG(about.st_mode))
        return NULL;
    close(*file);
    return "it is no regular file, but a folder, a pipe or a device";
}

int sluice_safe_file_read_at(int file, void *data, size_t bytes, off_t offset, size_t *done)
{
    *done = 0;
    while (*done < bytes) {
        const ssize_t n = pread(file, (char *)data + *done, bytes - *done, offset + (off_t)*done);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return n < 0 ? errno : 0;
        *done += (size_t)n;
    }
    return 0;
}

int sluice_safe_file_read_all(int file, char **data, size_t *bytes)
{
    char part[1 << 16];
    size_t done = sizeof part;
    int error = 0;
    *data = NULL;
    FILE *all = open_memstream(data, bytes);
    if (all == NULL)
        return ENOMEM;
    for (off_t at = 0; error == 0 && done == sizeof part; at += (off_t)done) {
        error = sluice_safe_file_read_at(file, part, sizeof part, at, &done);
        if (fwrite(part, 1, done, all) != done)
            error = ENOMEM;
    }
    if (fclose(all) != 0 && error == 0)
        error = ENOMEM;
    if (error != 0) {
        free(*data);
        *data = NULL;
    }
    return error;
}

sluice_status sluice_safe_file_read(const char *path, char **data, size_t *bytes)
{
    size_t length = 0;
    int file;
    *data = NULL;
    const char *why = sluice_safe_file_open(path, &file);
    SLUICE_CHECK(!why, SLUICE_IO, "%s: cannot be read: %s", path, why);
    const int error = sluice_safe_file_read_all(file, data, &length);
    close(file);
    SLUICE_CHECK(error == 0, SLUICE_IO, "%s: cannot be read: %s", path, strerror(error));
    if (bytes != NULL)
        *bytes = length;
    return SLUICE_OK;
}
