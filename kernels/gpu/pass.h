/* Shared by all strategies: each pair as a type, a pass as a kernel sees it, the sums of a block,
 * and the choice of a kernel at run time.
 *
 *   struct NAME_launch {
 *       template <class Pair, int dim, int energy, int usual>
 *       static sluice_status run(struct gpu_backend *gpu, const struct sluice_grid *g,
 *                                struct sluice_pass *pass)
 *       {
 *           struct pass_args<Pair> args;
 *           SLUICE_TRY(pass_open(gpu, pass, (int64_t)blocks * GPU_BLOCK, &args));
 *           GPU_LAUNCH(kernel, blocks, GPU_BLOCK, 0, gpu->stream, args, ...)
 *           ...
 *       }
 *   };
 *   PASS_STRATEGY(NAME)
 *
 * At its end the kernel calls pass_sum(args, out) with all its threads: none may have returned.
 *
 * In float the usual case of every pair and dimension is compiled with and without energies, and
 * the general case, which alone counts pairs, with energies; in double only the general case. A
 * kernel with energies may also run for a pass without them: its sums are ignored. With
 * PASS_GENERAL_ONLY defined before this header, or SLUICE_FEW_KERNELS for the whole program, only
 * the general case is compiled in float too. */
#ifndef SLUICE_KERNELS_GPU_PASS_H
#define SLUICE_KERNELS_GPU_PASS_H
#if (defined(__CUDACC__) || defined(__HIPCC__)) && !defined(SLUICE_PAIR_LOOP)
#error "a file with pair loops belongs into PAIR_LOOPS of the Makefile"
#endif
#if defined(SLUICE_FEW_KERNELS) && !defined(PASS_GENERAL_ONLY)
#define PASS_GENERAL_ONLY
#endif
#include "kernels/gpu/fold.h"
#include "kernels/gpu/variant.h"
/* after variant.h, which gives the host's headers C linkage */
#include "kernels/formulas.h"

namespace SLUICE_GPU::GPU_PRECISION
{

/* --- Pairs as types: pair_lj::eval is lj_eval, and so on (kernels/pair/) */

#define X(name, formulas, known, what)                                                             \
    struct pair_##name {                                                                           \
        typedef formulas##_constants constants;                                                    \
        typedef formulas##_src src;                                                                \
        typedef formulas##_acc acc;                                                                \
        static constexpr int masks_itself = formulas##_MASKS_ITSELF, uses_r = formulas##_USES_R;   \
        static constexpr enum sluice_field packs = formulas##_PACKS;                               \
        static constants prepare(const struct sluice_pass *pass)                                   \
        {                                                                                          \
            return formulas##_prepare((const formulas##_params *)pass->params,                     \
                                      sluice_pass_mass(pass));                                     \
        }                                                                                          \
        HD real support(const constants &k)                                                        \
        {                                                                                          \
            return k.support;                                                                      \
        }                                                                                          \
        HD int is_usual(const constants &k)                                                        \
        {                                                                                          \
            return formulas##_is_usual(&k);                                                        \
        }                                                                                          \
        HD constants usual(const constants &k)                                                     \
        {                                                                                          \
            return formulas##_usual(k);                                                            \
        }                                                                                          \
        HD real pack(const struct sluice_view &v, int64_t i, const int dim, const int source)      \
        {                                                                                          \
            (void)source;                                                                          \
            return pair_packed(packs, &v, i, dim);                                                 \
        }                                                                                          \
        HD src load(const constants &k, const struct sluice_view &v, int64_t i, const int dim,     \
                    const int source, real packed)                                                 \
        {                                                                                          \
            return formulas##_load(&k, &v, i, dim, source, packed);                                \
        }                                                                                          \
        template <int source, int dim, int energy>                                                 \
        HD void eval(const constants &k, const real d[3], real r2, const src &i, const src &j,     \
                     acc &sum)                                                                     \
        {                                                                                          \
            const struct pair_loop loop = {source, dim, energy, PAIR_KERNEL_##known};              \
            const real r = uses_r ? REAL_SQRT(r2) : 0;                                             \
            const struct pair_distance at = {{d[0], d[1], dim == 3 ? d[2] : 0}, r2, r};            \
            formulas##_eval(&k, loop, &at, &i, &j, &sum);                                          \
        }                                                                                          \
        template <int dim, int energy>                                                             \
        HD void store(const constants &k, const struct sluice_view &v, int64_t n, const src &i,    \
                      const acc &sum, double out[SLUICE_SUM_COUNT])                                \
        {                                                                                          \
            const struct pair_loop loop = {0, dim, energy, PAIR_KERNEL_##known};                   \
            formulas##_store(&k, &v, n, loop, &i, &sum, out);                                      \
        }                                                                                          \
    };
SLUICE_PAIRS(X)
#undef X

/* --- A pass as a kernel sees it */

template <class Pair> struct pass_args {
    typename Pair::constants k;
    struct gpu_set target, source[SLUICE_PASS_SOURCES]; /* an absent source has no particles */
    int same[SLUICE_PASS_SOURCES];                      /* the source is the target */
    int count_pairs;
    int64_t warps; /* warps that leave sums; 0: the pass wants none */
    double *sums;  /* [SLUICE_SUM_COUNT][warps] */
};

/* Fills the arguments of a launch of `threads` threads, and makes room for the sums of its
 * warps. */
template <class Pair>
static sluice_status pass_open(struct gpu_backend *gpu, struct sluice_pass *pass, int64_t threads,
                               struct pass_args<Pair> *args)
{
    const int place = gpu_pass_place(gpu, pass);
    SLUICE_CHECK(place >= 0, SLUICE_BAD_INPUT, "pass %s: more than %d passes between two syncs",
                 pass->name, (int)GPU_PASSES);
    struct gpu_scratch *sums = &gpu->sums[place];
    gpu->sum_blocks[place] = pass->energy || pass->count_pairs ? threads / gpu->warp : 0;
    const size_t bytes = (size_t)gpu->sum_blocks[place] * sizeof(double) * SLUICE_SUM_COUNT;
    SLUICE_TRY(gpu_scratch_reserve(gpu, sums, bytes));
    gpu_spoil(sums->memory, bytes);
    *args = pass_args<Pair>();
    args->k = Pair::prepare(pass);
    args->target = set_of(gpu, pass->target);
    for (int s = 0; s < SLUICE_PASS_SOURCES; s++)
        if (pass->source[s]) {
            args->source[s] = set_of(gpu, pass->source[s]);
            args->same[s] = pass->source[s] == pass->target;
        }
    args->count_pairs = pass->count_pairs;
    args->warps = gpu->sum_blocks[place];
    args->sums = (double *)sums->memory;
    return SLUICE_OK;
}

/* The number of a thread's warp in the launch. */
static __device__ __forceinline__ int64_t pass_warp()
{
    return ((int64_t)blockIdx.x * blockDim.x + threadIdx.x) / GPU_WARP;
}

/* Stores the sums of warp number `warp`. All threads of a warp call it; warps do not wait for each
 * other. */
template <class Pair>
static __device__ void pass_sum(const struct pass_args<Pair> &args,
                                const double out[SLUICE_SUM_COUNT], int64_t warp = pass_warp())
{
    constexpr int SLOTS = 16;
    static_assert((int)SLUICE_SUM_COUNT <= SLOTS, "the next power of two");
    double v[SLOTS];
    int d = GPU_WARP / 2;
    if (args.warps == 0) /* the same for all threads */
        return;
#pragma unroll
    for (int k = 0; k < SLOTS; k++)
        v[k] = k < SLUICE_SUM_COUNT ? out[k] : 0;
    const int slot = fold_share<SLOTS / 2>(FOLD_SUM, v, &d);
    const int first = ((int)threadIdx.x & (2 * d - 1)) ==
                      0; /* the first of the lanes that share this number */
    for (; d > 0; d /= 2)
        v[0] += gpu_shuffle_xor(v[0], d);
    if (first && slot < SLUICE_SUM_COUNT)
        args.sums[slot * args.warps + warp] = v[0];
}

/* --- The kernel for a pass */

template <class Launch, class Pair, int dim>
static sluice_status pass_dispatch_pair(struct gpu_backend *gpu, const struct sluice_grid *g,
                                        struct sluice_pass *pass)
{
#if !defined(SLUICE_DOUBLE) && !defined(PASS_GENERAL_ONLY)
    const typename Pair::constants k = Pair::prepare(pass);
    if (Pair::is_usual(k) && !pass->count_pairs)
        return pass->energy ? Launch::template run<Pair, dim, 1, 1>(gpu, g, pass)
                            : Launch::template run<Pair, dim, 0, 1>(gpu, g, pass);
#endif
    return Launch::template run<Pair, dim, 1, 0>(gpu, g, pass);
}

template <class Launch>
static sluice_status pass_dispatch(struct gpu_backend *gpu, const struct sluice_grid *g,
                                   struct sluice_pass *pass)
{
    const int flat = pass->target->dimension == 2;
    switch (pass->pair) {
#define X(name, formulas, known, what)                                                             \
    case SLUICE_PAIR_##name:                                                                       \
        return flat ? pass_dispatch_pair<Launch, pair_##name, 2>(gpu, g, pass)                     \
                    : pass_dispatch_pair<Launch, pair_##name, 3>(gpu, g, pass);
        SLUICE_PAIRS(X)
#undef X
    }
    return SLUICE_FAIL(SLUICE_BAD_INPUT, "pass %s: pair %d is not in the registry", pass->name,
                       pass->pair);
}

/* Defines interact_NAME, the strategy's entry in the table of variant.h, which runs NAME_launch. */
#define PASS_STRATEGY(name)                                                                        \
    sluice_status interact_##name(struct gpu_backend *gpu, const struct sluice_grid *g,            \
                                  struct sluice_pass *pass)                                        \
    {                                                                                              \
        return pass_dispatch<name##_launch>(gpu, g, pass);                                         \
    }

} // namespace SLUICE_GPU::GPU_PRECISION
#endif
