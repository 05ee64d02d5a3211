/* The window strategy for particles with supports of their own: one thread for each target.
 *
 *   gathers own      a target repeats its sums until they are final (NAME_accepts). Nearly all are
 *                    final at once; the others go to a list, on which a second launch works, so
 *                    that they keep no warp waiting
 *   gathers either   tables of the largest supports around each place are made first
 *                    (support_cells.h). Sums are final: they depend on the others' supports */
#undef PASS_PAIRS
#define PASS_PAIRS(X) SLUICE_ADAPTIVE_PAIRS(X)
#include "kernels/gpu/pass.h"
/* after pass.h */
#include "kernels/gpu/prefix.h"
#include "kernels/gpu/window/adaptive_search.h"

namespace SLUICE_GPU::GPU_PRECISION
{

enum {
    ADAPTIVE_BLOCK = 128,
    ADAPTIVE_BLOCKS = sizeof(real) == 4 ? 5 : 3,
    ADAPTIVE_BLOCKS_LIGHT = sizeof(real) == 4 ? 10 : 5,
    AGAIN_BLOCKS = 16 /* on a multiprocessor, of the launch for targets whose sums are repeated */
};

template <class Pair> struct adaptive_sum {
    typename Pair::src own;
    typename Pair::acc sum;
    int64_t hits;
};

/* Makes the sums of target n; returns whether they are final. */
template <class Pair, int dim, int energy, int usual>
static __device__ __forceinline__ int sum_adaptive(const struct adaptive_args<Pair> &args,
                                                   const typename Pair::constants &k, int64_t n,
                                                   struct adaptive_sum<Pair> *s)
{
    const struct sluice_view &v = args.pass.target.v;
    s->own = Pair::load(k, v, n, dim, SLUICE_TARGET, Pair::pack(v, n, dim, SLUICE_TARGET));
    s->sum = {};
#pragma unroll 1
    for (int image = 0; image < args.more.walls.count; image++) {
        if (!wall_image_exists(args.more.walls.walls, image, dim))
            continue;
        search_source<Pair, dim, energy, usual, 0>(args, k, n, image, &s->own, &s->sum, &s->hits);
        if (args.source[1].slot)
            search_source<Pair, dim, energy, usual, 1>(args, k, n, image, &s->own, &s->sum,
                                                       &s->hits);
    }
    return Pair::template accepts<dim, energy>(k, v, n, s->own, s->sum);
}

/* A launch with args.list and without args.again repeats each target's sums until they are final.
 */
template <class Pair, int dim, int energy, int usual>
__global__ void __launch_bounds__(ADAPTIVE_BLOCK,
                                  GPU_BLOCKS_LEAST(sizeof(typename Pair::acc) <= 4 * sizeof(real)
                                                       ? ADAPTIVE_BLOCKS_LIGHT
                                                       : ADAPTIVE_BLOCKS))
    adaptive_kernel(const GPU_CONSTANT struct adaptive_args<Pair> args)
{
    gpu_begin();
    const typename Pair::constants k = constants_of<Pair, usual>(args.pass.k);
    const int64_t targets = args.list ? (int64_t)*args.listed : alive_in(args.pass.target);
    for (int64_t first = (int64_t)blockIdx.x * ADAPTIVE_BLOCK; first < targets;
         first += (int64_t)gridDim.x * ADAPTIVE_BLOCK) {
        const int64_t at = first + threadIdx.x;
        const int64_t n = at < targets ? args.list ? (int64_t)args.list[at] : at : INT64_MAX;
        const int here = n != INT64_MAX && is_own(args.pass.target, n);
        double out[SLUICE_SUM_COUNT] = {};
        struct adaptive_sum<Pair> s = adaptive_sum<Pair>();
        int final = 0;
        if (here) {
            do
                final = sum_adaptive<Pair, dim, energy, usual>(args, k, n, &s);
            while (!final && !args.again);
        }
        if (final)
            Pair::template store<dim, energy>(k, args.pass.target.v, n, s.own, s.sum,
                                              args.pass.wanted, out);
        out[SLUICE_SUM_PAIRS] += (double)s.hits;
        pass_sum<Pair, (usual != 0)>(args.pass, out);
        if (args.again) {
            const uint32_t place = warp_append(args.again, here && !final);
            if (here && !final)
                args.again[1 + place] = (uint32_t)n;
        }
    }
}

/* --- The operation --- */

static struct adaptive_space adaptive_space_of(const struct sluice_grid *g,
                                               const struct window_space &s,
                                               const struct row_place &place)
{
    struct adaptive_space more = {};
    more.slack = s.row_half[1] - (real)0.5 * s.row_width[1] + s.bin_slack / s.axis[0].per_length;
    more.widest = (real)g->width[0];
    for (int c = 1; c < g->dimension; c++)
        more.widest = real_min(more.widest, (real)g->width[c]);
    more.quantum = (real)place.row[1].quantum;
    for (int c = 1; c < 3; c++)
        more.row_quanta[c] = (real)(place.row[c].width * place.row[c].per_quantum);
    more.x_quantum = (real)(1 / s.x.per_length);
    more.cells = bin_axis_of(g->width[0], SUPPORT_CELLS_LOG2);
    more.walls = wall_images_of(g);
    return more;
}

/* Supports may be much smaller than the cutoff, so records are as fine as 32 bits and a frame's
 * width allow: particles two frames apart still have a difference below 2^31 units. In double they
 * are fine enough. y and z have sums that are exact within half of the cutoff; the sums of
 * particles further apart are rounded. */
static struct fixed_axis fine_axis_of(const struct sluice_grid *g)
{
    return sizeof(real) == 4 ? fixed_axis_in(g, ldexp(1.0, ilogb(g->width[0]) - 29))
                             : fixed_axis_of(g);
}
static struct row_place fine_rows_of(const struct sluice_grid *g)
{
    return sizeof(real) == 4 ? row_place_in(g, ldexp(1.0, ilogb(g->cutoff) - 25)) : row_place_of(g);
}

/* Fills the arguments of a pass, and packs the records of its sources. No other operation knows
 * these records. */
template <class Pair, int dim>
static sluice_status adaptive_open(struct gpu_backend *gpu, const struct sluice_grid *g,
                                   struct sluice_pass *pass, struct adaptive_args<Pair> *args)
{
    auto pack = pack_kernel<Pair, dim, struct row_place>;
    SLUICE_TRY(gpu_join(gpu)); /* the supports of other ranks' particles */
    SLUICE_TRY(pass_open(gpu, pass, &args->pass));
    args->place = fine_rows_of(g);
    for (int s = 0; s < SLUICE_PASS_SOURCES; s++) {
        struct sluice_set *source = pass->source[s];
        if (!source || source->count == 0 || pass->target->count == 0)
            continue;
        const struct gpu_bins *bins = bins_of(source);
        struct place_packer packer = packer_of(gpu, g, source);
        packer.axis = args->space.x;
        gpu_unpack(source);
        GPU_LAUNCH_EACH(gpu, "pack", pack, source->count + 1, set_of(gpu, source), s, args->place,
                        packer);
        args->source[s].slot = bins->slot;
        args->source[s].start = bins->start;
        args->source[s].at = (const struct place_record *)bins->packed;
        if (source == pass->target)
            args->own = args->source[s].at;
    }
    return SLUICE_OK;
}

/* The launches for some targets: all of them, then those whose sums were not final. */
template <class Pair, int dim, int energy, int usual>
static sluice_status launch_adaptive(struct gpu_backend *gpu, const struct gpu_targets &targets,
                                     struct gpu_scratch *again, struct adaptive_args<Pair> *args)
{
    auto kernel = adaptive_kernel<Pair, dim, energy, usual>;
    const unsigned blocks = gpu_blocks(targets.most, ADAPTIVE_BLOCK),
                   at_once = (unsigned)gpu->multiprocessors * AGAIN_BLOCKS;
    args->list = targets.list;
    args->listed = targets.count;
    args->again = NULL;
    if (blocks == 0)
        return SLUICE_OK;
    if (!Pair::either) {
        SLUICE_TRY(gpu_scratch_reserve(gpu, again, ((size_t)targets.most + 1) * sizeof(uint32_t)));
        args->again = (uint32_t *)again->memory;
        SLUICE_TRY(gpu_check(gpuMemsetAsync(args->again, 0, sizeof(uint32_t), targets.stream),
                             "clearing a list"));
    }
    GPU_LAUNCH(kernel, blocks, ADAPTIVE_BLOCK, 0, targets.stream, *args);
    GPU_LAUNCHED("window, adaptive");
    if (Pair::either)
        return SLUICE_OK;
    args->list = args->again + 1;
    args->listed = args->again;
    args->again = NULL;
    GPU_LAUNCH(kernel, blocks < at_once ? blocks : at_once, ADAPTIVE_BLOCK, 0, targets.stream,
               *args);
    return gpu_launched("window, adaptive, again");
}

struct adaptive_launch {
    template <class Pair, int dim, int energy, int usual>
    static sluice_status run(struct gpu_backend *gpu, const struct sluice_grid *g,
                             struct sluice_pass *pass)
    {
        struct adaptive_args<Pair> args = adaptive_args<Pair>();
        SLUICE_CHECK(!(gpu->drifted > 0), SLUICE_BAD_INPUT,
                     "internal: pass %s: particles with supports of their own are sorted in each "
                     "step",
                     pass->name);
        const typename Pair::constants k = Pair::prepare(pass);
        SLUICE_TRY(space_of(gpu, g, Pair::support(k), &args.space));
        args.space.x = fine_axis_of(g);
        SLUICE_TRY((adaptive_open<Pair, dim>(gpu, g, pass, &args)));
        if (pass->target->count == 0)
            return SLUICE_OK;
        args.more = adaptive_space_of(g, args.space, args.place);
        for (int s = 0; s < SLUICE_PASS_SOURCES; s++)
            if (Pair::either && args.source[s].slot)
                SLUICE_TRY((find_support_cells<Pair, dim>(gpu, g, pass->source[s], k,
                                                          args.more.slack, s, &args.cells[s])));
        struct gpu_targets targets[2];
        int launches;
        SLUICE_TRY(gpu_divide_targets(gpu, pass->target, targets, &launches));
        for (int t = 0; t < launches; t++)
            SLUICE_TRY((
                launch_adaptive<Pair, dim, energy, usual>(gpu, targets[t], &gpu->again[t], &args)));
        return SLUICE_OK;
    }
};

sluice_status interact_adaptive(struct gpu_backend *gpu, const struct sluice_grid *g,
                                struct sluice_pass *pass)
{
    return pass_dispatch<adaptive_launch>(gpu, g, pass);
}

} // namespace SLUICE_GPU::GPU_PRECISION
