/* The files that a run writes into its folder, and those that are measured of it later: their
 * names, and how they begin. A file of such a name that begins otherwise is the user's own. */
#ifndef SLUICE_FILES_RUN_FILES_H
#define SLUICE_FILES_RUN_FILES_H
#include <stddef.h>
#include <stdint.h>

#include "core/status.h"

enum sluice_run_file {
    SLUICE_RUN_FILE_NONE,     /* no file of a run has such a name */
    SLUICE_RUN_FILE_FIXED,    /* config.cfg, log.txt, energy.csv, run.hdf.series, bodies.hdf.series,
                                 walls.hdf, report.html, blow_up.csv */
    SLUICE_RUN_FILE_NUMBERED, /* snap_000001.hdf, bodies_000001.hdf, checkpoint_000000123.hdf */
    SLUICE_RUN_FILE_SURFACE,  /* surface_000001.hdf, solids_000001.hdf: made by sluice surface */
    SLUICE_RUN_FILE_SURFACES, /* surface.hdf.series */
    SLUICE_RUN_FILE_PROBE,    /* probe_NAME.csv */
    SLUICE_RUN_FILE_BODY,     /* body_NAME.csv */
    SLUICE_RUN_FILE_MOORING,  /* mooring_NAME.csv */
    SLUICE_RUN_FILE_OPENING,  /* opening_NAME.csv */
    SLUICE_RUN_FILE_MEASURED  /* measure_NAME.csv, .hdf, .hdf.series: of `sluice measure` */
};

/* The kind of a name without a folder. */
enum sluice_run_file sluice_run_file_kind(const char *name);

/* Whether an open file begins as a run's file of that name does. One that ends within its beginning
 * may have been cut off, and counts. */
int sluice_run_file_begins_so(int file, const char *name);

/* Whether FOLDER/NAME is a file that a run wrote, or the temporary file of one that was killed:
 * regular, no link, and it begins so. */
int sluice_run_file_is_ours(const char *folder, const char *name);

/* Whether FOLDER/NAME is the temporary file of a run that was killed. */
int sluice_run_file_is_temporary(const char *folder, const char *name);

/* Removes the temporary files that killed runs have left. */
sluice_status sluice_run_files_remove_temporaries(const char *folder);

/* Asks the system for a limit of this many open tables. Errors (SLUICE_IO): it has not enough. */
sluice_status sluice_run_files_allow(int tables);

/* FOLDER/NAME. Errors (SLUICE_IO): the path is too long. */
sluice_status sluice_run_file_path(const char *folder, const char *name, char *path, size_t size);

/* Files that are numbered: PREFIX, at least `digits` digits, ".hdf". */
struct sluice_numbered_files {
    const char *prefix;
    int digits;
};
/* FOLDER/PREFIX000123.hdf. Errors (SLUICE_IO): the path is too long. */
sluice_status sluice_numbered_path(const struct sluice_numbered_files *files, const char *folder,
                                   int64_t number, char *path, size_t size);
/* The numbers of those in a folder, ascending; *number is malloc'ed, the caller frees it. */
sluice_status sluice_numbered_list(const struct sluice_numbered_files *files, const char *folder,
                                   int64_t **number, int64_t *count);
#endif
