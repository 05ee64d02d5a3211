/* The cells of a shape whose surface is no part of the lattice: two bits a cell. */
#ifndef SLUICE_GEOMETRY_RASTER_H
#define SLUICE_GEOMETRY_RASTER_H
#include <stdint.h>

#include "config/config.h"
#include "core/status.h"

/* Cells from low up to, not including, high. */
struct sluice_cells {
    int64_t low[3], high[3];
};

enum sluice_raster_state {
    SLUICE_RASTER_OUTSIDE,
    SLUICE_RASTER_NEAR, /* inside, with its centre within the wall's layers of the surface */
    SLUICE_RASTER_DEEP,
    SLUICE_RASTER_BESIDE /* outside, with the surface in it or beside it */
};

/* The extent, cells and shapes of a raster. Cells have their centres at origin + (cell + 1/2) step;
 * step 0: the axis is missing. */
struct sluice_raster_source {
    double origin[3], step[3];
    double layers;  /* m: cells that are deeper are DEEP */
    double margin;  /* m: how far the cells' surface may lie from that of the distance */
    double longest; /* cells along an axis that are allowed: more would take minutes */
    const struct sluice_config *config; /* for the number of threads */
    struct sluice_waiting *waiting;     /* borrowed; NULL: nothing is reported */
    const void *data;
    double (*distance)(const void *data, const double x[3]); /* m, negative inside */
    /* How far around x all is on the side of x, unless the surface is nearer; NULL: without end. */
    double (*certain)(const void *data, const double x[3]);
    /* Whether a cell, whose centre has this distance, is inside. */
    int (*owns)(const void *data, const int64_t cell[3], double distance);
};

struct sluice_raster {
    struct sluice_cells cells;
    int64_t words;    /* of a row along x; 16 cells each */
    int64_t rows[2];  /* along y and z */
    int64_t count[3]; /* cells of each state inside; OUTSIDE is not counted */
    uint32_t *word;
    int ready; /* 0: the shape has no raster, or not yet */
};

/* Finds the state of each cell of `cells`. A block of cells that is farther from the surface than
 * it is wide has one state; others are divided. Errors: memory. */
sluice_status sluice_raster_create(struct sluice_raster *raster,
                                   const struct sluice_raster_source *source,
                                   const struct sluice_cells *cells);
void sluice_raster_destroy(struct sluice_raster *raster);

/* Makes a NEAR cell DEEP. */
void sluice_raster_deepen(struct sluice_raster *raster, const int64_t cell[3]);

static inline enum sluice_raster_state sluice_raster_at(const struct sluice_raster *r,
                                                        const int64_t cell[3])
{
    int64_t at[3];
    for (int a = 0; a < 3; a++) {
        at[a] = cell[a] - r->cells.low[a];
        if (at[a] < 0 || cell[a] >= r->cells.high[a])
            return SLUICE_RASTER_OUTSIDE;
    }
    const uint32_t word = r->word[(at[2] * r->rows[0] + at[1]) * r->words + at[0] / 16];
    return (enum sluice_raster_state)(word >> 2 * (at[0] % 16) & 3);
}

static inline int sluice_raster_is_inside(const struct sluice_raster *r, const int64_t cell[3])
{
    const enum sluice_raster_state state = sluice_raster_at(r, cell);
    return state == SLUICE_RASTER_NEAR || state == SLUICE_RASTER_DEEP;
}
#endif
