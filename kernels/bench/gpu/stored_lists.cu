/* Neighbour lists for `sluice bench claims` (struct sluice_stored_list of
 * kernels/bench/bench_ops.h): WCSPH with Wendland C2 in 3-D, fluid from fluid. Building searches
 * the cells around a particle; a pass is a plain loop of a thread for each particle. Rows,
 * distances, and the order of a target's sum are those of the strategies of cells
 * (cells/cell_pass.h). The pass without a list is that of `window`, with its own search: the two
 * differ in more than how candidates are found, and in the last bits. An entry is a particle and,
 * in the highest bits, the frame that it lies in: -1, 0 or 1 on each axis from the target's. */
#include "kernels/bench/gpu/bench_loops.h"
#include "kernels/gpu/cells/cell_pass.h"

namespace SLUICE_GPU::GPU_PRECISION
{

typedef struct pair_wcsph_wendland list_pair;

enum { LIST_BLOCK = 128, LIST_FRAME_SHIFT = 27 };

struct list_args {
    struct cell_args<list_pair> cell;
    uint32_t *entries, *length;
    int64_t stride;
    int longest;
    real reach;
};

/* --- Building ---- */

/* Adds the particles of a segment that are nearer than the reach. */
static __device__ __forceinline__ void list_segment(const struct list_args &args,
                                                    const struct cell_target<list_pair> &i,
                                                    const struct cell_segment &segment,
                                                    uint32_t self, const real at[2], fixed shift,
                                                    uint32_t frame, int *length)
{
    each_but(self, {segment.first, segment.first + segment.count}, [&](uint32_t j) {
        const struct real4 p = view_load4((const real *)(args.cell.source[0].at + j));
        fixed x;
        memcpy(&x, &p.x, sizeof x);
        const real d[3] = {fixed_difference(args.cell.space.x.magic, i.x_and_magic - shift, x),
                           at[0] - p.y, at[1] - p.z};
        if (!(pair_dot(3, d, d) < args.reach * args.reach))
            return;
        if (*length < args.longest)
            args.entries[*length * args.stride + i.index] = j | frame << LIST_FRAME_SHIFT;
        ++*length;
    });
}

/* As search_cells does (cells/particle_pass.h). */
static __global__ void __launch_bounds__(LIST_BLOCK)
    list_build_kernel(const GPU_CONSTANT struct list_args args)
{
    gpu_begin();
    const int64_t n = (int64_t)blockIdx.x * LIST_BLOCK + threadIdx.x;
    if (n >= alive_in(args.cell.pass.target))
        return;
    const struct cell_space &space = args.cell.space;
    const struct cell_grid &c = space.cells;
    struct cell_target<list_pair> i;
    place_target<list_pair, 3>(args.cell, args.cell.pass.k, (uint32_t)n, &i);
    const struct cell_home home = home_in(args.cell.source[0], i.slot);
    const int first = i.low < 0 ? -1 : 0, last = i.high >> c.bins[0] != 0;
    struct row_offset row = {0, 0};
    int length = 0;
    for (int more = 1; more; more = next_row(c, &row)) {
        const int y = i.row_y + row.y, z = i.row_z + row.z, fy = frame_of(y, c.bins[1]),
                  fz = frame_of(z, c.bins[2]), own = row.y == 0 && row.z == 0;
        if (!is_row_near(space, row.y, row.z, args.reach))
            continue;
        const real at[2] = {i.y - (real)fy * space.width[1], i.z - (real)fz * space.width[2]};
        for (int dx = first; dx <= last; dx++)
            list_segment(args, i,
                         find_segment<3>(space, args.cell.source[0], home, y, z, dx, i.low, i.high),
                         own ? i.index : UINT32_MAX, at, seam_shift(space, i.slot, dx),
                         (uint32_t)((fz + 1) * 9 + (fy + 1) * 3 + dx + 1), &length);
    }
    args.length[n] = (uint32_t)length;
}

/* --- A pass ---- */

/* The particles that a block of threads has as targets, in shared memory. */
struct list_cache {
    struct cell_staged<list_pair> at[LIST_BLOCK];
};

/* Adds the pair with a candidate, from the cache if the candidate is a target of the block, and
 * else from global memory (Winkler et al. 2017, as algorithm 1 of McFarlane 2018). */
template <int energy, int usual>
static __device__ __forceinline__ void
meet_cached(const struct list_args &args, const typename list_pair::constants &k,
            struct cell_target<list_pair> *i, const struct list_cache &cache, uint32_t j,
            const real at[2], fixed shift)
{
    const uint32_t place = j - blockIdx.x * LIST_BLOCK;
    const int here = place < LIST_BLOCK;
    real other[3], packed = 0;
    if (here) {
        other[0] = cache.at[place].x;
        other[1] = cache.at[place].y;
        other[2] = cache.at[place].z;
    } else {
        const struct real4 p = view_load4((const real *)(args.cell.source[0].at + j));
        other[0] = p.x;
        other[1] = p.y;
        other[2] = p.z;
        packed = p.w;
    }
    meet<list_pair, 3, energy, usual, 0>(args.cell, k, i, i->x_and_magic - shift, at, other, [&] {
        return here ? cache.at[place].src
                    : list_pair::load(k, args.cell.pass.source[0].v, j, 3, 0, packed);
    });
}

template <int energy, int usual, int cached>
static __global__ void __launch_bounds__(LIST_BLOCK)
    list_pass_kernel(const GPU_CONSTANT struct list_args args)
{
    gpu_begin();
    GPU_SHARED(struct list_cache, cache);
    const typename list_pair::constants k = usual ? list_pair::usual(args.cell.pass.k)
                                                  : args.cell.pass.k;
    const struct cell_space &space = args.cell.space;
    const int64_t n = (int64_t)blockIdx.x * LIST_BLOCK + threadIdx.x;
    const int is_target = n < alive_in(args.cell.pass.target);
    double out[SLUICE_SUM_COUNT] = {};
    if (cached) {
        if (is_target)
            cache.at[threadIdx.x] = load_staged<list_pair, 3, 0>(args.cell, k, n);
        __syncthreads();
    }
    if (is_target) {
        const int length = min((int)args.length[n], args.longest);
        struct cell_target<list_pair> i;
        place_target<list_pair, 3>(args.cell, k, (uint32_t)n, &i);
        for (int e = 0; e < length; e++) {
            const uint32_t entry = gpu_load(args.entries + (e * args.stride + n)),
                           j = entry & ((1u << LIST_FRAME_SHIFT) - 1);
            const int frame = (int)(entry >> LIST_FRAME_SHIFT);
            const real at[2] = {i.y - (real)(frame / 3 % 3 - 1) * space.width[1],
                                i.z - (real)(frame / 9 - 1) * space.width[2]};
            const fixed shift = seam_shift(space, i.slot, frame % 3 - 1);
            if constexpr (cached)
                meet_cached<energy, usual>(args, k, &i, cache, j, at, shift);
            else
                meet_segment<list_pair, 3, energy, usual, 0>(args.cell, k, &i, {j, 1}, UINT32_MAX,
                                                             at, shift);
        }
        store_target<list_pair, 3, energy>(args.cell, k, i, out);
    }
    pass_sum<list_pair, usual>(args.cell.pass, out);
}

/* --- Launches ---- */

/* The bins that the reach of the list needs, which is longer than the cutoff. */
static void widen(struct cell_grid *cells, const struct sluice_grid *g, double reach)
{
    for (int c = 0; c < 3; c++)
        cells->reach[c] = (int)ceil(reach * (1 << cells->bins[c]) / g->width[c]);
}

static sluice_status list_args_open(struct gpu_backend *gpu, const struct sluice_grid *g,
                                    struct sluice_pass *pass, const struct sluice_stored_list *list,
                                    struct list_args *args)
{
    SLUICE_CHECK(pass->pair == SLUICE_PAIR_wcsph_wendland && g->dimension == 3 &&
                     pass->source[0] == pass->target && !pass->source[1] &&
                     pass->target->count < (INT64_C(1) << LIST_FRAME_SHIFT),
                 SLUICE_BAD_INPUT,
                 "a neighbour list on a GPU is for fluid from fluid in 3-D with kernel "
                 "\"wendland-c2\", and at most %d particles",
                 1 << LIST_FRAME_SHIFT);
    SLUICE_TRY(pass_open(gpu, pass, &args->cell.pass));
    SLUICE_TRY((cell_args_open<list_pair, 3>(gpu, g, pass, &args->cell)));
    widen(&args->cell.space.cells, g, list->reach);
    args->entries = (uint32_t *)list->entries;
    args->length = (uint32_t *)list->index;
    args->stride = pass->target->count;
    args->longest = list->longest;
    args->reach = (real)list->reach;
    return SLUICE_OK;
}

sluice_status launch_list_build(struct gpu_backend *gpu, const struct sluice_grid *g,
                                struct sluice_pass *pass, const struct sluice_stored_list *list)
{
    struct list_args args;
    SLUICE_TRY(list_args_open(gpu, g, pass, list, &args));
    GPU_LAUNCH(list_build_kernel, gpu_blocks(args.stride, LIST_BLOCK), LIST_BLOCK, 0, gpu->stream,
               args);
    GPU_LAUNCHED("bench");
    return SLUICE_OK;
}

template <int cached>
static auto list_kernel(const struct sluice_pass *pass, const struct list_args &args)
{
    auto kernel = list_pass_kernel<1, 0, cached>;
    (void)pass, (void)args; /* in double */
#ifndef SLUICE_DOUBLE
    if (list_pair::is_usual(args.cell.pass.k))
        kernel = pass->sums ? list_pass_kernel<1, 1, cached> : list_pass_kernel<0, 1, cached>;
#endif
    return kernel;
}

sluice_status launch_list_pass(struct gpu_backend *gpu, const struct sluice_grid *g,
                               struct sluice_pass *pass, const struct sluice_stored_list *list)
{
    struct list_args args;
    SLUICE_TRY(list_args_open(gpu, g, pass, list, &args));
    const auto kernel = list->block_cache ? list_kernel<1>(pass, args) : list_kernel<0>(pass, args);
    GPU_LAUNCH(kernel, gpu_blocks(args.stride, LIST_BLOCK), LIST_BLOCK, 0, gpu->stream, args);
    GPU_LAUNCHED("bench");
    return SLUICE_OK;
}

} // namespace SLUICE_GPU::GPU_PRECISION
