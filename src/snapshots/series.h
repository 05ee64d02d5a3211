/* run.hdf.series: which snapshots a run has and their times; the file that ParaView is given. JSON,
 * rewritten whole each time. */
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

/* Opens the series of a run: the file's entries, or none when there is no file. Errors: not a
 * series file, memory. */
sluice_status sluice_series_open(struct sluice_series *series, const char *run_dir);
void sluice_series_close(struct sluice_series *series);

/* Adds a snapshot that stands on the disk, and rewrites the file. */
sluice_status sluice_series_append(struct sluice_series *series, const char *name, double time);

/* Where a restart goes on. */
struct sluice_series_from {
    int64_t step; /* of the checkpoint */
    int64_t next; /* number of the snapshot that comes next */
};

/* In place of sluice_series_open, for a restart: makes the list anew, from the headers of the
 * snapshots in the folder, and rewrites the file. Snapshots of later steps than the checkpoint are
 * removed. The log (NULL: none) says what was removed, which snapshots the list lacked, and which
 * are gone or cannot be read. Errors (SLUICE_IO): a file that this run did not write, and would
 * write over. */
sluice_status sluice_series_rebuild(struct sluice_series *series, const char *run_dir,
                                    const struct sluice_series_from *from, struct sluice_log *log);
#endif
