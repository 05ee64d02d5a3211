#include "app/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "files/run_files.h"

enum { PATH_SIZE = 4096 };
static const char lock_name[] = ".lock";

static sluice_status join(char *path, const char *folder, const char *name)
{
    const int length = snprintf(path, PATH_SIZE, "%s/%s", folder, name);
    SLUICE_CHECK(length > 0 && length < PATH_SIZE, SLUICE_IO, "%s/%s: the path is too long", folder,
                 name);
    return SLUICE_OK;
}

static sluice_status in_use(const char *path, int lock)
{
    char text[32] = "";
    const ssize_t length = read(lock, text, sizeof text - 1);
    const long process = length > 0 ? strtol(text, NULL, 10) : 0;
    SLUICE_CHECK(process <= 0, SLUICE_IO,
                 "%s: folder in use by process %ld: wait for it, or choose another folder", path,
                 process);
    return SLUICE_FAIL(
        SLUICE_IO, "%s: folder in use by another process: wait for it, or choose another folder",
        path);
}

static sluice_status not_a_lock(const char *path, const char *what)
{
    return SLUICE_FAIL(
        SLUICE_IO, "%s is not the lock of a run (it %s): move it away, or choose another folder",
        path, what);
}

/* Opens the lock without following a link. Anything but a regular file with one name is refused. */
static sluice_status open_lock(const char *path, int *lock)
{
    struct stat file;
    *lock = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0666);
    if (*lock < 0 && (errno == ELOOP || errno == EMLINK))
        return not_a_lock(path, "is a symbolic link");
    if (*lock < 0 && (errno == EISDIR || errno == ENXIO || errno == ENODEV))
        return not_a_lock(path, "is no regular file");
    SLUICE_CHECK(*lock >= 0, SLUICE_IO, "%s: the folder cannot be written into: %s", path,
                 strerror(errno));
    sluice_status status = SLUICE_OK;
    if (fstat(*lock, &file) != 0 || !S_ISREG(file.st_mode))
        status = not_a_lock(path, "is no regular file");
    else if (file.st_nlink > 1)
        status = not_a_lock(path, "has other names: hard links");
    if (status != SLUICE_OK)
        close(*lock);
    return status;
}

/* A lock is empty, or holds the number of a process. */
static int holds_a_process(int lock)
{
    char text[32] = "";
    const ssize_t length = pread(lock, text, sizeof text - 1, 0);
    const size_t digits = strspn(text, "0123456789");
    return length >= 0 && digits < sizeof text - 2 && (size_t)length <= digits + 1 &&
           (text[digits] == '\0' || text[digits] == '\n');
}

/* Its last holder may have removed the name between our open and our lock. */
static int has_the_name(int lock, const char *path)
{
    struct stat held, there;
    return fstat(lock, &held) == 0 && lstat(path, &there) == 0 && held.st_dev == there.st_dev &&
           held.st_ino == there.st_ino;
}

/* Takes the lock. *lock is negative where the name went to another file: try again. */
static sluice_status take_lock(const char *folder, const char *path, int *lock)
{
    sluice_status status = SLUICE_OK;
    SLUICE_TRY(open_lock(path, lock));
    if (flock(*lock, LOCK_EX | LOCK_NB) != 0)
        status = errno == EWOULDBLOCK
                     ? in_use(folder, *lock)
                     : SLUICE_FAIL(SLUICE_IO, "%s: cannot be locked: %s", path, strerror(errno));
    else if (has_the_name(*lock, path)) {
        if (holds_a_process(*lock))
            return SLUICE_OK;
        status = not_a_lock(path, "holds something else than the number of a process");
    }
    close(*lock);
    *lock = -1;
    return status;
}

/* The lock ends with the process that holds it, however that ends; a .lock that lies around means
 * nothing. */
sluice_status sluice_folder_hold(struct sluice_folder *folder, const char *path)
{
    struct stat folder_stat;
    *folder = (struct sluice_folder){.path = path, .lock = -1};
    SLUICE_CHECK(stat(path, &folder_stat) == 0, SLUICE_IO, "%s: %s: is it the folder of a run?",
                 path, strerror(errno));
    SLUICE_CHECK(S_ISDIR(folder_stat.st_mode), SLUICE_IO, "%s is a file, not the folder of a run",
                 path);

    char lock_path[PATH_SIZE];
    SLUICE_TRY(join(lock_path, path, lock_name));
    while (folder->lock < 0)
        SLUICE_TRY(take_lock(path, lock_path, &folder->lock));
    if (ftruncate(folder->lock, 0) != 0 || dprintf(folder->lock, "%ld\n", (long)getpid()) < 0) {
        const int cause = errno;
        sluice_folder_release(folder);
        return SLUICE_FAIL(SLUICE_IO, "%s: the folder cannot be written into: %s", path,
                           strerror(cause));
    }
    return SLUICE_OK;
}

sluice_status sluice_folder_make(struct sluice_folder *folder, const char *path)
{
    char part[PATH_SIZE];
    int created = 0;
    const size_t length = strlen(path);
    *folder = (struct sluice_folder){.path = path, .lock = -1};
    SLUICE_CHECK(length > 0 && length < sizeof part, SLUICE_BAD_INPUT,
                 "the folder's name is empty or too long");
    for (size_t end = 1; end <= length; end++) {
        if (path[end] != '/' && path[end] != '\0')
            continue;
        memcpy(part, path, end);
        part[end] = '\0';
        created = mkdir(part, 0777) == 0;
        SLUICE_CHECK(created || errno == EEXIST || errno == EISDIR, SLUICE_IO,
                     "folder %s cannot be made: %s", part, strerror(errno));
    }
    SLUICE_TRY(sluice_folder_hold(folder, path));
    folder->created = created;
    return SLUICE_OK;
}

/* Calls `visit` on every name but "." "..", and the lock; stops at the first error. */
static sluice_status each_entry(const char *folder,
                                sluice_status (*visit)(const char *folder, const char *name,
                                                       const void *data),
                                const void *data)
{
    DIR *directory = opendir(folder);
    SLUICE_CHECK(directory, SLUICE_IO, "%s cannot be listed: %s", folder, strerror(errno));
    sluice_status status = SLUICE_OK;
    for (struct dirent *entry; status == SLUICE_OK && (entry = readdir(directory));) {
        const char *name = entry->d_name;
        if (strcmp(name, ".") != 0 && strcmp(name, "..") != 0 && strcmp(name, lock_name) != 0)
            status = visit(folder, name, data);
    }
    closedir(directory);
    return status;
}

/* A run that ended at its start leaves no more than a config, a log and temporary files: nobody
 * misses those. */
static sluice_status refuse(const char *folder, const char *name, const void *data)
{
    const int is_of_a_start = strcmp(name, "config.cfg") == 0 || strcmp(name, "log.txt") == 0;
    (void)data;
    SLUICE_CHECK(sluice_run_file_is_temporary(folder, name) ||
                     (is_of_a_start && sluice_run_file_is_ours(folder, name)),
                 SLUICE_BAD_INPUT,
                 "%s is not empty (it holds %s): choose another folder with --out, or --force to "
                 "remove an earlier run's files "
                 "from it; 'sluice restart %s' goes on with a run",
                 folder, name, folder);
    return SLUICE_OK;
}

/* Whether this run writes a file of the name. */
static int is_written(const struct sluice_config *config, const char *folder, const char *name)
{
    char path[PATH_SIZE];
    struct stat file;
    switch (sluice_run_file_kind(name)) {
    case SLUICE_RUN_FILE_FIXED:
        return 1;
    case SLUICE_RUN_FILE_NUMBERED: /* a link goes, and not what it leads to */
        return join(path, folder, name) == SLUICE_OK && lstat(path, &file) == 0 &&
               S_ISREG(file.st_mode);
    case SLUICE_RUN_FILE_PROBE:
        for (int i = 0; i < config->probe_count; i++) {
            const int length = snprintf(path, sizeof path, "probe_%s.csv", config->probes[i].name);
            if (length > 0 && length < PATH_SIZE && strcmp(path, name) == 0)
                return 1;
        }
        return 0;
    case SLUICE_RUN_FILE_NONE:
        break;
    }
    return 0;
}

/* What is not of a run, and this one would write over; `data`: its config. */
static sluice_status refuse_foreign(const char *folder, const char *name, const void *data)
{
    SLUICE_CHECK(!is_written(data, folder, name) || sluice_run_file_is_ours(folder, name),
                 SLUICE_BAD_INPUT,
                 "%s/%s is not of an earlier run, and a run would write over it: choose another "
                 "folder with --out, or move the file away",
                 folder, name);
    return SLUICE_OK;
}

/* The config stays until the run writes its own in its place: it may be the one that is run. */
static sluice_status remove_own(const char *folder, const char *name, const void *data)
{
    char path[PATH_SIZE];
    (void)data;
    if (!sluice_run_file_is_ours(folder, name) || strcmp(name, "config.cfg") == 0)
        return SLUICE_OK;
    SLUICE_TRY(join(path, folder, name));
    SLUICE_CHECK(unlink(path) == 0, SLUICE_IO, "%s cannot be removed: %s", path, strerror(errno));
    return SLUICE_OK;
}

/* Whether the config that is run is the one that this run would write. */
static sluice_status refuse_itself(const char *folder, const char *config)
{
    char path[PATH_SIZE];
    struct stat own, read;
    SLUICE_TRY(join(path, folder, "config.cfg"));
    SLUICE_CHECK(stat(path, &own) != 0 || stat(config, &read) != 0 || own.st_dev != read.st_dev ||
                     own.st_ino != read.st_ino,
                 SLUICE_BAD_INPUT,
                 "%s would be written over by its own run: choose another folder with --out, or "
                 "--force to have that",
                 config);
    return SLUICE_OK;
}

sluice_status sluice_folder_clear(const struct sluice_folder *folder,
                                  const struct sluice_config *config, const char *config_path,
                                  int force)
{
    SLUICE_TRY(each_entry(folder->path, refuse_foreign, config));
    if (!force) {
        SLUICE_TRY(each_entry(folder->path, refuse, NULL));
        SLUICE_TRY(refuse_itself(folder->path, config_path));
    }
    return each_entry(folder->path, remove_own, NULL);
}

void sluice_folder_release(struct sluice_folder *folder)
{
    char path[PATH_SIZE];
    if (folder->lock < 0)
        return;
    if (join(path, folder->path, lock_name) == SLUICE_OK && has_the_name(folder->lock, path))
        unlink(path);
    close(folder->lock);
    folder->lock = -1;
    if (folder->created)
        rmdir(folder->path); /* refused, as it should be, when something is in it */
}
