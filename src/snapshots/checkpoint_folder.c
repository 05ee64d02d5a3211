/* The checkpoints of a run's folder: which there are, which is the newest that is whole, which may
 * go. */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "snapshots/checkpoint.h"

struct steps {
    int64_t *step;
    size_t count, capacity;
};

sluice_status sluice_checkpoint_path(char *path, size_t size, const char *run_dir, int64_t step)
{
    const int length = snprintf(path, size, "%s/checkpoint_%09lld.hdf", run_dir, (long long)step);
    SLUICE_CHECK(length >= 0 && (size_t)length < size, SLUICE_IO,
                 "%s: the path is too long; use a shorter one", run_dir);
    return SLUICE_OK;
}

/* Step of a file name exactly as sluice_checkpoint_path makes it; -1: some other file. */
static int64_t step_of(const char *name)
{
    char again[64];
    long long step;
    if (sscanf(name, "checkpoint_%lld", &step) != 1 || step < 0)
        return -1;
    snprintf(again, sizeof again, "checkpoint_%09lld.hdf", step);
    return strcmp(name, again) == 0 ? (int64_t)step : -1;
}

static int newest_first(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? 1 : x > y ? -1 : 0;
}

/* Steps of all checkpoint files, the newest first; the caller frees list->step. */
static sluice_status list_steps(const char *run_dir, struct steps *list)
{
    memset(list, 0, sizeof *list);
    DIR *folder = opendir(run_dir);
    SLUICE_CHECK(folder != NULL, SLUICE_IO, "%s: cannot be opened: %s", run_dir, strerror(errno));
    const struct dirent *entry;
    while ((entry = readdir(folder)) != NULL) {
        const int64_t step = step_of(entry->d_name);
        if (step < 0)
            continue;
        if (list->count == list->capacity) {
            list->capacity = 2 * list->capacity + 16;
            int64_t *larger = realloc(list->step, list->capacity * sizeof *larger);
            if (larger == NULL) {
                free(list->step);
                closedir(folder);
                return SLUICE_FAIL(SLUICE_DEVICE, "%s: no memory to list its checkpoints", run_dir);
            }
            list->step = larger;
        }
        list->step[list->count++] = step;
    }
    closedir(folder);
    if (list->count > 0)
        qsort(list->step, list->count, sizeof *list->step, newest_first);
    return SLUICE_OK;
}

sluice_status sluice_checkpoint_prune(const char *run_dir, int64_t step, long long keep,
                                      int64_t *later)
{
    struct steps list;
    char path[4096];
    long long kept = 0;
    int64_t after = 0;
    SLUICE_TRY(list_steps(run_dir, &list));
    sluice_status status = SLUICE_OK;
    for (size_t i = 0; i < list.count && status == SLUICE_OK; i++) {
        if (list.step[i] <= step && kept < (keep < 1 ? 1 : keep)) {
            kept++;
            continue;
        }
        after += list.step[i] > step;
        status = sluice_checkpoint_path(path, sizeof path, run_dir, list.step[i]);
        if (status == SLUICE_OK && unlink(path) != 0 && errno != ENOENT)
            status = SLUICE_FAIL(SLUICE_IO, "%s: cannot be removed: %s", path, strerror(errno));
    }
    free(list.step);
    if (later != NULL)
        *later = after;
    return status;
}

sluice_status sluice_checkpoint_open_newest(struct sluice_checkpoint **out, const char *run_dir,
                                            FILE *warnings)
{
    struct steps list;
    char path[4096];
    *out = NULL;
    SLUICE_TRY(list_steps(run_dir, &list));
    sluice_status status = SLUICE_OK;
    for (size_t i = 0; i < list.count && *out == NULL; i++) {
        status = sluice_checkpoint_path(path, sizeof path, run_dir, list.step[i]);
        if (status == SLUICE_OK)
            status = sluice_checkpoint_open(out, path);
        if (status == SLUICE_DEVICE) /* without memory none can be judged */
            break;
        if (status != SLUICE_OK && warnings != NULL)
            fprintf(warnings, "passed over: %s\n", sluice_message());
    }
    free(list.step);
    SLUICE_CHECK(status != SLUICE_DEVICE, status, "%s", sluice_message());
    SLUICE_CHECK(list.count > 0, SLUICE_IO,
                 "%s: has no checkpoint (checkpoint_*.hdf), so there is nothing to restart from; "
                 "'sluice run CONFIG --out %s --force' begins the run again",
                 run_dir, run_dir);
    SLUICE_CHECK(
        *out != NULL, SLUICE_IO,
        "%s: none of its %zu checkpoints is whole; the last reason: %s; 'sluice run CONFIG "
        "--out %s --force' begins the run again",
        run_dir, list.count, sluice_message(), run_dir);
    return SLUICE_OK;
}
