#include "snapshots/series.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/allocate.h"
#include "files/run_files.h"
#include "files/safe_file.h"

enum { NAME_SIZE = 64, NAMES_SAID = 4 };

static sluice_status add_entry(struct sluice_series *s, const char *name, double time)
{
    SLUICE_GROW(s->entry, s->count, s->capacity, "entries of a series");
    struct sluice_series_entry *e = &s->entry[s->count];
    const int length = snprintf(e->name, sizeof e->name, "%s", name);
    SLUICE_CHECK(length >= 0 && (size_t)length < sizeof e->name && strpbrk(name, "\"\\/") == NULL,
                 SLUICE_IO,
                 "%s: '%s' cannot be listed: a name has at most %d letters, and no "
                 "quotes or slashes; move the list away, and it is made anew",
                 s->kind->name, name, (int)sizeof e->name - 1);
    e->time = time;
    s->count++;
    return SLUICE_OK;
}

/* Reads the text that write_series writes. */
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

static sluice_status begin(struct sluice_series *s, const struct sluice_series_kind *kind,
                           const char *run_dir)
{
    *s = (struct sluice_series){.kind = kind, .run_dir = strdup(run_dir)};
    SLUICE_CHECK(s->run_dir != NULL, SLUICE_DEVICE, "no memory for %s", kind->name);
    return SLUICE_OK;
}

sluice_status sluice_series_open(struct sluice_series *s, const struct sluice_series_kind *kind,
                                 const char *run_dir)
{
    char path[4096], *text = NULL;
    SLUICE_TRY(begin(s, kind, run_dir));
    sluice_status status = sluice_run_file_path(s->run_dir, kind->name, path, sizeof path);
    if (status == SLUICE_OK && access(path, F_OK) == 0)
        status = sluice_safe_file_read(path, &text, NULL);
    if (status == SLUICE_OK && text)
        status = parse(s, path, text);
    free(text);
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
    SLUICE_TRY(sluice_run_file_path(s->run_dir, s->kind->name, path, sizeof path));
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

/* --- Rebuilding --- */

/* Names of files for a message: the first few, and the last. */
struct names {
    int64_t count;
    char text[256], last[NAME_SIZE];
};

static void add_name(struct names *names, const char *name)
{
    const size_t used = strlen(names->text);
    if (names->count < NAMES_SAID)
        snprintf(names->text + used, sizeof names->text - used, "%s%s", used > 0 ? ", " : "", name);
    snprintf(names->last, sizeof names->last, "%s", name);
    names->count++;
}

/* "3 snapshots (a, b, c)" */
static const char *say_names(const struct sluice_series *s, const struct names *names, char *text,
                             size_t size)
{
    const int more = names->count > NAMES_SAID;
    snprintf(text, size, "%lld %s (%s%s%s)", (long long)names->count,
             names->count == 1 ? s->kind->one : s->kind->several, names->text, more ? ", ... " : "",
             more ? names->last : "");
    return text;
}

/* The files that a restart finds in the folder. */
struct found {
    int64_t *number;                       /* ascending */
    struct names later, unlisted, missing; /* than the checkpoint; in the old list; in the folder */
};

static const struct sluice_series_entry *find_entry(const struct sluice_series *s, const char *name)
{
    for (int64_t i = 0; i < s->count; i++)
        if (strcmp(s->entry[i].name, name) == 0)
            return &s->entry[i];
    return NULL;
}

/* Adds a file of the folder to the new list, or to those later than the checkpoint. One that
 * cannot be read stays as it is; that is an error if the run would write over it. */
static sluice_status list_file(struct sluice_series *list, struct found *found, int64_t number,
                               const struct sluice_series_from *from, struct sluice_log *log)
{
    const struct sluice_series_kind *kind = list->kind;
    char path[4096];
    int64_t step;
    double time;
    SLUICE_TRY(sluice_numbered_path(kind->files, list->run_dir, number, path, sizeof path));
    const char *name = strrchr(path, '/') + 1;
    const sluice_status status = kind->read_header(path, &step, &time);
    SLUICE_CHECK(status == SLUICE_OK || status == SLUICE_IO, status, "%s", sluice_message());
    if (status == SLUICE_OK && step > from->step) {
        add_name(&found->later, name);
        return SLUICE_OK;
    }
    if (number >= from->next)
        return status == SLUICE_OK
                   ? SLUICE_FAIL(SLUICE_IO,
                                 "%s: is of step %lld, which this run had no %s at, and the "
                                 "restart would write over it: move it away",
                                 path, (long long)step, kind->one)
                   : SLUICE_FAIL(SLUICE_IO, "%s; the restart would write over it: move it away",
                                 sluice_message());
    if (status == SLUICE_OK)
        return add_entry(list, name, time);
    sluice_log_warning(log, "%s; it is left as it is, and %s does not list it", sluice_message(),
                       kind->name);
    return SLUICE_OK;
}

/* Finds the files that the old list lacks, and those that the folder lacks. */
static void compare(const struct sluice_series *old, const struct sluice_series *list,
                    struct found *found)
{
    for (int64_t i = 0; i < list->count; i++)
        if (find_entry(old, list->entry[i].name) == NULL)
            add_name(&found->unlisted, list->entry[i].name);
    for (int64_t i = 0; i < old->count; i++) {
        char path[4096];
        if (sluice_run_file_path(old->run_dir, old->entry[i].name, path, sizeof path) ==
                SLUICE_OK &&
            access(path, F_OK) != 0 && errno == ENOENT)
            add_name(&found->missing, old->entry[i].name);
    }
}

static void say_found(const struct sluice_series *s, const struct found *found, int64_t step,
                      struct sluice_log *log)
{
    char text[512];
    if (found->unlisted.count > 0)
        sluice_log_warning(log, "%s not listed in %s: listed again, by the header",
                           say_names(s, &found->unlisted, text, sizeof text), s->kind->name);
    if (found->missing.count > 0)
        sluice_log_warning(log, "%s of %s cannot be found; the list goes on without",
                           say_names(s, &found->missing, text, sizeof text), s->kind->name);
    if (found->later.count > 0)
        sluice_log_line(log, "removed %s later than the checkpoint of step %lld",
                        say_names(s, &found->later, text, sizeof text), (long long)step);
}

static sluice_status remove_later(const struct sluice_series *s, const struct found *found)
{
    for (int64_t i = 0; i < found->later.count; i++) {
        char path[4096];
        SLUICE_TRY(
            sluice_numbered_path(s->kind->files, s->run_dir, found->number[i], path, sizeof path));
        SLUICE_CHECK(unlink(path) == 0 || errno == ENOENT, SLUICE_IO, "%s: cannot be removed: %s",
                     path, strerror(errno));
    }
    return SLUICE_OK;
}

/* Fills the new list; the numbers of later files come first in found->number. */
static sluice_status find_files(struct sluice_series *list, struct found *found,
                                const struct sluice_series_from *from, struct sluice_log *log)
{
    int64_t count;
    SLUICE_TRY(sluice_numbered_list(list->kind->files, list->run_dir, &found->number, &count));
    for (int64_t i = 0; i < count; i++) {
        const int64_t number = found->number[i], before = found->later.count;
        SLUICE_TRY(list_file(list, found, number, from, log));
        if (found->later.count > before)
            found->number[before] = number;
    }
    return SLUICE_OK;
}

/* Opens the old list. One that cannot be read counts as missing, unless it is the user's file. */
static sluice_status open_old(struct sluice_series *old, const struct sluice_series_kind *kind,
                              const char *run_dir, struct sluice_log *log)
{
    const sluice_status status = sluice_series_open(old, kind, run_dir);
    if (status != SLUICE_IO || !sluice_run_file_is_ours(run_dir, kind->name))
        return status;
    sluice_log_warning(log, "%s; the list is made anew", sluice_message());
    return SLUICE_OK;
}

sluice_status sluice_series_rebuild(struct sluice_series *s, const struct sluice_series_kind *kind,
                                    const char *run_dir, const struct sluice_series_from *from,
                                    struct sluice_log *log)
{
    struct sluice_series old;
    struct found found = {0};
    memset(s, 0, sizeof *s);
    SLUICE_TRY(open_old(&old, kind, run_dir, log));
    sluice_status status = begin(s, kind, run_dir);
    if (status == SLUICE_OK)
        status = find_files(s, &found, from, log);
    if (status == SLUICE_OK) {
        compare(&old, s, &found);
        say_found(s, &found, from->step, log);
        if (s->count > 0 || old.count > 0)
            status = write_series(s); /* first, so that it never names a file that is gone */
    }
    if (status == SLUICE_OK)
        status = remove_later(s, &found);
    free(found.number);
    sluice_series_close(&old);
    if (status != SLUICE_OK)
        sluice_series_close(s);
    return status;
}
