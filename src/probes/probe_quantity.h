/* The numbers that a point has, in the order of its columns:
 *
 *   pressure, velocity, density, energy, smoothing-length    that one; of a velocity its components
 *   all      density, pressure, velocity; of a gas density, pressure, energy, velocity and
 *            smoothing length
 *   a field of an effect    that one; WORD_x, WORD_y, ... of a vector, WORD_xx, WORD_yy, ... of a
 *            symmetric tensor
 *
 * Then comes its weight. */
#ifndef SLUICE_PROBES_PROBE_QUANTITY_H
#define SLUICE_PROBES_PROBE_QUANTITY_H
#include "config/config.h"
#include "probes/probe_near.h"

enum { SLUICE_PROBE_VALUES = 7 };
struct sluice_probe_value {
    char column[SLUICE_COLUMN_NAME];
    int quantity, component; /* not SLUICE_QUANTITY_ALL; of a vector or tensor, else 0 */
};
struct sluice_probe_values {
    int count;
    struct sluice_probe_value value[SLUICE_PROBE_VALUES];
};
void sluice_probe_values_list(struct sluice_probe_values *values,
                              const struct sluice_config *config, int quantity);
/* The columns of all quantities but outputs of effects; of an output, whose name `name` then has;
 * and of the weight. */
extern const struct sluice_column sluice_probe_quantities[], sluice_probe_weight[];
struct sluice_column sluice_probe_output_column(int output, char name[SLUICE_COLUMN_NAME]);

/* The output of an effect (particles/fields.h), as a set, that a quantity needs; 0: none. */
unsigned sluice_probe_output_of(int quantity);

/* A number of a particle, as its image has it. */
double sluice_probe_value_of(const struct sluice_probe_value *value,
                             const struct sluice_host_particles *p, int64_t particle,
                             const struct sluice_near_image *image);
#endif
