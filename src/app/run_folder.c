#include "app/run_folder.h"

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

/* The error of a lock that another process has; the lock file holds its number. */
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

/* Opens the lock file; refuses links and anything but a regular file with one name. */
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

/* Whether the lock file is empty or holds a process number. */
static int holds_a_process(int lock)
{
    char text[32] = "";
    const ssize_t length = pread(lock, text, sizeof text - 1, 0);
    const size_t digits = strspn(text, "0123456789");
    return length >= 0 && digits < sizeof text - 2 && (size_t)length <= digits + 1 &&
           (text[digits] == '\0' || text[digits] == '\n');
}

static int same_file(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* Whether `path` still names the open lock file: another process may have removed it between our
 * open and our lock. */
static int is_at(const char *path, int lock)
{
    struct stat open_file, named_file;
    return fstat(lock, &open_file) == 0 && lstat(path, &named_file) == 0 &&
           same_file(&open_file, &named_file);
}

/* Takes the lock. *lock is negative if the lock file was replaced meanwhile: try again. */
static sluice_status take_lock(const char *folder, const char *path, int *lock)
{
    sluice_status status = SLUICE_OK;
    SLUICE_TRY(open_lock(path, lock));
    if (flock(*lock, LOCK_EX | LOCK_NB) != 0)
        status = errno == EWOULDBLOCK
                     ? in_use(folder, *lock)
                     : SLUICE_FAIL(SLUICE_IO, "%s: cannot be locked: %s", path, strerror(errno));
    else if (is_at(path, *lock)) {
        if (holds_a_process(*lock))
            return SLUICE_OK;
        status = not_a_lock(path, "holds no process number");
    }
    close(*lock);
    *lock = -1;
    return status;
}

/* The system drops the lock when the process ends in any way, so a .lock file left behind does not
 * matter. */
sluice_status sluice_run_folder_lock(struct sluice_run_folder *folder, const char *path)
{
    struct stat folder_stat;
    *folder = (struct sluice_run_folder){.path = path, .lock = -1};
    SLUICE_CHECK(stat(path, &folder_stat) == 0, SLUICE_IO, "%s: %s: is it the folder of a run?",
                 path, strerror(errno));
    SLUICE_CHECK(S_ISDIR(folder_stat.st_mode), SLUICE_IO, "%s is a file, not the folder of a run",
                 path);

    char lock_path[PATH_SIZE];
    SLUICE_TRY(sluice_run_file_path(path, lock_name, lock_path, PATH_SIZE));
    while (folder->lock < 0)
        SLUICE_TRY(take_lock(path, lock_path, &folder->lock));
    if (ftruncate(folder->lock, 0) != 0 || dprintf(folder->lock, "%ld\n", (long)getpid()) < 0) {
        const int cause = errno;
        sluice_run_folder_unlock(folder);
        return SLUICE_FAIL(SLUICE_IO, "%s: the folder cannot be written into: %s", path,
                           strerror(cause));
    }
    return SLUICE_OK;
}

sluice_status sluice_run_folder_create(struct sluice_run_folder *folder, const char *path)
{
    char part[PATH_SIZE];
    int created = 0;
    const size_t length = strlen(path);
    *folder = (struct sluice_run_folder){.path = path, .lock = -1};
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
    SLUICE_TRY(sluice_run_folder_lock(folder, path));
    folder->created = created;
    return SLUICE_OK;
}

/* Calls `visit` for every file but ".", ".." and the lock; stops at the first error. */
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

/* Refuses any file but those of a run that failed at its start: config, log, temporary files. */
static sluice_status refuse_results(const char *folder, const char *name, const void *data)
{
    const int is_from_start = strcmp(name, "config.cfg") == 0 || strcmp(name, "log.txt") == 0;
    (void)data;
    SLUICE_CHECK(sluice_run_file_is_temporary(folder, name) ||
                     (is_from_start && sluice_run_file_is_ours(folder, name)),
                 SLUICE_BAD_INPUT,
                 "%s is not empty (it holds %s): choose another folder with --out, or --force to "
                 "remove an earlier run's files from it; 'sluice restart %s' continues a run",
                 folder, name, folder);
    return SLUICE_OK;
}

/* Whether `name` is that of the table KIND_OF.csv. */
static int is_table(const char *name, const char *kind, const char *of)
{
    char path[PATH_SIZE];
    const int length = snprintf(path, sizeof path, "%s_%s.csv", kind, of);
    return length < PATH_SIZE && strcmp(path, name) == 0;
}

/* Whether a run of the config writes a file of that name. */
static int is_written(const struct sluice_config *config, const char *folder, const char *name)
{
    char path[PATH_SIZE];
    struct stat file;
    switch (sluice_run_file_kind(name)) {
    case SLUICE_RUN_FILE_FIXED:
        return 1;
    case SLUICE_RUN_FILE_NUMBERED: /* a link is replaced, its target stays */
        return sluice_run_file_path(folder, name, path, PATH_SIZE) == SLUICE_OK &&
               lstat(path, &file) == 0 && S_ISREG(file.st_mode);
    case SLUICE_RUN_FILE_PROBE:
        for (int i = 0; i < config->probe_count; i++)
            if (is_table(name, "probe", config->probes[i].name))
                return 1;
        return 0;
    case SLUICE_RUN_FILE_BODY:
        for (int s = 0; s < config->shape_count; s++)
            if (config->shapes[s].body && is_table(name, "body", config->shapes[s].motion))
                return 1;
        return 0;
    case SLUICE_RUN_FILE_MOORING:
        for (int i = 0; i < config->mooring_count; i++)
            if (is_table(name, "mooring", config->moorings[i].name))
                return 1;
        return 0;
    case SLUICE_RUN_FILE_OPENING:
        for (int i = 0; i < config->opening_count; i++)
            if (is_table(name, "opening", config->openings[i].name))
                return 1;
        return 0;
    case SLUICE_RUN_FILE_SURFACE: /* `sluice surface` and `sluice measure` write these */
    case SLUICE_RUN_FILE_SURFACES:
    case SLUICE_RUN_FILE_MEASURED:
    case SLUICE_RUN_FILE_NONE:
        break;
    }
    return 0;
}

/* Refuses a file that is not of a run, but that this run would overwrite; `data` is its config. */
static sluice_status refuse_foreign(const char *folder, const char *name, const void *data)
{
    SLUICE_CHECK(!is_written(data, folder, name) || sluice_run_file_is_ours(folder, name),
                 SLUICE_BAD_INPUT,
                 "%s/%s is not of an earlier run, and this run would overwrite it: choose another "
                 "folder with --out, or move the file away",
                 folder, name);
    return SLUICE_OK;
}

/* config.cfg stays until the run replaces it: it may be the config of this run. */
static sluice_status remove_own(const char *folder, const char *name, const void *data)
{
    char path[PATH_SIZE];
    (void)data;
    if (!sluice_run_file_is_ours(folder, name) || strcmp(name, "config.cfg") == 0)
        return SLUICE_OK;
    SLUICE_TRY(sluice_run_file_path(folder, name, path, PATH_SIZE));
    SLUICE_CHECK(unlink(path) == 0, SLUICE_IO, "%s cannot be removed: %s", path, strerror(errno));
    return SLUICE_OK;
}

/* A picture or a movie. Neither its name nor its contents tell whether the tools or the user made
 * it. */
static int is_picture(const char *name)
{
    static const char *const endings[] = {".png", ".pdf", ".svg", ".jpg", ".mp4", ".webm", ".gif"};
    const char *dot = strrchr(name, '.');
    for (size_t i = 0; dot && i < sizeof endings / sizeof endings[0]; i++)
        if (strcmp(dot, endings[i]) == 0)
            return 1;
    return 0;
}

static sluice_status add_picture(const char *folder, const char *name, const void *data)
{
    enum { NAMED_MOST = 4 };
    struct sluice_run_folder_pictures *p = *(struct sluice_run_folder_pictures *const *)data;
    const size_t used = strlen(p->names);
    (void)folder;
    if (is_picture(name) && p->count++ < NAMED_MOST)
        snprintf(p->names + used, sizeof p->names - used, "%s%s", used ? ", " : "", name);
    return SLUICE_OK;
}

sluice_status sluice_run_folder_pictures(const struct sluice_run_folder *folder,
                                         struct sluice_run_folder_pictures *pictures)
{
    *pictures = (struct sluice_run_folder_pictures){.count = 0};
    return each_entry(folder->path, add_picture, &pictures);
}

/* Refuses to overwrite the config file of this run. */
static sluice_status refuse_itself(const char *folder, const char *config)
{
    char path[PATH_SIZE];
    struct stat own, read;
    SLUICE_TRY(sluice_run_file_path(folder, "config.cfg", path, PATH_SIZE));
    SLUICE_CHECK(stat(path, &own) != 0 || stat(config, &read) != 0 || !same_file(&own, &read),
                 SLUICE_BAD_INPUT,
                 "%s would be overwritten by its own run: choose another folder with --out, or "
                 "--force to allow it",
                 config);
    return SLUICE_OK;
}

sluice_status sluice_run_folder_clear(const struct sluice_run_folder *folder,
                                      const struct sluice_config *config, const char *config_path,
                                      int force)
{
    SLUICE_TRY(each_entry(folder->path, refuse_foreign, config));
    if (!force) {
        SLUICE_TRY(each_entry(folder->path, refuse_results, NULL));
        SLUICE_TRY(refuse_itself(folder->path, config_path));
    }
    return each_entry(folder->path, remove_own, NULL);
}

void sluice_run_folder_unlock(struct sluice_run_folder *folder)
{
    char path[PATH_SIZE];
    if (folder->lock < 0)
        return;
    if (sluice_run_file_path(folder->path, lock_name, path, PATH_SIZE) == SLUICE_OK &&
        is_at(path, folder->lock))
        unlink(path);
    close(folder->lock);
    folder->lock = -1;
    if (folder->created)
        rmdir(folder->path); /* fails, as it should, if the folder is not empty */
}
