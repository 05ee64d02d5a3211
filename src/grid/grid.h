/* Frames and bins: where a particle is, and how its neighbours are found.
 *
 * A position is a frame index, int32[3], and an offset from the frame's centre, real[3]. Frames are
 * boxes of equal size that tile space:
 *
 *     frame index k on an axis covers  corner + k width <= x < corner + (k + 1) width
 *     with its centre at               corner + (k + 1/2) width
 *
 * On an open axis `width` is a power of two bins of the wanted size, between `frame_cutoffs` and
 * twice as many cutoffs. It is rounded up to 8 significant bits, so that whole frames add and
 * subtract exactly. On a periodic axis `wrap` whole frames make the period; they may be narrower,
 * down to 7/8 of `frame_cutoffs`. Their indices run from `first` to `first + wrap - 1`. A frame of
 * an axis that wraps on itself is two cutoffs wide or wider, so a particle meets every image of a
 * neighbour at most once among the relative frames {-1, 0, 1}^3.
 *
 * A frame is cut into bins of width/2^k on each axis; `bins_log2` is the largest k. A frame with
 * few particles has fewer, larger bins (sluice_grid_level), so the table takes a bounded number of
 * bytes a particle, however empty the domain is. A row is the bins of one (y, z) in one frame: its
 * particles are contiguous, sorted by bin along x, and by id within a bin.
 *
 * The table of frames holds the frames with particles of any set, and their neighbours. Slots are
 * sorted by (z, y, x) of the index, so a shift of all indices changes nothing. */
#ifndef SLUICE_GRID_GRID_H
#define SLUICE_GRID_GRID_H
#include <stdint.h>

#include "core/status.h"

/* An exact place: of a shape, a probe, a centre of force, or a particle. */
struct sluice_place {
    int32_t frame[3];
    double offset[3]; /* m, from the frame's centre */
};

struct sluice_grid {
    int dimension;
    double cutoff;    /* largest reach of any pair of the case, m */
    double corner[3]; /* of frame 0, in the config's coordinates, m */
    double width[3];  /* of a frame, m; in 2-D the last one is unused */
    int periodic[3];
    int32_t first[3]; /* periodic axes: the lowest frame index (frame_shift included) */
    int32_t wrap[3];  /* periodic axes: frames of the period; 0 on open axes */
    unsigned walls;   /* bit 2 axis + (high side): this face of the domain mirrors a gas */
    int32_t shift[3]; /* domain.frame_shift: x lies in frame floor((x - corner)/width) + shift */
    double low[3], high[3]; /* the domain, config coordinates; fluid beyond it on an open axis has
                               left */
    int bins_log2[3];       /* log2 of the most bins of a frame on each axis */

    /* The table of frames, host memory, rebuilt when the set of occupied frames changes. */
    int frame_count;
    int32_t (*frame)[3];      /* [frame_count] index of each slot, ascending in (z, y, x) */
    int32_t (*neighbour)[27]; /* [frame_count] slot of relative frame (dz + 1) 9 + (dy + 1) 3 + dx +
                                 1; -1: not in the table */
    int64_t version;          /* counts the rebuilds and the changes of bins */
};

/* The input of sluice_grid_create. */
struct sluice_grid_options {
    int dimension;
    double cutoff;          /* m */
    double low[3], high[3]; /* domain, m */
    int periodic[3];
    unsigned walls; /* as in struct sluice_grid */
    int32_t shift[3];
    double frame_cutoffs;      /* K, usually 8 */
    double bins_per_cutoff[3]; /* wanted bins a cutoff: x fine (8), y and z coarse (1-2) */
};

/* Makes a grid without a table of frames. Errors: a period below two cutoffs; a domain of more
 * frames than an index holds. */
sluice_status sluice_grid_create(struct sluice_grid *grid,
                                 const struct sluice_grid_options *options);
void sluice_grid_destroy(struct sluice_grid *grid);

/* The least width of a frame, m. */
double sluice_grid_narrowest(const struct sluice_grid *grid);

/* Gives the frames other bins. Places stay valid; the next bin() sorts every set. */
void sluice_grid_set_bins(struct sluice_grid *grid, const int log2[3]);

/* Whether x has a frame index that fits: it may lie outside the domain, but not a billion frames
 * away. */
int sluice_grid_holds(const struct sluice_grid *grid, const double x[3]);

/* Config coordinates (m) to a place and back, in double; periodic axes wrap. The shift is in the
 * frame index, not in x. The grid must hold x. */
void sluice_grid_place(const struct sluice_grid *grid, const double x[3],
                       struct sluice_place *place);
void sluice_grid_place_along(const struct sluice_grid *grid, int axis, double x,
                             struct sluice_place *place); /* sets one axis of the place */
double sluice_grid_centre(const struct sluice_grid *grid, int slot, int axis); /* of a frame */
void sluice_grid_coordinates(const struct sluice_grid *grid, const struct sluice_place *place,
                             double x[3]);

/* Rebuilds the table from the indices of the occupied frames, in any order and with repeats: it
 * holds them and their neighbours. `occupied` is [n][3]. Errors: memory, an index that is too
 * large. */
sluice_status sluice_grid_set_frames(struct sluice_grid *grid, const int32_t (*occupied)[3],
                                     int64_t n);

/* Rebuilds the table from its frames with keep[slot] != 0 and their neighbours. new_slot[slot]: the
 * new slot of the frame that was in `slot`; -1: not in the table. */
sluice_status sluice_grid_keep_frames(struct sluice_grid *grid, const uint8_t *keep,
                                      int32_t *new_slot);

/* Slot of a frame index, which is wrapped on periodic axes; -1: not in the table. */
int32_t sluice_grid_find_frame(const struct sluice_grid *grid, const int32_t index[3]);

/* The bins of a frame with `count` particles of a set, as log2 on each axis: begins with bins_log2
 * and halves the axis with the most bins (x before y before z) until there are at most
 * max(1, 4 count) bins. */
void sluice_grid_level(const struct sluice_grid *grid, int64_t count, int log2_bins[3]);
#endif
