/* Prescribed motions of walls: where a body is at a time, and how fast it moves and turns. In
 * double, on the host. Cubics run through the rows of a table (motion_path.h): by default a spline,
 * so that the acceleration, which adds to the pressure at walls, has no jumps.
 *
 * All displacements are from t = 0, where the geometry has the shapes. */
#ifndef SLUICE_MOTION_MOTION_H
#define SLUICE_MOTION_MOTION_H
#include <stdint.h>

#include "config/config.h"
#include "core/status.h"
#include "motion/track.h"
#include "motion/wave_maker.h"

/* Motions of walls, and the acceleration of all water and bodies beside gravity. */
struct sluice_motions {
    const struct sluice_config *config; /* borrowed */
    int count;                          /* its motions */
    struct sluice_track *track;         /* [count]; count 0: a motion without a table */
    struct sluice_wave_maker *maker;    /* [count]; zeroed: no wave maker */
    struct sluice_track shaken;         /* config->acceleration, m/s^2; count 0: none */
};

/* From t = 0: displacement of the centre and the angle turned about the axis, with their first and
 * second derivatives; m, rad, s. */
struct sluice_displacement {
    double x[3], velocity[3], acceleration[3];
    double angle, spin, spin_rate;
};

void sluice_motions_destroy(struct sluice_motions *motions);

/* Motion i at time t, s. */
void sluice_motions_at(const struct sluice_motions *motions, int i, double t,
                       struct sluice_displacement *d);

/* The acceleration that acts on all water and bodies at time t, s: gravity and the table. */
void sluice_motions_pull(const struct sluice_motions *motions, double t, double a[3]);
/* The largest size of each component of it in a run, m/s^2. */
void sluice_motions_largest_pull(const struct sluice_motions *motions, double most[3]);

/* The horizontal direction of the waves of a wave maker, of length 1. */
void sluice_motions_wave_direction(const struct sluice_motions *motions, int i, double to[2]);

/* A time span in which motion i visits all its positions, s. Returns 0 for a motion without end, or
 * whose positions depend on the end. */
int sluice_motions_span(const struct sluice_motions *motions, int i, double *from, double *to);

/* Where the displaced body has carried a point of the geometry, m. */
void sluice_motions_carry(const struct sluice_motions *motions, int i,
                          const struct sluice_displacement *d, const double x[3], double out[3]);

/* The point of the geometry that the displaced body has carried to x, m. */
void sluice_motions_carry_back(const struct sluice_motions *motions, int i,
                               const struct sluice_displacement *d, const double x[3],
                               double out[3]);

/* The acceleration of the displaced body where it is at x (m), m/s^2. */
void sluice_motions_acceleration(const struct sluice_motions *motions, int i,
                                 const struct sluice_displacement *d, const double x[3],
                                 double out[3]);

/* The box around the displaced body of a box, m. */
void sluice_motions_carry_box(const struct sluice_motions *motions, int i,
                              const struct sluice_displacement *d, double box[2][3],
                              double out[2][3]);

/* Index of the motion of this name; -1: none. */
int sluice_motions_find(const struct sluice_config *config, const char *name);
#endif
