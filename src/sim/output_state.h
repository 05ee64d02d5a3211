/* The state of a run's output: sim/output.h. */
#ifndef SLUICE_SIM_OUTPUT_STATE_H
#define SLUICE_SIM_OUTPUT_STATE_H
#include "snapshots/checkpoint.h"
#include "files/write_csv.h"
#include "probes/probe.h"
#include "snapshots/lj_output.h"
#include "snapshots/series.h"
#include "snapshots/snapshot.h"
#include "snapshots/snapshot_writer.h"
#include "sim/sim.h"

struct sluice_output {
    const char *folder;                    /* borrowed */
    struct sluice_log *log;                /* borrowed */
    struct sluice_snapshot_writer *writer; /* NULL: output.every = 0 */
    struct sluice_host_particles host;     /* the writer uses it while it has work */
    struct sluice_lj_output lj;            /* of host, with output.forces */
    struct sluice_threads *team;           /* of host, if a device computes; NULL: not made yet */
    struct sluice_host_particles probed;   /* the particles near probes */
    struct sluice_threads *probe_team;     /* of forces, if a device computes; NULL: not made */
    struct sluice_snapshot_header header;
    struct sluice_series series;
    struct sluice_csv energy, population;
    int probe_count;                   /* once they are made */
    struct sluice_probes *probes;      /* NULL: none */
    int table_count;                   /* probes, bodies, moorings, then effects */
    struct sluice_csv *table;          /* [table_count] */
    struct sluice_series body_series;  /* of the files of surfaces */
    int64_t *probe_next;               /* [probe count] the next row is due at probe_next every */
    unsigned char *probe_due;          /* [probe count] */
    int64_t body_next;                 /* the next row of each is due at body_next times this */
    int64_t snapshot_next;             /* the next snapshot is due at snapshot_next output.every */
    int64_t snapshot_number;           /* of the next file */
    int warned_of_disk;                /* the log has the warning of a slow disk */
    double max_residual, max_identity; /* largest absolute values so far */
    double checkpoint_wall;            /* sluice_seconds() of the last checkpoint */
    int64_t checkpoint_step;           /* its step; -1: none yet */
    int missing_tables;                /* number of those at the restart */
    char missing_table[256];           /* the first of them */
};

/* The first of several ranks alone writes tables and the series. */
static inline int sluice_output_writes(void)
{
    return sluice_world()->rank == 0;
}

/* output_tables.c. Opens the tables; one that is missing at a restart begins there, with a warning:
 * its earlier rows are lost. */
sluice_status sluice_output_open_tables(struct sluice_output *o, const struct sluice_sim *sim);

/* Writes the row of energy.csv. */
sluice_status sluice_output_write_energy(struct sluice_output *o, const struct sluice_sim *sim);

/* Writes the row of population.csv. */
sluice_status sluice_output_write_population(struct sluice_output *o, const struct sluice_sim *sim);

/* Writes the rows of the tables of bodies and moorings. */
sluice_status sluice_output_write_bodies(struct sluice_output *o, const struct sluice_sim *sim);

/* Writes the rows of the tables of effects; `ends` as in sluice_effect.tables.row. */
sluice_status sluice_output_write_effects(struct sluice_output *o, const struct sluice_sim *sim,
                                          int ends);

/* Tables are flushed with each snapshot, so that others can read them during the run and after it
 * was killed; to the disk before a checkpoint. */
sluice_status sluice_output_flush_tables(struct sluice_output *o, int to_disk);

/* Closes the tables. Errors: rows of one are lost. */
sluice_status sluice_output_close_tables(struct sluice_output *o);

/* restart_state.c. Writes the checkpoint; o->header and o->host are of this step. */
sluice_status sluice_state_write(const char *path, struct sluice_output *o, struct sluice_sim *sim);

/* Restores a simulation that was created, and the counters of an output that was created, from an
 * open checkpoint. */
sluice_status sluice_state_restore(struct sluice_output *o, struct sluice_sim *sim,
                                   struct sluice_checkpoint *checkpoint);
#endif
