/* The window strategy: one thread a target, exact windows in rows of fine bins.
 *
 *   rows       of bins around the target's own, from a list that all targets share; those beyond
 * the own frame are found in the frame beside it window     of a row at distance (dy, dz): x within
 * sqrt(rc^2 - dy^2 - dz^2), one range of particles, found by two looks into `start`; on a periodic
 * x axis a second range across the seam
 *
 * Sources in order, rows by their relative (z, y), x ascending, the seam's range last: the order of
 * a particle's sum. Lanes of a warp are neighbours in x in one row, so that they read nearly the
 * same candidates. What binds it: docs/gpu.md, "What binds the pair loop". */
#include "kernels/gpu/pass.h"
/* after pass.h */
#include "kernels/bin_index.h"
#include "kernels/gpu/fixed.h"
#include "kernels/gpu/near.h"

namespace SLUICE_GPU
{
namespace GPU_PRECISION
{

/* Threads of a block, and blocks that a multiprocessor shall hold: 64 registers a thread in float.
 */
enum { WINDOW_BLOCK = 128, WINDOW_BLOCKS = sizeof(real) == 4 ? 8 : 4 };

/* A source particle as the window loop reads it: x as fixed.h has it, y and z from the frame's
 * centre, and what the pair lets ride along. */
struct place_record {
    real x, y, z, packed; /* x: the bits of a `fixed` */
};

/* A row beside the target's own, and how far its middle is from the own one's. */
struct window_row {
    real y, z;
    int dy, dz;
};

enum { WINDOW_ROWS = 169 }; /* six rows a cutoff at most */

/* What the search needs of the grid. */
struct window_space {
    struct fixed_axis x;
    struct bin_axis axis[3];
    real row_width[3], row_half[3], width[3]; /* row_half: with the slack */
    real reach, reach2, bin_slack; /* the cutoff with its slack; what rounding can make of a
                                      position, in the finest bins of x */
    int bits[3], bins[3];          /* of a frame, as powers of two and as numbers */
    const int32_t (*index)[3];
    const int32_t (*neighbour)[27];
    struct near_axis near[3];
    int32_t seam_low, seam_high; /* frames in x at the ends of a period */
    int rows;
    struct window_row row[WINDOW_ROWS + 1]; /* in the order of their sums; one more, out of reach */
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

/* A target. y and z are offsets in its own frame, and as the frames on the nearer side see them. */
struct window_target {
    fixed x_and_magic;
    real x; /* offset in its own frame, in the finest bins from the frame's low border */
    real y[2], z[2];
    int row[2]; /* its own row, y and z */
    uint32_t slot;
    int seam; /* -1, 1: the cutoff reaches over the low or high seam of a periodic x; 0 */
};

/* Where the bins of one row of frames are, as a target sees them: bin b of row w is entry
 * own + w stride + (b >> shift) of start, b counted in the finest bins from the target's own frame.
 */
struct window_lookup {
    uint32_t own, stride;
    int shift, low, high; /* low to high are there */
};

/* A frame that is not in the table has no bins. */
static __device__ __forceinline__ struct gpu_slot frame_bins(const struct window_source &s,
                                                             int32_t slot)
{
    struct gpu_slot none = {0, 0, 31, 0};
    return slot < 0 ? none : s.slot[slot];
}

/* Of the frames `row` away from the target's, a first index of gpu_frames' neighbour. A window
 * reaches at most one frame more in x. image 0: what stands beside the target; -1, 1: what lies
 * across that seam. */
static __device__ __forceinline__ struct window_lookup look_up(const struct window_space &space,
                                                               const struct window_source &s,
                                                               const struct window_target &i,
                                                               int row, int image)
{
    const int bins = space.bins[0], side = 2 * i.x < (real)bins ? -1 : 1;
    const int32_t frame = space.index[i.slot][0];
    const int at_seam = side < 0 ? frame == space.seam_low : frame == space.seam_high;
    const int32_t *near = space.neighbour[i.slot] + row;
    const struct gpu_slot own = frame_bins(s, image ? -1 : near[1]),
                          other = frame_bins(s, at_seam == (image != 0) ? near[1 + side] : -1);
    struct window_lookup w = {0, 0, 31, 0, -1};
    if (own.bins > 0) {
        w.own = own.base;
        w.stride = own.stride;
        w.shift = (int)own.shift;
        w.low = side < 0 && other.bins > 0 ? -bins : 0;
        w.high = side > 0 && other.bins > 0 ? 2 * bins - 1 : bins - 1;
    } else if (other.bins > 0) {
        w.own = side < 0 ? other.base + other.bins : other.base - other.bins;
        w.stride = other.stride;
        w.shift = (int)other.shift;
        w.low = side < 0 ? -bins : bins;
        w.high = side < 0 ? -1 : 2 * bins - 1;
    }
    return w;
}

struct window_range {
    uint32_t first, last; /* particles first .. last - 1 */
};

/* The particles of row `row` within r of the target in x, and few more; r in the finest bins. */
static __device__ __forceinline__ struct window_range
find_window(const struct window_source &s, const struct window_lookup &w, real x, real r, int row)
{
    const int low = min(max((int)floor(x - r), w.low), w.high + 1),
              high = max(min((int)floor(x + r), w.high), w.low - 1);
    const uint32_t row_start = w.own + (uint32_t)row * w.stride;
    struct window_range range;
    range.first = gpu_load(s.start + (row_start + (uint32_t)(low >> w.shift)));
    range.last = gpu_load(s.start + (row_start + (uint32_t)(high >> w.shift) + 1));
    return range;
}

/* Keeps a value in its register: else it is made anew wherever it is used. */
#ifdef __CUDACC__
static __device__ __forceinline__ void gpu_keep(float &x)
{
    asm volatile("" : "+f"(x));
}
static __device__ __forceinline__ void gpu_keep(uint32_t &x)
{
    asm volatile("" : "+r"(x));
}
#endif
template <class T> static __device__ __forceinline__ void gpu_keep(T &x)
{
    (void)x;
}

/* --- Candidates --- */

/* One candidate; `here`: it is one, and not what stands behind the window. */
template <class Pair, int dim, int energy, int usual, int source>
static __device__ __forceinline__ void
meet(const struct window_args<Pair> &args, const typename Pair::constants &k, fixed x_and_magic,
     real y, real z, const typename Pair::src &own, const struct real4 &p, uint32_t j, int here,
     typename Pair::acc *sum, int64_t *hits)
{
    const real cutoff2 = Pair::support(k) * Pair::support(k);
    fixed x;
    memcpy(&x, &p.x, sizeof x);
    const real d[3] = {fixed_difference(args.space.x, x_and_magic, x), y - p.y, z - p.z};
    real r2 = d[0] * d[0] + d[1] * d[1];
    if (dim == 3)
        r2 += d[2] * d[2];
    const int hit = here && r2 < cutoff2 &&
                    !(args.pass.same[source] && j == blockIdx.x * WINDOW_BLOCK + threadIdx.x);
    if (!usual && hit)
        *hits += 1;
    if (!Pair::masks_itself && !hit)
        return;
    if (Pair::masks_itself && !here)
        r2 = 4 * cutoff2;
    const typename Pair::src other = Pair::load(k, args.pass.source[source].v, j, dim, source, p.w);
    Pair::eval(k, source, dim, energy, d, r2, Pair::uses_r ? REAL_SQRT(r2) : 0, own, other, *sum);
}

/* A row's windows: beside the target, and across the seam; and whether the row's frame is beside
 * the target's in y (1) or z (2). */
struct window_found {
    struct window_range here, across;
    int beside;
};

/* Of row r of the list. */
template <int dim>
static __device__ __forceinline__ struct window_found
find_row(const struct window_space &space, const struct window_source &s,
         const struct window_target &i, const struct window_lookup &home, const real middle[2],
         int r)
{
    const struct window_row row = space.row[r];
    const real ey = real_max(REAL_FABS(middle[0] + row.y) - space.row_half[1], 0);
    real left = space.reach2 - ey * ey;
    struct window_found found = {{0, 0}, {0, 0}, 0};
    if (dim == 3) {
        const real ez = real_max(REAL_FABS(middle[1] + row.z) - space.row_half[2], 0);
        left -= ez * ez;
    }
    if (left <= 0)
        return found;
    const real reach = REAL_SQRT(left) * space.axis[0].per_length + space.bin_slack;
    const int rows_y = space.bins[1], rows_z = space.bins[2];
    int y = i.row[0] + row.dy, z = dim == 3 ? i.row[1] + row.dz : 0;
    const int beside_y = (unsigned)y >= (unsigned)rows_y,
              beside_z = dim == 3 && (unsigned)z >= (unsigned)rows_z;
    if (!beside_y && !beside_z && !i.seam) {
        found.here = find_window(s, home, i.x, reach, z << space.bits[1] | y);
        return found;
    }
    /* The nearer side is where rows lie that the target reaches: a frame is two cutoffs wide at
     * least. */
    const int side_y = 2 * i.row[0] < rows_y ? -1 : 1, side_z = 2 * i.row[1] < rows_z ? -1 : 1;
    const int frames = 9 * (1 + beside_z * side_z) + 3 * (1 + beside_y * side_y);
    y -= beside_y * side_y * rows_y;
    z -= beside_z * side_z * rows_z;
    if ((unsigned)y >= (unsigned)rows_y || (unsigned)z >= (unsigned)rows_z)
        return found;
    found.beside = beside_y | beside_z << 1;
    found.here = find_window(s, look_up(space, s, i, frames, 0), i.x, reach,
                             z << space.bits[1] | y);
    if (i.seam)
        found.across = find_window(s, look_up(space, s, i, frames, i.seam), i.x, reach,
                                   z << space.bits[1] | y);
    return found;
}

/* All rows that the target reaches, of one source. The next row's window is looked up before this
 * row's candidates are met, two at a time. */
template <class Pair, int dim, int energy, int usual, int source>
static __device__ __forceinline__ void
search(const struct window_args<Pair> &args, const typename Pair::constants &k,
       const struct window_target &i, const typename Pair::src &own, typename Pair::acc *sum,
       int64_t *hits)
{
    const struct window_space &space = args.space;
    const struct window_source &s = args.source[source];
    const struct place_record *at = s.at;
    const real middle[2] = {
        ((real)i.row[0] + (real)0.5) * space.row_width[1] - space.axis[1].half - i.y[0],
        dim == 3 ? ((real)i.row[1] + (real)0.5) * space.row_width[2] - space.axis[2].half - i.z[0]
                 : 0};
    const struct window_lookup home = look_up(space, s, i, 9 + 3, 0);
    struct window_found next = find_row<dim>(space, s, i, home, middle, 0);
#pragma unroll 1
    for (int r = 0; r < space.rows; r++) {
        const struct window_found found = next;
        struct window_range range = found.here;
        fixed x = i.x_and_magic;
        real y = i.y[0], z = i.z[0];
        if (found.beside) { /* seldom */
            gpu_keep(y);
            y = found.beside & 1 ? i.y[1] : y;
            z = found.beside & 2 ? i.z[1] : z;
        }
        next = find_row<dim>(space, s, i, home, middle, r + 1);
        const auto two = [&](uint32_t j) {
            const uint32_t second = min(j + 1, range.last - 1); /* itself where there is no other */
            const struct real4 p = view_load4((const real *)(at + j)),
                               q = view_load4((const real *)(at + second));
            meet<Pair, dim, energy, usual, source>(args, k, x, y, z, own, p, j, 1, sum, hits);
            meet<Pair, dim, energy, usual, source>(args, k, x, y, z, own, q, second, second > j,
                                                   sum, hits);
        };
        if (!space.x.periodic || !gpu_any(found.across.first < found.across.last)) {
#pragma unroll 1
            for (; range.first < range.last; range.first += 2)
                two(range.first);
            continue;
        }
        struct window_range across = found.across; /* a warp goes on without a pause */
#pragma unroll 1
        for (;;) {
            if (range.first >= range.last) {
                range = across;
                across.last = 0;
                x = i.x_and_magic - (fixed)i.seam * space.x.period;
            }
            if (range.first >= range.last)
                break;
            two(range.first);
            range.first += 2;
        }
    }
}

/* Whether the source can have anything within the cutoff. */
template <int dim>
static __device__ __forceinline__ int is_near(const struct window_space &space,
                                              const struct window_source &s,
                                              const struct window_target &i, real x)
{
    if (!s.slot)
        return 0;
    const int block[3] = {near_block(space.near[0], x), near_block(space.near[1], i.y[0]),
                          near_block(space.near[2], i.z[0])};
    return !s.near || (gpu_load(s.near + i.slot) >> near_bit(block, dim) & 1);
}

template <class Pair, int dim>
static __device__ __forceinline__ struct window_target
place_target(const struct window_args<Pair> &args, int64_t n)
{
    const struct window_space &space = args.space;
    const struct sluice_view &v = args.pass.target.v;
    const real x = VIEW(&v, POSITION, n, dim + 1, 0),
               reach = space.reach * space.axis[0].per_length + space.bin_slack;
    struct window_target i;
    i.slot = ((const uint32_t *)v.field[SLUICE_FIELD_FRAME])[n];
    i.x_and_magic = fixed_of(space.x, space.index[i.slot][0], x) + space.x.magic_bits;
    i.x = (x + space.axis[0].half) * space.axis[0].per_length;
    i.y[0] = VIEW(&v, POSITION, n, dim + 1, 1);
    i.z[0] = dim == 3 ? VIEW(&v, POSITION, n, dim + 1, 2) : 0;
    const int32_t frame = space.index[i.slot][0];
    i.seam = frame == space.seam_low && i.x < reach                           ? -1
             : frame == space.seam_high && i.x + reach >= (real)space.bins[0] ? 1
                                                                              : 0;
    i.row[0] = bin_index(&space.axis[1], i.y[0]);
    i.row[1] = dim == 3 ? bin_index(&space.axis[2], i.z[0]) : 0;
    i.y[1] = i.y[0] + (2 * i.row[0] < space.bins[1] ? space.width[1] : -space.width[1]);
    i.z[1] = i.z[0] + (2 * i.row[1] < space.bins[2] ? space.width[2] : -space.width[2]);
    gpu_keep(i.x_and_magic);
    return i;
}

template <class Pair, int dim, int energy, int usual>
__global__ void __launch_bounds__(WINDOW_BLOCK, WINDOW_BLOCKS)
    window_kernel(const GPU_CONSTANT struct window_args<Pair> args)
{
    const typename Pair::constants k = usual ? Pair::usual(args.pass.k) : args.pass.k;
    const struct sluice_view &v = args.pass.target.v;
    const int64_t n = (int64_t)blockIdx.x * WINDOW_BLOCK + threadIdx.x;
    double out[SLUICE_SUM_COUNT] = {};
    if (n < alive_in(args.pass.target)) {
        typename Pair::acc sum = {};
        int64_t hits = 0;
        const struct window_target i = place_target<Pair, dim>(args, n);
        const real x = VIEW(&v, POSITION, n, dim + 1, 0);
        const typename Pair::src own = Pair::load(k, v, n, dim, SLUICE_TARGET,
                                                  Pair::pack(v, n, dim, SLUICE_TARGET));
        if (is_near<dim>(args.space, args.source[0], i, x))
            search<Pair, dim, energy, usual, 0>(args, k, i, own, &sum, &hits);
        if (is_near<dim>(args.space, args.source[1], i, x))
            search<Pair, dim, energy, usual, 1>(args, k, i, own, &sum, &hits);
        Pair::store(k, v, n, dim, energy, own, sum, out);
        out[SLUICE_SUM_PAIRS] += (double)hits;
    }
    pass_sum(args.pass, out);
}

/* --- The operation --- */

/* The rows that anything in the middle one may reach: by the gap to it, then z, then y. */
static sluice_status list_rows(struct window_space *s, int dim, real cutoff)
{
    int reach[3] = {0, 0, 0};
    s->rows = 0;
    for (int c = 1; c < dim; c++)
        reach[c] = (int)ceil((double)cutoff / (double)s->row_width[c] * (1 - 1e-6));
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
                                           dy, dz};
            s->row[s->rows++] = row;
        }
    const struct window_row none = {(real)1e15 * cutoff, 0, 0, 0};
    s->row[s->rows] = none;
    return SLUICE_OK;
}

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
        s->width[c] = c < g->dimension ? (real)g->width[c] : 0;
        s->row_width[c] = (real)(g->width[c] / (1 << s->bits[c]));
        slack = real_max(slack, s->width[c] * least);
    }
    for (int c = 0; c < 3; c++)
        s->row_half[c] = (real)0.5 * s->row_width[c] + slack;
    s->reach = cutoff * (1 + least) + slack;
    s->reach2 = s->reach * s->reach;
    s->bin_slack = slack * s->axis[0].per_length + least * (real)(1 << s->bits[0]);
    s->index = gpu->frames.index;
    s->neighbour = gpu->frames.neighbour;
    s->seam_low = g->periodic[0] ? g->first[0] : INT32_MIN;
    s->seam_high = g->periodic[0] ? g->first[0] + g->wrap[0] - 1 : INT32_MIN;
    return list_rows(s, g->dimension, cutoff);
}

struct window_launch {
    template <class Pair, int dim, int energy, int usual>
    static sluice_status run(struct gpu_backend *gpu, const struct sluice_grid *g,
                             struct sluice_pass *pass)
    {
        const unsigned blocks = gpu_blocks(pass->target->count, WINDOW_BLOCK);
        struct window_args<Pair> args;
        SLUICE_TRY(pass_open(gpu, pass, (int64_t)blocks * WINDOW_BLOCK, &args.pass));
        SLUICE_TRY(space_of(gpu, g, Pair::support(args.pass.k), &args.space));
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
        GPU_LAUNCH(kernel, blocks, WINDOW_BLOCK, 0, gpu->stream, args);
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
