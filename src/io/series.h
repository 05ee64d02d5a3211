/* run.hdf.series: which snapshots a run has and their times; the file that ParaView is given. JSON,
 * rewritten whole each time. */
#ifndef SLUICE_IO_SERIES_H
#define SLUICE_IO_SERIES_H
#include <stddef.h>
#include <stdint.h>

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

/* For a restart at `time` (the checkpoint's own): cuts the entries after it, rewrites the file, and
 * removes every snapshot and half-written file (snap_*.hdf, *.tmp) of the folder that the series
 * does not name. */
sluice_status sluice_series_cut(struct sluice_series *series, double time);
#endif
