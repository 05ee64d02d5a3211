/* Particles to start from, out of a file: a table in CSV, or one of our own snapshots.
 *
 * CSV: a header line with the names of the columns, in any order, then a line a particle. Empty
 * lines and lines that begin with # are passed over.
 *
 *   id                  whole number up to 2^32 - 1, unique; without the column: 0, 1, 2 ... in
 *                       the file's order
 *   type                fluid or wall (or 0 or 1); default fluid
 *   x, y, z             m; z not in 2-D
 *   vx, vy, vz          m/s; default 0
 *   density | pressure  kg/m^3 | Pa, one of the two; default: at rest
 *   mass                kg (kg/m in 2-D); default: the case's
 *   phase               of fluid, 1 or 2: which of two fluids, default 1; ids of the second are
 *                       larger than those of the first
 *   shape               name of the group that it belongs to (particles/groups.h); default: none */
#ifndef SLUICE_CASE_PARTICLE_FILE_H
#define SLUICE_CASE_PARTICLE_FILE_H
#include <stdint.h>

#include "core/status.h"
#include "particles/groups.h"

struct sluice_particle_row {
    int64_t line; /* of the CSV file; index + 1 of a snapshot */
    uint32_t id;
    int32_t group; /* of the file's groups; -1: none */
    uint8_t type;  /* enum sluice_type */
    uint8_t phase; /* 2: of the second fluid */
    double x[3], velocity[3];
    double density, pressure,
        mass; /* as in the file; meaningless where the file has no such column */
};

struct sluice_particle_file {
    struct sluice_particle_row *row; /* [count], by id */
    int64_t count;
    int has_density, has_pressure, has_mass, has_velocity, has_groups;
    struct sluice_groups groups; /* names and numbers of rows, no runs of ids */
    int is_snapshot;
    int units;      /* enum sluice_units of a snapshot; -1: the file does not say */
    double spacing; /* m, of a snapshot; 0: the file does not say */
};

/* Reads a file of either kind (a snapshot is told by its first bytes). Rows come sorted by id.
 * Errors, with file, line, column and value: no such file, an unknown, repeated or missing column,
 * a value that is no number or not finite, too many or too few values, an unknown type, a name of
 * fluid and of walls, an id twice, no particles. */
sluice_status sluice_particle_file_read(struct sluice_particle_file *file, const char *path,
                                        int dimension);
void sluice_particle_file_destroy(struct sluice_particle_file *file);

/* Puts a row into the group of this name. Errors: the name is of particles of another type; memory.
 */
sluice_status sluice_particle_file_name(struct sluice_particle_file *file, const char *path,
                                        struct sluice_particle_row *row, const char *name);

/* Errors: a value of a row that neither kind of file may have: not finite, not above 0, not in 2-D.
 */
sluice_status sluice_particle_file_check(const struct sluice_particle_file *file, const char *path,
                                         const struct sluice_particle_row *row, int dimension);

/* Errors (SLUICE_DEVICE): the machine has no room for so many particles of `bytes`. */
sluice_status sluice_particle_file_fits(const char *path, double particles, size_t bytes);

/* The rows of a snapshot, in the file's order; for sluice_particle_file_read. */
sluice_status sluice_particle_file_read_snapshot(struct sluice_particle_file *file,
                                                 const char *path, int dimension);
#endif
