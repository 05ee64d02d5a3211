/* Surfaces that water can stand on, at the places of a probe.
 *
 * A surface is the top of a span of walls in the column through a place (probe_walls.h). The foot,
 * at the height of domain.min, is one too where it is in the open and no wall's surface. Gaps of
 * less than a spacing hold no particle and count as wall. A lid that reaches the domain's top has
 * no surface. A wall from below the foot to the domain's top has its surface there. */
#ifndef SLUICE_PROBES_PROBE_BED_H
#define SLUICE_PROBES_PROBE_BED_H
#include "probes/probe_walls.h"

struct sluice_surface {
    double height;  /* m, config coordinates */
    double ceiling; /* the underside of the next wall above; INFINITY: none */
    int of_wall;    /* 0: it is the foot */
};

/* A place, and the walls at rest there. */
struct sluice_bed_site {
    double x[3];                       /* m, as the config has it */
    double inside[3];                  /* the same, moved off the faces of the domain */
    struct sluice_wall_column resting; /* the owner frees its spans */
    int dry_known;                     /* nothing moves, and `dry` was found */
    struct sluice_surface dry;
};

struct sluice_beds {
    const struct sluice_case *setup; /* borrowed */
    struct sluice_walls walls;
    double foot, low, top;            /* m: of domain.min, and of all that belongs to the domain */
    struct sluice_wall_column column; /* of the site that was loaded last */
    struct sluice_wall_column other;  /* of a place beside it */
};

/* For a case (borrowed), at t = 0; sluice_walls_move puts its walls elsewhere. Errors: memory.
 * Always destroy. */
sluice_status sluice_beds_create(struct sluice_beds *beds, const struct sluice_case *c);
void sluice_beds_destroy(struct sluice_beds *beds);

/* Makes the site at x. Errors: memory. */
sluice_status sluice_bed_site_create(const struct sluice_beds *beds, const double x[3],
                                     struct sluice_bed_site *site);

/* Loads the walls at a site, where they are now. Errors: memory. */
sluice_status sluice_beds_load(struct sluice_beds *beds, const struct sluice_bed_site *site);
/* Surface k of the loaded site, 0 <= k < column.count, from the lowest up. Returns 0 where span k
 * has no surface. */
int sluice_beds_surface(const struct sluice_beds *beds, int k, struct sluice_surface *surface);
/* The surface nearest to a height: a wall's, or the foot where no wall has one. */
struct sluice_surface sluice_beds_nearest(const struct sluice_beds *beds, double height);

/* The bed of the loaded site without water: the lowest wall's surface that rain falls on or that a
 * straight level line connects with such a place. So the floor of a closed hole under a beach is no
 * bed. Errors: memory. */
sluice_status sluice_beds_dry(struct sluice_beds *beds, struct sluice_bed_site *site,
                              struct sluice_surface *surface);

/* The step away from walls beside x, half a spacing above `height`: one spacing on each axis that
 * has a wall on one side, else 0. Errors: memory. */
sluice_status sluice_beds_away(struct sluice_beds *beds, const double x[3], double height,
                               double step[3]);
#endif
