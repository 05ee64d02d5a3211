/* NAME.hdf.series: numbered files of a run and their times, for ParaView: run.hdf.series lists the
 * snapshots. JSON, rewritten whole each time. */
#ifndef SLUICE_SNAPSHOTS_SERIES_H
#define SLUICE_SNAPSHOTS_SERIES_H
#include <stdint.h>

#include "core/log.h"
#include "core/status.h"
#include "files/run_files.h"

/* The entries of a series. */
struct sluice_series_kind {
    const char *name;                          /* of the list: run.hdf.series */
    const struct sluice_numbered_files *files; /* that it lists */
    const char *one, *several;                 /* "snapshot", "snapshots" */
    /* The step and time (s) of a file. Errors: it cannot be read, is another program's. */
    sluice_status (*read_header)(const char *path, int64_t *step, double *time);
};

struct sluice_series {
    const struct sluice_series_kind *kind;
    char *run_dir;
    int64_t count, capacity;
    struct sluice_series_entry {
        char name[64]; /* of the file, without the folder */
        double time;   /* s */
    } * entry;
};

/* Opens the series of a run; without a file it is empty. Errors: not a series file, memory. */
sluice_status sluice_series_open(struct sluice_series *series,
                                 const struct sluice_series_kind *kind, const char *run_dir);
void sluice_series_close(struct sluice_series *series);

/* Adds a file that is on the disk, and rewrites the file. */
sluice_status sluice_series_append(struct sluice_series *series, const char *name, double time);

/* The checkpoint that a restart continues from. */
struct sluice_series_from {
    int64_t step; /* of the checkpoint */
    int64_t next; /* number of the next file */
};

/* In place of sluice_series_open, for a restart: makes the list again from the headers of the
 * files in the folder, and rewrites it. Removes files of later steps than the checkpoint. The log
 * (NULL: none) names those that are removed, that the old list lacked, and that are missing or
 * cannot be read. Errors (SLUICE_IO): the run would write over a file that is not its own. */
sluice_status sluice_series_rebuild(struct sluice_series *series,
                                    const struct sluice_series_kind *kind, const char *run_dir,
                                    const struct sluice_series_from *from, struct sluice_log *log);
#endif
