/* The walls above and below a place, for probes of water levels.
 *
 * A column is the vertical line through a place. Its spans are the heights at which it runs through
 * walls:
 *
 *           |   #####   span 1: an overhang, or a lid
 *           |   |
 *           |   |
 *           | ######    span 0: a beach on the floor, one piece with it
 *        ################
 *
 * Shapes have their true surface, whether they are fitted or on the lattice, and are solid where
 * they are shells (wall_surfaces.h). Wall particles of a file are cubes of one spacing. Moving
 * walls are where their motions have them at the time of the last sluice_walls_move. Spans depend
 * on the case and the time alone, not on the particles of the run. */
#ifndef SLUICE_PROBES_PROBE_WALLS_H
#define SLUICE_PROBES_PROBE_WALLS_H
#include "probes/wall_surfaces.h"

struct sluice_wall_span {
    double low, high; /* m, config coordinates */
};
/* A zeroed struct is a valid empty column; the owner frees `span`. */
struct sluice_wall_column {
    int count, capacity;
    struct sluice_wall_span *span;
};

/* All walls at rest, or those of one motion. */
struct sluice_wall_group {
    int used;                       /* it has walls */
    double box[2][3];               /* lowest and highest corner at t = 0, m */
    double now_box[2][3];           /* the same at the time of the last move, m */
    struct sluice_displacement now; /* of its motion */
    int64_t count;
    double (*particle)[3]; /* [count] of a file, at t = 0, by x, m: borrowed from the walls' list */
};

struct sluice_walls {
    const struct sluice_case *setup;      /* borrowed */
    struct sluice_wall_surfaces surfaces; /* of the shapes that have walls */
    int *group_of;                        /* [shape_count] group of a shape; -1: it has no walls */
    struct sluice_wall_group *group;      /* [1 + motion_count] at rest, then one a motion */
    double (*particle)[3]; /* wall particles that come from a file, group by group, m */
};

/* The walls of a case (borrowed), at t = 0. Errors: memory. Always destroy. */
sluice_status sluice_walls_create(struct sluice_walls *walls, const struct sluice_case *c);
void sluice_walls_destroy(struct sluice_walls *walls);

/* Puts moving walls where they are at this time, s. */
void sluice_walls_move(struct sluice_walls *walls, double time);

/* Adds the spans of moving walls, or of those at rest, in the column through x, in any order.
 * Errors: memory. */
sluice_status sluice_walls_column(const struct sluice_walls *walls, int moving, const double x[3],
                                  struct sluice_wall_column *column);

/* Adds one span. Errors: memory. */
sluice_status sluice_wall_column_add(struct sluice_wall_column *column, double low, double high);

/* Sorts the spans by height and joins those with less than `gap` between them. */
void sluice_wall_column_join(struct sluice_wall_column *column, double gap);
#endif
