/* The surfaces of walls by groups, as the case asks for them: for probes that must know which shape
 * fluid touches. The parts that later shapes cut out of a wall are no wall. Moving walls are where
 * their motions have them; bodies and the walls of a particle file are left out. */
#ifndef SLUICE_PROBES_WALL_SURFACES_H
#define SLUICE_PROBES_WALL_SURFACES_H
#include "case/case.h"
#include "fit/shape_tree.h"

struct sluice_wall_surfaces {
    const struct sluice_case *setup; /* borrowed */
    double reach;                    /* m: distances beyond it are this */
    int *group;                      /* [shape_count] of a wall; -1: it is none */
    int *mover;                      /* [shape_count] its motion; -1: at rest */
    struct sluice_displacement *now; /* [motions] */
    int *moves;                      /* [motions] 1: the motion carries a wall */
    struct sluice_shape_tree tree;
};

/* The walls nearest to a place, by groups: the nearest one, and the nearest of another group. */
struct sluice_wall_near {
    int group[2];       /* -1: none within reach */
    double distance[2]; /* m, signed, negative in the wall; reach: none */
    double depth;       /* how deep in any wall, m; 0: in none */
};

/* For a case (borrowed), at t = 0. Errors: memory. Always destroy. */
sluice_status sluice_wall_surfaces_create(struct sluice_wall_surfaces *s,
                                          const struct sluice_case *c, double reach);
void sluice_wall_surfaces_destroy(struct sluice_wall_surfaces *s);

/* Puts moving walls where they are at this time, s. */
void sluice_wall_surfaces_move(struct sluice_wall_surfaces *s, double time);

void sluice_wall_surfaces_near(const struct sluice_wall_surfaces *s, const double x[3],
                               struct sluice_wall_near *near);

/* The distance from the walls of one motion (-1: at rest), where x is a place of the geometry at
 * t = 0; reach: none is nearer. *shape (may be NULL): the wall that is nearest; -1: none. */
double sluice_wall_surfaces_of(const struct sluice_wall_surfaces *s, int mover, const double x[3],
                               int *shape);

/* The group whose surface the line from x to x + way meets first; *other: another group that it
 * meets at the same place, or -1. `at_x`: the walls near x. Returns -1 if it meets none. */
int sluice_wall_surfaces_first(const struct sluice_wall_surfaces *s, const double x[3],
                               const struct sluice_wall_near *at_x, const double way[3],
                               int *other);
#endif
