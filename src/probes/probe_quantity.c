#include "probes/probe_quantity.h"

static void add(struct sluice_probe_values *values, const char *column, int quantity, int component)
{
    values->value[values->count++] = (struct sluice_probe_value){column, quantity, component};
}

void sluice_probe_values_list(struct sluice_probe_values *values,
                              const struct sluice_config *config, int quantity)
{
    static const char *const velocity[] = {"vx", "vy", "vz"};
    static const struct {
        int quantity, of_gas; /* 1: water has no such quantity */
        const char *column;
    } all[] = {{SLUICE_QUANTITY_DENSITY, 0, "density"},
               {SLUICE_QUANTITY_PRESSURE, 0, "pressure"},
               {SLUICE_QUANTITY_ENERGY, 1, "energy"},
               {SLUICE_QUANTITY_VELOCITY, 0, NULL},
               {SLUICE_QUANTITY_SMOOTHING, 1, "smoothing_length"}};
    values->count = 0;
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        if (quantity != all[k].quantity && (quantity != SLUICE_QUANTITY_ALL ||
                                            (all[k].of_gas && config->model != SLUICE_MODEL_GAS)))
            continue;
        if (all[k].column)
            add(values, all[k].column, all[k].quantity, 0);
        for (int c = 0; !all[k].column && c < 3 && c < config->dimension; c++)
            add(values, velocity[c], all[k].quantity, c);
    }
}

double sluice_probe_value_of(const struct sluice_probe_value *value,
                             const struct sluice_host_particles *p, int64_t particle,
                             const struct sluice_near_image *image)
{
    switch (value->quantity) {
    case SLUICE_QUANTITY_VELOCITY:
        return image->sign[value->component] * p->velocity[particle][value->component];
    case SLUICE_QUANTITY_DENSITY:
        return p->density[particle];
    case SLUICE_QUANTITY_ENERGY:
        return p->energy[particle];
    case SLUICE_QUANTITY_SMOOTHING:
        return p->length[particle];
    default:
        return p->pressure[particle];
    }
}
