/* Particles to start from, read from a file: a CSV table, or a snapshot of this program.
 *
 * CSV: a header line with the names of the columns, in any order, then a line a particle. Empty
 * lines and lines that begin with # are skipped.
 *
 *   id                  whole number up to SLUICE_ID_MAX, unique; without the column: 0, 1, 2 ...
 *                       in the file's order
 *   type                fluid or wall (or 0 or 1); default fluid
 *   x, y, z             m; z not in 2-D
 *   vx, vy, vz          m/s; default 0
 *   density | pressure  kg/m^3 | Pa, one of the two; default: at rest
 *   pressure | energy   of a gas: Pa | u, J/kg, one of the two; default 0. A gas needs a density
 *   mass                kg (kg/m in 2-D); default: the case's; of a gas the density times dp^D
 *   phase               1 or 2: the fluid of a fluid particle, default 1
 *   shape               name of the particle's group (particles/groups.h); default: none */
#ifndef SLUICE_CASE_PARTICLE_FILE_H
#define SLUICE_CASE_PARTICLE_FILE_H
#include <stdint.h>

#include "core/status.h"
#include "particles/groups.h"

struct sluice_particle_row {
    int64_t line; /* of the CSV file; index + 1 of a snapshot */
    sluice_id id;
    int32_t group; /* of the file's groups; -1: none */
    uint8_t type;  /* enum sluice_type */
    uint8_t phase; /* 2: of the second fluid */
    double x[3], velocity[3];
    double density, pressure, energy, mass; /* 0 where the file has no such column */
};

struct sluice_particle_file {
    struct sluice_particle_row *row; /* [count], by id */
    int64_t count;
    int has_density, has_pressure, has_mass, has_velocity, has_groups;
    struct sluice_groups groups; /* names and numbers of rows */
    int is_snapshot;
    int units;      /* enum sluice_units of a snapshot; -1: the file does not say */
    double spacing; /* m, of a snapshot; 0: the file does not say */
};

/* Reads a file of either kind; the first bytes mark a snapshot. Rows come sorted by id. Errors,
 * with file, line, column and value: no such file, an unknown, repeated or missing column, a value
 * that is no number or not finite, too many or too few values, an unknown type, one name for fluid
 * and walls, an id twice, no particles, a gas without densities. */
sluice_status sluice_particle_file_read(struct sluice_particle_file *file, const char *path,
                                        int dimension, int is_gas);
void sluice_particle_file_destroy(struct sluice_particle_file *file);
#endif
