/* Packing: spreads points evenly by their repulsion, on surfaces or in space.
 *
 * A point i moves by lambda sum_j g(r_ij/R) x_ij/r_ij, where g(q) = q (1 - q)^3 is the slope of the
 * Wendland C2 kernel with support R: the points come to rest where the sum of kernel gradients
 * vanishes, as in the packing of Colagrossi, Bouscasse, Antuono & Marrone 2012 (Comput. Phys.
 * Commun. 183). A short force keeps points apart where that kernel lets them pair, and points on
 * surfaces are put back onto them after each move, as in the hybrid packing of Negi & Ramachandran
 * 2021 (Comput. Phys. Commun. 265). A fraction of the last step is kept (Polyak 1964). Each sweep
 * moves all points at once, by the places before the sweep, so threads do not change a bit. */
#ifndef SLUICE_FIT_PACK_H
#define SLUICE_FIT_PACK_H
#include <stdint.h>

#include "grid/grid.h"
#include "core/status.h"
#include "core/waiting.h"
#include "core/threads.h"

struct sluice_pack_point {
    double x[3];   /* m */
    int32_t layer; /* only points of one layer act on each other */
    int32_t kind;  /* counted by sluice_pack_adjust */
    int64_t tag;   /* the caller's; -1: added by sluice_pack_adjust */
    /* The holder's: */
    double safe, went; /* m: how far it may go without a look at the surface, and has gone */
    double out[3];     /* the unit vector out of the walls */
};

struct sluice_pack {
    int manifold;                           /* dimensions of a layer: of space, or one less */
    double spacing, reach;                  /* dp; R, m */
    double pace, momentum;                  /* of 1; fraction of its last step that a point keeps */
    const struct sluice_grid_options *grid; /* borrowed */
    struct sluice_waiting *waiting;         /* borrowed; NULL: none */
    const char *what;                       /* the points, for the line of `waiting` */
    struct sluice_threads *team;            /* borrowed; NULL: the caller alone */
    /* Moves a point by a step to a place where it may be. Several threads call it, for different
     * points. */
    void (*hold)(const void *data, struct sluice_pack_point *point, const double step[3]);
    const void *data;
    int64_t fixed, count, capacity; /* the first `fixed` points never move */
    struct sluice_pack_point *point;
    double lambda; /* m */
    /* Neighbours of the moving points, as they were when the points were last listed: those of
     * point fixed + i are near[i] numbers from other[first[i]] on. */
    int listed;  /* 0: not; 1: anew; 2: and used */
    double went; /* m: how far a point is at most from its place at that time */
    int64_t *first;
    uint32_t *near, *other;
    double (*x)[3];   /* [count] m: the places, as in point */
    double (*was)[3]; /* [count - fixed] m: the places at that time */
    double length[3]; /* m: periods; 0: of other axes */
    int wraps;
    double (*step)[3]; /* [count - fixed] m: the last one */
};

/* The members up to data are the caller's. Fixed points are added before moving ones. */
sluice_status sluice_pack_add(struct sluice_pack *p, const struct sluice_pack_point *point);
void sluice_pack_destroy(struct sluice_pack *p);

/* Moves the points in up to `sweeps` sweeps; ends when none moves by more than 0.001 dp. With
 * `apart` only the short force acts, between points closer than 0.9 dp. Errors: memory. */
sluice_status sluice_pack_relax(struct sluice_pack *p, int sweeps, int apart);

/* Adds change[kind] points where a kind is sparse, or removes them where it is dense; few in one
 * place at a time. Subtracts from `change` what it did. Errors: memory. */
sluice_status sluice_pack_adjust(struct sluice_pack *p, int64_t kinds, int64_t *change);

/* Removes moving points that are nearer than `least` (m) to a fixed one or to an earlier one. Adds
 * to removed[kind] (NULL: does not count). Errors: memory. */
sluice_status sluice_pack_thin(struct sluice_pack *p, double least, int64_t *removed);

/* Removes the moving points whose `keep` is 0. keep: [count - fixed]. */
void sluice_pack_remove(struct sluice_pack *p, const unsigned char *keep);

/* Lists the neighbours of moving points anew, within the reach and a little more. Errors: memory.
 */
sluice_status sluice_pack_list(struct sluice_pack *p);

/* The distance of two points, m. The points have been listed. */
double sluice_pack_distance(const struct sluice_pack *p, int64_t i, int64_t j);
#endif
