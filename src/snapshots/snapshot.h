/* Snapshots: VTKHDF UnstructuredGrid in HDF5, one vertex a particle, read by ParaView from 5.11 on.
 * docs/snapshots.md has the layout.
 *
 * A file has its name only when it is whole: it is written under a temporary name, synchronised
 * with the disk and renamed. Several ranks write one file together: shared_file.h. */
#ifndef SLUICE_SNAPSHOTS_SNAPSHOT_H
#define SLUICE_SNAPSHOTS_SNAPSHOT_H
#include <stddef.h>
#include <stdint.h>

#include "core/status.h"
#include "files/run_files.h"
#include "snapshots/series.h"
#include "snapshots/snapshot_bodies.h"
#include "snapshots/snapshot_particles.h"

/* One number with its name, for energies: an attribute of /Header. */
struct sluice_named_real {
    const char *name, *unit;
    double value;
};

/* The content of /Header and /Config. Everything is borrowed; a text may be NULL, its attribute is
 * left out then. Reading fills the members marked [r]. */
struct sluice_snapshot_header {
    double time, dt;         /* [r] s; dt of the step that led here */
    int64_t step, dimension; /* [r] */
    double low[3], high[3];  /* [r] the domain, m */
    int64_t periodic[3];     /* [r] */
    double frame_width[3];   /* m */
    double spacing, rho0;    /* [r] m, kg/m^3 */
    double smoothing_length, sound_speed, gravity[3];
    const char *units; /* [r] "si" or "lj" */
    const char *kernel, *eos;
    const struct sluice_named_real *energies; /* [energy_count] every term of the budget */
    int energy_count;
    const struct sluice_snapshot_body *body; /* [bodies] */
    int bodies;
    int64_t seed, ranks;
    const char *version, *revision, *compiler; /* of the program */
    const char *backend, *device;              /* where it runs */
    const char *config;                        /* the effective configuration, for /Config */
    int precision;   /* bytes of a real in the file, 4 or 8; not in the header */
    int compression; /* gzip 0..9 of the arrays; the topology always has 1 */
    int threads;     /* that compress; 0: sluice_processors_most */
};

/* run.hdf.series, the list of a run's snapshots. */
extern const struct sluice_series_kind sluice_snapshot_series;

/* "run_dir/snap_000123.hdf". Errors: the path is too long. */
extern const struct sluice_numbered_files sluice_snapshot_files;
sluice_status sluice_snapshot_path(char *path, size_t size, const char *run_dir, int64_t number);

/* Writes one snapshot. Collective: each rank has its slice (sluice_host_particles_slice).
 * Errors (SLUICE_IO) name the file, the system's reason and the bytes written;
 * an older file of the name stays whole. */
sluice_status sluice_snapshot_write(const char *path, const struct sluice_host_particles *p,
                                    const struct sluice_snapshot_header *header);

/* Reads the particles (without their STATE, outputs of effects, forces and potentials) and the
 * header of a snapshot or checkpoint, and allocates `p`. Errors (SLUICE_IO): no such file, not
 * HDF5, HDF5 of another program, an array that is missing or of a wrong size. */
sluice_status sluice_snapshot_read(const char *path, struct sluice_host_particles *p,
                                   struct sluice_snapshot_header *header);

/* Reads only the arrays of these bits that the file has, and with `fluid_only` only the fluid's
 * particles. The other arrays hold nothing. The header has the speed of sound, too. Errors as those
 * of sluice_snapshot_read. */
struct sluice_snapshot_part {
    unsigned arrays; /* SLUICE_ARRAY_BIT(...) */
    int fluid_only;
};
sluice_status sluice_snapshot_read_part(const char *path, const struct sluice_snapshot_part *part,
                                        struct sluice_host_particles *p,
                                        struct sluice_snapshot_header *header);

/* The text of /Config; the caller frees it. */
sluice_status sluice_snapshot_read_config(const char *path, char **text);

/* Reads the bodies alone, as sluice_snapshot_take_bodies. */
sluice_status sluice_snapshot_read_bodies(const char *path, struct sluice_snapshot_body **body,
                                          int *count);

/* Reads the header alone. Errors as those of sluice_snapshot_read. */
sluice_status sluice_snapshot_read_header(const char *path, struct sluice_snapshot_header *header);
#endif
