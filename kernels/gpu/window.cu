/* The window strategy: one thread a target, exact windows in rows of fine bins.
 *
 *   rows    of bins around the target's own, from a list that all targets share; those beyond the
 *           own frame are found in the frame beside it
 *   window  of a row at distance (dy, dz): x within sqrt(rc^2 - dy^2 - dz^2), one range of
 *           particles, found by two looks into `start`; on a periodic x axis a second range across
 *           the seam
 *
 * Sources in order, rows by their relative (z, y), x ascending, the seam's range last: the order of
 * a particle's sum. Lanes of a warp are neighbours in x in one row, so that they read nearly the
 * same candidates. What binds it: docs/gpu.md, "What binds the pair loop". */
#include "kernels/gpu/pass.h"
/* after pass.h */
#include "kernels/gpu/window_rows.h"

namespace SLUICE_GPU
{
namespace GPU_PRECISION
{

/* Threads of a block, and blocks that a multiprocessor shall hold: 72 registers a thread in float.
 */
enum { WINDOW_BLOCK = 128, WINDOW_BLOCKS = sizeof(real) == 4 ? 7 : 4 };

template <class Pair> struct window_args {
    struct pass_args<Pair> pass;
    struct window_space space;
    struct window_source source[SLUICE_PASS_SOURCES];
};

/* Keeps a parameter in registers, a word each: else it is read again wherever it is used. Blocks
 * have one layer, which the compiler does not know. */
template <class T> static __device__ __forceinline__ void gpu_keep(T &x)
{
#ifdef __CUDACC__
    uint32_t word[sizeof(T) / 4];
    memcpy(word, &x, sizeof word);
#pragma unroll
    for (unsigned k = 0; k < sizeof(T) / 4; k++) {
        word[k] ^= threadIdx.z;
        asm volatile("" : "+r"(word[k]));
    }
    memcpy(&x, word, sizeof word);
#else
    (void)x;
#endif
}

/* --- Candidates --- */

/* What the loop over candidates reads all the time, in registers. */
template <class Pair> struct window_loop {
    typename Pair::constants k;
    struct sluice_view v;
    const struct place_record *at;
    real magic, cutoff2;
    uint32_t self; /* the target in the source, UINT32_MAX: it is not there */
};

template <class Pair, int usual, int source>
static __device__ __forceinline__ struct window_loop<Pair>
loop_of(const struct window_args<Pair> &args) {
    struct window_loop<Pair> loop;
    loop.k = args.pass.k;
    loop.v = args.pass.source[source].v;
    loop.at = args.source[source].at;
    loop.magic = args.space.x.magic;
    loop.self = args.pass.same[source] ? (uint32_t)(blockIdx.x * WINDOW_BLOCK + threadIdx.x)
                                       : UINT32_MAX;
    if (source == 0 && sizeof(real) == 4) {
        gpu_keep(loop.k);
        gpu_keep(loop.v.field[SLUICE_FIELD_PREDICTED]);
        gpu_keep(loop.at);
        gpu_keep(loop.magic);
    }
    if (usual)
        loop.k = Pair::usual(loop.k);
    loop.cutoff2 = Pair::support(loop.k) * Pair::support(loop.k);
    return loop;
}

/* One candidate; `here`: it is one, and not what stands behind the window. */
template <class Pair, int dim, int energy, int usual, int source>
static __device__ __forceinline__ void meet(const struct window_loop<Pair> &loop, fixed x_and_magic,
                                            real y, real z, const typename Pair::src &own,
                                            const struct real4 &p, int64_t j, int here,
                                            typename Pair::acc *sum, int64_t *hits)
{
    fixed x;
    memcpy(&x, &p.x, sizeof x);
    const real dx = fixed_difference(loop.magic, x_and_magic, x);
    const real d[3] = {here ? dx : loop.magic, y - p.y, z - p.z}; /* M is beyond the cutoff */
    real r2 = d[0] * d[0] + d[1] * d[1];
    if (dim == 3)
        r2 += d[2] * d[2];
    const int hit = r2 < loop.cutoff2 && (uint32_t)j != loop.self;
    if (!usual && hit)
        *hits += 1;
    const typename Pair::src other = Pair::load(loop.k, loop.v, j, dim, source, p.w);
    const typename Pair::acc before = *sum;
    Pair::eval(loop.k, source, dim, energy, d, r2, Pair::uses_r ? REAL_SQRT(r2) : 0, own, other,
               *sum);
    if (!Pair::masks_itself && !hit)
        *sum = before;
}

/* All rows that the target reaches, of one source. The next row's window is looked up before this
 * row's candidates are met, two at a time. */
template <class Pair, int dim, int energy, int usual, int source>
static __device__ __forceinline__ void
search(const struct window_args<Pair> &args, const struct window_target &i,
       const typename Pair::src &own, typename Pair::acc *sum, int64_t *hits)
{
    constexpr int light = sizeof(own) + sizeof(*sum) <= 8 * sizeof(real);
    const struct window_space &space = args.space;
    const struct window_source &s = args.source[source];
    const struct window_loop<Pair> loop = loop_of<Pair, usual, source>(args);
    const real middle[2] = {((real)row_code_y(i.row) + (real)0.5) * space.row_width[1] -
                                space.axis[1].half - i.y[0],
                            dim == 3 ? ((real)row_code_z(i.row) + (real)0.5) * space.row_width[2] -
                                           space.axis[2].half - i.z[0]
                                     : 0};
    struct window_lookup frame[WINDOW_FRAMES];
    look_around<dim>(space, s, i, frame);
    const struct window_home home = home_of<light>(space, i, frame[0]);
    struct window_found next = find_row<dim, light>(space, s, i, home, frame, middle, 0);
#pragma unroll 1
    for (int r = 0; r < space.rows; r++) {
        const struct window_found found = next;
        struct window_range range = found.here;
        fixed x = i.x_and_magic;
        real y = i.y[0], z = i.z[0];
        if (found.beside) { /* seldom */
            y = found.beside & 1 ? i.y[1] : y;
            z = found.beside & 2 ? i.z[1] : z;
        }
        next = find_row<dim, light>(space, s, i, home, frame, middle, r + 1);
        const auto two = [&](uint32_t j) {
            const struct real4 p = view_load4((const real *)(loop.at + j)),
                               q = view_load4((const real *)(loop.at + (uint64_t)j + 1));
            meet<Pair, dim, energy, usual, source>(loop, x, y, z, own, p, j, 1, sum, hits);
            meet<Pair, dim, energy, usual, source>(loop, x, y, z, own, q, (uint64_t)j + 1,
                                                   j + 2 <= range.last, sum, hits);
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
    i.x = real_min(real_max((x + space.axis[0].half) * space.axis[0].per_length, 0),
                   (real)space.bins[0]); /* also what is not a number */
    i.y[0] = VIEW(&v, POSITION, n, dim + 1, 1);
    i.z[0] = dim == 3 ? VIEW(&v, POSITION, n, dim + 1, 2) : 0;
    const int32_t frame = space.index[i.slot][0];
    i.seam = frame == space.seam_low && i.x < reach                           ? -1
             : frame == space.seam_high && i.x + reach >= (real)space.bins[0] ? 1
                                                                              : 0;
    const int y = bin_index(&space.axis[1], i.y[0]),
              z = dim == 3 ? bin_index(&space.axis[2], i.z[0]) : 0;
    i.row = row_code(y, z);
    i.y[1] = i.y[0] - (real)nearer_side(y, space.bins[1]) * space.width[1];
    i.z[1] = i.z[0] - (real)nearer_side(z, space.bins[2]) * space.width[2];
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
            search<Pair, dim, energy, usual, 0>(args, i, own, &sum, &hits);
        if (is_near<dim>(args.space, args.source[1], i, x))
            search<Pair, dim, energy, usual, 1>(args, i, own, &sum, &hits);
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
    for (int c = 1; c < dim; c++) {
        reach[c] = (int)ceil((double)cutoff / (double)s->row_width[c] * (1 - 1e-6));
        SLUICE_CHECK(s->bits[c] <= ROW_BITS_MOST, SLUICE_BAD_INPUT,
                     "domain: a frame has 2^%d rows of bins; a GPU takes up to 2^%d; make "
                     "backend.frame_cutoffs smaller",
                     s->bits[c], (int)ROW_BITS_MOST);
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
            SLUICE_TRY((pack_places<Pair, dim>(gpu, g, source, s)));
            args.source[s].slot = bins_of(source)->slot;
            args.source[s].start = bins_of(source)->start;
            args.source[s].near = source->moves ? NULL : bins_of(source)->near;
            args.source[s].at = (const struct place_record *)bins_of(source)->packed;
        }
        auto kernel = window_kernel<Pair, dim, energy, usual>;
        GPU_LAUNCH(kernel, blocks, WINDOW_BLOCK, 0, gpu->stream, args);
        GPU_LAUNCHED("window");
        if (sluice_pairs[pass->pair].writes & SLUICE_BIT(EOS))
            gpu_unpack(pass->target);
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
