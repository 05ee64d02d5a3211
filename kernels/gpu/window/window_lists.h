/* The lists of far candidates that the window strategy's lanes keep: how they are filled and
 * evaluated. Also the sizes of its blocks, which leave shared memory for them. */
#ifndef SLUICE_KERNELS_GPU_WINDOW_WINDOW_LISTS_H
#define SLUICE_KERNELS_GPU_WINDOW_WINDOW_LISTS_H
#include "kernels/gpu/window/window_pass.h"
/* after window_pass.h */
#include "kernels/gpu/window/window_boxes.h"

namespace SLUICE_GPU::GPU_PRECISION
{

/* Threads of a block, and blocks on a multiprocessor. With this LIST the shared memory of all
 * blocks stays below half of the L1 cache, including the boxes of four by three rows a cutoff. */
enum {
    WINDOW_BLOCK = 64,
    WINDOW_BLOCKS = sizeof(real) == 4 ? 14 : 8,
    WINDOW_BLOCKS_LIGHT = sizeof(real) == 4 ? 18 : 8, /* for pairs that take few registers */
    WINDOW_BLOCKS_HEAVY = sizeof(real) == 4 ? 10 : 8, /* for pairs that take many */
    LIST = 18 /* entries of a lane, an even number; one more is the pad's */
};

/* A pair whose src has more numbers than this takes many registers, and so does one whose src and
 * acc together have more than HEAVY_ALL. */
enum { HEAVY_NUMBERS = 8, HEAVY_ALL = 26 };

/* If parts share a target's rows, a block has one warp's targets and a warp for each part. There
 * are as many parts as keep a multiprocessor at GPU_SPLIT_HEAVY warps or fewer, or at
 * GPU_SPLIT_LIGHT for pairs whose candidates cost little. */
enum {
    PARTS_MOST = 8,
    SPLIT_BLOCK = PARTS_MOST * GPU_WARP_MOST,
    SPLIT_BLOCKS = WINDOW_BLOCKS * WINDOW_BLOCK / SPLIT_BLOCK,
    SPLIT_BYTES = 45 << 10 /* bytes of shared memory, beside the rows' middles */
};

/* The most far rows. Their numbers stand in a list as bytes, beside the source particles. The
 * number FAR_ROWS is the pad's, which makes a list's length even: the last particle again, but so
 * far away that it misses. (It cannot be any particle: x must be near for fixed_difference.) */
enum { FAR_ROWS = 63 };
enum { LIST_BYTES = (LIST + 1) * (sizeof(uint32_t) + 1) }; /* of a lane */

/* Whether a pair uses lists. For light pairs evaluating costs hardly more than testing, and in 2-D
 * rows are few. */
template <class Pair, int dim> struct lists_for {
    static constexpr size_t numbers = (sizeof(typename Pair::src) + sizeof(typename Pair::acc)) /
                                      sizeof(real);
    static constexpr int light = numbers <= SLUICE_LIGHT_NUMBERS;
    static constexpr int
        heavy = sizeof(typename Pair::src) > HEAVY_NUMBERS * sizeof(real) || numbers > HEAVY_ALL;
    static constexpr int used = dim == 3 && !light;
    static constexpr int blocks = light   ? WINDOW_BLOCKS_LIGHT
                                  : heavy ? WINDOW_BLOCKS_HEAVY
                                          : WINDOW_BLOCKS;
};

/* Keeps a value in a register, so that the compiler does not compute it again at each use. */
#ifdef __CUDACC__
static __device__ __forceinline__ void hold(float &x)
{
    asm volatile("" : "+f"(x));
}
static __device__ __forceinline__ void hold(double &x)
{
    asm volatile("" : "+d"(x));
}
static __device__ __forceinline__ void hold(uint32_t &x)
{
    asm volatile("" : "+r"(x));
}
static __device__ __forceinline__ void hold(uint64_t &x)
{
    asm volatile("" : "+l"(x));
}
#else
template <class T> static __device__ __forceinline__ void hold(T &)
{
}
#endif

/* --- A lane's list --- */

/* The address of an entry. The lanes' entries alternate, so that the entries of a warp are in
 * different banks. The numbers of the rows lie in the same order, a byte for each entry. CUDA's
 * compiler needs one register for an address only if it is a number, and none for the rows if it
 * knows where all lists are. */
#ifdef __CUDACC__
typedef uint32_t list_place;
struct list_rows {
    uint32_t base; /* an entry's row is at base + place / 4 */
};
#define LIST_STEP (GPU_WARP * (int)sizeof(uint32_t))
static __device__ __forceinline__ list_place list_at(uint32_t *entry)
{
    return (uint32_t)__cvta_generic_to_shared(entry);
}
static __device__ __forceinline__ struct list_rows list_rows_at(uint8_t *rows, uint32_t *entries)
{
    const struct list_rows at = {(uint32_t)__cvta_generic_to_shared(rows) - list_at(entries) / 4};
    return at;
}
static __device__ __forceinline__ void list_put(list_place at, const struct list_rows &rows,
                                                uint32_t particle, uint32_t row)
{
    asm volatile("st.shared.u32 [%0], %1;" ::"r"(at), "r"(particle) : "memory");
    asm volatile("st.shared.u8 [%0], %1;" ::"r"(rows.base + at / 4), "r"(row) : "memory");
}
static __device__ __forceinline__ uint32_t list_get(list_place at)
{
    uint32_t particle;
    asm volatile("ld.shared.u32 %0, [%1];" : "=r"(particle) : "r"(at) : "memory");
    return particle;
}
static __device__ __forceinline__ uint32_t list_row(list_place at, const struct list_rows &rows)
{
    uint32_t row;
    asm volatile("ld.shared.u8 %0, [%1];" : "=r"(row) : "r"(rows.base + at / 4) : "memory");
    return row;
}
#else
typedef uint32_t *list_place;
struct list_rows {
    uint8_t *rows;
    uint32_t *entries;
};
#define LIST_STEP GPU_WARP
static __device__ __forceinline__ list_place list_at(uint32_t *entry)
{
    return entry;
}
static __device__ __forceinline__ struct list_rows list_rows_at(uint8_t *rows, uint32_t *entries)
{
    const struct list_rows at = {rows, entries};
    return at;
}
static __device__ __forceinline__ void list_put(list_place at, const struct list_rows &rows,
                                                uint32_t particle, uint32_t row)
{
    *at = particle;
    rows.rows[at - rows.entries] = (uint8_t)row;
}
static __device__ __forceinline__ uint32_t list_get(list_place at)
{
    return *at;
}
static __device__ __forceinline__ uint32_t list_row(list_place at, const struct list_rows &rows)
{
    return rows.rows[at - rows.entries];
}
#endif

/* The data with which a thread fills and evaluates its list. */
struct window_lists {
    list_place list;              /* the lane's first entry of LIST + 1 */
    struct list_rows far_rows;    /* of all lanes' entries */
    const real (*middle)[2];      /* [FAR_ROWS + 1] middles of the far rows, as in window_row */
    const struct row_extent *box; /* [rows + 1] boxes of the first source */
    const struct block_span *span;
    const uint32_t *rows; /* [rows + 1] rows to search in the first source; not with parts */
};

/* --- One target --- */

/* Evaluates the entries before `top`, two at a time. */
template <class Pair, int dim, int energy, int usual, int source>
static __device__ __forceinline__ void
drain(const struct window_loop<Pair> &loop, const struct window_lists &shared, list_place top,
      const struct window_at &i, const typename Pair::src &own, typename Pair::acc *sum,
      int64_t *hits)
{
    if (top > shared.list)
        list_put(top, shared.far_rows, list_get(top - LIST_STEP), FAR_ROWS);
#pragma unroll 1
    for (list_place at = shared.list; at < top; at += 2 * LIST_STEP) {
        const uint32_t j = list_get(at), k = list_get(at + LIST_STEP);
        const real *row_j = shared.middle[list_row(at, shared.far_rows)],
                   *row_k = shared.middle[list_row(at + LIST_STEP, shared.far_rows)];
        const struct window_candidate<Pair> p = candidate<Pair, dim, source>(loop, j),
                                            q = candidate<Pair, dim, source>(loop, k);
        meet<Pair, dim, energy, usual, source>(loop, i.x, i.y - row_j[0], i.z - row_j[1], own, p, j,
                                               0, 1, sum, hits);
        meet<Pair, dim, energy, usual, source>(loop, i.x, i.y - row_k[0], i.z - row_k[1], own, q, k,
                                               0, 1, sum, hits);
    }
}

/* Empties a list that is not the target's last, and returns its new top. An odd entry stays: when
 * lists are emptied depends on the other targets of the warp, and a compiler may round the first
 * and the second of two entries differently. So which of the two an entry is must depend on the
 * target alone. */
template <class Pair, int dim, int energy, int usual, int source>
static __device__ __forceinline__ list_place drain_pairs(const struct window_loop<Pair> &loop,
                                                         const struct window_lists &shared,
                                                         list_place top, const struct window_at &i,
                                                         const typename Pair::src &own,
                                                         typename Pair::acc *sum, int64_t *hits)
{
    const int odd = (int)(top - shared.list) / LIST_STEP & 1;
    const list_place even = odd ? top - LIST_STEP : top;
    const uint32_t last = odd ? list_get(even) : 0,
                   last_row = odd ? list_row(even, shared.far_rows) : 0;
    drain<Pair, dim, energy, usual, source>(loop, shared, even, i, own, sum, hits);
    if (odd)
        list_put(shared.list, shared.far_rows, last, last_row);
    return odd ? shared.list + LIST_STEP : shared.list;
}

/* Whether a candidate of a far row is within the cutoff. It is never the target itself. */
template <class Pair, int dim>
static __device__ __forceinline__ int reaches(const struct window_loop<Pair> &loop,
                                              const struct window_at &i, const struct real4 &p)
{
    fixed x;
    memcpy(&x, &p.x, sizeof x);
    const real d[3] = {fixed_difference(loop.magic, i.x, x), i.y - p.y, i.z - p.z};
    return pair_dot(dim, d, d) < loop.cutoff2;
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

/* Lists the candidates that the target reaches among the first two of a range in far row `row`;
 * returns the place after the last entry. */
template <class Pair, int dim>
static __device__ __forceinline__ list_place test(const struct window_loop<Pair> &loop,
                                                  const struct window_at &i,
                                                  const struct two_places &two,
                                                  const struct window_range &range, uint32_t row,
                                                  const struct list_rows &rows, list_place top)
{
    const uint32_t j = range.first;
    const int first = reaches<Pair, dim>(loop, i, two.first),
              second = reaches<Pair, dim>(loop, i, two.second) & (j + 2 <= range.last);
    if (first) {
        list_put(top, rows, j, row);
        top += LIST_STEP;
    }
    if (second) {
        list_put(top, rows, j + 1, row);
        top += LIST_STEP;
    }
    return top;
}

} // namespace SLUICE_GPU::GPU_PRECISION
#endif
