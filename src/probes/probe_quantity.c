#include "probes/probe_quantity.h"

#include <stdio.h>

/* suffix: of a component, "" of a number. */
static void add(struct sluice_probe_values *values, const char *column, const char *suffix,
                int quantity, int component)
{
    struct sluice_probe_value *value = &values->value[values->count++];
    *value = (struct sluice_probe_value){.quantity = quantity, .component = component};
    snprintf(value->column, sizeof value->column, "%s%s", column, suffix);
}

unsigned sluice_probe_output_of(int quantity)
{
    return quantity >= SLUICE_QUANTITY_OUTPUTS ? 1u << (quantity - SLUICE_QUANTITY_OUTPUTS) : 0;
}

/* The axes of a component of an output, -1: none. A component across the plane of a 2-D case is no
 * column. */
static const struct axes {
    int first, second;
    const char *suffix;
} vector[] = {{0, -1, "_x"}, {1, -1, "_y"}, {2, -1, "_z"}},
  tensor[] = {{0, 0, "_xx"}, {1, 1, "_yy"}, {2, 2, "_zz"},
              {0, 1, "_xy"}, {1, 2, "_yz"}, {0, 2, "_xz"}},
  number[] = {{-1, -1, ""}};

static const struct axes *axes_of(int output)
{
    const int columns = sluice_effect_output_columns(output);
    return columns == 6 ? tensor : columns == 3 ? vector : number;
}

static void add_output(struct sluice_probe_values *values, int dimension, int output)
{
    const struct axes *axes = axes_of(output);
    for (int c = 0; c < sluice_effect_output_columns(output); c++)
        if (axes[c].first < dimension && axes[c].second < dimension)
            add(values, sluice_effect_outputs[output].word, axes[c].suffix,
                SLUICE_QUANTITY_OUTPUTS + output, c);
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
    if (quantity >= SLUICE_QUANTITY_OUTPUTS)
        add_output(values, config->dimension, quantity - SLUICE_QUANTITY_OUTPUTS);
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        if (quantity != all[k].quantity && (quantity != SLUICE_QUANTITY_ALL ||
                                            (all[k].of_gas && config->model != SLUICE_MODEL_GAS)))
            continue;
        if (all[k].column)
            add(values, all[k].column, "", all[k].quantity, 0);
        for (int c = 0; !all[k].column && c < 3 && c < config->dimension; c++)
            add(values, velocity[c], "", all[k].quantity, c);
    }
}

/* A component of an output, as an image has it. */
static double output_of(const struct sluice_probe_value *value,
                        const struct sluice_host_particles *p, int64_t particle,
                        const struct sluice_near_image *image)
{
    const int output = value->quantity - SLUICE_QUANTITY_OUTPUTS;
    const struct axes *axes = &axes_of(output)[value->component];
    const double sign = (axes->first < 0 ? 1 : image->sign[axes->first]) *
                        (axes->second < 0 ? 1 : image->sign[axes->second]);
    return sign *
           p->output[output][sluice_effect_output_columns(output) * particle + value->component];
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
    case SLUICE_QUANTITY_PRESSURE:
        return p->pressure[particle];
    default:
        return output_of(value, p, particle, image);
    }
}
