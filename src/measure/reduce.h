/* Reductions over time at each place, and the numbers that go into files: of one time, or reduced.
 *
 *   of a time   the columns of the fields, weight, valid (1 or 0)
 *   reduced     wet: the fraction of the times at which the place is valid; arrival: the first
 *               time at which it is valid or a column is above a value; of each column mean, rms,
 *               min, max over the valid times
 *
 * A number that does not exist is NAN: fields where a place is not valid, the arrival of what never
 * comes. */
#ifndef SLUICE_MEASURE_REDUCE_H
#define SLUICE_MEASURE_REDUCE_H
#include <stdint.h>

#include "measure/fields.h"

/* X(ID, word) */
#define SLUICE_REDUCTIONS(X) X(MEAN, "mean") X(RMS, "rms") X(MIN, "min") X(MAX, "max")
enum sluice_reduction_kind {
#define X(id, word) SLUICE_REDUCE_##id,
    SLUICE_REDUCTIONS(X)
#undef X
        SLUICE_REDUCTION_COUNT,
    SLUICE_REDUCE_ARRIVAL = SLUICE_REDUCTION_COUNT
};
#define SLUICE_REDUCTION_WORDS "mean|rms|min|max|arrival"

enum {
    SLUICE_LAYOUT_COLUMNS = SLUICE_MEASURE_COLUMNS * SLUICE_REDUCTION_COUNT + 2,
    SLUICE_LAYOUT_ARRAYS = SLUICE_MEASURE_FIELD_COUNT * SLUICE_REDUCTION_COUNT + 2
};

/* The columns beside those of fields: of a time, and reduced. */
extern const struct sluice_column sluice_measure_weight[], sluice_measure_wet[];

/* The numbers of a place in files. */
struct sluice_measure_layout {
    int columns, arrays;
    struct {
        char name[SLUICE_COLUMN_NAME];
    } column[SLUICE_LAYOUT_COLUMNS]; /* of CSV */
    struct sluice_layout_array {
        char name[40];
        const char *unit, *what;
        int first, components;
        int is_byte;               /* else float */
    } array[SLUICE_LAYOUT_ARRAYS]; /* of ParaView */
};

struct sluice_reduction_choice {
    unsigned reductions; /* bits 1 << enum sluice_reduction_kind; 0: none */
    int column;          /* arrival: above a value; -1: as soon as the place is valid */
    double above;
};

/* Reads "mean,max,arrival", and "pressure=1000" (NULL: none). Errors (SLUICE_BAD_INPUT): another
 * word; a column that is not measured. */
sluice_status sluice_reduction_choose(struct sluice_reduction_choice *choice, const char *words,
                                      const char *above,
                                      const struct sluice_measure_fields *fields);

void sluice_measure_layout_make(struct sluice_measure_layout *layout,
                                const struct sluice_measure_fields *fields,
                                const struct sluice_reduction_choice *choice);

/* The state of the reductions at each place. */
struct sluice_reduction {
    const struct sluice_measure_fields *fields;
    struct sluice_reduction_choice choice;
    int64_t places, times;
    int numbers; /* of a place */
    double *sum; /* [places][numbers] */
};
sluice_status sluice_reduction_create(struct sluice_reduction *r,
                                      const struct sluice_measure_fields *fields,
                                      const struct sluice_reduction_choice *choice, int64_t places);
void sluice_reduction_destroy(struct sluice_reduction *r);
/* Adds the numbers of a place (of a time's layout) at this time, s. */
void sluice_reduction_add(struct sluice_reduction *r, int64_t place, double time,
                          const double *row);
/* The numbers of a place in a reduced layout. */
void sluice_reduction_row(const struct sluice_reduction *r, int64_t place, double *row);
#endif
