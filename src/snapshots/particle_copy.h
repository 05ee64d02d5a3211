/* A host copy of the arrays that output needs, in the backend's form. A step waits only for this
 * copy; another thread converts it later (snapshot_particles.h). */
#ifndef SLUICE_SNAPSHOTS_PARTICLE_COPY_H
#define SLUICE_SNAPSHOTS_PARTICLE_COPY_H
#include "backend/backend.h"
#include "grid/grid.h"
#include "particles/particles.h"

struct gas_params;
struct wcsph_params;

/* The source of densities and pressures of particles: one of the two. */
struct sluice_matter {
    const struct wcsph_params *water;
    const struct gas_params *gas;
};

struct sluice_particle_copy {
    unsigned outputs; /* of effects, to be copied too: particles/fields.h */
    int forces;       /* copy ACCELERATION, too */
    int set_count;
    struct sluice_fetch set[SLUICE_TYPE_COUNT]; /* [set_count]; borrows the sets */
    struct sluice_grid grid;                    /* its geometry and `frame`; no neighbours */
};

/* Waits for the backend and copies positions, frames, velocities, ids and, if `densities`, SCALAR
 * (EOS of sets without it), SMOOTHING and the outputs of effects; of several ranks, this one's own
 * particles. A zeroed struct is a valid empty one; its memory is kept from call to call. Errors:
 * memory, device. */
sluice_status sluice_particle_copy_take(struct sluice_particle_copy *copy, struct sluice_backend *b,
                                        const struct sluice_grid *g, struct sluice_set *const *sets,
                                        int n, int densities);
void sluice_particle_copy_destroy(struct sluice_particle_copy *copy);
#endif
