#include "motion/rotation.h"

#include <math.h>

#include "core/vector.h"

void sluice_quaternion_matrix(const double q[4], double r[3][3])
{
    const double w = q[0], x = q[1], y = q[2], z = q[3];
    r[0][0] = 1 - 2 * (y * y + z * z);
    r[0][1] = 2 * (x * y - w * z);
    r[0][2] = 2 * (x * z + w * y);
    r[1][0] = 2 * (x * y + w * z);
    r[1][1] = 1 - 2 * (x * x + z * z);
    r[1][2] = 2 * (y * z - w * x);
    r[2][0] = 2 * (x * z - w * y);
    r[2][1] = 2 * (y * z + w * x);
    r[2][2] = 1 - 2 * (x * x + y * y);
}

void sluice_quaternion_turn(double q[4], const double turn[3])
{
    const double angle = sqrt(sluice_dot(turn, turn)),
                 s = angle > 1e-8 ? sin(angle / 2) / angle : 0.5 - angle * angle / 48,
                 w = cos(angle / 2), x = s * turn[0], y = s * turn[1], z = s * turn[2];
    const double p[4] = {
        w * q[0] - x * q[1] - y * q[2] - z * q[3], w * q[1] + x * q[0] + y * q[3] - z * q[2],
        w * q[2] - x * q[3] + y * q[0] + z * q[1], w * q[3] + x * q[2] - y * q[1] + z * q[0]};
    const double length = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3]);
    for (int k = 0; k < 4; k++)
        q[k] = p[k] / length;
}

void sluice_rotation_angles(double r[3][3], double *roll, double *pitch, double *yaw)
{
    *roll = atan2(r[2][1], r[2][2]);
    *pitch = asin(fmax(-1, fmin(1, -r[2][0])));
    *yaw = atan2(r[1][0], r[0][0]);
}
