#include "io/series.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/safe_file.h"

static const char series_name[] = "run.hdf.series";

static sluice_status path_of(const struct sluice_series *s, const char *name, char *path,
                             size_t size)
{
    const int length = snprintf(path, size, "%s/%s", s->run_dir, name);
    SLUICE_CHECK(length >= 0 && (size_t)length < size, SLUICE_IO,
                 "%s: the path is too long; use a shorter one", s->run_dir);
    return SLUICE_OK;
}

static sluice_status add_entry(struct sluice_series *s, const char *name, double time)
{
    if (s->count == s->capacity) {
        const int64_t capacity = 2 * s->capacity + 64;
        struct sluice_series_entry *larger = realloc(s->entry, (size_t)capacity * sizeof *larger);
        SLUICE_CHECK(larger != NULL, SLUICE_DEVICE, "no memory for %lld entries of %s",
                     (long long)capacity, series_name);
        s->entry = larger;
        s->capacity = capacity;
    }
    struct sluice_series_entry *e = &s->entry[s->count];
    const int length = snprintf(e->name, sizeof e->name, "%s", name);
    SLUICE_CHECK(length >= 0 && (size_t)length < sizeof e->name && strpbrk(name, "\"\\/") == NULL,
                 SLUICE_IO, "internal: '%s' is no name for an entry of %s", name, series_name);
    e->time = time;
    s->count++;
    return SLUICE_OK;
}

/* Reads what write_series writes: the head, and one entry a line. */
static sluice_status parse(struct sluice_series *s, const char *path, const char *text)
{
    SLUICE_CHECK(strstr(text, "\"file-series-version\"") != NULL, SLUICE_IO,
                 "%s: is no file series; move it away, or start in another folder", path);
    const char *at = strstr(text, "\"files\"");
    while (at != NULL && (at = strstr(at, "\"name\"")) != NULL) {
        char name[sizeof s->entry->name];
        double time;
        SLUICE_CHECK(sscanf(at, "\"name\" : \"%63[^\"]\" , \"time\" : %lf", name, &time) == 2,
                     SLUICE_IO, "%s: entry %lld is not as Sluice writes it", path,
                     (long long)s->count + 1);
        SLUICE_TRY(add_entry(s, name, time));
        at++;
    }
    return SLUICE_OK;
}

sluice_status sluice_series_open(struct sluice_series *s, const char *run_dir)
{
    char path[4096], *text;
    memset(s, 0, sizeof *s);
    s->run_dir = strdup(run_dir);
    SLUICE_CHECK(s->run_dir != NULL, SLUICE_DEVICE, "no memory for %s", series_name);
    sluice_status status = path_of(s, series_name, path, sizeof path);
    if (status == SLUICE_OK && access(path, F_OK) == 0) {
        status = sluice_safe_file_read(path, &text, NULL);
        if (status == SLUICE_OK) {
            status = parse(s, path, text);
            free(text);
        }
    }
    if (status != SLUICE_OK)
        sluice_series_close(s);
    return status;
}

void sluice_series_close(struct sluice_series *s)
{
    free(s->run_dir);
    free(s->entry);
    memset(s, 0, sizeof *s);
}

static sluice_status write_series(const struct sluice_series *s)
{
    char path[4096], *text = NULL;
    size_t bytes = 0;
    SLUICE_TRY(path_of(s, series_name, path, sizeof path));
    FILE *out = open_memstream(&text, &bytes);
    SLUICE_CHECK(out != NULL, SLUICE_DEVICE, "no memory to write %s", path);
    fprintf(out, "{\"file-series-version\" : \"1.0\", \"files\" : [");
    for (int64_t i = 0; i < s->count; i++)
        fprintf(out, "%s\n{\"name\" : \"%s\", \"time\" : %.17g}", i > 0 ? "," : "",
                s->entry[i].name, s->entry[i].time);
    fprintf(out, "\n]}\n");
    const int good = fclose(out) == 0;
    const sluice_status status = good ? sluice_safe_file_write(path, text, bytes)
                                      : SLUICE_FAIL(SLUICE_DEVICE, "no memory to write %s", path);
    free(text);
    return status;
}

sluice_status sluice_series_append(struct sluice_series *s, const char *name, double time)
{
    SLUICE_TRY(add_entry(s, name, time));
    return write_series(s);
}

static int is_named(const struct sluice_series *s, const char *name)
{
    for (int64_t i = 0; i < s->count; i++)
        if (strcmp(s->entry[i].name, name) == 0)
            return 1;
    return 0;
}

/* What a run makes and a cut leaves over: snapshots of the history that was left, and files that
 * were being written. */
static int is_left_over(const struct sluice_series *s, const char *name)
{
    const char *const ours[] = {"snap_",          "checkpoint_", "run.hdf.series.tmp",
                                "energy.csv.tmp", "probe_",      "config.cfg.tmp"};
    const size_t length = strlen(name);
    int known = 0;
    for (size_t i = 0; i < sizeof ours / sizeof ours[0]; i++)
        known |= strncmp(name, ours[i], strlen(ours[i])) == 0;
    if (known && length > 4 && strcmp(name + length - 4, ".tmp") == 0)
        return 1;

    char again[64];
    long long number;
    if (sscanf(name, "snap_%lld", &number) != 1 || number < 0)
        return 0;
    snprintf(again, sizeof again, "snap_%06lld.hdf", number);
    return strcmp(name, again) == 0 && !is_named(s, name);
}

static sluice_status remove_left_over(const struct sluice_series *s)
{
    DIR *folder = opendir(s->run_dir);
    SLUICE_CHECK(folder != NULL, SLUICE_IO, "%s: cannot be opened: %s", s->run_dir,
                 strerror(errno));
    sluice_status status = SLUICE_OK;
    const struct dirent *entry;
    while (status == SLUICE_OK && (entry = readdir(folder)) != NULL) {
        char path[4096];
        if (!is_left_over(s, entry->d_name))
            continue;
        status = path_of(s, entry->d_name, path, sizeof path);
        if (status == SLUICE_OK && unlink(path) != 0 && errno != ENOENT)
            status = SLUICE_FAIL(SLUICE_IO, "%s: cannot be removed: %s", path, strerror(errno));
    }
    closedir(folder);
    return status;
}

sluice_status sluice_series_cut(struct sluice_series *s, double time)
{
    int64_t kept = 0;
    while (kept < s->count && s->entry[kept].time <= time)
        kept++;
    s->count = kept;
    SLUICE_TRY(write_series(s)); /* first, so that it never names a file that is gone */
    return remove_left_over(s);
}
