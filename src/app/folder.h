/* The folder of a run: made with its parents, held by one process at a time, cleared of an earlier
 * run when asked. */
#ifndef SLUICE_APP_FOLDER_H
#define SLUICE_APP_FOLDER_H
#include "config/config.h"
#include "core/status.h"

struct sluice_folder {
    const char *path; /* borrowed */
    int lock;         /* descriptor of PATH/.lock; -1: not held */
    int created;      /* this process made the folder */
};

/* Holds an existing folder. Errors (SLUICE_IO): it is not there, is no folder, or is in use by
 * another process (its number). */
sluice_status sluice_folder_hold(struct sluice_folder *folder, const char *path);

/* Makes the folder and its parents where they are missing, and holds it. */
sluice_status sluice_folder_make(struct sluice_folder *folder, const char *path);

/* Refuses a folder with results in it (SLUICE_BAD_INPUT) unless `force`, which removes what an
 * earlier run wrote, and only that: files of its names that begin as its do. What a run left that
 * failed before its start (config.cfg and log.txt alone) is no result. Refuses, with or without
 * force, a folder with a file of the user's that a run of this config would write over; without,
 * one whose config.cfg is the config that is run, from config_path. */
sluice_status sluice_folder_clear(const struct sluice_folder *folder,
                                  const struct sluice_config *config, const char *config_path,
                                  int force);

/* Lets go. A folder that this process made and that is still empty is removed. */
void sluice_folder_release(struct sluice_folder *folder);
#endif
