/* Sums over the particles of each body: exact (exact_sum.h), so neither the order of threads nor
 * the device changes a bit. A warp whose particles are all of one body adds them up first. Compiled
 * without fast math. */
#include "kernels/gpu/variant.h"
/* after variant.h */
#include "kernels/gpu/totals.h"
#include "kernels/pointwise/body_sums.h"

namespace SLUICE_GPU::GPU_PRECISION
{

struct body_args {
    struct body_sums_constants constants;
    struct gpu_set set;
    int terms, scale[SLUICE_BODY_TERMS_MOST];
    unsigned long long *pieces; /* [bodies][terms + 1][EXACT_PIECES] */
};

static __device__ __forceinline__ void add_total(unsigned long long *to, exact_total total)
{
#pragma unroll
    for (int n = 0; n < EXACT_PIECES; n++) {
        const unsigned long long piece = exact_piece(total, n);
        if (piece)
            atomicAdd(&to[n], piece);
    }
}

/* Adds a term of each lane to the total of its body. Of one body: lane 0 adds those of all lanes;
 * all of them call this. */
static __device__ __forceinline__ void add_term(const struct body_args &q, int body, int all_same,
                                                int k, struct exact_term term)
{
    unsigned long long *to = q.pieces + ((int64_t)body * (q.terms + 1) + k) * (int64_t)EXACT_PIECES;
    for (int d = GPU_WARP / 2; all_same && d > 0; d /= 2) {
        term.high += gpu_shuffle_xor(term.high, d);
        term.low += gpu_shuffle_xor(term.low, d);
    }
    if (body >= 0 && (!all_same || threadIdx.x % GPU_WARP == 0))
        add_total(to, exact_total_of(term));
}

template <int dim>
__global__ void __launch_bounds__(GPU_BLOCK) body_kernel(const GPU_CONSTANT struct body_args q)
{
    gpu_begin();
    const int64_t i = (int64_t)blockIdx.x * GPU_BLOCK + threadIdx.x;
    double term[SLUICE_BODY_TERMS_MOST];
    int body = -1;
    if (i < alive_in(q.set) && is_own(q.set, i))
        body = body_sums_terms(&q.constants, &q.set.v, i, dim, term);
    const gpu_lanes some = gpu_ballot(body >= 0);
    if (!some) /* the same for all lanes */
        return;
    const int first = gpu_shuffle(body, gpu_first_lane(some)),
              all_same = gpu_ballot(body >= 0 && body != first) == 0;
    unsigned long long out_of_range = 0;
    for (int k = 0; k < q.terms; k++) {
        struct exact_term t = {0, 0};
        if (body >= 0 && exact_holds(q.scale[k], term[k]))
            t = exact_term_of(q.scale[k], term[k]);
        else
            out_of_range += body >= 0;
        add_term(q, all_same ? first : body, all_same, k, t);
    }
    if (out_of_range)
        atomicAdd(&q.pieces[((int64_t)body * (q.terms + 1) + q.terms) * EXACT_PIECES],
                  out_of_range);
}

sluice_status sum_bodies(struct gpu_backend *gpu, const struct sluice_body_sums *s,
                         uint64_t *pieces)
{
    struct body_args q;
    q.constants = body_sums_prepare(s->params);
    q.set = set_of(gpu, s->set);
    q.terms = sluice_body_terms(s->set->dimension, s->params->solves);
    q.pieces = (unsigned long long *)pieces;
    for (int k = 0; k < q.terms; k++)
        q.scale[k] = sluice_body_scale(&s->params->scales, s->set->dimension, k);
    auto kernel = s->set->dimension == 3 ? body_kernel<3> : body_kernel<2>;
    GPU_LAUNCH_EACH(gpu, "sums of bodies", kernel, s->set->count, q);
    return SLUICE_OK;
}

} // namespace SLUICE_GPU::GPU_PRECISION
