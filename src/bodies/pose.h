/* Where a rigid body is and how it moves, at one instant; config coordinates, double. */
#ifndef SLUICE_BODIES_POSE_H
#define SLUICE_BODIES_POSE_H

struct sluice_pose {
    double centre[3];   /* of mass, m */
    double turn[3][3];  /* the rotation since t = 0: x = centre + turn (X - centre at t = 0) */
    double velocity[3]; /* of the centre, m/s */
    double spin[3];     /* angular velocity, world axes, 1/s */
};
#endif
