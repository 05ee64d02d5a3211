/* Forces of the fluid on walls, obstacles and bodies, and their torques: sums in double, by id, of
 * the field REACTION of the wall particles after the last evaluation of the forces. Where walls of
 * two groups meet, a force belongs to the surface that the fluid touches: split_force.h. */
#ifndef SLUICE_PROBES_PROBE_FORCE_H
#define SLUICE_PROBES_PROBE_FORCE_H
#include "probes/split_force.h"

enum { SLUICE_FORCE_VALUES = 6 };

struct sluice_forces {
    const struct sluice_case *setup; /* borrowed */
    int *group;                      /* [probe count] -1: another kind of probe; NULL: all are */
    double (*value)[SLUICE_FORCE_VALUES]; /* [probe count] */
    struct sluice_box *box;               /* [probe count] that holds the group's particles */
    int *motion;            /* [probe count] that moves the group; or NO_MOTION, ANYWHERE */
    double time;            /* s, of the measurement: moving walls are where they are then */
    struct sluice_box *due; /* boxes of the probes that are due, and of the split */
    struct sluice_fetch fetch;
    sluice_id *id;    /* [wall particles] ascending */
    sluice_id *index; /* [wall particles], by id: 1 + its index among the fetched of all ranks; 0:
                         not fetched */
    struct sluice_threads *team; /* borrowed; where a device computes; NULL: none */
    struct sluice_force_split split;
};

/* For the probes of kind "force" of the case (borrowed). Errors: memory. Always destroy. */
sluice_status sluice_forces_create(struct sluice_forces *forces, const struct sluice_case *c);
void sluice_forces_destroy(struct sluice_forces *forces);

/* Before a measurement at `time` (s). */
void sluice_forces_move(struct sluice_forces *forces, double time);

/* Fills `value` of the probes that are due (of all probes of the case). 3-D: force (N), torque (N
 * m); 2-D, a metre of depth: two components and one. Errors: memory, device. */
sluice_status sluice_forces_measure(struct sluice_forces *forces, struct sluice_backend *b,
                                    const struct sluice_grid *g, struct sluice_set *set,
                                    const unsigned char *due);
#endif
