/* Prescribed motions of walls: where a body is at a time, how fast it moves and turns. In double,
 * on the host; a table of measured positions is made smooth by a natural cubic spline, so that the
 * acceleration, which walls pass on to the fluid's pressure, has no jumps.
 *
 * All displacements are from t = 0: there the geometry has the shapes. */
#ifndef SLUICE_CASE_MOTION_H
#define SLUICE_CASE_MOTION_H
#include "config/config.h"
#include "core/status.h"

struct sluice_motions;

/* From t = 0: displacement of the centre and the angle turned about the axis, with their first and
 * second derivatives; m, rad, s. */
struct sluice_displacement {
    double x[3], velocity[3], acceleration[3];
    double angle, spin, spin_rate;
};

/* Prepares the motions of the config (borrowed); reads their tables. *out stays NULL where there
 * are none. Errors: a table that is missing, wrong (with its line), or does not reach from t = 0 to
 * time.end. */
sluice_status sluice_motions_create(struct sluice_motions **out,
                                    const struct sluice_config *config);
void sluice_motions_destroy(struct sluice_motions **motions);

/* Motion i at time t, s. */
void sluice_motions_at(const struct sluice_motions *motions, int i, double t,
                       struct sluice_displacement *d);

/* Times between which motion i is everywhere that it ever is, s; 0: there are none, it goes on and
 * on. */
int sluice_motions_span(const struct sluice_motions *motions, int i, double *from, double *to);

/* Where a point of the geometry is when the motion has been displaced so, m. */
void sluice_motions_carry(const struct sluice_motions *motions, int i,
                          const struct sluice_displacement *d, const double x[3], double out[3]);
/* The inverse: which point of the geometry is at x now. */
void sluice_motions_carry_back(const struct sluice_motions *motions, int i,
                               const struct sluice_displacement *d, const double x[3],
                               double out[3]);

/* What the tables of the motions hold, as 16 hexadecimal digits: a restart must find the same. */
enum { SLUICE_MOTION_DIGEST = 17 };
void sluice_motions_digest(const struct sluice_motions *motions, char text[SLUICE_MOTION_DIGEST]);

/* Index of the motion of this name; -1: none. */
int sluice_motions_find(const struct sluice_config *config, const char *name);
#endif
