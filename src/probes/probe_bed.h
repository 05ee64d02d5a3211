/* Surfaces that water can stand on, at the places of a probe. Internal to src/io.
 *
 * A surface is the top of a span of walls in the column through a place (probe_walls.h), or the
 * foot, the height of domain.min, where that is in the open and no wall's surface. Gaps that hold
 * no particle, less than a spacing, count as wall. A lid that reaches the domain's top has no
 * surface; a wall from below the foot to the domain's top ends there. */
#ifndef SLUICE_PROBES_PROBE_BED_H
#define SLUICE_PROBES_PROBE_BED_H
#include "probes/probe_walls.h"

struct sluice_surface {
    double height;  /* m, config coordinates */
    double ceiling; /* the underside of the next wall; INFINITY: none */
    int of_wall;    /* 0: it is the foot */
};

/* A place, and the walls there that never move. */
struct sluice_bed_site {
    double x[3];                       /* m, as the config has it */
    double inside[3];                  /* the same, but off the faces of the domain */
    struct sluice_wall_column resting; /* the owner frees its spans */
    int dry_known;                     /* nothing moves, and `dry` was found */
    struct sluice_surface dry;
};

struct sluice_beds {
    const struct sluice_case *setup;
    struct sluice_walls *walls;
    double foot, low, top;            /* m: of domain.min, and of all that belongs to the domain */
    struct sluice_wall_column column; /* that of the last site asked for */
};

/* For a case (borrowed), at t = 0; sluice_walls_move puts its walls elsewhere. Errors: memory. */
sluice_status sluice_beds_create(struct sluice_beds *beds, const struct sluice_case *c);
void sluice_beds_destroy(struct sluice_beds *beds);

/* Makes the site at x; `before` is one beside it, or NULL. Errors: memory. */
sluice_status sluice_bed_site_create(const struct sluice_beds *beds, const double x[3],
                                     const struct sluice_bed_site *before,
                                     struct sluice_bed_site *site);

/* Takes the walls at a site, where they are now; `count` of spans may have a surface. */
sluice_status sluice_beds_take(struct sluice_beds *beds, const struct sluice_bed_site *site,
                               int *count);
/* The surface of span k of the site taken, from the lowest up; whether it has one. */
int sluice_beds_surface(const struct sluice_beds *beds, int k, struct sluice_surface *surface);
/* The one nearest to a height; those of walls before the foot. */
struct sluice_surface sluice_beds_nearest(const struct sluice_beds *beds, double height);

/* The bed of a site that has been taken, without water: the lowest wall's surface that rain falls
 * on or that a straight level way leads to from such a place; so not the floor of a closed hole
 * under a beach. The site taken is lost. Errors: memory. */
sluice_status sluice_beds_dry(struct sluice_beds *beds, struct sluice_bed_site *site,
                              struct sluice_surface *surface);

/* Which way leads away from walls that stand beside x half a spacing above `height`: one spacing an
 * axis, 0 where there are none. Errors: memory. */
sluice_status sluice_beds_away(struct sluice_beds *beds, const double x[3], double height,
                               double way[3]);
#endif
