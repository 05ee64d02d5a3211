/* A host copy of the particles for output: the config's coordinates and physical quantities, in
 * double.
 *
 * Fluid first, then walls, each in the order of its copy. Files have them by id. Each of several
 * ranks has its own particles, or its slice of a file. */
#ifndef SLUICE_SNAPSHOTS_SNAPSHOT_PARTICLES_H
#define SLUICE_SNAPSHOTS_SNAPSHOT_PARTICLES_H
#include <stdint.h>

#include "backend/backend.h"
#include "domain/slices.h"
#include "kernels/types/gas_params.h"
#include "kernels/types/wcsph_params.h"
#include "grid/grid.h"
#include "particles/groups.h"
#include "snapshots/particle_copy.h"
#include "particles/particles.h"

struct sluice_lj_output; /* lj_output.h */

struct sluice_host_particles {
    int64_t count, capacity;
    int64_t type_count[SLUICE_TYPE_COUNT]; /* count is their sum */
    int dimension;
    int has_density;       /* 0 (Lennard-Jones): density and pressure are not set and not written */
    double (*x)[3];        /* m, config coordinates, domain.frame_shift taken off; z = 0 in 2-D */
    double (*velocity)[3]; /* m/s */
    double *density;       /* kg/m^3; a wall particle's own or extrapolated one */
    double *pressure;      /* Pa, from the equation of state */
    double *mass;          /* kg; kg/m in 2-D */
    double *energy;        /* of a gas: u, J/kg; else NULL */
    double *length;        /* of a gas: h, m; else NULL */
    sluice_id *id;
    uint8_t *type;                     /* enum sluice_type */
    uint8_t *phase;                    /* of fluid 1 or 2, of walls 0; NULL: there is one fluid */
    const struct sluice_lj_output *lj; /* borrowed; convert then fills the next two. NULL: none */
    double (*force)[3];                /* N, by all particles and the body forces; else NULL */
    double *potential;                 /* J, half of the energies of its pairs; else NULL */
    unsigned outputs;                  /* of effects that convert fills: particles/fields.h */
    double *output[SLUICE_EFFECT_OUTPUTS]; /* [n][columns]; NAN: of a set without it; NULL: none */
    int32_t *shape;                        /* number of the group; NULL: without groups */
    const struct sluice_groups *groups; /* which `shape` counts, borrowed; NULL: without groups */
    struct sluice_groups read;        /* owned: of a snapshot that was read, `groups` points here */
    struct sluice_particle_copy copy; /* of sluice_host_particles_collect */
    struct sluice_fetch spare[SLUICE_TYPE_COUNT]; /* of sluice_host_particles_slice */
    struct sluice_slice_scratch scratch;
    struct sluice_threads *team; /* borrowed; shares the work; NULL: the caller is alone */
};

/* Their arrays in a snapshot, in the order of the table in snapshot_particles.c. */
enum sluice_snapshot_array_number {
    SLUICE_ARRAY_POINTS,
    SLUICE_ARRAY_VELOCITY,
    SLUICE_ARRAY_MASS,
    SLUICE_ARRAY_PARTICLE_TYPE,
    SLUICE_ARRAY_PARTICLE_ID,
    SLUICE_ARRAY_DENSITY,
    SLUICE_ARRAY_PRESSURE,
    SLUICE_ARRAY_INTERNAL_ENERGY,
    SLUICE_ARRAY_LENGTH,
    SLUICE_ARRAY_PHASE,
    SLUICE_ARRAY_SHAPE,
    SLUICE_ARRAY_FORCE, /* from here on sluice_snapshot_read leaves them out */
    SLUICE_ARRAY_POTENTIAL,
    SLUICE_ARRAY_OUTPUTS, /* the first one of sluice_effect_outputs, which come last */
    SLUICE_SNAPSHOT_ARRAYS = SLUICE_ARRAY_OUTPUTS + SLUICE_EFFECT_OUTPUTS
};
#define SLUICE_ARRAY_BIT(name) (1u << SLUICE_ARRAY_##name)

/* Allocates memory for n particles; earlier contents are lost. A zeroed struct is a valid empty
 * one. Errors: memory. */
sluice_status sluice_host_particles_reserve(struct sluice_host_particles *p, int64_t n);
void sluice_host_particles_destroy(struct sluice_host_particles *p);

/* Converts a copy, its sets in order: the fluid comes first, or alone (for probes). `matter` gives
 * density and pressure (NULL: the model has none). Memory is kept from call to call. Walls without
 * a SCALAR field take their density from EOS, as the last force evaluation left it. Outputs of
 * effects whose fields are SCRATCH are as it left them, too. */
sluice_status sluice_host_particles_convert(struct sluice_host_particles *p,
                                            const struct sluice_particle_copy *copy,
                                            const struct sluice_matter *matter);

/* Collective: each rank gives away the particles of its copy, and gets those of its slice of a
 * file's rows, the sets one after the other, each in the order of the ids. Memory is kept from call
 * to call, and may change between `p` and the copy. Errors: memory. */
sluice_status sluice_host_particles_slice(struct sluice_host_particles *p,
                                          struct sluice_particle_copy *copy,
                                          struct sluice_comm *comm);

/* Takes a copy of the n sets, orders it by id and converts it; of several ranks, this one's own
 * particles. */
sluice_status sluice_host_particles_collect(struct sluice_host_particles *p,
                                            struct sluice_backend *b, const struct sluice_grid *g,
                                            struct sluice_set *const *sets, int n,
                                            const struct sluice_matter *matter);
#endif
