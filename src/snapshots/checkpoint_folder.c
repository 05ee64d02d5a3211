/* The checkpoints in a run's folder: finds the newest that is whole, and removes old ones. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "domain/comm.h"
#include "files/run_files.h"
#include "snapshots/checkpoint.h"

static const struct sluice_numbered_files checkpoint_files = {"checkpoint_", 9};

sluice_status sluice_checkpoint_path(char *path, size_t size, const char *run_dir, int64_t step)
{
    return sluice_numbered_path(&checkpoint_files, run_dir, step, path, size);
}

sluice_status sluice_checkpoint_prune(const char *run_dir, int64_t step, long long keep,
                                      int64_t *later)
{
    char path[4096];
    long long kept = 0;
    int64_t *found, count, after = 0;
    SLUICE_TRY(sluice_numbered_list(&checkpoint_files, run_dir, &found, &count));
    sluice_status status = SLUICE_OK;
    for (int64_t i = count - 1; i >= 0 && status == SLUICE_OK; i--) {
        if (found[i] <= step && kept < (keep < 1 ? 1 : keep)) {
            kept++;
            continue;
        }
        after += found[i] > step;
        status = sluice_checkpoint_path(path, sizeof path, run_dir, found[i]);
        if (status == SLUICE_OK && unlink(path) != 0 && errno != ENOENT)
            status = SLUICE_FAIL(SLUICE_IO, "%s: cannot be removed: %s", path, strerror(errno));
    }
    free(found);
    if (later != NULL)
        *later = after;
    return status;
}

/* Collective: the numbers of the checkpoints that the first rank sees. */
static sluice_status list_checkpoints(const char *run_dir, int64_t **number, int64_t *count)
{
    struct sluice_comm *world = sluice_world();
    int64_t *found, here;
    void *first;
    size_t bytes;
    SLUICE_TRY(sluice_numbered_list(&checkpoint_files, run_dir, &found, &here));
    const sluice_status status = sluice_comm_gather(
        world, found, world->rank == 0 ? (size_t)here * sizeof *found : 0, 1, &first, &bytes);
    free(found);
    *number = first;
    *count = (int64_t)(bytes / sizeof *found);
    return status;
}

sluice_status sluice_checkpoint_open_newest(struct sluice_checkpoint **out, const char *run_dir,
                                            FILE *warnings)
{
    char path[4096];
    int64_t *found, count;
    *out = NULL;
    SLUICE_TRY(list_checkpoints(run_dir, &found, &count));
    sluice_status status = SLUICE_OK;
    for (int64_t i = count - 1; i >= 0 && *out == NULL; i--) {
        status = sluice_checkpoint_path(path, sizeof path, run_dir, found[i]);
        if (status == SLUICE_OK)
            status = sluice_checkpoint_open(out, path);
        if (status == SLUICE_DEVICE) /* without memory no file can be judged */
            break;
        if (status != SLUICE_OK && warnings != NULL)
            fprintf(warnings, "passed over: %s\n", sluice_message());
    }
    free(found);
    SLUICE_CHECK(status != SLUICE_DEVICE, status, "%s", sluice_message());
    SLUICE_CHECK(count > 0, SLUICE_IO,
                 "%s: has no checkpoint (checkpoint_*.hdf), so there is nothing to restart from; "
                 "'sluice run CONFIG --out %s --force' begins the run again",
                 run_dir, run_dir);
    SLUICE_CHECK(
        *out != NULL, SLUICE_IO,
        "%s: none of its %lld checkpoints is whole; the last reason: %s; 'sluice run CONFIG "
        "--out %s --force' begins the run again",
        run_dir, (long long)count, sluice_message(), run_dir);
    return SLUICE_OK;
}
