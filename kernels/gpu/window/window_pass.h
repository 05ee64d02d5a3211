/* A pass of the window strategy: its arguments, the registers of a loop over candidates, and one
 * candidate. */
#ifndef SLUICE_KERNELS_GPU_WINDOW_WINDOW_PASS_H
#define SLUICE_KERNELS_GPU_WINDOW_WINDOW_PASS_H
#include "kernels/gpu/pass.h"
/* after pass.h */
#include "kernels/gpu/window/window_space.h"

namespace SLUICE_GPU::GPU_PRECISION
{

template <class Pair> struct window_basics {
    struct pass_args<Pair> pass;
    struct window_space space;
    struct row_place place;
    struct place_record *records; /* the target's records, which the pass updates with the EOS that
                                     it writes; or NULL */
    const struct place_record *own; /* the records of a moving target; else NULL */
    const uint32_t *list, *listed;  /* on several ranks: the targets, and their number; else NULL */
    const uint32_t *last_near;      /* near_groups; NULL: not known */
    uint32_t since;
    int near_rows;
    int early; /* 1: the previous launch makes the second source's state, and may still run while
                  this one begins with the first source */
    struct window_source source[SLUICE_PASS_SOURCES];
};

/* The arguments of a kernel. Long parameters make a short launch longer, so kernels with parts take
 * few rows. */
template <class Pair, int most> struct window_args : window_basics<Pair> {
    struct window_row row[most + 1]; /* near rows first; one more at the end, out of reach */
};

/* Keeps a parameter in registers, word by word, so that it is not read again at each use.
 * threadIdx.z is 0, which the compiler does not know. */
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

/* --- Cases with code of their own --- */

/* `usual` is 1 in the usual case. It is LEVEL if in addition heads need no term of gravity, and
 * STILL if besides only the first source has a VELOCITY; for pairs whose constants have `level` and
 * `still`. */
enum { LEVEL = 2, STILL };

template <class Constants, class = void> struct knows_still {
    static constexpr int value = 0;
};
template <class Constants> struct knows_still<Constants, decltype((void)Constants::still)> {
    static constexpr int value = 1;
    static __host__ __device__ Constants &part(Constants &k)
    {
        return k;
    }
};
template <class Constants> struct knows_still<Constants, decltype((void)Constants::plain.still)> {
    static constexpr int value = 1;
    static __host__ __device__ auto &part(Constants &k)
    {
        return k.plain;
    }
};

template <class Pair, int usual>
static __device__ __forceinline__ typename Pair::constants
constants_of(const typename Pair::constants &any)
{
    typename Pair::constants k = usual ? Pair::usual(any) : any;
    if constexpr (usual >= LEVEL) {
        auto &part = knows_still<typename Pair::constants>::part(k);
        part.level = 1;
        part.still = usual == STILL;
    }
    return k;
}

/* --- Candidates --- */

/* The values that the loop over candidates always needs, in registers. */
template <class Pair> struct window_loop {
    typename Pair::constants k;
    struct sluice_view v;
    const struct place_record *at;
    real magic, cutoff2;
    uint32_t self; /* the target's index in the source; UINT32_MAX: it is not in it */
};

/* The loop of target n. */
template <class Pair, int usual, int source>
static __device__ __forceinline__ struct window_loop<Pair>
loop_of(const struct window_basics<Pair> &args, int64_t n) {
    struct window_loop<Pair> loop;
    loop.k = args.pass.k;
    loop.v = args.pass.source[source].v;
    loop.at = args.source[source].at;
    loop.magic = args.space.x.magic;
    loop.self = args.pass.same[source] ? (uint32_t)n : UINT32_MAX;
    if (source == 0 && sizeof(real) == 4) {
        gpu_keep(loop.k);
        gpu_keep(loop.v.field[SLUICE_FIELD_PREDICTED]);
        gpu_keep(loop.at);
        gpu_keep(loop.magic);
    }
    loop.k = constants_of<Pair, usual>(loop.k);
    loop.cutoff2 = Pair::support(loop.k) * Pair::support(loop.k);
    return loop;
}

/* A loaded candidate. */
template <class Pair>
struct window_candidate {
    struct real4 place;
    typename Pair::src other;
};

template <class Pair, int dim, int source>
static __device__ __forceinline__ struct window_candidate<Pair>
candidate(const struct window_loop<Pair> &loop, int64_t j) {
    struct window_candidate<Pair> c;
    c.place = view_load4((const real *)(loop.at + j));
    c.other = Pair::load(loop.k, loop.v, j, dim, source, c.place.w);
    return c;
}

/* Evaluates the candidate at j + after. here: 0: it lies behind the window. others: 1: the target
 * is not among the candidates. */
template <class Pair, int dim, int energy, int usual, int source, int others = 0>
static __device__ __forceinline__ void
meet(const struct window_loop<Pair> &loop, fixed x_and_magic, real y, real z,
     const typename Pair::src &own, const struct window_candidate<Pair> &c, uint32_t j,
     uint32_t after, int here, typename Pair::acc *sum, int64_t *hits)
{
    fixed x;
    memcpy(&x, &c.place.x, sizeof x);
    const real dx = fixed_difference(loop.magic, x_and_magic, x);
    /* A pair that masks itself only looks at the distance: M is beyond the cutoff. */
    const real d[3] = {here || !Pair::masks_itself ? dx : loop.magic, y - c.place.y, z - c.place.z};
    const real r2 = pair_dot(dim, d, d);
    const int hit = r2 < loop.cutoff2 && (others || j != loop.self - after) && here;
    if (!usual && hit)
        *hits += 1;
    typename Pair::acc with = *sum;
    Pair::template eval<source, dim, energy>(loop.k, d, r2, own, c.other, with);
    if (Pair::masks_itself || hit)
        *sum = with;
}

/* --- The operation --- */

/* Fills the arguments of a pass by blocks of `block` targets, except the space and the target's
 * records; packs the sources' records. */
template <class Pair, int dim>
static sluice_status window_open(struct gpu_backend *gpu, const struct sluice_grid *g,
                                 struct sluice_pass *pass, int block,
                                 struct window_basics<Pair> *args)
{
    const unsigned blocks = gpu_blocks(pass->target->count, block);
    SLUICE_TRY(pass_open(gpu, pass, &args->pass));
    args->place = row_place_of(g);
    for (int s = 0; s < SLUICE_PASS_SOURCES; s++) {
        struct sluice_set *source = pass->source[s];
        args->source[s].slot = NULL;
        if (!source || source->count == 0 || blocks == 0)
            continue;
        SLUICE_TRY((pack_places<Pair, dim>(gpu, g, source, s, args->place)));
        args->source[s].slot = bins_of(source)->slot;
        args->source[s].start = bins_of(source)->start;
        SLUICE_TRY(near_masks(gpu, g, source, pass->target, &args->source[s].near));
        args->source[s].at = (const struct place_record *)bins_of(source)->packed;
        args->source[s].extent = NULL;
    }
    return SLUICE_OK;
}

/* The records of a moving target, if they are up to date; else NULL. */
static inline const struct place_record *own_records(const struct gpu_backend *gpu,
                                                     const struct sluice_set *target)
{
    const struct gpu_bins *bins = bins_of(target);
    const int has = target->moves == SLUICE_FREE && bins && bins->packed_as >= 0 &&
                    bins->packed_as / SLUICE_FIELD_COUNT == (int)row_place::kind &&
                    bins->packed_at == gpu->uploads;
    return has ? (const struct place_record *)bins->packed : NULL;
}

/* Whether this pass may begin before the previous launch has ended. That launch must be the pass
 * that makes the state of the walls, this pass's second source, and nothing else that is used here:
 * at its end it leaves most of the device idle, while this pass works on its first source. It must
 * not have begun early itself, since the launch before it may still run. Several ranks begin none
 * early: their passes may be on two streams. */
static inline int begins_early(const struct gpu_backend *gpu, const struct sluice_pass *pass)
{
    const struct sluice_set *made = gpu->window.target;
    return gpu_overlaps() && !gpu->ranks && pass->source[1] && pass->source[1] == made &&
           pass->target != made && pass->source[0] != made && !gpu->window.early &&
           gpu->window.queued == gpu_queued_so_far();
}

template <class Arguments>
static void launch(int early, void (*kernel)(const Arguments), unsigned blocks, int threads,
                   size_t shared_bytes, gpuStream_t stream, const Arguments &args)
{
    if (early)
        GPU_LAUNCH_EARLY(kernel, blocks, threads, shared_bytes, stream, args);
    else
        GPU_LAUNCH(kernel, blocks, threads, shared_bytes, stream, args);
}

} // namespace SLUICE_GPU::GPU_PRECISION
#endif
