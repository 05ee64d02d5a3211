/* The window strategy with lists: as window.cu, one thread a target and exact windows in rows of
 * fine bins, but distant rows are only tested. It has not been timed in this program on a device
 * yet; docs/gpu.md, "The strategy with lists", says what it was made from.
 *
 *   near rows  most of a window is within the cutoff, and the windows of a warp's targets are
 *              alike: evaluated without a question, two candidates at a time
 *   far rows   windows are short, uneven, and mostly miss: candidates are tested; a hit goes to
 *              the lane's list in shared memory, which is evaluated, two at a time, when one of the
 *              warp's lists is full, and at the end
 *   records    y and z from the middle of the record's own row of bins: the search has the
 *              middle's distance from the target anyway, and no row needs the shift of a frame
 *
 * Those middles, and y and z from them, are whole multiples of a quantum so small that a particle
 * is moved by less than x's own rounding (fixed.h), and so large that their sums are exact: d_ij is
 * -d_ji to the bit.
 *
 * Sources in order; the near rows, by their relative (z, y), then the far ones: the order of a
 * particle's sum. It does not depend on when lists are evaluated. */
#include "kernels/gpu/window_pass.h"

namespace SLUICE_GPU
{
namespace GPU_PRECISION
{

/* Threads of a block, and blocks that a multiprocessor shall hold. With this list, a block's shared
 * memory times blocks stays below what would take more than half of the L1 cache. */
enum {
    LISTS_BLOCK = 128,
    LISTS_BLOCKS = sizeof(real) == 4 ? 7 : 4,
    LIST = 28 /* entries of a lane, even; one more is room for the pad */
};

/* An entry of a list: a source and the number of a far row. The last number is the pad's, which
 * makes the count even: the source before it again, from so far away that it is none. (Not any
 * source: x must be near for fixed_difference.) */
enum { FAR_BITS = 6, FAR_ROWS = (1 << FAR_BITS) - 1 };

/* One axis of rows: the row's middle is (row + 1/2) width - half; what is stored is a multiple of
 * the quantum. */
struct row_axis {
    double width, half, per_quantum, quantum;
};

HD real in_quanta(const struct row_axis &a, double x)
{
    return (real)(rint(x * a.per_quantum) * a.quantum);
}

/* An offset in the frame, from the middle of its row. */
HD real in_row(const struct row_axis &a, int row, real offset)
{
    return in_quanta(a, (double)offset - (((double)row + 0.5) * a.width - a.half));
}

/* y and z in a record: from the middle of the row. */
struct lists_place {
    enum { kind = 1 };
    struct bin_axis bin[3];
    struct row_axis row[3];
    __device__ real of(int c, real offset) const
    {
        return in_row(row[c], bin_index(&bin[c], offset), offset);
    }
};

/* A row, read at once. */
struct alignas(16) lists_row {
    struct window_row row;
};

template <class Pair> struct lists_args {
    struct window_args<Pair, struct lists_row> window; /* near rows first */
    struct lists_place place;
    real reach2; /* the cutoff with all slack, that of the bins too, squared */
    int near_rows;
};

/* Whether a pair is worth lists: else evaluating costs hardly more than testing. In 2-D rows are
 * few. */
template <class Pair, int dim> struct lists_for {
    static constexpr int light = sizeof(typename Pair::src) + sizeof(typename Pair::acc) <=
                                 8 * sizeof(real);
    static constexpr int used = dim == 3 && !light;
};

/* Keeps a value in its register: else it is computed again wherever it is used. */
static __device__ __forceinline__ void hold(real &x)
{
#if defined(__CUDACC__) && defined(SLUICE_DOUBLE)
    asm volatile("" : "+d"(x));
#elif defined(__CUDACC__)
    asm volatile("" : "+f"(x));
#else
    (void)x;
#endif
}

/* --- A lane's list --- */

/* Where an entry stands. The lanes' entries alternate, so that a warp's are in different banks. By
 * CUDA's compiler an address takes one register only if it is written as a number. */
#ifdef __CUDACC__
typedef uint32_t list_place;
enum { LIST_STEP = LISTS_BLOCK * (int)sizeof(uint32_t) };
static __device__ __forceinline__ list_place list_at(uint32_t *entry)
{
    return (uint32_t)__cvta_generic_to_shared(entry);
}
static __device__ __forceinline__ void list_put(list_place at, uint32_t entry)
{
    asm volatile("st.shared.u32 [%0], %1;" ::"r"(at), "r"(entry) : "memory");
}
static __device__ __forceinline__ uint32_t list_get(list_place at)
{
    uint32_t entry;
    asm volatile("ld.shared.u32 %0, [%1];" : "=r"(entry) : "r"(at) : "memory");
    return entry;
}
#else
typedef uint32_t *list_place;
enum { LIST_STEP = LISTS_BLOCK };
static __device__ __forceinline__ list_place list_at(uint32_t *entry)
{
    return entry;
}
static __device__ __forceinline__ void list_put(list_place at, uint32_t entry)
{
    *at = entry;
}
static __device__ __forceinline__ uint32_t list_get(list_place at)
{
    return *at;
}
#endif

/* What a thread needs to list and to evaluate. */
struct lists_shared {
    list_place list;         /* the lane's first entry, of LIST + 1 */
    const real (*middle)[2]; /* [FAR_ROWS + 1]: of the far rows, as in window_row */
};

/* --- One target --- */

/* A target as the loops see it: x with M's bits, y and z from its own row's middle. */
struct lists_target {
    fixed x;
    real y, z;
};

/* Evaluates what is listed, up to `top`. */
template <class Pair, int dim, int energy, int usual, int source>
static __device__ __forceinline__ void
drain(const struct window_loop<Pair> &loop, const struct lists_shared &shared, list_place top,
      const struct lists_target &i, const typename Pair::src &own, typename Pair::acc *sum,
      int64_t *hits)
{
    if (top > shared.list)
        list_put(top, list_get(top - LIST_STEP) | FAR_ROWS);
#pragma unroll 1
    for (list_place at = shared.list; at < top; at += 2 * LIST_STEP) {
        const uint32_t a = list_get(at), b = list_get(at + LIST_STEP);
        const uint32_t j = a >> FAR_BITS, k = b >> FAR_BITS;
        const real *row_j = shared.middle[a & FAR_ROWS], *row_k = shared.middle[b & FAR_ROWS];
        const struct real4 p = view_load4((const real *)(loop.at + j)),
                           q = view_load4((const real *)(loop.at + k));
        meet<Pair, dim, energy, usual, source>(loop, i.x, i.y - row_j[0], i.z - row_j[1], own, p, j,
                                               1, sum, hits);
        meet<Pair, dim, energy, usual, source>(loop, i.x, i.y - row_k[0], i.z - row_k[1], own, q, k,
                                               1, sum, hits);
    }
}

/* Whether a candidate of a far row is within the cutoff. It is never the target itself. */
template <class Pair, int dim>
static __device__ __forceinline__ int reaches(const struct window_loop<Pair> &loop,
                                              const struct lists_target &i, const struct real4 &p)
{
    fixed x;
    memcpy(&x, &p.x, sizeof x);
    const real d[3] = {fixed_difference(loop.magic, i.x, x), i.y - p.y, i.z - p.z};
    real r2 = d[0] * d[0] + d[1] * d[1];
    if (dim == 3)
        r2 += d[2] * d[2];
    return r2 < loop.cutoff2;
}

/* Lists what the target reaches of the first two of a range in far row `row`; returns the place
 * after the last entry. */
template <class Pair, int dim>
static __device__ __forceinline__ list_place test(const struct window_loop<Pair> &loop,
                                                  const struct lists_target &i,
                                                  const struct window_range &range, int row,
                                                  list_place top)
{
    const uint32_t j = range.first, entry = (j << FAR_BITS) + (uint32_t)row;
    const struct real4 p = view_load4((const real *)(loop.at + j)),
                       q = view_load4((const real *)(loop.at + (uint64_t)j + 1));
    const int first = reaches<Pair, dim>(loop, i, p),
              second = reaches<Pair, dim>(loop, i, q) & (j + 2 <= range.last);
    if (first) {
        list_put(top, entry);
        top += LIST_STEP;
    }
    if (second) {
        list_put(top, entry + (1 << FAR_BITS));
        top += LIST_STEP;
    }
    return top;
}

/* What y and z of a row's middle leave of the square of the reach. */
template <int dim, class Args>
static __device__ __forceinline__ real left_of(const Args &args, const struct lists_target &at)
{
    const struct window_space &space = args.window.space;
    const real y = real_max(REAL_FABS(at.y) - space.row_half[1], 0);
    real left = args.reach2 - y * y;
    if (dim == 3) {
        const real z = real_max(REAL_FABS(at.z) - space.row_half[2], 0);
        left -= z * z;
    }
    return left;
}

/* All rows that the target reaches, of one source. A row's window is looked up before the
 * candidates of the row before it are met. */
template <class Pair, int dim, int energy, int usual, int source>
static __device__ __forceinline__ void
search(const struct lists_args<Pair> &args, int64_t n, const struct window_target &i,
       const struct lists_target &place, const struct lists_shared &shared,
       const typename Pair::src &own, typename Pair::acc *sum, int64_t *hits)
{
    const struct window_space &space = args.window.space;
    const struct window_source &s = args.window.source[source];
    const struct window_loop<Pair> loop = loop_of<Pair, usual, source>(args.window, n);
    struct window_lookup frame[WINDOW_FRAMES];
    look_around<dim>(space, s, i, frame);
    const struct window_home home = home_of<1>(space, i, frame[0]);
    const real x = i.x / (real)(1u << frame[0].shift);
    const uint32_t check = home.aside ? 1u << 30 : i.row; /* makes any code one that is beyond */
    struct lists_target next;
    const auto find = [&](int r) {
        const struct window_row row = args.window.row[r].row;
        next.y = place.y - row.y;
        next.z = place.z - row.z;
        const real left = left_of<dim>(args, next);
        struct window_range range = {0, 0};
        if (!(left > 0))
            return range;
        const real root = REAL_SQRT(left);
        if ((check + row.code) & space.beyond)
            return find_aside(space, s, i, frame, root, i.row + row.code).here;
        const int low = max((int)floor(x - root * home.per_length), home.first),
                  high = min((int)floor(x + root * home.per_length), home.last);
        const uint32_t start = home.own + row.offset * home.stride;
        range.first = gpu_load(s.start + (start + (uint32_t)low));
        range.last = gpu_load(s.start + (uint64_t)(start + (uint32_t)high) + 1);
        return range;
    };
    const auto two = [&](const struct lists_target &at, uint32_t j, uint32_t last) {
        const struct real4 p = view_load4((const real *)(loop.at + j)),
                           q = view_load4((const real *)(loop.at + (uint64_t)j + 1));
        meet<Pair, dim, energy, usual, source>(loop, at.x, at.y, at.z, own, p, j, 1, sum, hits);
        meet<Pair, dim, energy, usual, source>(loop, at.x, at.y, at.z, own, q, (uint64_t)j + 1,
                                               j + 2 <= last, sum, hits);
    };
    next.x = place.x;
    struct window_range found = find(0);
    int r = 0;
#pragma unroll 1
    for (; r < args.near_rows; r++) {
        struct window_range range = found;
        const struct lists_target at = next;
        found = find(r + 1);
#pragma unroll 1
        for (; range.first < range.last; range.first += 2)
            two(at, range.first, range.last);
    }
    if (lists_for<Pair, dim>::used) {
        const list_place full = shared.list + (LIST - 2) * LIST_STEP; /* has room for two */
        list_place top = shared.list;
#pragma unroll 1
        for (; r < space.rows; r++) {
            struct window_range range = found;
            const struct lists_target at = next;
            found = find(r + 1);
            for (;;) { /* once, but where a list is full */
#pragma unroll 1
                for (; range.first < range.last && top <= full; range.first += 2)
                    top = test<Pair, dim>(loop, at, range, r - args.near_rows, top);
                if (!gpu_any(range.first < range.last))
                    break;
                drain<Pair, dim, energy, usual, source>(loop, shared, top, place, own, sum, hits);
                top = shared.list;
            }
        }
        drain<Pair, dim, energy, usual, source>(loop, shared, top, place, own, sum, hits);
    }
    if (!i.seam)
        return;
    /* What lies across the seam, which few targets reach. */
    next.x = place.x - (fixed)i.seam * space.x.period;
#pragma unroll 1
    for (r = 0; r < space.rows; r++) {
        const struct window_row row = args.window.row[r].row;
        next.y = place.y - row.y;
        next.z = place.z - row.z;
        const real left = left_of<dim>(args, next);
        if (!(left > 0))
            continue;
        const struct window_range across =
            find_aside(space, s, i, frame, REAL_SQRT(left), i.row + row.code).across;
#pragma unroll 1
        for (uint32_t j = across.first; j < across.last; j += 2)
            two(next, j, across.last);
    }
}

/* The far rows' middles, and the pad's. */
template <class Pair>
static __device__ void share(const struct lists_args<Pair> &args, real (*middle)[2])
{
    const struct window_space &space = args.window.space;
    for (int k = (int)threadIdx.x; k <= FAR_ROWS; k += (int)blockDim.x) {
        const int r = args.near_rows + k, there = k < FAR_ROWS && r < space.rows;
        middle[k][0] = there ? args.window.row[r].row.y : (real)1e6 * space.reach;
        middle[k][1] = there ? args.window.row[r].row.z : 0;
    }
    __syncthreads();
}

template <class Pair, int dim, int energy, int usual>
__global__ void __launch_bounds__(LISTS_BLOCK, LISTS_BLOCKS)
    lists_kernel(const GPU_CONSTANT struct lists_args<Pair> args)
{
    constexpr int lists = lists_for<Pair, dim>::used;
    GPU_SHARED(uint32_t, list, [lists ? LIST + 1 : 1][LISTS_BLOCK]);
    GPU_SHARED(real, middle, [lists ? FAR_ROWS + 1 : 1][2]);
    const auto &window = args.window;
    const typename Pair::constants k = usual ? Pair::usual(window.pass.k) : window.pass.k;
    const struct sluice_view &v = window.pass.target.v;
    const int64_t n = (int64_t)blockIdx.x * LISTS_BLOCK + threadIdx.x;
    double out[SLUICE_SUM_COUNT] = {};
    if (lists)
        share(args, middle);
    if (n < alive_in(window.pass.target)) {
        const struct lists_shared shared = {list_at(&list[0][threadIdx.x]), middle};
        typename Pair::acc sum = {};
        int64_t hits = 0;
        struct window_target i = place_target<dim>(window.space, v, n);
        gpu_keep(i.row);
        const real x = VIEW(&v, POSITION, n, dim + 1, 0);
        const typename Pair::src own = Pair::load(k, v, n, dim, SLUICE_TARGET,
                                                  Pair::pack(v, n, dim, SLUICE_TARGET));
        struct lists_target at = {
            i.x_and_magic, in_row(args.place.row[1], row_code_y(i.row), i.y[0]),
            dim == 3 ? in_row(args.place.row[2], row_code_z(i.row), i.z[0]) : 0};
        hold(at.y);
        hold(at.z);
        if (is_near<dim>(window.space, window.source[0], i, x))
            search<Pair, dim, energy, usual, 0>(args, n, i, at, shared, own, &sum, &hits);
        if (is_near<dim>(window.space, window.source[1], i, x))
            search<Pair, dim, energy, usual, 1>(args, n, i, at, shared, own, &sum, &hits);
        Pair::store(k, v, n, dim, energy, own, sum, out);
        out[SLUICE_SUM_PAIRS] += (double)hits;
    }
    pass_sum(window.pass, out);
}

/* --- The operation --- */

static struct lists_place place_of(const struct sluice_grid *g)
{
    const double quantum = ldexp(1.0, ilogb(g->cutoff) - FIXED_CUTOFF_BITS - 1);
    struct lists_place place;
    for (int c = 0; c < 3; c++) {
        const int bits = c < g->dimension ? g->bins_log2[c] : 0;
        place.bin[c] = bin_axis_of(g->width[c], bits);
        place.row[c].width = g->width[c] / (1 << bits);
        place.row[c].half = g->width[c] / 2;
        place.row[c].per_quantum = 1 / quantum;
        place.row[c].quantum = quantum;
    }
    return place;
}

/* A row is near where the gap between it and the own one is small; how small, was measured with 2,
 * 3 and 4 rows a cutoff: gaps in rows below sqrt(1), sqrt(3) and sqrt(6). */
static int is_near_row(const struct window_space &s, const struct window_row &row)
{
    const int apart[2] = {abs(row_code_y(row.code)), abs(row_code_z(row.code))};
    const int most = s.row_reach[1] > s.row_reach[2] ? s.row_reach[1] : s.row_reach[2];
    double gap2 = 0;
    for (int c = 0; c < 2; c++)
        if (apart[c] > 1) {
            const double gap = (double)(apart[c] - 1) / s.row_reach[c + 1];
            gap2 += gap * gap;
        }
    return gap2 < (most - 1) / (2.0 * most) * (1 - 1e-9);
}

/* The near rows before the far ones, their distances in quanta. */
template <class Pair, int dim>
static void divide_rows(struct lists_args<Pair> *args, struct window_row list[WINDOW_ROWS + 1],
                        int far_allowed)
{
    const struct row_axis *axis = args->place.row;
    const int rows = args->window.space.rows;
    struct lists_row far[WINDOW_ROWS], *out = args->window.row;
    int near = 0, far_count = 0;
    for (int r = 0; r < rows; r++) {
        struct window_row *row = &list[r];
        row->y = in_quanta(axis[1], row_code_y(row->code) * axis[1].width);
        row->z = in_quanta(axis[2], row_code_z(row->code) * axis[2].width);
        if (lists_for<Pair, dim>::used && far_allowed && far_count < FAR_ROWS &&
            !is_near_row(args->window.space, *row))
            far[far_count++].row = *row;
        else
            out[near++].row = *row;
    }
    memcpy(out + near, far, (size_t)far_count * sizeof *far);
    out[rows].row = list[rows];
    args->near_rows = near;
}

struct lists_launch {
    template <class Pair, int dim, int energy, int usual>
    static sluice_status run(struct gpu_backend *gpu, const struct sluice_grid *g,
                             struct sluice_pass *pass)
    {
        const unsigned blocks = gpu_blocks(pass->target->count, LISTS_BLOCK);
        int in_lists = 1; /* an entry has the bits for all sources */
        struct lists_args<Pair> args;
        struct window_row list[WINDOW_ROWS + 1];
        args.place = place_of(g);
        SLUICE_TRY(
            (window_open<Pair, dim>(gpu, g, pass, LISTS_BLOCK, args.place, &args.window, list)));
        if (blocks == 0)
            return SLUICE_OK;
        for (int s = 0; s < SLUICE_PASS_SOURCES; s++)
            in_lists &= !pass->source[s] || pass->source[s]->count < 1ll << (32 - FAR_BITS);
        divide_rows<Pair, dim>(&args, list, in_lists);
        const real reach = args.window.space.reach +
                           args.window.space.bin_slack / args.window.space.axis[0].per_length;
        args.reach2 = reach * reach;
        auto kernel = lists_kernel<Pair, dim, energy, usual>;
        GPU_LAUNCH(kernel, blocks, LISTS_BLOCK, 0, gpu->stream, args);
        GPU_LAUNCHED("window-lists");
        if (sluice_pairs[pass->pair].writes & SLUICE_BIT(EOS))
            gpu_unpack(pass->target);
        return SLUICE_OK;
    }
};

sluice_status interact_window_lists(struct gpu_backend *gpu, const struct sluice_grid *g,
                                    struct sluice_pass *pass)
{
    return pass_dispatch<lists_launch>(gpu, g, pass);
}

} // namespace GPU_PRECISION
} // namespace SLUICE_GPU
