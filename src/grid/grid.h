/* Frames and bins: where a particle is, and how its neighbours are found.
 *
 * A position is (frame index int32[3], offset real[3] from the frame's centre). Frames are boxes of
 * equal size that tile space:
 *
 *     frame index k on an axis covers  corner + k width <= x < corner + (k + 1) width
 *     with its centre at               corner + (k + 1/2) width
 *
 * `width` is a power of two bins of the wanted size, between `frame_cutoffs` and twice as many
 * cutoffs on an open axis, rounded up to 8 significant bits so that whole frames add and subtract
 * exactly; on a periodic axis it is length/wrap with `wrap` whole, as near to that as it can be
 * with frames down to 7/8 of `frame_cutoffs` wide, and indices run from `first` to
 * `first + wrap - 1`. A frame is never narrower than two cutoffs on an axis that wraps on itself,
 * so that a particle meets every image of a neighbour at most once a relative frame in {-1, 0,
 * 1}^3.
 *
 * In a frame, bins are boxes of width/2^k; `bins_log2` is the finest on each axis. A frame with few
 * particles gets fewer, larger bins (sluice_grid_level), so that the table costs a bounded number
 * of bytes a particle however empty the domain is. A row is the bins of one (y, z) in one frame:
 * its particles are contiguous, x ascending by bin, and by id within a bin.
 *
 * Only frames that hold particles of some set, and their neighbours, stand in the table of frames;
 * slots are sorted by (z, y, x) of the index, so that a shift of all indices changes nothing. */
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
    double width[3];  /* of a frame, m; on the missing axis of 2-D: anything, unused */
    int periodic[3];
    int32_t first[3]; /* periodic axes: the lowest frame index (frame_shift included) */
    int32_t wrap[3];  /* periodic axes: how many frames make the period; 0 on open axes */
    int32_t shift[3]; /* domain.frame_shift: the config's coordinate x lies in frame floor((x -
                         corner)/width) + shift */
    double low[3], high[3]; /* the domain, config coordinates; a fluid particle beyond on an open
                               axis has left */
    int bins_log2[3];       /* finest bins a frame on each axis, as a power of two */

    /* The table of frames, host memory, rebuilt when the set of occupied frames changes. */
    int frame_count;
    int32_t (*frame)[3];      /* [frame_count] index of each slot, ascending in (z, y, x) */
    int32_t (*neighbour)[27]; /* [frame_count] slot of relative frame (dz + 1) 9 + (dy + 1) 3 + dx +
                                 1; -1: not in the table */
    int64_t version;          /* counts the rebuilds, and the changes of bins */
};

/* What the geometry of a grid is made from. */
struct sluice_grid_options {
    int dimension;
    double cutoff;          /* m */
    double low[3], high[3]; /* domain, m */
    int periodic[3];
    int32_t shift[3];
    double frame_cutoffs;      /* K, usually 8 */
    double bins_per_cutoff[3]; /* wanted bins a cutoff: x fine (8), y and z coarse (1-2) */
};

/* Errors: a periodic length below two cutoffs; a domain of more frames than an index holds. The
 * table of frames is empty. */
sluice_status sluice_grid_create(struct sluice_grid *grid,
                                 const struct sluice_grid_options *options);
void sluice_grid_destroy(struct sluice_grid *grid);

/* Other bins in the same frames: places stay as they are, and the next bin() sorts every set. */
void sluice_grid_set_bins(struct sluice_grid *grid, const int log2[3]);

/* Whether a place has frame indices at all: it may lie outside the domain, but not billions of
 * frames away. */
int sluice_grid_holds(const struct sluice_grid *grid, const double x[3]);

/* Config coordinates (m) to a place and back, in double; periodic axes wrap. The shift is in the
 * frame index, not in x. The grid must hold x. */
void sluice_grid_place(const struct sluice_grid *grid, const double x[3],
                       struct sluice_place *place);
double sluice_grid_centre(const struct sluice_grid *grid, int slot, int axis); /* of a frame */
void sluice_grid_coordinates(const struct sluice_grid *grid, const struct sluice_place *place,
                             double x[3]);

/* Rebuilds the table from the indices of the occupied frames (any order, repeats allowed): them and
 * their neighbours, sorted. `occupied` is [n][3]. */
sluice_status sluice_grid_set_frames(struct sluice_grid *grid, const int32_t (*occupied)[3],
                                     int64_t n);

/* Rebuilds the table from those of its frames with keep[slot] != 0. new_slot[slot], for the slots
 * before: where the same frame is now, -1 when it is not there. */
sluice_status sluice_grid_keep_frames(struct sluice_grid *grid, const uint8_t *keep,
                                      int32_t *new_slot);

/* Slot of a frame index in the table (wrapped on periodic axes), -1 when it is not there. */
int32_t sluice_grid_find_frame(const struct sluice_grid *grid, const int32_t index[3]);

/* Bins of a frame that holds `count` particles of a set, as powers of two an axis: the finest whose
 * number of bins is at most max(1, 4 count), found from bins_log2 by halving the axis with most
 * bins first (x before y before z). */
void sluice_grid_level(const struct sluice_grid *grid, int64_t count, int log2_bins[3]);
#endif
