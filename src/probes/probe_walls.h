/* Where walls are above and below a place, for probes of levels. Internal to src/io.
 *
 * A column is the vertical line through a place; its spans are the heights at which it runs through
 * walls:
 *
 *           |   #####   span 1: an overhang, or a lid
 *           |   |
 *           |   |
 *           | ######    span 0: a beach on the floor, one piece with it
 *        ################
 *
 * The walls of shapes are the cells of the lattice that they own, the hollow inside of shells
 * included. The walls of a particle file are cubes of one spacing around its particles. Walls that
 * a motion carries are where it has them at the time of the last sluice_walls_move. So no particle
 * of the run is needed, and spans depend on the case and the time alone. */
#ifndef SLUICE_PROBES_PROBE_WALLS_H
#define SLUICE_PROBES_PROBE_WALLS_H
#include "case/case.h"

struct sluice_walls;

struct sluice_wall_span {
    double low, high; /* m, config coordinates */
};
/* A zeroed struct is a valid empty column; the owner frees `span`. */
struct sluice_wall_column {
    int count, capacity;
    struct sluice_wall_span *span;
};

/* The walls of a case (borrowed), at t = 0. Errors: memory. */
sluice_status sluice_walls_create(struct sluice_walls **out, const struct sluice_case *c);
void sluice_walls_destroy(struct sluice_walls **walls);

/* Puts moving walls where they are at this time, s. */
void sluice_walls_move(struct sluice_walls *walls, double time);

/* Adds the spans of walls at rest, or of moving ones, in the column through x, in any order.
 * Errors: memory. */
enum sluice_walls_part { SLUICE_WALLS_RESTING, SLUICE_WALLS_MOVING };
sluice_status sluice_walls_column(const struct sluice_walls *walls, enum sluice_walls_part part,
                                  const double x[3], struct sluice_wall_column *column);

/* Whether the columns through two places have the same spans of walls at rest. */
int sluice_walls_same_column(const struct sluice_walls *walls, const double a[3],
                             const double b[3]);

/* Adds one span. Errors: memory. */
sluice_status sluice_wall_column_add(struct sluice_wall_column *column, double low, double high);

/* Sorts the spans by height and joins those with less than `gap` between them. */
void sluice_wall_column_join(struct sluice_wall_column *column, double gap);
#endif
