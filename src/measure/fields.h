/* The fields that can be measured, and the numbers that those chosen have at a place. */
#ifndef SLUICE_MEASURE_FIELDS_H
#define SLUICE_MEASURE_FIELDS_H
#include <stddef.h>

#include "config/config.h"
#include "files/columns.h"
#include "snapshots/snapshot_particles.h"

/* X(ID, name, columns, unit, models that have it, what it is). */
#define SLUICE_MEASURE_FIELDS(X)                                                                   \
    X(VELOCITY, "Velocity", "v*", "m/s", ANY, "velocity")                                          \
    X(SPEED, "Speed", "speed", "m/s", ANY, "length of the interpolated velocity")                  \
    X(PRESSURE, "Pressure", "pressure", "Pa", WATER | GAS, "pressure")                             \
    X(DENSITY, "Density", "density", "kg/m^3", WATER | GAS, "density")                             \
    X(ENERGY, "InternalEnergy", "energy", "J/kg", GAS, "specific internal energy")                 \
    X(LENGTH, "SmoothingLength", "smoothing_length", "m", GAS, "smoothing length")                 \
    X(PHASE, "Phase", "phase", "1", TWO, "1 in the first fluid, 2 in the second")                  \
    X(NUMBER, "NumberDensity", "number_density", "1/m^3", ATOMS, "particles in a volume")

/* The words of --fields. */
#define SLUICE_MEASURE_FIELD_WORDS                                                                 \
    "Velocity|Speed|Pressure|Density|InternalEnergy|SmoothingLength|Phase|NumberDensity"

enum sluice_measure_field {
#define X(id, name, column, unit, models, what) SLUICE_MEASURE_##id,
    SLUICE_MEASURE_FIELDS(X)
#undef X
        SLUICE_MEASURE_FIELD_COUNT
};

enum { SLUICE_MEASURE_COLUMNS = 12 };

/* A field in files: one array of ParaView, one or several columns of CSV. */
struct sluice_measure_array {
    const char *name, *unit, *what;
    int first, components; /* columns */
};

/* The columns of all fields; the list ends as others do. */
extern const struct sluice_column sluice_measure_columns[SLUICE_MEASURE_FIELD_COUNT + 1];

/* The chosen fields. A column is a number at a place. */
struct sluice_measure_fields {
    int dimension, arrays, columns;
    struct sluice_measure_array array[SLUICE_MEASURE_FIELD_COUNT];
    char column[SLUICE_MEASURE_COLUMNS][SLUICE_COLUMN_NAME]; /* as in the tables of probes */
    int sums;                                                /* numbers of a particle */
    struct sluice_measure_sum {
        size_t member; /* offset of the array in struct sluice_host_particles */
        int component; /* of a vector; -1: one number; -2: a byte */
    } sum[SLUICE_MEASURE_COLUMNS];
    int from_sum[SLUICE_MEASURE_COLUMNS]; /* sum of a column; -1: speed; -2: number density */
    int velocity;                         /* first sum of the velocity; -1: not needed */
    unsigned reads;                       /* SLUICE_ARRAY_BIT(...) of a snapshot */
};

/* Chooses fields by name ("Pressure,Velocity", in any case of letters), or those that the model
 * has by default (NULL). Errors (SLUICE_BAD_INPUT): an unknown name, one that the model lacks, or
 * one that stands twice. */
sluice_status sluice_measure_fields_choose(struct sluice_measure_fields *fields, const char *names,
                                           const struct sluice_config *config);

/* The column of a name: "pressure", "vx", or of a field of one number "Pressure"; -1: none. */
int sluice_measure_column(const struct sluice_measure_fields *fields, const char *name);

/* Number k of particle i; `sign` of a vector's components, in an image. */
double sluice_measure_sum_of(const struct sluice_measure_fields *fields, int k,
                             const struct sluice_host_particles *p, int64_t i,
                             const double sign[3]);

/* The columns at a place from sums and weights (measure/search.h). `number`: particles in a volume
 * for each weight of 1. */
void sluice_measure_columns_from(const struct sluice_measure_fields *fields, const double *sums,
                                 const double weight[2], double number, double *column);
#endif
