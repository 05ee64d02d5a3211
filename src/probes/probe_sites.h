/* Means of the fluid at a point, along a line or over a patch.
 *
 *   f = sum_j V_j f_j W/sum_j V_j W                                        (Shepard 1968)
 *
 * On a wall all fluid is on one side, and this mean is that of a place in the fluid. A probe on a
 * shape carries the pressure to the wall, as the wall particles do (Adami, Hu & Adams 2012, eq.
 * 27), across the face alone, where the fluid accelerates as the wall does:
 *
 *   p = sum V p W/sum V W + ((g - a_w).n) sum m (x - x_j).n W/sum V W
 *
 * It never makes a pressure negative. */
#ifndef SLUICE_PROBES_PROBE_SITES_H
#define SLUICE_PROBES_PROBE_SITES_H
#include "case/case.h"
#include "probes/probe_near.h"
#include "probes/probe_quantity.h"

struct sluice_sites {
    double from[3], to[3];             /* the ends of the first row, m */
    double last[3];                    /* the start of the last row, m */
    int sites;                         /* in a row */
    int rows;                          /* of the sites */
    struct sluice_probe_values values; /* of a site, without its weight */
    int on_wall;                       /* the pressure is carried to a wall: */
    double normal[3];                  /* of the wall, of length 1; its sign is free */
    int motion;                        /* that moves the wall; -1: none */
    double *lift;                      /* [rows][sites] sum m (x - x_j).n W; NULL: not on a wall */
};

/* The arguments of the sums. */
struct sluice_sites_source {
    const struct sluice_case *setup;
    const struct gas_params *gas; /* NULL: water */
    double support;               /* of water's kernel, m */
    const struct sluice_near_image *image;
    const struct sluice_near *near; /* by id */
    const struct sluice_host_particles *p;
    double time; /* s, of moving walls */
};

/* Allocates what the sums need, once all but `lift` is set. Errors: memory. */
sluice_status sluice_sites_create(struct sluice_sites *at);
void sluice_sites_destroy(struct sluice_sites *at);

/* The values of each site, and sum V W: `sums` is [rows][sites][values.count + 1]. */
void sluice_sites_measure(const struct sluice_sites *at, const struct sluice_sites_source *source,
                          double *sums);

/* The mean pressure over the sites of a patch, 0 where they are dry, and the fraction of them that
 * is wet. A round patch is made of the sites within the ellipse. */
void sluice_sites_average(const struct sluice_sites *at, const double *sums, int round,
                          double values[2]);
#endif
