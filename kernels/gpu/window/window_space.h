/* The first part of a search by the window strategy: places a target in the grid and tests whether
 * a source is near it. The host makes the list of rows that a target may reach. */
#ifndef SLUICE_KERNELS_GPU_WINDOW_WINDOW_SPACE_H
#define SLUICE_KERNELS_GPU_WINDOW_WINDOW_SPACE_H
#include "kernels/gpu/window/window_rows.h"

namespace SLUICE_GPU::GPU_PRECISION
{

/* Whether the source may have particles within the target's cutoff. x is the target's offset in its
 * frame: the target itself holds x in bins. */
template <int dim>
static __device__ __forceinline__ int is_near(const struct window_space &space,
                                              const struct window_source &s,
                                              const struct window_target &i, real x)
{
    if (!s.slot)
        return 0;
    const int block[3] = {near_block(space.near[0], x), near_block(space.near[1], i.y),
                          near_block(space.near[2], i.z)};
    return !s.near || (gpu_load(s.near + i.slot) >> near_bit(block, dim) & 1);
}

/* A target as loaded from memory. */
struct target_place {
    uint32_t slot;       /* of its frame */
    real x[3];           /* from the frame's centre, m */
    struct real4 record; /* its position record, if the pass has the target's records */
};

template <int dim>
static __device__ __forceinline__ struct target_place
target_place_of(const struct sluice_view &v, const struct place_record *records, int64_t n)
{
    struct target_place p;
    p.slot = ((const uint32_t *)v.field[SLUICE_FIELD_FRAME])[n];
    for (int c = 0; c < 3; c++)
        p.x[c] = c < dim ? VIEW(&v, POSITION, n, dim + 1, c) : 0;
    if (records)
        p.record = view_load4(&records[n].x);
    return p;
}

/* The row that a particle was sorted into. `offset` counts from the frame's centre, `y` from the
 * row's middle, so their difference is the place of the row. The particle may have left the row
 * since, and the row may lie in a neighbour frame. */
static __device__ __forceinline__ int standing_row(const struct bin_axis &axis, real offset, real y)
{
    return (int)floor((offset - y + axis.half) * axis.per_length);
}

template <int dim>
static __device__ __forceinline__ struct window_target
place_target(const struct window_space &space, const struct row_place &place,
             const struct place_record *records, const struct target_place &p)
{
    const real x = p.x[0],
               reach = (space.reach + space.drift) * space.axis[0].per_length + space.bin_slack;
    struct window_target i;
    i.slot = p.slot;
    /* A target may have drifted a little out of its frame. The limits also turn NaN into a number.
     */
    i.x = real_min(real_max((x + space.axis[0].half) * space.axis[0].per_length,
                            (real)-0.125 * (real)space.bins[0]),
                   (real)1.125 * (real)space.bins[0]);
    i.y = p.x[1];
    i.z = p.x[2];
    const int32_t frame = space.index[i.slot][0];
    i.seam = frame == space.seam_low && i.x < reach                           ? -1
             : frame == space.seam_high && i.x + reach >= (real)space.bins[0] ? 1
                                                                              : 0;
    fixed at;
    if (records) {
        memcpy(&at, &p.record.x, sizeof at);
        i.at.y = p.record.y;
        i.at.z = p.record.z;
        i.row = row_code(standing_row(space.axis[1], i.y, i.at.y),
                         dim == 3 ? standing_row(space.axis[2], i.z, i.at.z) : 0);
    } else {
        at = fixed_of(space.x, frame, x);
        i.row = row_code(bin_index(&space.axis[1], i.y),
                         dim == 3 ? bin_index(&space.axis[2], i.z) : 0);
        i.at.y = in_row(place.row[1], row_code_y(i.row), i.y);
        i.at.z = dim == 3 ? in_row(place.row[2], row_code_z(i.row), i.z) : 0;
    }
    i.at.x = at + space.x.magic_bits;
    return i;
}

/* Lists the rows that a target may reach, relative to its own row, by z, then y. Both the target
 * and a candidate may have drifted out of their rows by up to `drift`. */
static inline sluice_status list_rows(struct window_space *s, int dim, real own_cutoff,
                                      struct window_row list[WINDOW_ROWS + 1])
{
    const real cutoff = own_cutoff + 2 * s->drift;
    int reach[3] = {0, 0, 0};
    s->rows = 0;
    for (int c = 1; c < dim; c++) {
        reach[c] = (int)ceil((double)cutoff / (double)s->row_width[c] * (1 - 1e-6));
        s->row_reach[c] = reach[c];
    }
    s->beyond = ~row_code(s->bins[1] - 1, s->bins[2] - 1);
    SLUICE_CHECK((2 * reach[1] + 1) * (2 * reach[2] + 1) <= WINDOW_ROWS, SLUICE_BAD_INPUT,
                 "backend.bins: %d and %d rows a cutoff in y and z; a GPU takes up to 6", reach[1],
                 reach[2]);
    for (int dz = -reach[2]; dz <= reach[2]; dz++)
        for (int dy = -reach[1]; dy <= reach[1]; dy++) {
            const double y = (double)s->row_width[1] * (abs(dy) > 1 ? abs(dy) - 1 : 0),
                         z = (double)s->row_width[2] * (abs(dz) > 1 ? abs(dz) - 1 : 0);
            if (y * y + z * z >= (double)cutoff * (double)cutoff)
                continue;
            const struct window_row row = {(real)dy * s->row_width[1], (real)dz * s->row_width[2],
                                           row_code(dy, dz), (uint32_t)(dz * s->bins[1] + dy)};
            list[s->rows++] = row;
        }
    /* The entry behind the list is out of every target's reach. */
    const struct window_row none = {(real)1e15 * cutoff, 0, 0, 0};
    list[s->rows] = none;
    return SLUICE_OK;
}

/* Fills the grid as the search needs it, but for the list of rows. */
static sluice_status space_of(const struct gpu_backend *gpu, const struct sluice_grid *g,
                              real cutoff, struct window_space *s)
{
    const real least = sizeof(real) == 4 ? (real)1e-6 : (real)1e-15;
    real slack = 0;
    s->x = fixed_axis_of(g);
    for (int c = 0; c < 3; c++) {
        s->bits[c] = c < g->dimension ? g->bins_log2[c] : 0;
        s->bins[c] = 1 << s->bits[c];
        s->axis[c] = bin_axis_of(g->width[c], s->bits[c]);
        s->near[c] = near_axis_of(g->width[c], g->dimension);
        s->row_width[c] = (real)(g->width[c] / (1 << s->bits[c]));
        slack = real_max(slack, c < g->dimension ? (real)g->width[c] * least : 0);
    }
    s->drift = (real)gpu->drifted;
    for (int c = 0; c < 3; c++)
        s->row_half[c] = (real)0.5 * s->row_width[c] + slack + s->drift;
    s->reach = cutoff * (1 + least) + slack;
    s->bin_slack = slack * s->axis[0].per_length + least * (real)(1 << s->bits[0]);
    const real with_bins = s->reach + s->bin_slack / s->axis[0].per_length;
    s->reach2 = with_bins * with_bins;
    s->index = gpu->frames.index;
    s->neighbour = gpu->frames.neighbour;
    s->seam_low = g->periodic[0] ? g->first[0] : INT32_MIN;
    s->seam_high = g->periodic[0] ? g->first[0] + g->wrap[0] - 1 : INT32_MIN;
    for (int c = 1; c < g->dimension; c++)
        SLUICE_CHECK(s->bits[c] <= ROW_BITS_MOST, SLUICE_BAD_INPUT,
                     "domain: a frame has 2^%d rows of bins; a GPU takes up to 2^%d; make "
                     "backend.frame_cutoffs smaller",
                     s->bits[c], (int)ROW_BITS_MOST);
    return SLUICE_OK;
}

} // namespace SLUICE_GPU::GPU_PRECISION
#endif
