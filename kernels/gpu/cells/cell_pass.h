/* Shared by all strategies that search cells: rows of bins, targets, candidates, and the sum of a
 * pair.
 *
 * Rows are counted from the target's frame and may lie in the frame before or after it. Along x the
 * frames -1, 0 and 1 have segments of their own. Every strategy sums a target's own row first, and
 * then the others in the order of (z, y), with x ascending. So its results do not depend on the
 * sizes of blocks, to the bit, and a target meets itself in the first row only. */
#ifndef SLUICE_KERNELS_GPU_CELLS_CELL_PASS_H
#define SLUICE_KERNELS_GPU_CELLS_CELL_PASS_H
#include "kernels/gpu/platform.h"
#include "kernels/gpu/pass.h"
/* after pass.h */
#include "kernels/types/bin_index.h"
#include "kernels/gpu/cells/cells.h"
#include "kernels/gpu/place_records.h"

namespace SLUICE_GPU::GPU_PRECISION
{

struct cell_space {
    struct cell_grid cells;
    struct fixed_axis x;
    struct bin_axis axis[3];
    real width[3], row_width[3]; /* of a frame, of a bin */
    const int32_t (*index)[3];
    const int32_t (*neighbour)[27];
    int32_t seam_low, seam_high; /* frames in x at the ends of a period */
};

struct cell_source {
    const struct gpu_slot *slot; /* NULL: no such source */
    const uint32_t *start;
    const struct place_record *at;
};

template <class Pair> struct cell_args {
    struct pass_args<Pair> pass;
    struct cell_space space;
    struct cell_source source[SLUICE_PASS_SOURCES];
};

/* --- Rows ---- */

/* A row of bins, as counted from another. */
struct row_offset {
    int y, z;
};

/* Goes on from {0, 0}, a target's own row, to the other rows that it meets. Returns 0 at the end.
 */
static __device__ __forceinline__ int next_row(const struct cell_grid &c, struct row_offset *row)
{
    if (row->y == 0 && row->z == 0) {
        row->y = -c.reach[1] - 1;
        row->z = -c.reach[2];
    }
    row->y += row->y == -1 && row->z == 0 ? 2 : 1; /* not the own row again */
    if (row->y > c.reach[1]) {
        row->y = -c.reach[1];
        row->z++;
    }
    return row->z <= c.reach[2];
}

/* Whether the row (dy, dz) away can hold particles within the cutoff. If rows are narrower than the
 * cutoff, the rows at the corners cannot. */
static __device__ __forceinline__ int is_row_near(const struct cell_space &space, int dy, int dz,
                                                  real cutoff)
{
    const real y = (real)(abs(dy) > 1 ? abs(dy) - 1 : 0) * space.row_width[1],
               z = (real)(abs(dz) > 1 ? abs(dz) - 1 : 0) * space.row_width[2];
    return y * y + z * z < cutoff * cutoff;
}

/* The frame (-1, 0 or 1) of row or bin `at`, where a frame has 2^log2 of them. */
static __device__ __forceinline__ int frame_of(int at, int log2)
{
    return at < 0 ? -1 : at >> log2 != 0;
}

/* A frame, and where its bins are in a source's table. */
struct cell_home {
    uint32_t slot;
    struct gpu_slot bins;
};

static __device__ __forceinline__ struct cell_home home_in(const struct cell_source &s,
                                                           uint32_t slot)
{
    const struct cell_home home = {slot, s.slot ? s.slot[slot] : gpu_slot()};
    return home;
}

/* The particles of row (y, z) in bins low .. high, counted along x from the frame `home`, that lie
 * in the neighbour frame dx. Where that frame's bins are wide it includes a few more. */
template <int dim>
static __device__ __forceinline__ struct cell_segment
find_segment(const struct cell_space &space, const struct cell_source &s,
             const struct cell_home &home, int y, int z, int dx, int low, int high)
{
    const struct cell_grid &c = space.cells;
    const int fy = frame_of(y, c.bins[1]), fz = dim == 3 ? frame_of(z, c.bins[2]) : 0,
              bins = 1 << c.bins[0];
    const int first = max(low - dx * bins, 0), last = min(high - dx * bins, bins - 1);
    struct cell_segment none = {0, 0}, found;
    if (first > last)
        return none;
    struct gpu_slot b = home.bins;
    if (fy || fz || dx) { /* not the frame itself, which needs no search */
        const int32_t near = space.neighbour[home.slot][(fz + 1) * 9 + (fy + 1) * 3 + dx + 1];
        if (near < 0)
            return none;
        b = s.slot[near];
    }
    if (b.bins == 0)
        return none;
    const int row = (z - fz * (1 << c.bins[2])) << c.bins[1] | (y - fy * (1 << c.bins[1]));
    const uint32_t start = b.base + (uint32_t)row * b.stride;
    found.first = gpu_load(s.start + (start + ((uint32_t)first >> b.shift)));
    found.count = gpu_load(s.start + (start + ((uint32_t)last >> b.shift) + 1)) - found.first;
    return found;
}

/* Periodic shift in x of the neighbour frame dx: a period if the seam lies between, else 0. */
static __device__ __forceinline__ fixed seam_shift(const struct cell_space &space, uint32_t slot,
                                                   int dx)
{
    const int32_t frame = space.index[slot][0];
    return dx < 0 && frame == space.seam_low    ? (fixed)0 - space.x.period
           : dx > 0 && frame == space.seam_high ? space.x.period
                                                : 0;
}

/* --- Particles ---- */

template <class Pair> struct cell_target {
    uint32_t index, slot;
    int row_y, row_z, low, high; /* its row; the bins along x that it meets */
    fixed x_and_magic;
    real y, z; /* from the centre of its frame */
    typename Pair::src own;
    typename Pair::acc sum;
    int64_t hits; /* ordered pairs i != j within the cutoff */
};

template <class Pair, int dim>
static __device__ __forceinline__ void place_target(const struct cell_args<Pair> &args,
                                                    const typename Pair::constants &k, uint32_t n,
                                                    struct cell_target<Pair> *i)
{
    const struct cell_space &space = args.space;
    const struct sluice_view &v = args.pass.target.v;
    const real x = VIEW(&v, POSITION, n, dim + 1, 0);
    const int bin = bin_index(&space.axis[0], x), reach = space.cells.reach[0];
    *i = cell_target<Pair>();
    i->index = n;
    i->slot = ((const uint32_t *)v.field[SLUICE_FIELD_FRAME])[n];
    i->x_and_magic = fixed_of(space.x, space.index[i->slot][0], x) + space.x.magic_bits;
    i->y = VIEW(&v, POSITION, n, dim + 1, 1);
    i->z = dim == 3 ? VIEW(&v, POSITION, n, dim + 1, 2) : 0;
    i->row_y = bin_index(&space.axis[1], i->y);
    i->row_z = dim == 3 ? bin_index(&space.axis[2], i->z) : 0;
    i->low = bin - reach;
    i->high = bin + reach;
    i->own = Pair::load(k, v, n, dim, SLUICE_TARGET, Pair::pack(v, n, dim, SLUICE_TARGET));
}

/* A candidate in shared memory, in the coordinates of the frame of the block's box. */
template <class Pair> struct cell_staged {
    typename Pair::src src;
    real x, y, z; /* x: the bits of a `fixed` */
};

template <class Pair, int dim, int source>
static __device__ __forceinline__ struct cell_staged<Pair>
load_staged(const struct cell_args<Pair> &args, const typename Pair::constants &k, int64_t j) {
    const struct real4 p = view_load4((const real *)(args.source[source].at + j));
    struct cell_staged<Pair> s;
    s.src = Pair::load(k, args.pass.source[source].v, j, dim, source, p.w);
    s.x = p.x;
    s.y = p.y;
    s.z = p.z;
    return s;
}

/* --- Meeting ---- */

/* Calls eval(n) for the numbers of a span, but `self`: none of them is asked whether it is. */
template <class Eval>
static __device__ __forceinline__ void each_but(uint32_t self, struct cell_span span, Eval eval)
{
    while (span.low < span.high) {
        const uint32_t end = span.low <= self && self < span.high ? self : span.high;
#pragma unroll 1
        for (uint32_t n = span.low; n < end; n++)
            eval(n);
        span.low = end + 1;
    }
}

/* Adds the pair with a candidate at `other` (x: the bits of a `fixed`), if it is within the cutoff;
 * load() returns its Pair::src. at: the target's y and z in the same frame. */
template <class Pair, int dim, int energy, int usual, int source, class Load>
static __device__ __forceinline__ void meet(const struct cell_args<Pair> &args,
                                            const typename Pair::constants &k,
                                            struct cell_target<Pair> *i, fixed x_and_magic,
                                            const real at[2], const real other[3], Load load)
{
    fixed x;
    memcpy(&x, &other[0], sizeof x);
    const real d[3] = {fixed_difference(args.space.x.magic, x_and_magic, x), at[0] - other[1],
                       dim == 3 ? at[1] - other[2] : 0},
               r2 = pair_dot(dim, d, d);
    if (!(r2 < Pair::support(k) * Pair::support(k)))
        return;
    if (!usual)
        i->hits++;
    Pair::template eval<source, dim, energy>(k, d, r2, i->own, load(), i->sum);
}

/* The target meets the candidates of a segment in global memory. Only the position of those beyond
 * the cutoff is loaded. at: the target's y and z in the candidates' frame; shift: seam_shift; self:
 * the target, if it may be among them. */
template <class Pair, int dim, int energy, int usual, int source>
static __device__ __forceinline__ void
meet_segment(const struct cell_args<Pair> &args, const typename Pair::constants &k,
             struct cell_target<Pair> *i, const struct cell_segment &segment, uint32_t self,
             const real at[2], fixed shift)
{
    const struct sluice_view &v = args.pass.source[source].v;
    each_but(self, {segment.first, segment.first + segment.count}, [&](uint32_t j) {
        const struct real4 p = view_load4((const real *)(args.source[source].at + j));
        const real other[3] = {p.x, p.y, p.z};
        meet<Pair, dim, energy, usual, source>(args, k, i, i->x_and_magic - shift, at, other, [&] {
            return Pair::load(k, v, j, dim, source, p.w);
        });
    });
}

/* The target meets a span of candidates in shared memory. self: as above. */
template <class Pair, int dim, int energy, int usual, int source>
static __device__ __forceinline__ void
meet_tile(const struct cell_args<Pair> &args, const typename Pair::constants &k,
          struct cell_target<Pair> *i, const struct cell_staged<Pair> *tile,
          const struct cell_span &span, uint32_t self)
{
    const real at[2] = {i->y, i->z};
    each_but(self, span, [&](uint32_t t) {
        const real other[3] = {tile[t].x, tile[t].y, tile[t].z};
        meet<Pair, dim, energy, usual, source>(args, k, i, i->x_and_magic, at, other,
                                               [&] { return tile[t].src; });
    });
}

/* Stores the target's results and adds its part of the pass's sums to `out`. */
template <class Pair, int dim, int energy>
static __device__ __forceinline__ void
store_target(const struct cell_args<Pair> &args, const typename Pair::constants &k,
             const struct cell_target<Pair> &i, double out[SLUICE_SUM_COUNT])
{
    if (!is_own(args.pass.target, i.index))
        return;
    Pair::template store<dim, energy>(k, args.pass.target.v, i.index, i.own, i.sum,
                                      args.pass.wanted, out);
    out[SLUICE_SUM_PAIRS] += (double)i.hits;
}

/* --- On the host ---- */

static inline struct cell_space cell_space_of(const struct gpu_backend *gpu,
                                              const struct sluice_grid *g,
                                              const struct cell_grid *cells)
{
    struct cell_space s;
    s.cells = *cells;
    s.x = fixed_axis_of(g);
    for (int c = 0; c < 3; c++) {
        s.axis[c] = bin_axis_of(g->width[c], cells->bins[c]);
        s.width[c] = (real)g->width[c];
        s.row_width[c] = (real)(g->width[c] / (1 << cells->bins[c]));
    }
    s.index = gpu->frames.index;
    s.neighbour = gpu->frames.neighbour;
    s.seam_low = g->periodic[0] ? g->first[0] : INT32_MIN;
    s.seam_high = g->periodic[0] ? g->first[0] + g->wrap[0] - 1 : INT32_MIN;
    return s;
}

/* Fills all members but `pass`, and packs the sources' records. */
template <class Pair, int dim>
static sluice_status cell_args_open(struct gpu_backend *gpu, const struct sluice_grid *g,
                                    const struct sluice_pass *pass, struct cell_args<Pair> *args)
{
    const struct cell_grid cells = cell_grid_of(g);
    args->space = cell_space_of(gpu, g, &cells);
    for (int s = 0; s < SLUICE_PASS_SOURCES; s++) {
        struct sluice_set *source = pass->source[s];
        args->source[s] = cell_source();
        if (!source || source->count == 0)
            continue;
        SLUICE_TRY((pack_places<Pair, dim>(gpu, g, source, s)));
        const struct gpu_bins *bins = bins_of(source);
        args->source[s] = {bins->slot, bins->start, (const struct place_record *)bins->packed};
    }
    return SLUICE_OK;
}

/* Defines interact_NAME for a strategy whose launch is one call. It follows the name: an expression
 * of gpu, g, pass, and of the template arguments Pair, dim, energy and usual. */
#define CELL_STRATEGY(name, ...)                                                                   \
    struct name##_launch {                                                                         \
        template <class Pair, int dim, int energy, int usual>                                      \
        static sluice_status run(struct gpu_backend *gpu, const struct sluice_grid *g,             \
                                 struct sluice_pass *pass)                                         \
        {                                                                                          \
            return __VA_ARGS__;                                                                    \
        }                                                                                          \
    };                                                                                             \
    PASS_STRATEGY(name)

/* Call after the launch: records of the target may be out of date. */
static inline void cell_pass_done(const struct sluice_pass *pass)
{
    if (sluice_pairs[pass->pair].writes & SLUICE_BIT(EOS))
        gpu_unpack(pass->target);
}

} // namespace SLUICE_GPU::GPU_PRECISION
#endif
