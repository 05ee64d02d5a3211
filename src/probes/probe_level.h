/* The water's level over a bed, and how far it runs up a slope.
 *
 *   level     above a surface (probe_bed.h): the first height going up where sum V_j W falls below
 *             0.4, at most the underside of the next wall. The search begins half a spacing above
 *             the surface; a smaller sum there means that the surface is dry
 *
 *   height    the level over the lowest surface that has water on it; without water
 *             sluice_beds_dry
 *   runup     the highest bed of a line's points that the water reaches: probe_runup.c
 *
 *   elevation the height less that of the first measurement, in which the water is at rest: so it
 *             does not matter that the sum of a level surface falls to 0.4 a fifth of a spacing
 *             above it or more
 *   theory    the elevation that the makers of waves should make there: wave_maker.h. None where
 *             several face the same way, or one moves by a record of its paddle or at an angle,
 *             and where their waves do not come to (case.h)
 *
 * All heights are above the foot. Values that do not exist are NAN. */
#ifndef SLUICE_PROBES_PROBE_LEVEL_H
#define SLUICE_PROBES_PROBE_LEVEL_H
#include "probes/probe_bed.h"
#include "probes/probe_near.h"
#include "probes/probe_sites.h"

struct sluice_level_probe {
    int count;                    /* 0: another kind of probe */
    struct sluice_bed_site *site; /* [count] */
    int has_theory;               /* waves come there */
};

/* A maker of waves, and where they start. */
struct sluice_level_maker {
    int motion;
    const struct sluice_wave_maker *maker; /* borrowed */
    struct sluice_wave_run run;
};

/* A point of a line: the surface nearest to it, and the depth of water that lies on that. */
struct sluice_shore {
    struct sluice_surface surface;
    double depth; /* m, of the lowest layers */
};

struct sluice_levels {
    const struct sluice_case *setup; /* borrowed */
    struct sluice_beds beds;
    struct sluice_level_probe *probe; /* [probe count]; NULL: no probe measures levels */
    double *rest; /* [probe count] first heights, m; NAN: dry; infinity: to come */
    int maker_count;
    struct sluice_level_maker *maker; /* [maker_count] */
    struct sluice_shore *shore;       /* [most sites] scratch of run-ups */
    struct sluice_near column;        /* scratch: the fluid within the support of a column */
};

/* For the probes of kind "height" and "runup" of the case (borrowed). Errors: memory. Always
 * destroy. */
sluice_status sluice_levels_create(struct sluice_levels *levels, const struct sluice_case *c);
void sluice_levels_destroy(struct sluice_levels *levels);

/* Measures a probe of kind "height" at a time (s), from the fluid in `near`: height, bed, depth,
 * elevation, and theory where there are makers. Errors: memory. */
sluice_status sluice_levels_height(struct sluice_levels *levels, int probe,
                                   const struct sluice_near *near,
                                   const struct sluice_host_particles *p, double time,
                                   double *values);

/* The same of kind "profile": height, bed, then the values of its sites, which it puts into the
 * middles of as many layers between the two. */
sluice_status sluice_levels_profile(struct sluice_levels *levels, int probe,
                                    const struct sluice_sites_source *source,
                                    struct sluice_sites *at, double *values);

/* The level (m) over a surface at x; NAN: it is dry. Errors: memory. */
sluice_status sluice_levels_find(struct sluice_levels *levels,
                                 const struct sluice_host_particles *p, const double x[3],
                                 const struct sluice_surface *surface,
                                 const struct sluice_near *near, double *level);

/* The same of a probe of kind "runup": the run-up and its horizontal place. */
sluice_status sluice_runup_measure(struct sluice_levels *levels, int probe,
                                   const struct sluice_near *near,
                                   const struct sluice_host_particles *p, double time,
                                   double *values);

/* The shape on the lattice whose slope a run-up probe lies on, at t = 0: cells make steps of it.
 * -1: there is none. Errors: memory. */
sluice_status sluice_runup_steps(struct sluice_levels *levels, int probe, int *shape);

/* The lowest and the highest bed of a probe without water at t = 0, m above the foot. Errors:
 * memory. */
sluice_status sluice_levels_beds(struct sluice_levels *levels, int probe, double *low,
                                 double *high);
#endif
