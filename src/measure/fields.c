#include "measure/fields.h"

#include <math.h>
#include <string.h>
#include <strings.h>

#include "core/nearest_word.h"
#include "snapshots/snapshot.h"

enum { WATER = 1, GAS = 2, ATOMS = 4, TWO = 8, ANY = WATER | GAS | ATOMS };
enum { ONE_NUMBER = -1, ONE_BYTE = -2, FROM_SPEED = -1, FROM_WEIGHT = -2 };

static const struct field {
    const char *name, *unit;
    int models;
    const char *what;
} all[SLUICE_MEASURE_FIELD_COUNT] = {
#define X(id, name, column, unit, models, what) {name, unit, models, what},
    SLUICE_MEASURE_FIELDS(X)
#undef X
};

const struct sluice_column sluice_measure_columns[SLUICE_MEASURE_FIELD_COUNT + 1] = {
#define X(id, name, column, unit, models, what) {column, NULL, unit, what},
    SLUICE_MEASURE_FIELDS(X)
#undef X
};

#define MEMBER(name) offsetof(struct sluice_host_particles, name)

/* Where fields of one number come from. */
static const struct {
    size_t member;
    int component;
    unsigned reads;
} scalars[SLUICE_MEASURE_FIELD_COUNT] = {
    [SLUICE_MEASURE_PRESSURE] = {MEMBER(pressure), ONE_NUMBER, SLUICE_ARRAY_BIT(PRESSURE)},
    [SLUICE_MEASURE_DENSITY] = {MEMBER(density), ONE_NUMBER, SLUICE_ARRAY_BIT(DENSITY)},
    [SLUICE_MEASURE_ENERGY] = {MEMBER(energy), ONE_NUMBER, SLUICE_ARRAY_BIT(INTERNAL_ENERGY)},
    [SLUICE_MEASURE_LENGTH] = {MEMBER(length), ONE_NUMBER, SLUICE_ARRAY_BIT(LENGTH)},
    [SLUICE_MEASURE_PHASE] = {MEMBER(phase), ONE_BYTE, SLUICE_ARRAY_BIT(PHASE)},
};

static int models_of(const struct sluice_config *config)
{
    return config->model == SLUICE_MODEL_LJ    ? ATOMS
           : config->model == SLUICE_MODEL_GAS ? GAS
           : config->two_fluids.used           ? WATER | TWO
                                               : WATER;
}

static int add_sum(struct sluice_measure_fields *f, size_t member, int component)
{
    f->sum[f->sums] = (struct sluice_measure_sum){member, component};
    return f->sums++;
}

/* The sums of the velocity, made once. */
static void need_velocity(struct sluice_measure_fields *f)
{
    if (f->velocity >= 0)
        return;
    f->velocity = f->sums;
    f->reads |= SLUICE_ARRAY_BIT(VELOCITY);
    for (int c = 0; c < f->dimension; c++)
        add_sum(f, MEMBER(velocity), c);
}

/* Column `component` of a field. */
static void add_column(struct sluice_measure_fields *f, int field, int component, int from)
{
    sluice_column_name(&sluice_measure_columns[field], f->dimension, component,
                       f->column[f->columns]);
    f->from_sum[f->columns++] = from;
}

static void add_field(struct sluice_measure_fields *f, int field)
{
    struct sluice_measure_array *array = &f->array[f->arrays++];
    *array = (struct sluice_measure_array){all[field].name, all[field].unit, all[field].what,
                                           f->columns, 1};
    if (field == SLUICE_MEASURE_VELOCITY || field == SLUICE_MEASURE_SPEED)
        need_velocity(f);
    if (field == SLUICE_MEASURE_VELOCITY) {
        array->components = f->dimension;
        for (int c = 0; c < f->dimension; c++)
            add_column(f, field, c, f->velocity + c);
    } else if (field == SLUICE_MEASURE_SPEED) {
        add_column(f, field, 0, FROM_SPEED);
    } else if (field == SLUICE_MEASURE_NUMBER) {
        add_column(f, field, 0, FROM_WEIGHT);
    } else {
        f->reads |= scalars[field].reads;
        add_column(f, field, 0, add_sum(f, scalars[field].member, scalars[field].component));
    }
}

/* "Velocity, Pressure and so on" of the fields that the models have. */
static void list_fields(int models, char *text, size_t size)
{
    size_t used = 0;
    text[0] = 0;
    for (int k = 0; k < SLUICE_MEASURE_FIELD_COUNT && used < size; k++)
        if (all[k].models & models)
            used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "",
                                     all[k].name);
}

static sluice_status find_field(const char *name, int models, int *field)
{
    char list[256];
    const char *names[SLUICE_MEASURE_FIELD_COUNT], *nearest;
    list_fields(models, list, sizeof list);
    for (*field = 0; *field < SLUICE_MEASURE_FIELD_COUNT; ++*field) {
        names[*field] = all[*field].name;
        if (strcasecmp(name, all[*field].name) == 0)
            break;
    }
    if (*field == SLUICE_MEASURE_FIELD_COUNT) {
        const int near = sluice_nearest_word(name, names, SLUICE_MEASURE_FIELD_COUNT, &nearest);
        return SLUICE_FAIL(SLUICE_BAD_INPUT, "--fields %s: there is no such field%s%s%s %s", name,
                           near ? ": did you mean '" : "", near ? nearest : "",
                           near ? "'? This run has" : "; this run has", list);
    }
    SLUICE_CHECK(all[*field].models & models, SLUICE_BAD_INPUT,
                 "--fields %s: this run has no such field; it has %s", name, list);
    return SLUICE_OK;
}

static sluice_status add_named(struct sluice_measure_fields *f, char *names, int models)
{
    unsigned chosen = 0;
    for (char *rest = names, *name; (name = strsep(&rest, ","));) {
        int field;
        SLUICE_TRY(find_field(name, models, &field));
        SLUICE_CHECK(!(chosen >> field & 1), SLUICE_BAD_INPUT, "--fields: %s stands there twice",
                     all[field].name);
        chosen |= 1u << field;
        add_field(f, field);
    }
    return SLUICE_OK;
}

sluice_status sluice_measure_fields_choose(struct sluice_measure_fields *f, const char *names,
                                           const struct sluice_config *config)
{
    const int models = models_of(config);
    char text[256];
    *f = (struct sluice_measure_fields){.dimension = config->dimension, .velocity = -1};
    if (!names)
        names = models & ATOMS ? "Velocity,NumberDensity"
                : models & GAS ? "Density,Pressure,InternalEnergy,Velocity"
                : models & TWO ? "Pressure,Velocity,Phase"
                               : "Pressure,Velocity";
    const int length = snprintf(text, sizeof text, "%s", names);
    SLUICE_CHECK(length < (int)sizeof text, SLUICE_BAD_INPUT, "--fields: more than %d letters",
                 (int)sizeof text - 1);
    return add_named(f, text, models);
}

int sluice_measure_column(const struct sluice_measure_fields *f, const char *name)
{
    for (int c = 0; c < f->columns; c++)
        if (strcasecmp(name, f->column[c]) == 0)
            return c;
    for (int a = 0; a < f->arrays; a++)
        if (f->array[a].components == 1 && strcasecmp(name, f->array[a].name) == 0)
            return f->array[a].first;
    return -1;
}

double sluice_measure_sum_of(const struct sluice_measure_fields *f, int k,
                             const struct sluice_host_particles *p, int64_t i, const double sign[3])
{
    const struct sluice_measure_sum *sum = &f->sum[k];
    const void *array;
    memcpy(&array, (const char *)p + sum->member, sizeof array);
    if (sum->component == ONE_BYTE)
        return ((const uint8_t *)array)[i];
    if (sum->component == ONE_NUMBER)
        return ((const double *)array)[i];
    return sign[sum->component] * ((const double(*)[3])array)[i][sum->component];
}

void sluice_measure_columns_from(const struct sluice_measure_fields *f, const double *sums,
                                 const double weight[2], double number, double *column)
{
    for (int c = 0; c < f->columns; c++) {
        const int from = f->from_sum[c];
        double v2 = 0;
        if (from == FROM_WEIGHT) {
            column[c] = number * weight[0];
        } else if (from == FROM_SPEED) {
            for (int k = 0; k < f->dimension; k++)
                v2 += sums[f->velocity + k] * sums[f->velocity + k];
            column[c] = sqrt(v2) / weight[0];
        } else {
            column[c] = sums[from] / weight[0];
        }
    }
}
