/* The config of a run that goes on from its checkpoint. */
#include <math.h>
#include <string.h>

#include "snapshots/checkpoint.h"
#include "sim/run.h"

/* Whether a restart may change the key of "path=value". */
static int may_change(const char *set)
{
    static const char *const allowed[] = {
        "time.end=",        "time.max_steps=", "output.",
        "backend.threads=", "backend.device=", "backend.share_devices="};
    for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++)
        if (strncmp(set, allowed[i], strlen(allowed[i])) == 0)
            return 1;
    return 0;
}

/* Refuses an end that the run has already passed. */
static sluice_status check_ends(const struct sluice_checkpoint *checkpoint,
                                const struct sluice_config *config, const char *const *set,
                                int set_count)
{
    double time, dt;
    int64_t step;
    SLUICE_TRY(sluice_checkpoint_reals(checkpoint, "Time", &time, 1));
    SLUICE_TRY(sluice_checkpoint_reals(checkpoint, "TimeStep", &dt, 1));
    SLUICE_TRY(sluice_checkpoint_ints(checkpoint, "Step", &step, 1));
    for (int i = 0; i < set_count; i++) {
        SLUICE_CHECK(strncmp(set[i], "time.end=", 9) != 0 || config->time.end > time - dt,
                     SLUICE_BAD_INPUT,
                     "--set %s: the run has passed that, its checkpoint is of t = %.9g s; give a "
                     "later time",
                     set[i], time);
        SLUICE_CHECK(strncmp(set[i], "time.max_steps=", 15) != 0 || config->time.max_steps == 0 ||
                         config->time.max_steps >= step,
                     SLUICE_BAD_INPUT,
                     "--set %s: the run has passed that, its checkpoint is of step %lld; give a "
                     "larger number, or 0 for no limit",
                     set[i], (long long)step);
    }
    return SLUICE_OK;
}

sluice_status sluice_run_read_config(const char *folder, const char *const *set, int set_count,
                                     struct sluice_config *config, FILE *errors)
{
    struct sluice_checkpoint *checkpoint = NULL;
    for (int i = 0; i < set_count; i++)
        SLUICE_CHECK(may_change(set[i]), SLUICE_BAD_INPUT,
                     "--set %s: a restart goes on to the same bits, so only time.end, "
                     "time.max_steps, output.*, backend.threads, backend.device and "
                     "backend.share_devices may change; start a new run for the rest",
                     set[i]);
    SLUICE_TRY(sluice_checkpoint_open_newest(&checkpoint, folder, NULL));
    sluice_status status = sluice_config_parse(config, sluice_checkpoint_config(checkpoint),
                                               "the checkpoint's config", set, set_count, errors);
    if (status == SLUICE_OK) {
        status = check_ends(checkpoint, config, set, set_count);
        if (status != SLUICE_OK)
            sluice_config_destroy(config);
    }
    sluice_checkpoint_close(&checkpoint);
    return status;
}
