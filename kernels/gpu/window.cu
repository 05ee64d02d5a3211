/* The window strategy: one thread a target, which meets exact windows in rows of fine bins.
 *
 *   near rows  most of a window is within the cutoff, and the windows of a warp's targets are
 *              alike: evaluated without a question, two candidates at a time
 *   far rows   windows are short, uneven, and mostly miss: candidates are tested; a hit goes to
 *              the lane's list in shared memory, which is evaluated, two at a time, when one of the
 *              warp's lists is full, and at the end
 *   records    y and z from the middle of the record's own row of bins: the search has the
 *              middle's distance from the target anyway, and no row needs the shift of a frame
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
    WINDOW_BLOCK = 64,
    WINDOW_BLOCKS = sizeof(real) == 4 ? 14 : 8,
    LIST = 28 /* entries of a lane, even; one more is room for the pad */
};

/* An entry of a list: a source and the number of a far row. The last number is the pad's, which
 * makes the count even: the source before it again, from so far away that it is none. (Not any
 * source: x must be near for fixed_difference.) */
enum { FAR_BITS = 6, FAR_ROWS = (1 << FAR_BITS) - 1 };

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
enum { LIST_STEP = WINDOW_BLOCK * (int)sizeof(uint32_t) };
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
enum { LIST_STEP = WINDOW_BLOCK };
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
struct window_lists {
    list_place list;         /* the lane's first entry, of LIST + 1 */
    const real (*middle)[2]; /* [FAR_ROWS + 1]: of the far rows, as in window_row */
};

/* --- One target --- */

/* A target as the loops see it: x with M's bits, y and z from its own row's middle. */
struct window_at {
    fixed x;
    real y, z;
};

/* Evaluates what is listed, up to `top`. */
template <class Pair, int dim, int energy, int usual, int source>
static __device__ __forceinline__ void
drain(const struct window_loop<Pair> &loop, const struct window_lists &shared, list_place top,
      const struct window_at &i, const typename Pair::src &own, typename Pair::acc *sum,
      int64_t *hits)
{
    if (top > shared.list)
        list_put(top, list_get(top - LIST_STEP) | FAR_ROWS);
#pragma unroll 1
    for (list_place at = shared.list; at < top; at += 2 * LIST_STEP) {
        const uint32_t a = list_get(at), b = list_get(at + LIST_STEP);
        const uint32_t j = a >> FAR_BITS, k = b >> FAR_BITS;
        const real *row_j = shared.middle[a & FAR_ROWS], *row_k = shared.middle[b & FAR_ROWS];
        const struct window_candidate<Pair> p = candidate<Pair, dim, source>(loop, j),
                                            q = candidate<Pair, dim, source>(loop, k);
        meet<Pair, dim, energy, usual, source>(loop, i.x, i.y - row_j[0], i.z - row_j[1], own, p, j,
                                               1, sum, hits);
        meet<Pair, dim, energy, usual, source>(loop, i.x, i.y - row_k[0], i.z - row_k[1], own, q, k,
                                               1, sum, hits);
    }
}

/* Whether a candidate of a far row is within the cutoff. It is never the target itself. */
template <class Pair, int dim>
static __device__ __forceinline__ int reaches(const struct window_loop<Pair> &loop,
                                              const struct window_at &i, const struct real4 &p)
{
    fixed x;
    memcpy(&x, &p.x, sizeof x);
    const real d[3] = {fixed_difference(loop.magic, i.x, x), i.y - p.y, i.z - p.z};
    real r2 = d[0] * d[0] + d[1] * d[1];
    if (dim == 3)
        r2 += d[2] * d[2];
    return r2 < loop.cutoff2;
}

/* Two candidates' places. */
struct two_places {
    struct real4 first, second;
};

template <class Pair>
static __device__ __forceinline__ struct two_places two_at(const struct window_loop<Pair> &loop,
                                                           uint32_t j)
{
    const struct two_places two = {view_load4((const real *)(loop.at + j)),
                                   view_load4((const real *)(loop.at + (uint64_t)j + 1))};
    return two;
}

/* Lists what the target reaches of the first two of a range in far row `row`; returns the place
 * after the last entry. */
template <class Pair, int dim>
static __device__ __forceinline__ list_place test(const struct window_loop<Pair> &loop,
                                                  const struct window_at &i,
                                                  const struct two_places &two,
                                                  const struct window_range &range, int row,
                                                  list_place top)
{
    const uint32_t j = range.first, entry = (j << FAR_BITS) + (uint32_t)row;
    const int first = reaches<Pair, dim>(loop, i, two.first),
              second = reaches<Pair, dim>(loop, i, two.second) & (j + 2 <= range.last);
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
template <int dim>
static __device__ __forceinline__ real left_of(const struct window_space &space,
                                               const struct window_at &at)
{
    const real y = real_max(REAL_FABS(at.y) - space.row_half[1], 0);
    real left = space.reach2 - y * y;
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
search(const struct window_args<Pair> &args, int64_t n, const struct window_target &i,
       const struct window_at &place, const struct window_lists &shared,
       const typename Pair::src &own, typename Pair::acc *sum, int64_t *hits)
{
    const struct window_space &space = args.space;
    const struct window_source &s = args.source[source];
    const struct window_loop<Pair> loop = loop_of<Pair, usual, source>(args, n);
    struct window_lookup frame[WINDOW_FRAMES];
    look_around<dim>(space, s, i, frame);
    const struct window_home home = home_of(space, i, frame[0]);
    const uint32_t check = home.aside ? 1u << 30 : i.row; /* makes any code one that is beyond */
    struct window_at next;
    const auto find = [&](int r) {
        const struct window_row row = args.row[r];
        next.y = place.y - row.y;
        next.z = place.z - row.z;
        const real left = left_of<dim>(space, next);
        struct window_range range = {0, 0};
        if (!(left > 0))
            return range;
        const real root = REAL_SQRT(left);
        if ((check + row.code) & space.beyond)
            return find_aside(space, s, i, frame, 0, root, i.row + row.code);
        const int low = max((int)floor(home.x - root * home.per_length), home.first),
                  high = min((int)floor(home.x + root * home.per_length), home.last);
        const uint32_t start = home.own + row.offset * home.stride;
        range.first = gpu_load(s.start + (start + (uint32_t)low));
        range.last = gpu_load(s.start + (uint64_t)(start + (uint32_t)high) + 1);
        return range;
    };
    const auto across_seam = [&](int r, const struct window_at &at) {
        const struct window_range none = {0, 0};
        const real left = i.seam ? left_of<dim>(space, at) : 0;
        if (!(left > 0))
            return none;
        return find_aside(space, s, i, frame, WINDOW_ACROSS, REAL_SQRT(left),
                          i.row + args.row[r].code);
    };
    const auto two = [&](const struct window_at &at, uint32_t j, uint32_t last) {
        const struct window_candidate<Pair> p = candidate<Pair, dim, source>(loop, j),
                                            q = candidate<Pair, dim, source>(loop, (uint64_t)j + 1);
        meet<Pair, dim, energy, usual, source>(loop, at.x, at.y, at.z, own, p, j, 1, sum, hits);
        meet<Pair, dim, energy, usual, source>(loop, at.x, at.y, at.z, own, q, (uint64_t)j + 1,
                                               j + 2 <= last, sum, hits);
    };
    next.x = place.x;
    if (space.x.periodic && gpu_any(i.seam != 0)) {
        /* A warp with a target at the seam takes a row's windows on both sides as one, and has no
         * lists: its targets' windows are as long as the others'. */
#pragma unroll 1
        for (int r = 0; r < space.rows; r++) {
            struct window_range range = find(r), across = across_seam(r, next);
            struct window_at at = next;
#pragma unroll 1
            for (;;) {
                if (range.first >= range.last) {
                    range = across;
                    across.last = 0;
                    at.x = place.x - (fixed)i.seam * space.x.period;
                }
                if (range.first >= range.last)
                    break;
                two(at, range.first, range.last);
                range.first += 2;
            }
        }
        return;
    }
    struct window_range found = find(0);
    int r = 0;
#pragma unroll 1
    for (; r < args.near_rows; r++) {
        struct window_range range = found;
        const struct window_at at = next;
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
            const struct window_at at = next;
            found = find(r + 1);
            for (;;) { /* once, but where a list is full */
#pragma unroll 1
                for (; range.first < range.last && top <= full; range.first += 2)
                    top = test<Pair, dim>(loop, at, two_at(loop, range.first), range,
                                          r - args.near_rows, top);
                if (!gpu_any(range.first < range.last))
                    break;
                drain<Pair, dim, energy, usual, source>(loop, shared, top, place, own, sum, hits);
                top = shared.list;
            }
        }
        drain<Pair, dim, energy, usual, source>(loop, shared, top, place, own, sum, hits);
    }
}

/* The far rows' middles, and the pad's. */
template <class Pair>
static __device__ void share(const struct window_args<Pair> &args, real (*middle)[2])
{
    const struct window_space &space = args.space;
    for (int k = (int)threadIdx.x; k <= FAR_ROWS; k += (int)blockDim.x) {
        const int r = args.near_rows + k, there = k < FAR_ROWS && r < space.rows;
        middle[k][0] = there ? args.row[r].y : (real)1e6 * space.reach;
        middle[k][1] = there ? args.row[r].z : 0;
    }
    __syncthreads();
}

template <class Pair, int dim, int energy, int usual>
__global__ void __launch_bounds__(WINDOW_BLOCK, WINDOW_BLOCKS)
    window_kernel(const GPU_CONSTANT struct window_args<Pair> args)
{
    constexpr int lists = lists_for<Pair, dim>::used;
    GPU_SHARED(uint32_t, list, [lists ? LIST + 1 : 1][WINDOW_BLOCK]);
    GPU_SHARED(real, middle, [lists ? FAR_ROWS + 1 : 1][2]);
    const typename Pair::constants k = usual ? Pair::usual(args.pass.k) : args.pass.k;
    const struct sluice_view &v = args.pass.target.v;
    const int64_t n = (int64_t)blockIdx.x * WINDOW_BLOCK + threadIdx.x;
    double out[SLUICE_SUM_COUNT] = {};
    if (lists)
        share(args, middle);
    if (n < alive_in(args.pass.target)) {
        const struct window_lists shared = {list_at(&list[0][threadIdx.x]), middle};
        typename Pair::acc sum = {};
        int64_t hits = 0;
        struct window_target i = place_target<dim>(args.space, v, n);
        gpu_keep(i.row);
        const real x = VIEW(&v, POSITION, n, dim + 1, 0);
        const typename Pair::src own = Pair::load(k, v, n, dim, SLUICE_TARGET,
                                                  Pair::pack(v, n, dim, SLUICE_TARGET));
        struct window_at at = {i.x_and_magic, in_row(args.place.row[1], row_code_y(i.row), i.y),
                               dim == 3 ? in_row(args.place.row[2], row_code_z(i.row), i.z) : 0};
        hold(at.y);
        hold(at.z);
        if (is_near<dim>(args.space, args.source[0], i, x))
            search<Pair, dim, energy, usual, 0>(args, n, i, at, shared, own, &sum, &hits);
        if (is_near<dim>(args.space, args.source[1], i, x))
            search<Pair, dim, energy, usual, 1>(args, n, i, at, shared, own, &sum, &hits);
        Pair::store(k, v, n, dim, energy, own, sum, out);
        if (args.records)
            args.records[n].packed = VIEW(&v, EOS, n, 2, 0);
        out[SLUICE_SUM_PAIRS] += (double)hits;
    }
    pass_sum(args.pass, out);
}

/* --- The operation --- */

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
static void divide_rows(struct window_args<Pair> *args, struct window_row list[WINDOW_ROWS + 1],
                        int far_allowed)
{
    const struct row_axis *axis = args->place.row;
    const int rows = args->space.rows;
    struct window_row far[WINDOW_ROWS], *out = args->row;
    int near = 0, far_count = 0;
    for (int r = 0; r < rows; r++) {
        struct window_row *row = &list[r];
        row->y = in_quanta(axis[1], row_code_y(row->code) * axis[1].width);
        row->z = in_quanta(axis[2], row_code_z(row->code) * axis[2].width);
        if (lists_for<Pair, dim>::used && far_allowed && far_count < FAR_ROWS &&
            !is_near_row(args->space, *row))
            far[far_count++] = *row;
        else
            out[near++] = *row;
    }
    memcpy(out + near, far, (size_t)far_count * sizeof *far);
    out[rows] = list[rows];
    args->near_rows = near;
}

/* A pass that makes the equation of state of its target keeps what rides along with the target's
 * records true, where there are any that are: those of walls at rest are packed once. */
static struct place_record *records_to_keep(const struct gpu_backend *gpu,
                                            const struct sluice_pass *pass)
{
    struct gpu_bins *bins = bins_of(pass->target);
    if (!(sluice_pairs[pass->pair].writes & SLUICE_BIT(EOS)))
        return NULL;
    if (bins->packed_as == records_as(SLUICE_FIELD_EOS, row_place::kind) &&
        bins->packed_at == gpu->uploads)
        return (struct place_record *)bins->packed;
    gpu_unpack(pass->target);
    return NULL;
}

struct window_launch {
    template <class Pair, int dim, int energy, int usual>
    static sluice_status run(struct gpu_backend *gpu, const struct sluice_grid *g,
                             struct sluice_pass *pass)
    {
        const unsigned blocks = gpu_blocks(pass->target->count, WINDOW_BLOCK);
        int in_lists = 1; /* an entry has the bits for all sources */
        struct window_args<Pair> args;
        struct window_row list[WINDOW_ROWS + 1];
        SLUICE_TRY((window_open<Pair, dim>(gpu, g, pass, WINDOW_BLOCK, &args, list)));
        if (blocks == 0)
            return SLUICE_OK;
        for (int s = 0; s < SLUICE_PASS_SOURCES; s++)
            in_lists &= !pass->source[s] || pass->source[s]->count < 1ll << (32 - FAR_BITS);
        divide_rows<Pair, dim>(&args, list, in_lists);
        args.records = records_to_keep(gpu, pass);
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
