/* run.hdf.series: the snapshots of a run and their times, for ParaView. JSON, rewritten whole each
 * time. */
#ifndef SLUICE_SNAPSHOTS_SERIES_H
#define SLUICE_SNAPSHOTS_SERIES_H
#include <stddef.h>
#include <stdint.h>

#include "core/log.h"
#include "core/status.h"

struct sluice_series {
    char *run_dir;
    int64_t count, capacity;
    struct sluice_series_entry {
        char name[64]; /* of the file, without the folder */
        double time;   /* s */
    } * entry;
};

/* Opens the series of a run; without a file it is empty. Errors: not a series file, memory. */
sluice_status sluice_series_open(struct sluice_series *series, const char *run_dir);
void sluice_series_close(struct sluice_series *series);

/* Adds a snapshot that is on the disk, and rewrites the file. */
sluice_status sluice_series_append(struct sluice_series *series, const char *name, double time);

/* The checkpoint that a restart continues from. */
struct sluice_series_from {
    int64_t step; /* of the checkpoint */
    int64_t next; /* number of the next snapshot */
};

/* In place of sluice_series_open, for a restart: makes the list again from the headers of the
 * snapshots in the folder, and rewrites the file. Removes snapshots of later steps than the
 * checkpoint. The log (NULL: none) names those that are removed, that the old list lacked, and that
 * are missing or cannot be read. Errors (SLUICE_IO): the run would write over a file that is not
 * its own. */
sluice_status sluice_series_rebuild(struct sluice_series *series, const char *run_dir,
                                    const struct sluice_series_from *from, struct sluice_log *log);
#endif
