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
    for (;;) {
        struct stat held, there;
        const int lock = open(lock_path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        SLUICE_CHECK(lock >= 0, SLUICE_IO, "%s: the folder cannot be written into: %s", path,
                     strerror(errno));
        if (flock(lock, LOCK_EX | LOCK_NB) != 0) {
            const sluice_status status = errno == EWOULDBLOCK
                                             ? in_use(path, lock)
                                             : SLUICE_FAIL(SLUICE_IO, "%s: cannot be locked: %s",
                                                           lock_path, strerror(errno));
            close(lock);
            return status;
        }
        /* Its last holder may have removed the name between our open and our lock. */
        if (fstat(lock, &held) == 0 && stat(lock_path, &there) == 0 &&
            held.st_ino == there.st_ino) {
            folder->lock = lock;
            break;
        }
        close(lock);
    }
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

/* PREFIX digits SUFFIX */
static int is_numbered(const char *name, const char *prefix, const char *suffix)
{
    const size_t begin = strlen(prefix);
    if (strncmp(name, prefix, begin) != 0)
        return 0;
    const size_t digits = strspn(name + begin, "0123456789");
    return digits >= 6 && strcmp(name + begin + digits, suffix) == 0;
}

/* How a file begins; *size bytes of it. 0: it is no regular file that can be read. */
static int read_head(const char *folder, const char *name, char *head, size_t *size)
{
    char path[PATH_SIZE];
    struct stat file;
    if (join(path, folder, name) != SLUICE_OK || lstat(path, &file) != 0 || !S_ISREG(file.st_mode))
        return 0;
    FILE *stream = fopen(path, "r");
    if (!stream)
        return 0;
    *size = fread(head, 1, *size, stream);
    fclose(stream);
    return 1;
}

/* Files of a run with names of their own, and how they begin: one of the user's of such a name
 * would begin otherwise. '*' is any character. */
static const struct {
    const char *name, *head;
} fixed[] = {{"config.cfg", "# The effective configuration"},
             {"log.txt", "****-**-**T**:**:**Z sluice "},
             {"energy.csv", "step,time,"},
             {"run.hdf.series", "{\"file-series-version\""},
             {"blow_up.csv", "# step "}};

static const char *head_of(const char *name)
{
    for (size_t i = 0; i < sizeof fixed / sizeof fixed[0]; i++)
        if (strcmp(name, fixed[i].name) == 0)
            return fixed[i].head;
    const size_t length = strlen(name);
    return length > 10 && strncmp(name, "probe_", 6) == 0 && strcmp(name + length - 4, ".csv") == 0
               ? "step,time"
               : NULL;
}

/* The beginning may be all there is: of a file that was cut off. */
static int begins_with(const char *folder, const char *name, const char *head)
{
    char text[64];
    size_t size = strlen(head);
    if (!read_head(folder, name, text, &size))
        return 0;
    for (size_t i = 0; i < size; i++)
        if (head[i] != '*' && head[i] != text[i])
            return 0;
    return 1;
}

/* A file that a run writes, or the unfinished beginning of one. */
static int is_of_a_run(const char *folder, const char *name)
{
    char whole[PATH_SIZE];
    size_t size = 0;
    if (!read_head(folder, name, whole, &size))
        return 0;
    snprintf(whole, sizeof whole, "%s", name);
    const size_t length = strlen(whole);
    if (length > 4 && strcmp(whole + length - 4, ".tmp") == 0)
        whole[length - 4] = '\0';
    const char *head = head_of(whole);
    return head ? begins_with(folder, name, head)
                : is_numbered(whole, "snap_", ".hdf") || is_numbered(whole, "checkpoint_", ".hdf");
}

/* Calls `visit` on every name but "." "..", and the lock; stops at the first error. */
static sluice_status
each_entry(const char *folder,
           sluice_status (*visit)(const char *folder, const char *name, void *data), void *data)
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

static sluice_status refuse(const char *folder, const char *name, void *data)
{
    (void)data;
    SLUICE_CHECK((strcmp(name, "config.cfg") == 0 || strcmp(name, "log.txt") == 0) &&
                     is_of_a_run(folder, name),
                 SLUICE_BAD_INPUT,
                 "%s is not empty (it holds %s): choose another folder with --out, or --force to "
                 "remove an earlier run's files "
                 "from it; 'sluice restart %s' goes on with a run",
                 folder, name, folder);
    return SLUICE_OK;
}

/* What a run would write over, and is not of one. */
static sluice_status refuse_foreign(const char *folder, const char *name, void *data)
{
    (void)data;
    for (size_t i = 0; i < sizeof fixed / sizeof fixed[0]; i++)
        SLUICE_CHECK(strcmp(name, fixed[i].name) != 0 || is_of_a_run(folder, name),
                     SLUICE_BAD_INPUT,
                     "%s/%s is not of an earlier run, and a run would write over it: choose "
                     "another folder with --out, or move the file away",
                     folder, name);
    return SLUICE_OK;
}

static sluice_status remove_own(const char *folder, const char *name, void *data)
{
    char path[PATH_SIZE];
    (void)data;
    if (!is_of_a_run(folder, name))
        return SLUICE_OK;
    SLUICE_TRY(join(path, folder, name));
    SLUICE_CHECK(unlink(path) == 0, SLUICE_IO, "%s cannot be removed: %s", path, strerror(errno));
    return SLUICE_OK;
}

sluice_status sluice_folder_clear(const struct sluice_folder *folder, int force)
{
    SLUICE_TRY(each_entry(folder->path, refuse_foreign, NULL));
    if (!force)
        SLUICE_TRY(each_entry(folder->path, refuse, NULL));
    return each_entry(folder->path, remove_own, NULL);
}

void sluice_folder_release(struct sluice_folder *folder)
{
    char path[PATH_SIZE];
    if (folder->lock < 0)
        return;
    if (join(path, folder->path, lock_name) == SLUICE_OK)
        unlink(path);
    close(folder->lock);
    folder->lock = -1;
    if (folder->created)
        rmdir(folder->path); /* refused, as it should be, when something is in it */
}
