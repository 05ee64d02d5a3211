/* Shared by all strategies: each pair as a type, a pass as a kernel sees it, the sums of a block,
 * and the choice of a kernel at run time.
 *
 *   struct NAME_launch {
 *       template <class Pair, int dim, int energy, int usual>
 *       static sluice_status run(struct gpu_backend *gpu, const struct sluice_grid *g,
 *                                struct sluice_pass *pass)
 *       {
 *           struct pass_args<Pair> args;
 *           SLUICE_TRY(pass_open(gpu, pass, &args));
 *           GPU_LAUNCH(kernel, blocks, GPU_BLOCK, 0, gpu->stream, args, ...)
 *           ...
 *       }
 *   };
 *   PASS_STRATEGY(NAME)
 *
 * When its threads have stored their targets, the kernel calls pass_sum(args, out) with all lanes
 * of a warp: none may have returned.
 *
 * In float the usual case of every pair and dimension is compiled with and without energies, and
 * the general case, which alone counts pairs, with energies; in double only the general case. A
 * kernel with energies may also run for a pass without them: its sums are ignored. With
 * PASS_GENERAL_ONLY defined before this header, or SLUICE_FEW_KERNELS for the whole program, only
 * the general case is compiled in float too.
 *
 * A strategy has the common pairs, unless it defines PASS_PAIRS(X) before this header; passes of
 * others are by window, which has an object for each (window/window.cu). A build of few pairs
 * (GPU_PAIRS of the Makefile) defines it for the whole program, as X(lj, , , ). */
#ifndef SLUICE_KERNELS_GPU_PASS_H
#define SLUICE_KERNELS_GPU_PASS_H
#if (defined(__CUDACC__) || defined(__HIPCC__)) && !defined(SLUICE_PAIR_LOOP)
#error "a file with pair loops belongs into PAIR_LOOPS of the Makefile"
#endif
#if defined(SLUICE_FEW_KERNELS) && !defined(PASS_GENERAL_ONLY)
#define PASS_GENERAL_ONLY
#endif
#include "kernels/gpu/totals.h"
#include "kernels/gpu/variant.h"
#include "kernels/gpu/wall_images.h"
/* after variant.h, which gives the host's headers C linkage */
#include "kernels/formulas/formulas.h"

#ifdef PASS_NAME
#undef PASS_PAIRS
#define PASS_PAIRS(X)     PASS_ROW(X, PASS_NAME)
#define PASS_ROW(X, name) X(name, , , )
#endif
#ifndef PASS_PAIRS
#define PASS_PAIRS(X) SLUICE_COMMON_PAIRS(X)
#endif

namespace SLUICE_GPU::GPU_PRECISION
{

/* --- Pairs as types: pair_lj::eval is lj_eval, and so on (kernels/pair/) */

#define PAIR_CLASS(name, formulas, known, supports)                                                \
    struct pair_##name {                                                                           \
        typedef formulas##_constants constants;                                                    \
        typedef formulas##_src src;                                                                \
        typedef formulas##_acc acc;                                                                \
        static constexpr int masks_itself = formulas##_MASKS_ITSELF, uses_r = formulas##_USES_R;   \
        static constexpr enum sluice_field packs = (enum sluice_field)formulas##_PACKS;            \
        static constexpr unsigned sums = formulas##_SUMS;                                          \
        static constexpr sluice_fields writes = formulas##_WRITES;                                 \
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
            return pair_packed(packs, &v, i, dim, source);                                         \
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
            const struct pair_loop loop = {source, dim, energy, PAIR_KERNEL_##known, 0};           \
            const real r = uses_r ? REAL_SQRT(r2) : 0;                                             \
            const struct pair_distance at = {{d[0], d[1], dim == 3 ? d[2] : 0}, r2, r};            \
            formulas##_eval(&k, loop, &at, &i, &j, &sum);                                          \
        }                                                                                          \
        template <int dim, int energy>                                                             \
        HD void store(const constants &k, const struct sluice_view &v, int64_t n, const src &i,    \
                      const acc &sum, unsigned wanted, double out[SLUICE_SUM_COUNT])               \
        {                                                                                          \
            const struct pair_loop loop = {0, dim, energy, PAIR_KERNEL_##known, wanted};           \
            formulas##_store(&k, &v, n, loop, &i, &sum, out);                                      \
        }                                                                                          \
        supports                                                                                   \
    };

/* Where pairs with one support for all and with one for each particle differ. */
#define EVEN_SUPPORTS static constexpr int adaptive = 0;
#define ADAPTIVE_SUPPORTS(formulas, known)                                                         \
    static constexpr int adaptive = 1;                                                             \
    static constexpr int either = formulas##_GATHERS == PAIR_GATHERS_EITHER;                       \
    HD real support_of(const constants &k, const struct sluice_view &v, int64_t i, const int dim)  \
    {                                                                                              \
        return formulas##_support(&k, &v, i, dim);                                                 \
    }                                                                                              \
    HD void mirror(int axis, src *i, acc *sum)                                                     \
    {                                                                                              \
        formulas##_mirror(axis, i, sum);                                                           \
    }                                                                                              \
    template <int dim, int energy>                                                                 \
    HD int accepts(const constants &k, const struct sluice_view &v, int64_t n, const src &i,       \
                   const acc &sum)                                                                 \
    {                                                                                              \
        const struct pair_loop loop = {0, dim, energy, PAIR_KERNEL_##known, 0};                    \
        return formulas##_accepts(&k, &v, n, loop, &i, &sum);                                      \
    }
#define PAIR_TYPE(name, formulas, known, what) PAIR_CLASS(name, formulas, known, EVEN_SUPPORTS)
#define ADAPTIVE_TYPE(name, formulas, known, what)                                                 \
    PAIR_CLASS(name, formulas, known, ADAPTIVE_SUPPORTS(formulas, known))
SLUICE_EVEN_PAIRS(PAIR_TYPE)
#define EFFECT_PAIR PAIR_TYPE
#include "physics/effects.def"
SLUICE_ADAPTIVE_PAIRS(ADAPTIVE_TYPE)

/* Turns a target's numbers and sums into those of an image behind walls, and back. The axes are
 * known to the compiler, so that they stay in registers. */
template <class Pair, int dim>
static __device__ __forceinline__ void mirror(int image, typename Pair::src *i,
                                              typename Pair::acc *sum)
{
#pragma unroll
    for (int c = 0; c < dim; c++)
        if (wall_side(image, c))
            Pair::mirror(c, i, sum);
}

/* Whether each particle has a support of its own. */
static inline int pass_is_adaptive(const struct sluice_pass *pass)
{
#define X(name, formulas, known, what) pass->pair == SLUICE_PAIR_##name ||
    return SLUICE_ADAPTIVE_PAIRS(X) 0;
#undef X
}

/* --- A pass as a kernel sees it */

template <class Pair> struct pass_args {
    typename Pair::constants k;
    struct gpu_set target, source[SLUICE_PASS_SOURCES]; /* an absent source has no particles */
    int same[SLUICE_PASS_SOURCES];                      /* the source is the target */
    unsigned wanted;                                    /* sums, SLUICE_SUM_BIT(...) */
    struct sluice_scales scales;                        /* of the sums */
    struct gpu_total *totals;                           /* [GPU_PASS_NUMBERS] */
};

/* Fills the arguments of a launch. */
template <class Pair>
static sluice_status pass_open(struct gpu_backend *gpu, struct sluice_pass *pass,
                               struct pass_args<Pair> *args)
{
    struct gpu_total *totals;
    SLUICE_TRY(gpu_pass_totals(gpu, pass, &totals));
    *args = pass_args<Pair>();
    args->k = Pair::prepare(pass);
    args->target = set_of(gpu, pass->target);
    if (pass->asked)
        args->target.own = pass->asked;
    for (int s = 0; s < SLUICE_PASS_SOURCES; s++)
        if (pass->source[s]) {
            args->source[s] = set_of(gpu, pass->source[s]);
            args->same[s] = pass->source[s] == pass->target;
        }
    args->wanted = pass->sums & Pair::sums;
    if (pass->count_pairs)
        args->wanted |= SLUICE_SUM_BIT(PAIRS);
    args->scales = pass->scales;
    args->totals = totals;
    return SLUICE_OK;
}

/* Numbers some sums of a pass. */
template <unsigned sums> struct summed {
    static constexpr int count_of(unsigned bits)
    {
        return bits ? (int)(bits & 1) + count_of(bits >> 1) : 0;
    }
    /* Five bits for each number: its sum. */
    static constexpr uint64_t listed(int sum, int number)
    {
        return sum == SLUICE_SUM_COUNT ? 0
               : sums >> sum & 1       ? (uint64_t)sum << 5 * number | listed(sum + 1, number + 1)
                                       : listed(sum + 1, number);
    }
    static constexpr int count = count_of(sums), slots = count <= 2   ? 2
                                                         : count <= 4 ? 4
                                                         : count <= 8 ? 8
                                                                      : 16;
    static constexpr uint64_t list = listed(0, 0);
    static_assert((int)GPU_PASS_NUMBERS <= 32 && count <= 12, "five bits for a number");
};

/* Adds a warp's terms of some sums to the totals of the pass. */
template <unsigned sums, class Pair>
static __device__ __forceinline__ void add_sums(const struct pass_args<Pair> &args,
                                                const double out[SLUICE_SUM_COUNT])
{
    typedef struct summed<sums> these;
    long long v[these::slots] = {};
    int n = 0, out_of_range = 0;
    /* A kernel with energies may serve a pass that only counts pairs. */
    const auto term = [&](int k) { return args.wanted >> k & 1 ? out[k] : 0; };
#pragma unroll
    for (int k = 0; k < SLUICE_SUM_COUNT; k++)
        if (sums >> k & 1) {
            const int scale = sluice_sum_scale(&args.scales, k);
            const double x = term(k);
            const int holds = exact_holds(scale, x);
            out_of_range += !holds;
            v[n++] = exact_term_of(scale, holds ? x : 0).high;
        }
    if (out_of_range)
        gpu_total_add(&args.totals[SLUICE_SUM_COUNT], gpu_copy_of_warp(), out_of_range);
    fold_lanes<these::slots>(fold_sum(), v);
    const long long high = v[0];
    n = 0;
#pragma unroll
    for (int k = 0; k < SLUICE_SUM_COUNT; k++)
        if (sums >> k & 1) {
            const int scale = sluice_sum_scale(&args.scales, k);
            const double x = term(k);
            v[n++] = exact_term_of(scale, exact_holds(scale, x) ? x : 0).low;
        }
#pragma unroll
    for (int k = these::count; k < these::slots; k++)
        v[k] = 0;
    const int slot = fold_lanes<these::slots>(fold_sum(), v);
    if (slot >= 0 && slot < these::count)
        gpu_total_add(&args.totals[these::list >> 5 * slot & 31], gpu_copy_of_warp(),
                      exact_total_of({high, v[0]}));
}

/* Adds the terms of a warp's targets to the totals of the pass. Each lane gives the terms of its
 * target, zeros if it has none. All lanes call it; warps do not wait for each other. Most steps
 * want no sums of an instant: they have code of their own. usual: pairs are not counted. */
template <class Pair, int usual = 0>
static __device__ void pass_sum(const struct pass_args<Pair> &args,
                                const double out[SLUICE_SUM_COUNT])
{
    constexpr unsigned all = Pair::sums | (usual ? 0u : SLUICE_SUM_BIT(PAIRS)),
                       of_steps = Pair::sums & ~SLUICE_INSTANT_SUMS;
    /* the same for all threads */
    if (!args.wanted)
        return;
    if constexpr (of_steps != 0 && of_steps != all) {
        if (!(args.wanted & ~of_steps)) {
            add_sums<of_steps>(args, out);
            return;
        }
    }
    add_sums<all>(args, out);
}

/* --- The kernel for a pass */

template <class Launch, class Pair, int dim>
static sluice_status pass_dispatch_pair(struct gpu_backend *gpu, const struct sluice_grid *g,
                                        struct sluice_pass *pass)
{
#if !defined(SLUICE_DOUBLE) && !defined(PASS_GENERAL_ONLY)
    const typename Pair::constants k = Pair::prepare(pass);
    if (Pair::is_usual(k) && !pass->count_pairs)
        return pass->sums & Pair::sums ? Launch::template run<Pair, dim, 1, 1>(gpu, g, pass)
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
        PASS_PAIRS(X)
#undef X
    }
    SLUICE_CHECK(!pass_is_adaptive(pass), SLUICE_BAD_INPUT,
                 "backend.strategy = \"%s\" has no pair with a support for each particle, as a gas "
                 "needs (pass %s): choose \"window\", \"bucket\" or \"tiled\"",
                 gpu->strategy, pass->name);
    SLUICE_CHECK(sluice_strategies[gpu->backend->orders.strategy].bins != SLUICE_TREE,
                 SLUICE_BAD_INPUT,
                 "backend.strategy = \"%s\" has only pairs with a support for each particle, those "
                 "of a gas (pass %s): choose \"window\" or leave the choice to auto",
                 gpu->strategy, pass->name);
    return interact_window(gpu, g, pass); /* a rare pair */
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
