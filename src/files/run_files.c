#include "files/run_files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "files/safe_file.h"

enum { PATH_SIZE = 4096, HEAD_SIZE = 64, DIGITS_LEAST = 6 };

/* The files of `sluice surface`: their series, and one a snapshot in each format. */
#define SURFACES(name)                                                                             \
    {name ".hdf.series", "", "{\"file-series-version\"", SLUICE_RUN_FILE_SURFACES},                \
        {name "_", ".hdf", "\x89HDF", SLUICE_RUN_FILE_SURFACE},                                    \
        {name "_", ".ply", "ply\nformat binary_little_endian 1.0\ncomment Time ",                  \
         SLUICE_RUN_FILE_SURFACE},                                                                 \
    {                                                                                              \
        name "_", ".obj", "# Time ", SLUICE_RUN_FILE_SURFACE                                       \
    }

/* In a head, '*' is any character. */
static const struct kind {
    const char *prefix, *suffix, *head;
    enum sluice_run_file file;
} kinds[] = {{"config.cfg", "", "# The effective configuration", SLUICE_RUN_FILE_FIXED},
             {"log.txt", "", "****-**-**T**:**:**Z sluice ", SLUICE_RUN_FILE_FIXED},
             {"energy.csv", "", "step,time,", SLUICE_RUN_FILE_FIXED},
             {"run.hdf.series", "", "{\"file-series-version\"", SLUICE_RUN_FILE_FIXED},
             {"bodies.hdf.series", "", "{\"file-series-version\"", SLUICE_RUN_FILE_FIXED},
             {"walls.hdf", "", "\x89HDF", SLUICE_RUN_FILE_FIXED},
             {"report.html", "", "<!DOCTYPE html>\n<!-- sluice report", SLUICE_RUN_FILE_FIXED},
             {"blow_up.csv", "", "# step ", SLUICE_RUN_FILE_FIXED},
             {"probe_", ".csv", "step,time,", SLUICE_RUN_FILE_PROBE},
             {"body_", ".csv", "step,time,", SLUICE_RUN_FILE_BODY},
             {"mooring_", ".csv", "step,time,", SLUICE_RUN_FILE_MOORING},
             {"opening_", ".csv", "step,time,", SLUICE_RUN_FILE_OPENING},
             SURFACES("surface"),
             SURFACES("surface_phase1"),
             SURFACES("surface_phase2"),
             SURFACES("solids"),
             {"measure_", ".csv", "step,time,", SLUICE_RUN_FILE_MEASURED},
             {"measure_", ".hdf", "\x89HDF", SLUICE_RUN_FILE_MEASURED},
             {"measure_", ".hdf.series", "{\"file-series-version\"", SLUICE_RUN_FILE_MEASURED},
             {"snap_", ".hdf", "\x89HDF", SLUICE_RUN_FILE_NUMBERED},
             {"bodies_", ".hdf", "\x89HDF", SLUICE_RUN_FILE_NUMBERED},
             {"checkpoint_", ".hdf", "\x89HDF", SLUICE_RUN_FILE_NUMBERED}};

/* Whether `length` letters may stand between prefix and suffix. */
static int is_between(enum sluice_run_file file, const char *text, size_t length)
{
    switch (file) {
    case SLUICE_RUN_FILE_FIXED:
    case SLUICE_RUN_FILE_SURFACES:
        return length == 0;
    case SLUICE_RUN_FILE_NUMBERED:
    case SLUICE_RUN_FILE_SURFACE:
        return length >= DIGITS_LEAST && strspn(text, "0123456789") == length;
    default:
        return length > 0;
    }
}

/* The kind of a name of `length` letters; NULL: none. */
static const struct kind *kind_of(const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        const struct kind *k = &kinds[i];
        const size_t begin = strlen(k->prefix), end = strlen(k->suffix);
        if (length < begin + end || memcmp(name, k->prefix, begin) != 0 ||
            memcmp(name + length - end, k->suffix, end) != 0)
            continue;
        if (is_between(k->file, name + begin, length - begin - end))
            return k;
    }
    return NULL;
}

enum sluice_run_file sluice_run_file_kind(const char *name)
{
    const struct kind *kind = kind_of(name, strlen(name));
    return kind ? kind->file : SLUICE_RUN_FILE_NONE;
}

int sluice_run_file_begins_so(int file, const char *name)
{
    char text[HEAD_SIZE];
    const struct kind *kind = kind_of(name, strlen(name));
    const ssize_t got = kind ? pread(file, text, strlen(kind->head), 0) : -1;
    int same = got >= 0;
    for (ssize_t i = 0; i < got; i++)
        same &= kind->head[i] == '*' || kind->head[i] == text[i];
    return same;
}

sluice_status sluice_run_file_path(const char *folder, const char *name, char *path, size_t size)
{
    const int length = snprintf(path, size, "%s/%s", folder, name);
    SLUICE_CHECK(length >= 0 && (size_t)length < size, SLUICE_IO,
                 "%s: the path is too long; use a shorter one", folder);
    return SLUICE_OK;
}

static int join(char path[PATH_SIZE], const char *folder, const char *name)
{
    return sluice_run_file_path(folder, name, path, PATH_SIZE) == SLUICE_OK;
}

static int is_regular(const char *path)
{
    struct stat file;
    return lstat(path, &file) == 0 && S_ISREG(file.st_mode);
}

/* The name alone tells: nobody else makes names that end in a run's file, eight digits and .tmp. */
int sluice_run_file_is_temporary(const char *folder, const char *name)
{
    char path[PATH_SIZE];
    const size_t final = sluice_safe_file_final_length(name);
    return final > 0 && kind_of(name, final) && join(path, folder, name) && is_regular(path);
}

int sluice_run_file_is_ours(const char *folder, const char *name)
{
    char path[PATH_SIZE];
    if (sluice_run_file_is_temporary(folder, name))
        return 1;
    if (!kind_of(name, strlen(name)) || !join(path, folder, name) || !is_regular(path))
        return 0;
    const int file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    const int ours = file >= 0 && sluice_run_file_begins_so(file, name);
    if (file >= 0)
        close(file);
    return ours;
}

sluice_status sluice_run_files_remove_temporaries(const char *folder)
{
    DIR *directory = opendir(folder);
    SLUICE_CHECK(directory, SLUICE_IO, "%s cannot be listed: %s", folder, strerror(errno));
    sluice_status status = SLUICE_OK;
    for (struct dirent *entry; status == SLUICE_OK && (entry = readdir(directory));) {
        char path[PATH_SIZE];
        if (sluice_run_file_is_temporary(folder, entry->d_name) &&
            join(path, folder, entry->d_name) && unlink(path) != 0 && errno != ENOENT)
            status = SLUICE_FAIL(SLUICE_IO, "%s cannot be removed: %s", path, strerror(errno));
    }
    closedir(directory);
    return status;
}

/* --- Numbered files --- */

/* PREFIX000123.hdf */
static void numbered_name(const struct sluice_numbered_files *files, int64_t number, char name[64])
{
    snprintf(name, 64, "%s%0*lld.hdf", files->prefix, files->digits, (long long)number);
}

sluice_status sluice_numbered_path(const struct sluice_numbered_files *files, const char *folder,
                                   int64_t number, char *path, size_t size)
{
    char name[64];
    numbered_name(files, number, name);
    return sluice_run_file_path(folder, name, path, size);
}

/* The number in such a name; -1: another file. */
static int64_t number_of(const struct sluice_numbered_files *files, const char *name)
{
    char again[64];
    const size_t prefix = strlen(files->prefix);
    if (strncmp(name, files->prefix, prefix) != 0)
        return -1;
    const long long number = strtoll(name + prefix, NULL, 10);
    numbered_name(files, number, again);
    return number >= 0 && strcmp(name, again) == 0 ? (int64_t)number : -1;
}

static int ascending(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

sluice_status sluice_numbered_list(const struct sluice_numbered_files *files, const char *folder,
                                   int64_t **number, int64_t *count)
{
    int64_t capacity = 64;
    DIR *directory = opendir(folder);
    *count = 0;
    *number = NULL;
    SLUICE_CHECK(directory, SLUICE_IO, "%s: cannot be opened: %s", folder, strerror(errno));
    *number = malloc((size_t)capacity * sizeof **number);
    for (const struct dirent *entry; *number && (entry = readdir(directory));) {
        const int64_t found = number_of(files, entry->d_name);
        if (found < 0)
            continue;
        (*number)[(*count)++] = found;
        if (*count == capacity) {
            int64_t *larger = realloc(*number, (size_t)(capacity *= 2) * sizeof *larger);
            if (!larger)
                free(*number);
            *number = larger;
        }
    }
    closedir(directory);
    SLUICE_CHECK(*number, SLUICE_DEVICE, "%s: no memory to list its files %s*.hdf", folder,
                 files->prefix);
    qsort(*number, (size_t)*count, sizeof **number, ascending);
    return SLUICE_OK;
}

sluice_status sluice_run_files_allow(int tables)
{
    enum { OTHERS = 128 }; /* libraries, threads, other files */
    struct rlimit limit;
    const rlim_t wanted = (rlim_t)tables + OTHERS;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= wanted)
        return SLUICE_OK;
    SLUICE_CHECK(limit.rlim_max == RLIM_INFINITY || limit.rlim_max >= wanted, SLUICE_IO,
                 "%d tables of probes and bodies need as many open files, but the system allows "
                 "%llu: raise its limit (ulimit -Hn), or take fewer bodies",
                 tables, (unsigned long long)limit.rlim_max);
    limit.rlim_cur = wanted;
    SLUICE_CHECK(setrlimit(RLIMIT_NOFILE, &limit) == 0, SLUICE_IO, "more open files: %s",
                 strerror(errno));
    return SLUICE_OK;
}
