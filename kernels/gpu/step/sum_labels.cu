/* Sums over the particles of each label: exact (exact_sum.h), so neither the order of threads nor
 * the device changes a bit. After each sort the particles of bodies are listed body by body, so
 * that most warps have particles of one. A block adds up those of its body of the highest number in
 * shared memory; a warp adds up those of each other body. At openings few particles have a label:
 * each adds its own terms. Compiled without fast math. */
#include "kernels/gpu/variant.h"
/* after variant.h */
#include "kernels/gpu/totals.h"
#include "kernels/pointwise/body_sums.h"
#include "kernels/pointwise/openings.h"

namespace SLUICE_GPU::GPU_PRECISION
{

/* --- The list --- */

/* Adds the lanes of each body to the body's number. Returns what it was before this lane. All lanes
 * of the warp call this; body: -1 for a lane that has none. */
static __device__ __forceinline__ uint32_t add_to_body(int body, uint32_t *number)
{
    const int lane = (int)threadIdx.x % GPU_WARP;
    uint32_t mine = 0;
    for (gpu_lanes left = gpu_ballot(body >= 0); left;) {
        const int first = gpu_first_lane(left), of = gpu_shuffle(body, first);
        const gpu_lanes same = gpu_ballot(body == of);
        uint32_t before = 0;
        if (lane == first)
            before = atomicAdd(&number[of], (uint32_t)gpu_count_lanes(same));
        before = gpu_shuffle(before, first);
        if (body == of)
            mine = before + (uint32_t)gpu_count_lanes(same & gpu_lanes_before(lane));
        left &= ~same;
    }
    return mine;
}

/* number[body] counts the own particles of each body; or, if there is a list, it begins as the
 * place of the first one, and ends as that behind the last. */
static __global__ void __launch_bounds__(GPU_BLOCK)
    list_bodies(const struct rigid_motion_params at, const struct gpu_set set, uint32_t *number,
                uint32_t *list)
{
    gpu_begin();
    const int64_t i = (int64_t)blockIdx.x * GPU_BLOCK + threadIdx.x;
    int body = -1;
    if (i < alive_in(set) && is_own(set, i) && !body_of(&at, &set.v, i, &body))
        body = -1;
    const uint32_t place = add_to_body(body, number);
    if (list && body >= 0)
        list[place] = (uint32_t)i;
}

/* The numbers of the bodies and of all, then the list. */
static uint32_t *numbers_of_bodies(const struct sluice_set *set)
{
    return (uint32_t *)bins_of(set)->of_bodies.memory;
}

static sluice_status list_after_sort(struct gpu_backend *gpu, const struct sluice_label_sums *s)
{
    const struct rigid_motion_params *at = ((const struct body_params *)s->params)->motions;
    struct gpu_bins *bins = bins_of(s->set);
    const size_t numbers = (size_t)at->bodies + 1;
    if (bins->of_bodies_sort == bins->sorts)
        return SLUICE_OK;
    SLUICE_TRY(gpu_bins_reserve(gpu, s->set, &bins->of_bodies,
                                (numbers + (size_t)s->set->count) * sizeof(uint32_t)));
    uint32_t *number = numbers_of_bodies(s->set);
    SLUICE_TRY(gpu_clear(gpu, number, numbers * sizeof *number));
    GPU_LAUNCH_EACH(gpu, "list_bodies", list_bodies, s->set->count, *at, set_of(gpu, s->set),
                    number, (uint32_t *)NULL);
    SLUICE_TRY(gpu_scan_exclusive(gpu, number, (int64_t)numbers));
    GPU_LAUNCH_EACH(gpu, "list_bodies", list_bodies, s->set->count, *at, set_of(gpu, s->set),
                    number, number + numbers);
    bins->of_bodies_sort = bins->sorts;
    return SLUICE_OK;
}

/* --- The sums --- */

struct body_args {
    struct body_sums_constants constants;
    struct gpu_set set;
    const uint32_t *list, *listed; /* the particles body by body, and their number */
    int scale[SLUICE_LABEL_TERMS_MOST];
    const unsigned long long *change; /* of the last round of a solution; NULL: there is none */
    double tolerance;                 /* at most this: there is nothing left to solve */
    unsigned long long *pieces;       /* [bodies][exact_pieces_of(terms)] */
};

static __device__ __forceinline__ void add_pieces(unsigned long long *to, struct exact_term sum)
{
    const exact_total total = exact_total_of(sum);
#pragma unroll
    for (int n = 0; n < EXACT_PIECES; n++) {
        const unsigned long long piece = exact_piece(total, n);
        if (piece)
            atomicAdd(&to[n], piece);
    }
}

/* Adds up the terms of those lanes that are `in`, and adds the sums to `shared`, or if that is NULL
 * to the pieces `to`. All lanes of the warp call this. */
template <int dim, int terms>
static __device__ __forceinline__ void
add_lanes(const struct body_args &q, int in, const struct body_sums_parts *of,
          unsigned long long (*shared)[2], unsigned long long *to)
{
    enum { AT_ONCE = 8 };
    unsigned long long out_of_range = 0;
#pragma unroll
    for (int first = 0; first < terms; first += AT_ONCE) {
        long long v[2 * AT_ONCE];
#pragma unroll
        for (int k = 0; k < AT_ONCE; k++) {
            struct exact_term t = {0, 0};
            if (first + k < terms && in) {
                const double x = body_sums_term(of, dim, first + k);
                if (exact_holds(q.scale[first + k], x))
                    t = exact_term_of(q.scale[first + k], x);
                else
                    out_of_range++;
            }
            v[2 * k] = t.high;
            v[2 * k + 1] = t.low;
        }
        const int slot = fold_lanes(fold_sum(), v), k = first + slot / 2;
        if (slot < 0 || k >= terms || v[0] == 0)
            continue;
        if (shared)
            atomicAdd(&shared[k][slot % 2], (unsigned long long)v[0]);
        else
            add_pieces(to + k * EXACT_PIECES,
                       {slot % 2 ? 0 : (int64_t)v[0], slot % 2 ? (int64_t)v[0] : 0});
    }
    if (out_of_range)
        atomicAdd(&to[terms * EXACT_PIECES], out_of_range);
}

template <int dim, int solves>
__global__ void __launch_bounds__(GPU_BLOCK) body_kernel(const GPU_CONSTANT struct body_args q)
{
    gpu_begin();
    constexpr int n = dim == 3 ? 6 : 3, terms = solves ? n + n * n + 1 : n;
    GPU_SHARED(unsigned long long, sum, [terms][2]);
    GPU_SHARED(int, of_block);
    const int64_t first = (int64_t)blockIdx.x * GPU_BLOCK, at = first + threadIdx.x,
                  listed = *q.listed;
    struct body_sums_parts parts;
    int body = -1;
    if (first >= listed) /* the same for the block */
        return;
    if (q.change && exact_from_bits((int64_t)*q.change) <= q.tolerance) /* the same for all */
        return;
    if (threadIdx.x == 0)
        of_block = -1;
    for (int k = (int)threadIdx.x; k < 2 * terms; k += GPU_BLOCK)
        sum[k / 2][k % 2] = 0;
    __syncthreads();
    if (at < listed)
        body = body_sums_parts_of(&q.constants, &q.set.v, NULL, q.list[at], dim, &parts);
    if (body >= 0)
        atomicMax(&of_block, body);
    __syncthreads();
    if (of_block < 0) /* the same for the block */
        return;
    for (gpu_lanes left = gpu_ballot(body >= 0); left;) {
        const int of_lanes = gpu_shuffle(body, gpu_first_lane(left)), in = body == of_lanes;
        add_lanes<dim, terms>(q, in, &parts, of_lanes == of_block ? sum : NULL,
                              q.pieces + of_lanes * exact_pieces_of(terms));
        left &= ~gpu_ballot(in);
    }
    __syncthreads();
    unsigned long long *to = q.pieces + of_block * exact_pieces_of(terms);
    for (int k = (int)threadIdx.x; k < terms; k += GPU_BLOCK)
        add_pieces(to + k * EXACT_PIECES, {(int64_t)sum[k][0], (int64_t)sum[k][1]});
}

static sluice_status run_body_sums(struct gpu_backend *gpu, const struct sluice_grid *g,
                                   const struct sluice_label_sums *s, uint64_t *pieces,
                                   const uint64_t *change)
{
    const int dim = s->set->dimension, solves = ((const struct body_params *)s->params)->solves;
    struct body_args q;
    (void)g;
    SLUICE_TRY(list_after_sort(gpu, s));
    q.listed = numbers_of_bodies(s->set) + s->labels;
    q.list = q.listed + 1;
    q.constants = body_sums_prepare(s->params);
    q.set = set_of(gpu, s->set);
    q.change = (const unsigned long long *)change;
    q.tolerance = s->rounds ? s->rounds->tolerance : 0;
    q.pieces = (unsigned long long *)pieces;
    memcpy(q.scale, s->scale, sizeof q.scale);
    auto kernel = dim == 3 ? (solves ? body_kernel<3, 1> : body_kernel<3, 0>)
                           : (solves ? body_kernel<2, 1> : body_kernel<2, 0>);
    GPU_LAUNCH_EACH(gpu, "sums of bodies", kernel, s->set->count, q);
    return SLUICE_OK;
}

/* --- Openings --- */

struct opening_args {
    struct openings_constants constants;
    struct gpu_set set;
    struct sluice_frames_view frames;
    int scale[OPENING_TERMS];
    unsigned long long *pieces; /* [labels][exact_pieces_of(OPENING_TERMS)] */
};

template <int dim>
__global__ void __launch_bounds__(GPU_BLOCK)
    opening_kernel(const GPU_CONSTANT struct opening_args q)
{
    gpu_begin();
    const int64_t i = (int64_t)blockIdx.x * GPU_BLOCK + threadIdx.x;
    struct openings_sums_parts parts;
    if (i >= alive_in(q.set) || !is_own(q.set, i))
        return;
    const int label = openings_sums_parts_of(&q.constants, &q.set.v, &q.frames, i, dim, &parts);
    if (label < 0)
        return;
    unsigned long long *to = q.pieces + label * exact_pieces_of(OPENING_TERMS);
    for (int k = 0; k < OPENING_TERMS; k++)
        if (!exact_holds(q.scale[k], parts.term[k]))
            atomicAdd(&to[OPENING_TERMS * EXACT_PIECES], 1ull);
        else if (parts.term[k] != 0)
            add_pieces(to + k * EXACT_PIECES, exact_term_of(q.scale[k], parts.term[k]));
}

static sluice_status run_openings_sums(struct gpu_backend *gpu, const struct sluice_grid *g,
                                       const struct sluice_label_sums *s, uint64_t *pieces,
                                       const uint64_t *change)
{
    struct opening_args q;
    (void)change;
    q.constants = openings_sums_prepare(s->params);
    q.set = set_of(gpu, s->set);
    q.frames.index = gpu->frames.index;
    q.frames.neighbour = gpu->frames.neighbour;
    q.frames.wanted = NULL;
    view_set_widths(&q.frames, g->width, g->wrap);
    memcpy(q.scale, s->scale, sizeof q.scale);
    q.pieces = (unsigned long long *)pieces;
    auto kernel = s->set->dimension == 3 ? opening_kernel<3> : opening_kernel<2>;
    GPU_LAUNCH_EACH(gpu, "sums of openings", kernel, s->set->count, q);
    return SLUICE_OK;
}

sluice_status sum_labels(struct gpu_backend *gpu, const struct sluice_grid *g,
                         const struct sluice_label_sums *s, uint64_t *pieces,
                         const uint64_t *change)
{
#define X(name, what)                                                                              \
    if (s->formula == SLUICE_LABELLED_##name)                                                      \
        return run_##name(gpu, g, s, pieces, change);
    SLUICE_LABELLED(X)
#undef X
    return SLUICE_FAIL(SLUICE_DEVICE, "internal: no formula %d of labels", s->formula);
}

} // namespace SLUICE_GPU::GPU_PRECISION
