#include "probes/probe_quantity.h"

#include <stdio.h>

/* In the order of their columns. */
const struct sluice_column sluice_probe_quantities[] = {
    {"density", NULL, "kg/m^3", "density"},
    {"pressure", NULL, "Pa", "pressure"},
    {"energy", NULL, "J/kg", "internal energy of a gas"},
    {"v*", NULL, "m/s", "velocity"},
    {"smoothing_length", NULL, "m", "smoothing length of a gas"},
    {0}};
static const struct {
    int quantity, of_gas; /* 1: water has no such quantity */
} kinds[] = {{SLUICE_QUANTITY_DENSITY, 0},
             {SLUICE_QUANTITY_PRESSURE, 0},
             {SLUICE_QUANTITY_ENERGY, 1},
             {SLUICE_QUANTITY_VELOCITY, 0},
             {SLUICE_QUANTITY_SMOOTHING, 1}};

const struct sluice_column sluice_probe_weight[] = {
    {"weight", NULL, "1",
     "fraction of the kernel that lies in fluid: 1 inside the fluid, about 0.5 at a wall or the "
     "surface, 0 in air; where it is below 0.05, the values are written as 0"},
    {0}};

/* The numbers of a quantity, which has a column for each. */
static void add(struct sluice_probe_values *values, const struct sluice_column *column,
                int dimension, int quantity)
{
    for (int k = 0;; k++) {
        struct sluice_probe_value *value = &values->value[values->count];
        if (values->count == SLUICE_PROBE_VALUES ||
            !sluice_column_name(column, dimension, k, value->column))
            return;
        value->quantity = quantity;
        value->component = k;
        values->count++;
    }
}

unsigned sluice_probe_output_of(int quantity)
{
    return quantity >= SLUICE_QUANTITY_OUTPUTS ? 1u << (quantity - SLUICE_QUANTITY_OUTPUTS) : 0;
}

/* The axes of a component of an output, -1: none. */
static const struct axes {
    int first, second;
} vector[] = {{0, -1}, {1, -1}, {2, -1}},
  tensor[] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {0, 2}}, number[] = {{-1, -1}};

static const struct axes *axes_of(int output)
{
    const int columns = sluice_effect_output_columns(output);
    return columns == 6 ? tensor : columns == 3 ? vector : number;
}

static const struct {
    const char *sentence;
} outputs[] = {
#define EFFECT_OUTPUT(NAME, array, word, sentence, holds, key, value) {sentence},
#include "physics/effects.def"
};

struct sluice_column sluice_probe_output_column(int output, char name[SLUICE_COLUMN_NAME])
{
    const struct sluice_effect_output *of = &sluice_effect_outputs[output];
    const int columns = sluice_effect_output_columns(output);
    snprintf(name, SLUICE_COLUMN_NAME, "%s%s", of->word,
             columns == 6   ? "_**"
             : columns == 3 ? "_*"
                            : "");
    return (struct sluice_column){name, NULL, sluice_field_table[of->field].unit,
                                  outputs[output].sentence};
}

/* A component across the plane of a 2-D case is no column. */
static void add_output(struct sluice_probe_values *values, int dimension, int output)
{
    const struct axes *axes = axes_of(output);
    char name[SLUICE_COLUMN_NAME];
    const struct sluice_column column = sluice_probe_output_column(output, name);
    int n = 0;
    add(values, &column, dimension, SLUICE_QUANTITY_OUTPUTS + output);
    for (int c = 0; c < sluice_effect_output_columns(output); c++)
        if (axes[c].first < dimension && axes[c].second < dimension)
            values->value[n++].component = c;
}

void sluice_probe_values_list(struct sluice_probe_values *values,
                              const struct sluice_config *config, int quantity)
{
    const int all = quantity == SLUICE_QUANTITY_ALL, gas = config->model == SLUICE_MODEL_GAS;
    values->count = 0;
    if (quantity >= SLUICE_QUANTITY_OUTPUTS)
        add_output(values, config->dimension, quantity - SLUICE_QUANTITY_OUTPUTS);
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        if (quantity == kinds[k].quantity || (all && (gas || !kinds[k].of_gas)))
            add(values, &sluice_probe_quantities[k], config->dimension, kinds[k].quantity);
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
