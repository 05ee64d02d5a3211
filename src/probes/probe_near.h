/* Which fluid particles are near which probe: one pass over all particles. A map of coarse cells
 * rejects most of them. */
#ifndef SLUICE_PROBES_PROBE_NEAR_H
#define SLUICE_PROBES_PROBE_NEAR_H
#include <math.h>
#include <stdint.h>

#include "grid/grid.h"
#include "snapshots/snapshot_particles.h"

/* The images of a particle: behind the ends of periodic axes, and behind walls that mirror a gas.
 * An image is at x = sign x + shift, a vector of it is sign v. */
enum { SLUICE_NEAR_IMAGES = 27 };
struct sluice_near_image {
    double sign[3], shift[3]; /* 1 or -1; m */
};

/* Lists the particle itself and its images in a domain; returns how many there are. */
int sluice_near_images(const struct sluice_grid_options *grid,
                       struct sluice_near_image image[SLUICE_NEAR_IMAGES]);

/* A particle, or one of its images, near a probe. */
struct sluice_near_entry {
    sluice_id id;
    int image;        /* its number in the map */
    int64_t particle; /* index in the host particles */
    double x[3];      /* m, of the image */
};

/* The particles in one probe's box. */
struct sluice_near {
    double low[3], high[3]; /* the box, m; in 2-D only x and y count */
    int used;               /* 0: the probe needs no particles near it */
    int due;                /* used, and to be gathered now */
    int64_t count, capacity;
    struct sluice_near_entry *entry; /* [count] by id after a gathering; the owner frees it */
};

/* Coarse cells over all boxes together. A particle in a cell that no box touches is near no probe.
 */
struct sluice_near_map {
    double low[3], high[3]; /* all boxes, m; low > high: there are none */
    int cells[3];
    double per_length[3];                   /* cells a metre */
    unsigned char *touched;                 /* [z][y][x] */
    const struct sluice_grid_options *grid; /* borrowed: the domain and its periods */
    double cell;                            /* m, as asked for */
    int image_count;
    struct sluice_near_image image[SLUICE_NEAR_IMAGES];
};

/* Makes the map of the boxes of n lists, with cells of about this size (m), in a domain (borrowed).
 * Errors: memory. */
sluice_status sluice_near_map_create(struct sluice_near_map *map,
                                     const struct sluice_grid_options *grid,
                                     const struct sluice_near *lists, int n, double cell);
void sluice_near_map_destroy(struct sluice_near_map *map);

/* The boxes of the lists that are due, a little larger, and their images in the domain: together
 * they hold every particle that gather would list. `box` has SLUICE_NEAR_IMAGES entries a list;
 * returns how many are filled. */
int sluice_near_boxes(const struct sluice_near_map *map, const struct sluice_near *lists, int n,
                      double slack, struct sluice_box *box);

/* Fills the lists that are due, sorted by id. Errors: memory. */
sluice_status sluice_near_map_gather(const struct sluice_near_map *map, struct sluice_near *lists,
                                     int n, const struct sluice_host_particles *p);

/* Adds an entry to a list. Errors: memory. */
sluice_status sluice_near_add(struct sluice_near *near, const struct sluice_near_entry *entry);

/* Point s of `sites` equal steps along a line, both ends included. */
void sluice_near_site(const double from[3], const double to[3], int sites, int s, double x[3]);
/* The points of the line that may be within `support` of x: all, or first <= s <= last. */
void sluice_near_sites(const double from[3], const double to[3], int sites, double support,
                       const double x[3], int *first, int *last);

static inline double sluice_near_distance(const double a[3], const double b[3])
{
    const double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
}
#endif
