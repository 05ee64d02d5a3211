/* A run's folder as measurements see it: its config, its snapshots and their times, and the
 * particles of one of them. The run may still be going on. */
#ifndef SLUICE_MEASURE_FINISHED_RUN_H
#define SLUICE_MEASURE_FINISHED_RUN_H
#include "case/case.h"
#include "measure/fields.h"
#include "measure/search.h"
#include "probes/probe_near.h"
#include "snapshots/snapshot.h"

struct sluice_finished_run {
    const char *folder; /* borrowed */
    struct sluice_config config;
    struct sluice_series series;           /* run.hdf.series: names and times */
    int kernel;                            /* enum sluice_kernel; of atoms Wendland C2 */
    double h;                              /* m; of a gas 0: each particle has its own */
    double low[3], high[3];                /* the domain of the config, m */
    struct sluice_snapshot_header header;  /* of the last snapshot that was loaded */
    struct sluice_host_particles particle; /* of it: the arrays that were asked for */
    struct sluice_grid_options grid;       /* of it: where images are */
};

/* Opens the folder of a run, and reads the config in its first snapshot. Errors: it is none
 * (SLUICE_IO), or it has no snapshot. A zeroed struct may be closed. */
sluice_status sluice_finished_run_open(struct sluice_finished_run *run, const char *folder);
void sluice_finished_run_close(struct sluice_finished_run *run);

/* The snapshots that a text asks for: "all", "last", or times and ranges of times "0.3,0.5:0.8"
 * (s), of times the nearest ones. *number is malloc'ed: indices of the series, ascending, each
 * once; the caller frees it. Warns of a range that goes beyond them by more than half of the
 * mean way between two. Errors (SLUICE_BAD_INPUT): no such text; a time that the snapshots do not
 * reach; a range without any, or that ends before it begins. */
sluice_status sluice_finished_run_choose(const struct sluice_finished_run *run, const char *text,
                                         int64_t **number, int64_t *count);

/* Which particles count. */
struct sluice_measure_choice {
    unsigned reads;    /* SLUICE_ARRAY_BIT(...) beside positions and masses */
    int with_walls;    /* walls too */
    const char *shape; /* the particles of this group alone; NULL: of all */
};

/* Reads a snapshot's particles: run->particle, header and grid are of it. Errors: those of
 * sluice_snapshot_read_part; an unknown group; walls without volume. */
sluice_status sluice_finished_run_read(struct sluice_finished_run *run, int64_t number,
                                       const struct sluice_measure_choice *choice);

/* Whether particle i counts: bits, 1 it does, 2 it is of a wall. */
enum { SLUICE_MEASURE_COUNTS = 1, SLUICE_MEASURE_IS_WALL = 2 };
struct sluice_measure_filter {
    const struct sluice_host_particles *p;
    int64_t fluid; /* the first ones of the file */
    int with_walls;
    int32_t group; /* -1: all */
};
sluice_status sluice_measure_filter_make(struct sluice_measure_filter *filter,
                                         const struct sluice_finished_run *run,
                                         const struct sluice_measure_choice *choice);
unsigned sluice_measure_filter_of(const struct sluice_measure_filter *filter, int64_t i);

/* Lists the particles just read, and their images, that places between low and high can meet.
 * *number: particles in a volume for a weight of 1 (of atoms); *lost: particles left out, since a
 * number of them is not finite. Errors: memory. */
sluice_status sluice_finished_run_list(const struct sluice_finished_run *run,
                                       const struct sluice_measure_filter *filter,
                                       const struct sluice_measure_fields *fields,
                                       const double low[3], const double high[3],
                                       struct sluice_search *search, double *number, int64_t *lost);
#endif
