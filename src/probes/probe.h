/* Probes: measurements of the fluid at places of the case, in double, from a host copy of the
 * fluid's particles. A gas has points and lines.
 *
 *   point   kernel-weighted mean (Shepard 1968) sum V_j f_j W/sum V_j W, and its `weight` =
 *           sum V_j W. A weight below 0.05 means no fluid: the value is 0. In a gas W has the
 *           smoothing length of particle j
 *   line    the same at `points` places, both ends included
 *   height  heights of the water and of the bed above the foot, the depth, the elevation and
 *           that of theory: probe_level.h
 *   runup   the highest place of a slope that the water reaches: probe_level.h
 *   front   x + dp/2 of the foremost fluid particle higher than `above`; and of the foremost one
 *           at any height
 *   flux    volume flux through a section, and the volume so far: probe_flux.h
 *   overtopping  the same over a crest, and its events: probe_passage.h
 *   patch   the mean over an area of a face of the pressure that a point has there, and the wet
 *           fraction of the area: the points of the patch that have fluid near them
 *   force   force and torque of the fluid on a group of wall particles: probe_force.h
 *
 * A missing value (no water, no fluid above a front's height) is NAN, an empty field of the table.
 *
 * Contributions are summed by id, so that a probe does not depend on the order of the particles.
 * Periodic images count, and those behind walls that mirror a gas. */
#ifndef SLUICE_PROBES_PROBE_H
#define SLUICE_PROBES_PROBE_H
#include "case/case.h"
#include "snapshots/snapshot_particles.h"

struct sluice_probes;

/* Prepares all probes of the case (which is borrowed). Errors: memory; probes of a model without
 * density. */
sluice_status sluice_probes_create(struct sluice_probes **out, const struct sluice_case *c);
void sluice_probes_destroy(struct sluice_probes **probes);

/* The table of a probe: its columns after step and time, and the values of its last measurement,
 * which has one row, or in the long table of a line one a point. */
struct sluice_probe_table {
    const char *name;
    char *header; /* of CSV */
    int columns, rows;
    double *values; /* [rows][columns] */
};

/* Before a fetch or a measurement at `time` (s), where walls move, or in a gas; support: the widest
 * one of a gas now, m. Errors: memory. */
sluice_status sluice_probes_prepare(struct sluice_probes *probes, double support, double time);

/* Numbers that a restart goes on with: the first heights of probes of kind "height" (m), from which
 * elevations count, and what has passed through sections. */
struct sluice_probe_state {
    const char *name, *unit;
    double *at; /* [count]; NULL: no probe of this run has any */
    int count;
};
enum { SLUICE_PROBE_STATES = 2 };
/* `at` is NULL without probes, too. */
struct sluice_probe_state sluice_probes_state(struct sluice_probes *probes, int which);

/* Threads (borrowed) that share the work on forces where a device computes. */
void sluice_probes_share(struct sluice_probes *probes, struct sluice_threads *team);

const struct sluice_probe_table *sluice_probes_table(const struct sluice_probes *probes, int i);

/* Fetches from the device only what the probes with due[i] != 0 need: particles of the fluid (a
 * binned set) into `p`, which grows as needed, and the forces on walls (REACTION of
 * set[SLUICE_WALL] must be of the present state). Errors: memory, device. */
sluice_status sluice_probes_fetch(struct sluice_probes *probes, struct sluice_backend *b,
                                  const struct sluice_grid *g, struct sluice_set *set,
                                  const unsigned char *due, struct sluice_host_particles *p);

/* Measures the probes with due[i] != 0 (NULL: all) in one pass over the particles. Skips wall
 * particles among them. Moving walls are where they are at `time` (s). The tables of the probes
 * then have the values, until the next call. Errors: memory. */
sluice_status sluice_probes_measure(struct sluice_probes *probes,
                                    const struct sluice_host_particles *p, double time,
                                    const unsigned char *due);
#endif
