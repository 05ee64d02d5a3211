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

/* What a run writes: names, and how the files begin, for one of the user's of such a name would
 * begin otherwise; '*' is any character. */
enum between { NOTHING, DIGITS, PROBE };
static const struct kind {
    const char *prefix, *suffix, *head;
    enum between between;
} kinds[] = {{"config.cfg", "", "# The effective configuration", NOTHING},
             {"log.txt", "", "****-**-**T**:**:**Z sluice ", NOTHING},
             {"energy.csv", "", "step,time,", NOTHING},
             {"run.hdf.series", "", "{\"file-series-version\"", NOTHING},
             {"blow_up.csv", "", "# step ", NOTHING},
             {"probe_", ".csv", "step,time,", PROBE},
             {"snap_", ".hdf", "\x89HDF", DIGITS},
             {"checkpoint_", ".hdf", "\x89HDF", DIGITS}};

/* The kind of a name of `length` characters; NULL: none. */
static const struct kind *kind_of(const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        const struct kind *k = &kinds[i];
        const size_t begin = strlen(k->prefix), end = strlen(k->suffix);
        if (length < begin + end || memcmp(name, k->prefix, begin) != 0 ||
            memcmp(name + length - end, k->suffix, end) != 0)
            continue;
        const size_t between = length - begin - end, digits = strspn(name + begin, "0123456789");
        if (k->between == NOTHING  ? between == 0
            : k->between == DIGITS ? between >= 6 && digits == between
                                   : between > 0)
            return k;
    }
    return NULL;
}

/* Of a regular file; the beginning may be all there is, where it was cut off. */
static int begins_with(const char *path, const char *head)
{
    char text[64];
    FILE *file = fopen(path, "r");
    if (!file)
        return 0;
    const size_t got = fread(text, 1, strlen(head), file);
    int same = 1;
    for (size_t i = 0; i < got; i++)
        same &= head[i] == '*' || head[i] == text[i];
    fclose(file);
    return same;
}

static int is_regular(const char *path)
{
    struct stat file;
    return lstat(path, &file) == 0 && S_ISREG(file.st_mode);
}

/* A file that a run wrote, or the unfinished beginning of one: of HDF5 what it begins with comes
 * last. */
static int is_of_a_run(const char *folder, const char *name)
{
    char path[PATH_SIZE];
    const size_t length = strlen(name);
    const int unfinished = length > 4 && strcmp(name + length - 4, ".tmp") == 0;
    const struct kind *kind = kind_of(name, unfinished ? length - 4 : length);
    return kind && join(path, folder, name) == SLUICE_OK && is_regular(path) &&
           ((unfinished && kind->between == DIGITS) || begins_with(path, kind->head));
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

/* Whether this run writes a file of the name. */
static int is_written(const struct sluice_config *config, const char *folder, const char *name)
{
    char path[PATH_SIZE];
    const size_t length = strlen(name);
    const struct kind *kind = kind_of(name, length);
    if (!kind || kind->between == NOTHING)
        return kind != NULL;
    if (kind->between == DIGITS) /* a link goes, and not what it leads to */
        return join(path, folder, name) == SLUICE_OK && is_regular(path);
    const size_t begin = strlen(kind->prefix), letters = length - begin - strlen(kind->suffix);
    for (int i = 0; i < config->probe_count; i++)
        if (strlen(config->probes[i].name) == letters &&
            memcmp(config->probes[i].name, name + begin, letters) == 0)
            return 1;
    return 0;
}

/* What is not of a run, and this one would write over; `data`: its config. */
static sluice_status refuse_foreign(const char *folder, const char *name, void *data)
{
    SLUICE_CHECK(!is_written(data, folder, name) || is_of_a_run(folder, name), SLUICE_BAD_INPUT,
                 "%s/%s is not of an earlier run, and a run would write over it: choose another "
                 "folder with --out, or move the file away",
                 folder, name);
    return SLUICE_OK;
}

/* The config stays until the run writes its own in its place: it may be the one that is run. */
static sluice_status remove_own(const char *folder, const char *name, void *data)
{
    char path[PATH_SIZE];
    (void)data;
    if (!is_of_a_run(folder, name) || strcmp(name, "config.cfg") == 0)
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

sluice_status sluice_folder_clear(const struct sluice_folder *folder, struct sluice_config *config,
                                  const char *config_path, int force)
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
    if (join(path, folder->path, lock_name) == SLUICE_OK)
        unlink(path);
    close(folder->lock);
    folder->lock = -1;
    if (folder->created)
        rmdir(folder->path); /* refused, as it should be, when something is in it */
}
