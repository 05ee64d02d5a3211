/* The folder of a run: created with its parents, locked by one process at a time, cleared of an
 * earlier run on request. */
#ifndef SLUICE_APP_RUN_FOLDER_H
#define SLUICE_APP_RUN_FOLDER_H
#include "config/config.h"
#include "core/status.h"

struct sluice_run_folder {
    const char *path; /* borrowed */
    int lock;         /* descriptor of PATH/.lock; -1: not locked */
    int created;      /* this process created the folder */
};

/* Locks an existing folder. Errors (SLUICE_IO): it is missing, not a folder, or locked by another
 * process (with its number). */
sluice_status sluice_run_folder_lock(struct sluice_run_folder *folder, const char *path);

/* Creates the folder and its parents as needed, and locks it. */
sluice_status sluice_run_folder_create(struct sluice_run_folder *folder, const char *path);

/* Removes an earlier run's files: those with a run's file names and beginnings, and no others.
 * Errors (SLUICE_BAD_INPUT): without `force`, the folder holds results, or its config.cfg is the
 * config file of this run, config_path; in any case, it has a file of the user's that a run of this
 * config would overwrite. The config.cfg and log.txt of a run that failed at its start are no
 * results. */
sluice_status sluice_run_folder_clear(const struct sluice_run_folder *folder,
                                      const struct sluice_config *config, const char *config_path,
                                      int force);

/* Pictures and movies in the folder. The run leaves them: they may be of an earlier run, drawn by
 * the tools, or the user's. */
struct sluice_run_folder_pictures {
    int count;
    char names[1100]; /* of the first four */
};
sluice_status sluice_run_folder_pictures(const struct sluice_run_folder *folder,
                                         struct sluice_run_folder_pictures *pictures);

/* Unlocks. Removes the folder if this process created it and it is still empty. */
void sluice_run_folder_unlock(struct sluice_run_folder *folder);
#endif
