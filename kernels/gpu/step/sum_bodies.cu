/* Sums over the particles of each body: exact (exact_sum.h), so neither the order of threads nor
 * the device changes a bit. A block adds up the particles of its body of the highest number in
 * shared memory; a warp adds up those of each other body. Compiled without fast math. */
#include "kernels/gpu/variant.h"
/* after variant.h */
#include "kernels/gpu/totals.h"
#include "kernels/pointwise/body_sums.h"

namespace SLUICE_GPU::GPU_PRECISION
{

struct body_args {
    struct body_sums_constants constants;
    struct gpu_set set;
    int scale[SLUICE_BODY_TERMS_MOST];
    const unsigned long long *change; /* of the last round of a solution; NULL: there is none */
    double tolerance;                 /* at most this: there is nothing left to solve */
    unsigned long long *pieces;       /* [bodies][terms + 1][EXACT_PIECES] */
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
    const int64_t i = (int64_t)blockIdx.x * GPU_BLOCK + threadIdx.x;
    struct body_sums_parts parts;
    int body = -1;
    if (q.change && exact_from_bits((int64_t)*q.change) <= q.tolerance) /* the same for all */
        return;
    if (threadIdx.x == 0)
        of_block = -1;
    for (int k = (int)threadIdx.x; k < 2 * terms; k += GPU_BLOCK)
        sum[k / 2][k % 2] = 0;
    __syncthreads();
    if (i < alive_in(q.set) && is_own(q.set, i))
        body = body_sums_parts_of(&q.constants, &q.set.v, i, dim, &parts);
    if (body >= 0)
        atomicMax(&of_block, body);
    __syncthreads();
    if (of_block < 0) /* the same for the block */
        return;
    for (gpu_lanes left = gpu_ballot(body >= 0); left;) {
        const int of_lanes = gpu_shuffle(body, gpu_first_lane(left)), in = body == of_lanes;
        add_lanes<dim, terms>(q, in, &parts, of_lanes == of_block ? sum : NULL,
                              q.pieces + of_lanes * sluice_body_pieces(terms));
        left &= ~gpu_ballot(in);
    }
    __syncthreads();
    unsigned long long *to = q.pieces + of_block * sluice_body_pieces(terms);
    for (int k = (int)threadIdx.x; k < terms; k += GPU_BLOCK)
        add_pieces(to + k * EXACT_PIECES, {(int64_t)sum[k][0], (int64_t)sum[k][1]});
}

sluice_status sum_bodies(struct gpu_backend *gpu, const struct sluice_body_sums *s,
                         uint64_t *pieces, const uint64_t *change, double tolerance)
{
    const int dim = s->set->dimension, solves = s->params->solves;
    struct body_args q;
    q.constants = body_sums_prepare(s->params);
    q.set = set_of(gpu, s->set);
    q.change = (const unsigned long long *)change;
    q.tolerance = tolerance;
    q.pieces = (unsigned long long *)pieces;
    for (int k = 0; k < SLUICE_BODY_TERMS_MOST; k++)
        q.scale[k] = sluice_body_scale(&s->params->scales, dim, k);
    auto kernel = dim == 3 ? (solves ? body_kernel<3, 1> : body_kernel<3, 0>)
                           : (solves ? body_kernel<2, 1> : body_kernel<2, 0>);
    GPU_LAUNCH_EACH(gpu, "sums of bodies", kernel, s->set->count, q);
    return SLUICE_OK;
}

} // namespace SLUICE_GPU::GPU_PRECISION
