/* Rotations as unit quaternions (w, x, y, z), and small matrices. */
#ifndef SLUICE_MOTION_ROTATION_H
#define SLUICE_MOTION_ROTATION_H

/* The matrix of a unit quaternion. */
void sluice_quaternion_matrix(const double q[4], double r[3][3]);

/* q becomes exp(turn/2) q, normalised: a rotation by |turn| about `turn`, world axes, rad. */
void sluice_quaternion_turn(double q[4], const double turn[3]);

/* Angles of a rotation R = Rz(yaw) Ry(pitch) Rx(roll), rad; pitch from -pi/2 to pi/2. In 2-D yaw
 * is the angle. */
void sluice_rotation_angles(double r[3][3], double *roll, double *pitch, double *yaw);
#endif
