/* The search of the window strategy for particles with supports of their own (SLUICE_ADAPTIVE_PAIRS
 * of the registry): a target visits the rows that it reaches, and meets in each row the particles
 * of its window. It reaches as far as its own support, or, for pairs that meet within the larger
 * one of the two, as far as the supports around it (support_cells.h). Both may be as wide as a
 * frame, so rows and windows go up to one frame further on either side.
 *
 * A particle's sum has a fixed order: itself, then its images behind walls; source by source, the
 * rows by (z, y), x ascending. Each candidate is met by the same instructions, and those out of
 * reach add zeros. So the sum depends neither on how the search is bounded nor on the other targets
 * of a warp. */
#ifndef SLUICE_KERNELS_GPU_WINDOW_ADAPTIVE_SEARCH_H
#define SLUICE_KERNELS_GPU_WINDOW_ADAPTIVE_SEARCH_H
#include "kernels/gpu/window/support_cells.h"

namespace SLUICE_GPU::GPU_PRECISION
{

#ifdef SLUICE_DOUBLE
typedef int64_t fixed_signed;
#else
typedef int32_t fixed_signed;
#endif

/* The data of a search beside struct window_space. */
struct adaptive_space {
    real slack;            /* of a reach: the rounding of positions */
    real widest;           /* that can be searched: the narrowest frame */
    real quantum;          /* of y and z: place_records.h */
    real row_quanta[3];    /* width of a row, in quanta */
    real x_quantum;        /* of x: fixed_x.h */
    struct bin_axis cells; /* of support_cells.h, along x */
    struct wall_images walls;
};

/* The bins of the rows of one (y, z) of frames around a target: bin b of row w is entry base + w
 * stride + (b >> shift) of start, where b counts the finest bins from the target's frame. A row
 * runs on through three frames, but not across the seam of a periodic axis. */
struct adaptive_lookup {
    uint32_t base, above; /* `above`: the base for bins of the next frame in x */
    uint32_t stride;
    int shift, low, high; /* bins low .. high exist, */
    int hole;             /* 1: but not those of the target's frame */
    int32_t slot;         /* of the frame beside the target in y and z alone; -1: none */
};

/* row: index of the first of the three frames in gpu_frames.neighbour. */
static __device__ __forceinline__ struct adaptive_lookup
adaptive_look_up(const struct window_space &space, const struct window_source &s, uint32_t slot,
                 int row)
{
    const int bins = space.bins[0];
    const int32_t frame = space.index[slot][0], *near = space.neighbour[slot] + row;
    const struct gpu_slot own = frame_bins(s, near[1]),
                          left = frame_bins(s, frame == space.seam_low ? -1 : near[0]),
                          right = frame_bins(s, frame == space.seam_high ? -1 : near[2]);
    const struct gpu_slot any = own.bins ? own : left.bins ? left : right;
    struct adaptive_lookup w;
    w.base = own.bins ? own.base : left.base + left.bins;
    w.above = own.bins ? own.base : right.base - right.bins;
    w.stride = any.stride;
    w.shift = (int)any.shift;
    w.low = left.bins ? -bins : own.bins ? 0 : bins;
    w.high = right.bins ? 2 * bins - 1 : own.bins ? bins - 1 : -1;
    w.hole = own.bins == 0;
    w.slot = near[1];
    return w;
}

/* A target's search in one source. */
template <class Pair> struct adaptive_target {
    fixed x; /* of the target */
    real at_y, at_z;
    real bin_x; /* in the finest bins, from the low border of its frame */
    int cell_x; /* of support_cells.h */
    int row_y, row_z;
    uint32_t slot;
    real support, reach; /* its own */
};

template <class Pair> struct adaptive_args : window_basics<Pair> {
    struct adaptive_space more;
    struct support_cells cells[SLUICE_PASS_SOURCES];
    uint32_t *again; /* where the first launch lists targets: their number, then they; else NULL */
};

/* Places target n. */
template <class Pair, int dim>
static __device__ __forceinline__ struct adaptive_target<Pair>
adaptive_target_of(const struct adaptive_args<Pair> &args, const typename Pair::constants &k,
                   int64_t n) {
    const struct sluice_view &v = args.pass.target.v;
    const struct target_place p = target_place_of<dim>(v, args.own, n);
    const struct window_target at = place_target<dim>(args.space, args.place, args.own, p);
    struct adaptive_target<Pair> i;
    i.x = at.at.x - args.space.x.magic_bits;
    i.at_y = at.at.y;
    i.at_z = at.at.z;
    i.bin_x = at.x;
    i.cell_x = bin_index(&args.more.cells, p.x[0]);
    i.row_y = row_code_y(at.row);
    i.row_z = row_code_z(at.row);
    i.slot = at.slot;
    i.support = real_max(Pair::support_of(k, v, n, dim), 0);
    i.reach = reach_of(i.support, args.more.slack);
    return i;
}

/* The row of a walk: its distance from the target's own row, and which side of the seam in x. */
struct adaptive_row {
    int y, z;
    int image; /* 0: the rows that run on from the target's frame; -1, 1: the frame across the low
                  or high seam */
};

/* The rows that a target may reach. */
struct adaptive_rows {
    int low_y, high_y, high_z;
    int low_image, high_image;
};

static __device__ __forceinline__ int rows_to(const struct window_space &space, int axis, real y,
                                              int row)
{
    const int rows = space.bins[axis],
              away = (int)floor(y * space.axis[axis].per_length + (real)0.5);
    return max(min(away, 2 * rows - 1 - row), -rows - row);
}

template <int dim, class Target>
static __device__ __forceinline__ struct adaptive_rows
rows_of(const struct window_space &space, const Target &i, real reach, struct adaptive_row *first)
{
    const int bins = space.bins[0];
    const int32_t frame = space.index[i.slot][0];
    const real r = reach * space.axis[0].per_length + space.bin_slack;
    struct adaptive_rows rows;
    rows.low_y = rows_to(space, 1, i.at_y - reach, i.row_y);
    rows.high_y = rows_to(space, 1, i.at_y + reach, i.row_y);
    rows.high_z = dim == 3 ? rows_to(space, 2, i.at_z + reach, i.row_z) : 0;
    rows.low_image = frame == space.seam_low && i.bin_x - r < 0 ? -1 : 0;
    rows.high_image = frame == space.seam_high && i.bin_x + r >= (real)bins ? 1 : 0;
    first->y = rows.low_y;
    first->z = dim == 3 ? rows_to(space, 2, i.at_z - reach, i.row_z) : 0;
    first->image = rows.low_image;
    return rows;
}

static __device__ __forceinline__ void step(const struct adaptive_rows &rows,
                                            struct adaptive_row *row)
{
    if (row->image < rows.high_image) {
        row->image++;
        return;
    }
    row->image = rows.low_image;
    if (row->y < rows.high_y) {
        row->y++;
        return;
    }
    row->y = rows.low_y;
    row->z++;
}

/* The distance of a row's middle, in quanta so that sums of y and z are exact. */
static __device__ __forceinline__ real row_middle(const struct adaptive_space &more, int axis,
                                                  int row)
{
    return (real)rint((real)row * more.row_quanta[axis]) * more.quantum;
}

/* The window of a row. in_row: of support_cells.h, if the pair needs it. `cached`, `code`: the
 * lookup of the last row, and its frames' number. */
template <class Pair, int dim>
static __device__ __forceinline__ struct window_range
find_row(const struct window_space &space, const struct adaptive_space &more,
         const struct window_source &s, const struct support_cells &cells,
         const struct adaptive_target<Pair> &i, const struct adaptive_row &row,
         struct adaptive_lookup *cached, int *code)
{
    const int bins = space.bins[0], all_y = i.row_y + row.y, all_z = i.row_z + row.z,
              frame_y = all_y >> space.bits[1], frame_z = dim == 3 ? all_z >> space.bits[2] : 0,
              y = all_y & (space.bins[1] - 1), z = dim == 3 ? all_z & (space.bins[2] - 1) : 0,
              first_frame = 9 * (frame_z + 1) + 3 * (frame_y + 1);
    struct window_range range = {0, 0};
    if (*code != first_frame) {
        *cached = adaptive_look_up(space, s, i.slot, first_frame);
        *code = first_frame;
    }
    struct adaptive_lookup w = *cached;
    real reach = i.reach;
    if constexpr (Pair::either)
        if (w.slot >= 0)
            reach = real_max(reach, cells.in_row[support_cell(cells, w.slot, z, y, i.cell_x)]);
    const real gap_y = real_max(REAL_FABS(i.at_y - row_middle(more, 1, row.y)) - space.row_half[1],
                                0),
               gap_z = dim == 3 ? real_max(REAL_FABS(i.at_z - row_middle(more, 2, row.z)) -
                                               space.row_half[2],
                                           0)
                                : 0,
               left = reach * reach - gap_y * gap_y - gap_z * gap_z;
    if (!(left > 0))
        return range;
    if (row.image) {
        const struct gpu_slot across = frame_bins(
            s, space.neighbour[i.slot][first_frame + 1 + row.image]);
        w.base = w.above = across.base - (uint32_t)(row.image * (int)across.bins);
        w.stride = across.stride;
        w.shift = (int)across.shift;
        w.low = row.image * bins;
        w.high = across.bins ? w.low + bins - 1 : w.low - 1;
        w.hole = 0;
    }
    const real r = REAL_SQRT(left) * space.axis[0].per_length + space.bin_slack;
    int low = max((int)floor(i.bin_x - r), w.low), high = min((int)floor(i.bin_x + r), w.high);
    if (w.hole && low >= 0)
        low = max(low, bins);
    if (w.hole && high < bins)
        high = min(high, -1);
    if (low > high)
        return range;
    const uint32_t line = (uint32_t)(z << space.bits[1] | y) * w.stride;
    range.first = gpu_load(s.start +
                           ((low < bins ? w.base : w.above) + line + (uint32_t)(low >> w.shift)));
    range.last = gpu_load(
        s.start + ((high < bins ? w.base : w.above) + line + (uint32_t)(high >> w.shift) + 1));
    return range;
}

/* A candidate, and the target from its row and image. */
struct adaptive_at {
    fixed x;
    real y, z;
};

/* Adds candidate j of a source. self: 1: it is the target itself. */
template <class Pair, int dim, int energy, int usual, int source>
static __device__ __forceinline__ void
meet_one(const typename Pair::constants &k, const struct sluice_view &v,
         const struct adaptive_space &more, const struct adaptive_at &at, real support,
         const typename Pair::src &own, const struct window_candidate<Pair> &c, uint32_t j,
         int self, typename Pair::acc *sum, int64_t *hits)
{
    fixed x;
    memcpy(&x, &c.place.x, sizeof x);
    const real d[3] = {(real)(fixed_signed)(at.x - x) * more.x_quantum, at.y - c.place.y,
                       at.z - c.place.z};
    const real r2 = pair_dot(dim, d, d);
    if (!usual) {
        real reach = support;
        if constexpr (Pair::either)
            reach = real_max(reach, Pair::support_of(k, v, j, dim));
        *hits += r2 < reach * reach && !self;
    }
    Pair::template eval<source, dim, energy>(k, d, r2, own, c.other, *sum);
}

/* How far the rows around a target must be searched: it, and what reaches it. */
template <class Pair>
static __device__ __forceinline__ real search_reach(const struct adaptive_space &more,
                                                    const struct support_cells &cells,
                                                    const struct adaptive_target<Pair> &i)
{
    real reach = i.reach;
    if constexpr (Pair::either)
        reach = real_max(reach,
                         cells.nearby[support_cell(cells, i.slot, i.row_z, i.row_y, i.cell_x)]);
    return real_min(reach, more.widest);
}

/* Puts a target in the place of its image behind walls; returns whether the image may reach a
 * particle: all are before the walls. Particles that reach the image reach the target itself, so it
 * keeps its cell. */
template <class Pair, int dim>
static __device__ __forceinline__ int place_image(const struct adaptive_args<Pair> &args, int64_t n,
                                                  int image, real reach,
                                                  struct adaptive_target<Pair> *i)
{
    const struct wall_images &walls = args.more.walls;
    const real *x = &VIEW(&args.pass.target.v, POSITION, n, dim + 1, 0);
    int reaches = 1;
#pragma unroll
    for (int c = 0; c < dim; c++) {
        const int side = wall_side(image, c);
        if (!side)
            continue;
        const double away = to_wall(walls, c, side, args.space.index[i->slot][c], (double)x[c]);
        reaches &= fabs(away) < (double)reach;
        if (c == 0) {
            i->x += (fixed)(int64_t)rint(2 * away * args.space.x.per_length);
            i->bin_x += (real)(2 * away) * args.space.axis[0].per_length;
        } else {
            *(c == 1 ? &i->at_y : &i->at_z) += in_quanta(args.place.row[c], 2 * away);
        }
    }
    return reaches;
}

/* Adds all candidates of one source to a target, or to its image of a number above 0. */
template <class Pair, int dim, int energy, int usual, int source>
static __device__ __forceinline__ void
search_source(const struct adaptive_args<Pair> &args, const typename Pair::constants &k, int64_t n,
              int image, typename Pair::src *own, typename Pair::acc *sum, int64_t *hits)
{
    const struct window_space &space = args.space;
    const struct adaptive_space &more = args.more;
    const struct window_source &s = args.source[source];
    const struct support_cells &cells = args.cells[source];
    const struct sluice_view &v = args.pass.source[source].v;
    const uint32_t self = args.pass.same[source] && !image ? (uint32_t)n : UINT32_MAX;
    struct adaptive_target<Pair> i = adaptive_target_of<Pair, dim>(args, k, n);
    const real reach = search_reach(more, cells, i);
    if (image && !place_image<Pair, dim>(args, n, image, reach, &i))
        return;
    mirror<Pair, dim>(image, own, sum);
    struct window_loop<Pair> loop;
    loop.k = k;
    loop.v = v;
    loop.at = s.at;
    struct adaptive_row next;
    const struct adaptive_rows rows = rows_of<dim>(space, i, reach, &next);
    struct adaptive_lookup cached = {};
    int code = -1;
    struct window_range found = find_row<Pair, dim>(space, more, s, cells, i, next, &cached, &code);
    while (next.z <= rows.high_z) {
        const struct adaptive_row row = next;
        const struct window_range range = found;
        step(rows, &next);
        if (next.z <= rows.high_z)
            found = find_row<Pair, dim>(space, more, s, cells, i, next, &cached, &code);
        if (range.first >= range.last)
            continue;
        const struct adaptive_at at = {i.x - (fixed)row.image * space.x.period,
                                       i.at_y - row_middle(more, 1, row.y),
                                       dim == 3 ? i.at_z - row_middle(more, 2, row.z) : 0};
        struct window_candidate<Pair> c = candidate<Pair, dim, source>(loop, range.first);
#pragma unroll 1
        for (uint32_t j = range.first; j < range.last; j++) {
            const struct window_candidate<Pair> now = c;
            c = candidate<Pair, dim, source>(loop, min(j + 1, range.last - 1));
            meet_one<Pair, dim, energy, usual, source>(k, v, more, at, i.support, *own, now, j,
                                                       j == self && row.image == 0, sum, hits);
        }
    }
    mirror<Pair, dim>(image, own, sum);
}

} // namespace SLUICE_GPU::GPU_PRECISION
#endif
