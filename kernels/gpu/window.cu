/* The window strategy: one thread a target, exact windows in rows of fine bins.
 *
 *   frames     those around the target's in z and y; a row runs on in x
 *   rows       of such a frame within the cutoff of the target
 *   window     of a row at distance (dy, dz): x within sqrt(rc^2 - dy^2 - dz^2); one range of
 *              particles, found by two looks into `start`
 *
 * Sources in order, frames by their relative (z, y), rows z then y, x ascending: the order of a
 * particle's sum. Lanes of a warp are neighbours in x in one row, so that they read nearly the same
 * candidates. On a periodic x axis, what is seen across the seam is one more pass, with the
 * target's x shifted. */
#include "kernels/gpu/pass.h"
/* after pass.h */
#include "kernels/bin_index.h"
#include "kernels/gpu/fixed.h"
#include "kernels/gpu/near.h"

namespace SLUICE_GPU
{
namespace GPU_PRECISION
{

/* A source particle as the window loop reads it: x as fixed.h has it, y and z from the frame's
 * centre, and what the pair lets ride along. */
struct place_record {
    real x, y, z, packed; /* x: the bits of a `fixed` */
};

/* What the search needs of the grid. */
struct window_space {
    struct fixed_axis x;
    struct bin_axis axis[3];
    real row_width[3], width[3];
    real reach, slack; /* the cutoff with its slack; what rounding can make of a position */
    int bits[3];
    const int32_t (*index)[3];
    const int32_t (*neighbour)[27];
    struct near_axis near[3];
    int32_t seam_low, seam_high; /* frames in x at the ends of a period */
};

struct window_source {
    const struct gpu_slot *slot; /* NULL: no such source */
    const uint32_t *start;
    const struct place_record *at;
    const uint64_t *near; /* NULL: no masks */
};

template <class Pair> struct window_args {
    struct pass_args<Pair> pass;
    struct window_space space;
    struct window_source source[SLUICE_PASS_SOURCES];
};

/* --- Records --- */

template <class Pair, int dim>
__global__ void pack_kernel(const struct gpu_set set, const struct fixed_axis axis,
                            const int32_t (*index)[3], int source, struct place_record *out)
{
    const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= alive_in(set))
        return;
    const uint32_t slot = ((const uint32_t *)set.v.field[SLUICE_FIELD_FRAME])[i];
    const fixed x = fixed_of(axis, index[slot][0], VIEW(&set.v, POSITION, i, dim + 1, 0));
    struct place_record p;
    memcpy(&p.x, &x, sizeof p.x);
    p.y = VIEW(&set.v, POSITION, i, dim + 1, 1);
    p.z = dim == 3 ? VIEW(&set.v, POSITION, i, dim + 1, 2) : 0;
    p.packed = Pair::pack(set.v, i, dim, source);
    out[i] = p;
}

template <class Pair, int dim>
static sluice_status pack(struct gpu_backend *gpu, const struct sluice_grid *g,
                          struct sluice_set *set, int source)
{
    struct gpu_bins *bins = bins_of(set);
    auto kernel = pack_kernel<Pair, dim>;
    GPU_LAUNCH(kernel, gpu_blocks(set->count, GPU_BLOCK), GPU_BLOCK, 0, gpu->stream,
               set_of(gpu, set), fixed_axis_of(g), gpu->frames.index, source,
               (struct place_record *)bins->packed);
    GPU_LAUNCHED("pack");
    return SLUICE_OK;
}

/* --- Windows --- */

/* A target, seen from the frame in whose coordinates y and z are. */
struct window_target {
    fixed x_and_magic;
    real x, y, z; /* offsets; x in the target's own frame */
    uint32_t slot;
    int64_t index;
};

/* How a row's range of particles is found, of the target's own column of frames and the one on the
 * side where the target is nearer to the border. Bins are counted from the own column's first. */
struct window_lookup {
    uint32_t own, own_end, other; /* indices in start, of row 0 */
    uint32_t own_shift, other_shift, stride;
    int low, high; /* no bin beyond these: a frame may be two cutoffs wide, and its other side be
                      reached by rounding alone */
};

/* A column without bins has shift 31, and its `base` is where they would be. */
static __device__ __forceinline__ struct gpu_slot column(const struct window_source &s,
                                                         int32_t slot)
{
    struct gpu_slot none = {0, 0, 31, 0};
    return slot < 0 ? none : s.slot[slot];
}

/* The columns around the target `dy`, `dz` frames away. image: 0 as the frames stand, -1 or 1: only
 * what lies across the seam there. 0 where nothing is. */
static __device__ __forceinline__ int look_up(const struct window_space &space,
                                              const struct window_source &s,
                                              const struct window_target &i, int row, int image,
                                              struct window_lookup *w)
{
    const int side = image ? image : i.x < 0 ? -1 : 1;
    const int32_t frame = space.index[i.slot][0];
    const int seam = side < 0 ? frame == space.seam_low : frame == space.seam_high;
    const int32_t *near = space.neighbour[i.slot] + row;
    struct gpu_slot own = column(s, image ? -1 : near[1]),
                    other = column(s, seam == (image != 0) ? near[1 + side] : -1);
    if (own.bins + other.bins == 0)
        return 0;
    if (own.stride == 0) /* not in the table, or across the seam: an end of the other column */
        own.base = side < 0 ? other.base + other.bins : other.base;
    if (other.stride == 0)
        other.base = side < 0 ? own.base : own.base + own.bins;
    w->stride = own.stride > other.stride ? own.stride : other.stride;
    w->own = own.base;
    w->own_end = own.base + (own.bins > 0);
    w->own_shift = own.shift;
    w->other = other.base + (side > 0 && other.bins > 0);
    w->other_shift = other.shift;
    w->low = side < 0 ? -(1 << space.bits[0]) : 0;
    w->high = side < 0 ? (1 << space.bits[0]) - 1 : INT32_MAX;
    return 1;
}

/* The particles first .. last - 1 of row `row` that can lie within r in x. */
static __device__ __forceinline__ void find_window(const struct window_space &space,
                                                   const struct window_source &s,
                                                   const struct window_lookup &w, real x, real r,
                                                   int row, uint32_t *first, uint32_t *last)
{
    const struct bin_axis &axis = space.axis[0];
    const int bins = 1 << space.bits[0];
    const int low = max((int)floor((x - r + axis.half) * axis.per_length), w.low),
              high = min((int)floor((x + r + axis.half) * axis.per_length), w.high);
    const uint32_t from = low < 0 ? w.other + ((uint32_t)(low + bins) >> w.other_shift)
                                  : w.own + ((uint32_t)low >> w.own_shift);
    const uint32_t to = high >= bins ? w.other + ((uint32_t)(high - bins) >> w.other_shift)
                                     : w.own_end + ((uint32_t)high >> w.own_shift);
    *first = gpu_load(s.start + from + (uint32_t)row * w.stride);
    *last = gpu_load(s.start + to + (uint32_t)row * w.stride);
}

/* --- Candidates --- */

template <class Pair, int dim, int energy, int usual, int source>
static __device__ __forceinline__ void
meet(const struct window_args<Pair> &args, const typename Pair::constants &k,
     const struct window_target &i, const typename Pair::src &own, uint32_t first, uint32_t last,
     typename Pair::acc *sum, int64_t *hits)
{
    const real cutoff2 = Pair::support(k) * Pair::support(k);
    const struct place_record *at = args.source[source].at;
    const int same = args.pass.same[source];
#pragma unroll 2
    for (uint32_t j = first; j < last; j++) {
        const struct real4 p = view_load4((const real *)(at + j));
        fixed x;
        memcpy(&x, &p.x, sizeof x);
        const real d[3] = {fixed_difference(args.space.x, i.x_and_magic, x), i.y - p.y, i.z - p.z};
        real r2 = d[0] * d[0] + d[1] * d[1];
        if (dim == 3)
            r2 += d[2] * d[2];
        const int hit = r2 < cutoff2 && !(same && j == (uint32_t)i.index);
        if (!usual && hit)
            *hits += 1;
        if (!Pair::masks_itself && !hit)
            continue;
        const typename Pair::src other = Pair::load(k, args.pass.source[source].v, j, dim, source,
                                                    p.w);
        Pair::eval(k, source, dim, energy, d, r2, Pair::uses_r ? REAL_SQRT(r2) : 0, own, other,
                   *sum);
    }
}

/* Rows of one axis that a target reaches: 0 where none. */
static __device__ __forceinline__ int rows_of(const struct window_space &space, int c, real x,
                                              int *first, int *last)
{
    const struct bin_axis &axis = space.axis[c];
    if (x - space.reach > axis.half || x + space.reach < -axis.half)
        return 0;
    *first = bin_index(&axis, x - space.reach);
    *last = bin_index(&axis, x + space.reach);
    return 1;
}

/* How far x is from row k, at least; 0 inside. */
static __device__ __forceinline__ real distance_to_row(const struct window_space &space, int c,
                                                       real x, int k)
{
    const real low = (real)k * space.row_width[c] - space.axis[c].half;
    return real_max(real_max(low - x, x - low - space.row_width[c]) - space.slack, 0);
}

/* All rows of the frames (dy, dz) away. */
template <class Pair, int dim, int energy, int usual, int source>
static __device__ __forceinline__ void
search_frame(const struct window_args<Pair> &args, const typename Pair::constants &k,
             const struct window_target &i, const typename Pair::src &own, int row, int image,
             typename Pair::acc *sum, int64_t *hits)
{
    const struct window_space &space = args.space;
    const real reach2 = space.reach * space.reach;
    int z0 = 0, z1 = 0, y0, y1;
    struct window_lookup w;
    if (!rows_of(space, 1, i.y, &y0, &y1) || (dim == 3 && !rows_of(space, 2, i.z, &z0, &z1)) ||
        !look_up(space, args.source[source], i, row, image, &w))
        return;
    for (int z = z0; z <= z1; z++) {
        const real dz = dim == 3 ? distance_to_row(space, 2, i.z, z) : 0;
        for (int y = y0; y <= y1; y++) {
            const real dy = distance_to_row(space, 1, i.y, y), r2 = reach2 - dz * dz - dy * dy;
            uint32_t first, last;
            if (r2 <= 0)
                continue;
            find_window(space, args.source[source], w, i.x, REAL_SQRT(r2) + space.slack,
                        z << space.bits[1] | y, &first, &last);
            meet<Pair, dim, energy, usual, source>(args, k, i, own, first, last, sum, hits);
        }
    }
}

/* Whether the source can have anything within the cutoff. */
template <int dim>
static __device__ __forceinline__ int is_near(const struct window_space &space,
                                              const struct window_source &s,
                                              const struct window_target &i)
{
    if (!s.slot)
        return 0;
    const int block[3] = {near_block(space.near[0], i.x), near_block(space.near[1], i.y),
                          near_block(space.near[2], i.z)};
    return !s.near || (gpu_load(s.near + i.slot) >> near_bit(block, dim) & 1);
}

/* A target and one source: frames around it, then what the seam of a periodic x hides. */
template <class Pair, int dim, int energy, int usual, int source>
static __device__ __forceinline__ void
search_source(const struct window_args<Pair> &args, const typename Pair::constants &k,
              const struct window_target &own_place, const typename Pair::src &own,
              typename Pair::acc *sum, int64_t *hits)
{
    const struct window_space &space = args.space;
    const int flat = dim == 2;
    if (!is_near<dim>(space, args.source[source], own_place))
        return;
    for (int image = 0; image < (space.x.periodic ? 3 : 1); image++) {
        const int seam = image == 1 ? -1 : image == 2 ? 1 : 0;
        const int32_t frame = space.index[own_place.slot][0];
        if ((seam < 0 &&
             (frame != space.seam_low || own_place.x - space.reach > -space.axis[0].half)) ||
            (seam > 0 &&
             (frame != space.seam_high || own_place.x + space.reach < space.axis[0].half)))
            continue;
        struct window_target i = own_place;
        i.x_and_magic -= seam * space.x.period;
        for (int dz = flat ? 0 : -1; dz <= (flat ? 0 : 1); dz++)
            for (int dy = -1; dy <= 1; dy++) {
                i.y = own_place.y - (real)dy * space.width[1];
                i.z = own_place.z - (real)dz * space.width[2];
                search_frame<Pair, dim, energy, usual, source>(
                    args, k, i, own, (dz + 1) * 9 + (dy + 1) * 3, seam, sum, hits);
            }
    }
}

template <class Pair, int dim, int energy, int usual>
__global__ void __launch_bounds__(GPU_BLOCK) window_kernel(const struct window_args<Pair> args)
{
    const typename Pair::constants k = usual ? Pair::usual(args.pass.k) : args.pass.k;
    const struct sluice_view &v = args.pass.target.v;
    double out[SLUICE_SUM_COUNT] = {};
    struct window_target i;
    i.index = (int64_t)blockIdx.x * GPU_BLOCK + threadIdx.x;
    if (i.index < alive_in(args.pass.target)) {
        typename Pair::acc sum = {};
        int64_t hits = 0;
        i.slot = ((const uint32_t *)v.field[SLUICE_FIELD_FRAME])[i.index];
        i.x = VIEW(&v, POSITION, i.index, dim + 1, 0);
        i.y = VIEW(&v, POSITION, i.index, dim + 1, 1);
        i.z = dim == 3 ? VIEW(&v, POSITION, i.index, dim + 1, 2) : 0;
        i.x_and_magic = fixed_of(args.space.x, args.space.index[i.slot][0], i.x) +
                        args.space.x.magic_bits;
        const typename Pair::src own = Pair::load(k, v, i.index, dim, SLUICE_TARGET,
                                                  Pair::pack(v, i.index, dim, SLUICE_TARGET));
        search_source<Pair, dim, energy, usual, 0>(args, k, i, own, &sum, &hits);
        search_source<Pair, dim, energy, usual, 1>(args, k, i, own, &sum, &hits);
        Pair::store(k, v, i.index, dim, energy, own, sum, out);
        out[SLUICE_SUM_PAIRS] += (double)hits;
    }
    pass_sum(args.pass, out);
}

/* --- The operation --- */

static struct window_space space_of(const struct gpu_backend *gpu, const struct sluice_grid *g)
{
    struct window_space s;
    const real least = sizeof(real) == 4 ? (real)1e-6 : (real)1e-15;
    s.x = fixed_axis_of(g);
    s.slack = 0;
    for (int c = 0; c < 3; c++) {
        s.bits[c] = c < g->dimension ? g->bins_log2[c] : 0;
        s.axis[c] = bin_axis_of(g->width[c], s.bits[c]);
        s.near[c] = near_axis_of(g->width[c], g->dimension);
        s.width[c] = c < g->dimension ? (real)g->width[c] : 0;
        s.row_width[c] = (real)(g->width[c] / (1 << s.bits[c]));
        s.slack = real_max(s.slack, s.width[c] * least);
    }
    s.reach = 0;
    s.index = gpu->frames.index;
    s.neighbour = gpu->frames.neighbour;
    s.seam_low = g->periodic[0] ? g->first[0] : INT32_MIN;
    s.seam_high = g->periodic[0] ? g->first[0] + g->wrap[0] - 1 : INT32_MIN;
    return s;
}

struct window_launch {
    template <class Pair, int dim, int energy, int usual>
    static sluice_status run(struct gpu_backend *gpu, const struct sluice_grid *g,
                             struct sluice_pass *pass)
    {
        const unsigned blocks = gpu_blocks(pass->target->count, GPU_BLOCK);
        struct window_args<Pair> args;
        SLUICE_TRY(pass_open(gpu, pass, blocks, &args.pass));
        args.space = space_of(gpu, g);
        args.space.reach = Pair::support(args.pass.k) *
                               (1 + args.space.slack / args.space.width[0]) +
                           args.space.slack;
        if (blocks == 0)
            return SLUICE_OK;
        for (int s = 0; s < SLUICE_PASS_SOURCES; s++) {
            struct sluice_set *source = pass->source[s];
            args.source[s].slot = NULL;
            if (!source || source->count == 0)
                continue;
            SLUICE_TRY((pack<Pair, dim>(gpu, g, source, s)));
            args.source[s].slot = bins_of(source)->slot;
            args.source[s].start = bins_of(source)->start;
            args.source[s].near = source->moves ? NULL : bins_of(source)->near;
            args.source[s].at = (const struct place_record *)bins_of(source)->packed;
        }
        auto kernel = window_kernel<Pair, dim, energy, usual>;
        GPU_LAUNCH(kernel, blocks, GPU_BLOCK, 0, gpu->stream, args);
        GPU_LAUNCHED("window");
        return SLUICE_OK;
    }
};

sluice_status interact_window(struct gpu_backend *gpu, const struct sluice_grid *g,
                              struct sluice_pass *pass)
{
    return pass_dispatch<window_launch>(gpu, g, pass);
}

} // namespace GPU_PRECISION
} // namespace SLUICE_GPU
