/* Snapshots: VTKHDF UnstructuredGrid in HDF5, one vertex a particle, read by ParaView from 5.11 on.
 * docs/snapshots.md has the layout.
 *
 * A file has its name only when it is whole: it is written under a temporary name, synchronised
 * with the disk and renamed. */
#ifndef SLUICE_SNAPSHOTS_SNAPSHOT_H
#define SLUICE_SNAPSHOTS_SNAPSHOT_H
#include <stdint.h>

#include "case/case.h"
#include "snapshots/snapshot_particles.h"

/* One number with its name, for energies: an attribute of /Header. */
struct sluice_named_real {
    const char *name, *unit;
    double value;
};

/* What stands in /Header and /Config. All borrowed; texts may be NULL: then the attribute is left
 * out. */
struct sluice_snapshot_header {
    double time, dt; /* s; dt of the step that led here */
    int64_t step;
    int dimension;
    double low[3], high[3]; /* the domain, m */
    int periodic[3];
    double frame_width[3]; /* m */
    double spacing, smoothing_length, rho0, sound_speed, gravity[3];
    const char *kernel, *eos, *units;         /* "si" or "lj" */
    const struct sluice_named_real *energies; /* [energy_count] every term of the budget */
    int energy_count;
    uint64_t seed;
    const char *version, *revision, *compiler, *backend,
        *device; /* of the program and where it runs */
    int ranks;
    const char *config; /* the effective configuration, for /Config */
    int precision;      /* bytes of a real in the file, 4 or 8 */
    int compression;    /* gzip 0..9 of the arrays; the topology always has 1 */
    int threads;        /* that compress; 0: sluice_processors_most */
};

/* Fills what a case and a grid say: everything but time, step, energies, and the texts about the
 * program. */
void sluice_snapshot_describe(struct sluice_snapshot_header *header, const struct sluice_case *c,
                              const struct sluice_grid *g);

/* "run_dir/snap_000123.hdf". Errors: the path is too long. */
sluice_status sluice_snapshot_path(char *path, size_t size, const char *run_dir, int64_t number);

/* Writes one snapshot. Errors (SLUICE_IO): file, what the system says, bytes written; what stood
 * under the name before is whole. */
sluice_status sluice_snapshot_write(const char *path, const struct sluice_host_particles *p,
                                    const struct sluice_snapshot_header *header);

/* What a snapshot says of itself. */
struct sluice_snapshot_info {
    double time, dt; /* s */
    int64_t step;
    int dimension;
    double low[3], high[3]; /* m */
    int periodic[3];
    double spacing, rho0; /* m, kg/m^3 */
    char units[8];
};

/* Particles back from a snapshot or checkpoint of ours (the visible arrays, in the precision that
 * the file has). Makes room in `p`. Errors (SLUICE_IO): no such file, not HDF5, HDF5 of somebody
 * else, an array that is missing or of a wrong size. */
sluice_status sluice_snapshot_read(const char *path, struct sluice_host_particles *p,
                                   struct sluice_snapshot_info *info);

/* The header alone. Errors as those of sluice_snapshot_read. */
sluice_status sluice_snapshot_read_info(const char *path, struct sluice_snapshot_info *info);

/* The text of /Config; *text is malloc'ed, the caller frees it. */
sluice_status sluice_snapshot_read_config(const char *path, char **text);
#endif
