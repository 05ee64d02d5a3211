/* The places to measure at: points of a table, a line, a plane, a grid. A plane is a grid with one
 * layer. Places of a grid are numbered along x, then y, then z, and are made when they are needed.
 */
#ifndef SLUICE_MEASURE_PLACES_H
#define SLUICE_MEASURE_PLACES_H
#include <stdint.h>

#include "core/status.h"

enum sluice_places_kind { SLUICE_PLACES_POINTS, SLUICE_PLACES_LINE, SLUICE_PLACES_GRID };

struct sluice_places {
    int kind, dimension;
    int64_t count;
    double (*point)[3];        /* points: [count], m */
    double from[3], to[3];     /* line: both ends included */
    int64_t n[3];              /* grid: places along each axis */
    double origin[3], step[3]; /* grid: the first place; from one to the next, m */
};

/* A box, m; of a plane or a grid the part of the domain that it covers. */
struct sluice_measure_box {
    double low[3], high[3];
};

/* Places of a CSV file with the columns x, y, and in 3-D z. Errors: those of the file; no row. */
sluice_status sluice_places_read(struct sluice_places *places, const char *path, int dimension);

/* `count` places from one end to the other. */
void sluice_places_line(struct sluice_places *places, int dimension, const double from[3],
                        const double to[3], int64_t count);

/* Places that fill a box: `n` along each axis, faces included; where n is 0, `spacing` apart from
 * the lower face on. axis: a plane across it at `at`; -1: none. Errors (SLUICE_BAD_INPUT): more
 * than 2^40 places. */
struct sluice_places_grid {
    struct sluice_measure_box box;
    int64_t n[3];
    double spacing;
    int axis;
    double at;
};
sluice_status sluice_places_fill(struct sluice_places *places, int dimension,
                                 const struct sluice_places_grid *grid);

void sluice_places_destroy(struct sluice_places *places);

/* Place i; z is 0 in 2-D. */
void sluice_places_at(const struct sluice_places *places, int64_t i, double x[3]);

/* The box of all places. */
void sluice_places_extent(const struct sluice_places *places, double low[3], double high[3]);

/* How many lie outside a box. */
int64_t sluice_places_outside(const struct sluice_places *places, const double low[3],
                              const double high[3]);
#endif
