/* Where a rigid body is and how it moves, at one instant; config coordinates, double. */
#ifndef SLUICE_MOTION_POSE_H
#define SLUICE_MOTION_POSE_H

struct sluice_pose {
    double centre[3];   /* of mass, m */
    double turn[3][3];  /* the rotation since t = 0: x = centre + turn (X - centre at t = 0) */
    double velocity[3]; /* of the centre, m/s */
    double spin[3];     /* angular velocity, world axes, 1/s */
};

/* Where a pose puts X, a place at t = 0; `start`: the centre then. */
static inline void sluice_pose_place(const struct sluice_pose *pose, const double start[3],
                                     const double at_start[3], double x[3])
{
    const double arm[3] = {at_start[0] - start[0], at_start[1] - start[1], at_start[2] - start[2]};
    for (int c = 0; c < 3; c++)
        x[c] = pose->centre[c] +
               (pose->turn[c][0] * arm[0] + pose->turn[c][1] * arm[1] + pose->turn[c][2] * arm[2]);
}
#endif
