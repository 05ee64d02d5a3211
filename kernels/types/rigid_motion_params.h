/* The motions of walls at one time: parameters of kernels/pointwise/rigid_motion.h. */
#ifndef SLUICE_KERNELS_TYPES_RIGID_MOTION_PARAMS_H
#define SLUICE_KERNELS_TYPES_RIGID_MOTION_PARAMS_H
#include "grid/grid.h"

enum { SLUICE_MOTIONS_MAX = 8 };

/* A rigid motion at one time: the body's own centre moves, and the body turns about the axis
 * through it. */
struct sluice_rigid {
    struct sluice_place centre;
    double velocity[3], acceleration[3]; /* of the centre, m/s, m/s^2 */
    int axis;                            /* 0 x, 1 y, 2 z; 2 in 2-D */
    double cosine, sine;                 /* of the angle turned since the start */
    double spin, spin_rate;              /* 1/s, 1/s^2 */
};

struct rigid_motion_params {
    int count;
    int place; /* 0: velocities and accelerations alone; the particles stay where they are */
    struct sluice_rigid body[SLUICE_MOTIONS_MAX];
};
#endif
