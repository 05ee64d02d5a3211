/* Forces of the fluid on walls, obstacles and bodies, and their torques: sums in double, by id, of
 * what the last evaluation of the forces left in the field REACTION of the wall particles. Internal
 * to src/io. */
#ifndef SLUICE_PROBES_PROBE_FORCE_H
#define SLUICE_PROBES_PROBE_FORCE_H
#include "case/case.h"

struct sluice_forces;
enum { SLUICE_FORCE_VALUES = 6 };

/* For the probes of kind "force" of the case (borrowed); *out stays NULL where it has none. Errors:
 * memory. */
sluice_status sluice_forces_create(struct sluice_forces **out, const struct sluice_case *c);
void sluice_forces_destroy(struct sluice_forces **forces);

/* Measures those that are due, of all probes of the case. 3-D: force (N), torque (N m); 2-D, a
 * metre of depth: two components and one. Errors: memory, device. */
sluice_status sluice_forces_measure(struct sluice_forces *forces, struct sluice_backend *b,
                                    const struct sluice_grid *g, struct sluice_set *wall,
                                    const unsigned char *due);
const double *sluice_forces_values(const struct sluice_forces *forces, int probe);
#endif
