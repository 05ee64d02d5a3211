/* The tiled strategy: tests all pairs, without a search. A block copies GPU_BLOCK source particles
 * at a time to a tile in shared memory. Each thread tests its target with all of them and their
 * periodic images. Use it for small systems, and as the reference for the other strategies: it
 * does not depend on bins or windows.
 *
 * A difference of positions is (frame_i - frame_j) width + (offset_i - offset_j). On periodic axes
 * frame_i - frame_j goes the shorter way round; this is image 0. The loops run over the
 * images -1, 0, 1: z outermost, then y, then x.
 *
 * Particles with supports of their own (adaptive pairs): targets whose sums were not final repeat
 * them, while the others of the block wait. */
#ifndef PASS_PAIRS
#define PASS_PAIRS(X) SLUICE_COMMON_PAIRS(X) SLUICE_ADAPTIVE_PAIRS(X)
#endif
#include "kernels/gpu/pass.h"

namespace SLUICE_GPU::GPU_PRECISION
{

/* The members of the grid that the kernel uses. */
struct tiled_space {
    const int32_t (*frame)[3]; /* [slot] indices of the frames, device memory */
    double width[3];           /* of a frame, m */
    int32_t wrap[3];           /* frames in a period; 0: an open axis */
    struct wall_images walls;  /* of adaptive pairs */
};

/* Of the 48 KiB of shared memory that CUDA gives a kernel by default. */
enum { TILE_BYTES = 47 * 1024 };

/* As many particles as a block has threads, or half as many if that is too much, as in double with
 * all terms of water. */
template <class Pair, int dim> struct tiled_tile {
    enum {
        bytes_each = sizeof(typename Pair::src) + dim * (sizeof(real) + sizeof(int32_t)) +
                     (Pair::adaptive ? sizeof(real) : 0),
        size = bytes_each * GPU_BLOCK <= TILE_BYTES ? GPU_BLOCK : GPU_BLOCK / 2
    };
    typename Pair::src src[size];
    real x[size][dim];
    int32_t frame[size][dim];
    real support[Pair::adaptive ? size : 1]; /* of targets that gather it: of the particles */
};

/* The target of a thread. */
template <class Pair, int dim> struct tiled_target {
    int64_t index;
    typename Pair::src src;
    typename Pair::acc sum;
    real x[dim];
    int32_t frame[dim];
    real support; /* the cutoff; of adaptive pairs the target's own */
    int64_t hits; /* ordered pairs i != j within it, or within the other's */
};

/* Reads the offset x and the frame of particle i of a set. */
template <int dim>
static __device__ void tiled_place(const struct sluice_view &v, const struct tiled_space &space,
                                   int64_t i, real x[dim], int32_t frame[dim])
{
    const uint32_t slot = ((const uint32_t *)v.field[SLUICE_FIELD_FRAME])[i];
    for (int c = 0; c < dim; c++) {
        x[c] = VIEW(&v, POSITION, i, dim + 1, c);
        frame[c] = space.frame[slot][c];
    }
}

/* Adds particle t of the tile, and its images, to the sums of target i. own = 1: the particle is
 * the target itself. behind: the number of an image of the target behind walls (wall_images.h), in
 * whose place it is; 0: itself. */
template <class Pair, int dim, int energy, int source>
static __device__ void tiled_meet(const typename Pair::constants &k,
                                  const struct tiled_space &space,
                                  const struct tiled_tile<Pair, dim> &tile, int t, int own,
                                  int behind, struct tiled_target<Pair, dim> *i)
{
    const real slack = Pair::adaptive ? (real)(1 + 1e-5) : 1; /* they mask themselves */
    real cutoff = i->support;
    if constexpr (Pair::adaptive)
        cutoff = real_max(cutoff, tile.support[t]);
    int64_t apart[3] = {0, 0, 0};
    int images[3] = {0, 0, 0};
    for (int c = 0; c < dim; c++) {
        const int64_t wrap = space.wrap[c];
        apart[c] = (int64_t)i->frame[c] - tile.frame[t][c];
        images[c] = wrap > 0;
        if (wrap > 0 && 2 * apart[c] > wrap)
            apart[c] -= wrap;
        if (wrap > 0 && 2 * apart[c] < -wrap)
            apart[c] += wrap;
    }
    for (int z = -images[2]; z <= images[2]; z++)
        for (int y = -images[1]; y <= images[1]; y++)
            for (int x = -images[0]; x <= images[0]; x++) {
                const int image[3] = {x, y, z};
                real d[3] = {0, 0, 0}, r2 = 0;
                for (int c = 0; c < dim; c++) {
                    const int64_t frames = apart[c] - (int64_t)image[c] * space.wrap[c];
                    d[c] = i->x[c] - tile.x[t][c];
                    if (frames != 0)
                        d[c] += (real)((double)frames * space.width[c]);
                    if (wall_side(behind, c))
                        d[c] = (real)(to_wall(space.walls, c, wall_side(behind, c), i->frame[c],
                                              (double)i->x[c]) +
                                      to_wall(space.walls, c, wall_side(behind, c),
                                              tile.frame[t][c], (double)tile.x[t][c]));
                    r2 += d[c] * d[c];
                }
                const int self = own && !behind && x == 0 && y == 0 && z == 0;
                if (!(r2 < cutoff * cutoff * slack) || (self && !Pair::adaptive))
                    continue;
                i->hits += !self && r2 < cutoff * cutoff;
                Pair::template eval<source, dim, energy>(k, d, r2, i->src, tile.src[t], i->sum);
            }
}

/* Adds all particles of one source to the sums of target i. Threads without a target (here = 0)
 * call it too: every thread loads particles into the tile. */
template <class Pair, int dim, int energy, int source>
static __device__ void
tiled_source(const struct pass_args<Pair> &args, const typename Pair::constants &k,
             const struct tiled_space &space, struct tiled_tile<Pair, dim> *tile, int here,
             struct tiled_target<Pair, dim> *i)
{
    const struct sluice_view &v = args.source[source].v;
    const int64_t count = alive_in(args.source[source]);
    const int64_t size = tiled_tile<Pair, dim>::size;
    for (int64_t first = 0; first < count; first += size) {
        const int filled = (int)(count - first < size ? count - first : size);
        const int t = (int)threadIdx.x;
        if (t < filled) {
            tiled_place<dim>(v, space, first + t, tile->x[t], tile->frame[t]);
            tile->src[t] = Pair::load(k, v, first + t, dim, source,
                                      Pair::pack(v, first + t, dim, source));
            if constexpr (Pair::adaptive)
                tile->support[t] = Pair::either ? Pair::support_of(k, v, first + t, dim) : 0;
        }
        __syncthreads();
        for (int n = 0; here && n < filled; n++)
            tiled_meet<Pair, dim, energy, source>(k, space, *tile, n,
                                                  args.same[source] && first + n == i->index, 0, i);
        if constexpr (Pair::adaptive)
            for (int behind = 1; here && behind < space.walls.count; behind++) {
                if (!wall_image_exists(space.walls.walls, behind, dim))
                    continue;
                mirror<Pair, dim>(behind, &i->src, &i->sum);
                for (int n = 0; n < filled; n++)
                    tiled_meet<Pair, dim, energy, source>(k, space, *tile, n, 0, behind, i);
                mirror<Pair, dim>(behind, &i->src, &i->sum);
            }
        __syncthreads();
    }
}

/* Loads target i and makes its sums. Threads without a target call it too. */
template <class Pair, int dim, int energy>
static __device__ void
tiled_sums(const struct pass_args<Pair> &args, const typename Pair::constants &k,
           const struct tiled_space &space, struct tiled_tile<Pair, dim> *tile, int here,
           struct tiled_target<Pair, dim> *i)
{
    const struct sluice_view &v = args.target.v;
    if (here) {
        i->sum = {};
        i->support = Pair::support(k);
        if constexpr (Pair::adaptive)
            i->support = Pair::support_of(k, v, i->index, dim);
        i->src = Pair::load(k, v, i->index, dim, SLUICE_TARGET,
                            Pair::pack(v, i->index, dim, SLUICE_TARGET));
    }
    tiled_source<Pair, dim, energy, 0>(args, k, space, tile, here, i);
    tiled_source<Pair, dim, energy, 1>(args, k, space, tile, here, i);
}

/* Makes the sums of a block's targets until all are final. `left` is the block's. */
template <class Pair, int dim, int energy>
static __device__ void
tiled_rounds(const struct pass_args<Pair> &args, const typename Pair::constants &k,
             const struct tiled_space &space, struct tiled_tile<Pair, dim> *tile, int *left,
             int here, struct tiled_target<Pair, dim> *i)
{
    int any;
    do {
        if (threadIdx.x == 0)
            *left = 0;
        tiled_sums<Pair, dim, energy>(args, k, space, tile, here, i);
        __syncthreads();
        here = here &&
               !Pair::template accepts<dim, energy>(k, args.target.v, i->index, i->src, i->sum);
        if (here)
            GPU_STORE_SAME(left, 1);
        __syncthreads();
        any = *left;
        __syncthreads();
    } while (any);
}

template <class Pair, int dim, int energy>
__global__ void __launch_bounds__(GPU_BLOCK)
    tiled_kernel(const struct pass_args<Pair> args, const struct tiled_space space)
{
    gpu_begin();
    typedef struct tiled_tile<Pair, dim> tile_type;
    static_assert(sizeof(tile_type) <= TILE_BYTES, "the tile has too many particles");
    GPU_SHARED(tile_type, tile);
    const typename Pair::constants k = args.k;
    struct tiled_target<Pair, dim> i = {
    };
    double out[SLUICE_SUM_COUNT] = {};
    i.index = (int64_t)blockIdx.x * GPU_BLOCK + threadIdx.x;
    const int here = i.index < alive_in(args.target), stores = here && is_own(args.target, i.index);
    if (here)
        tiled_place<dim>(args.target.v, space, i.index, i.x, i.frame);
    if constexpr (Pair::adaptive) {
        GPU_SHARED(int, left);
        tiled_rounds<Pair, dim, energy>(args, k, space, &tile, &left, stores, &i);
    } else {
        tiled_sums<Pair, dim, energy>(args, k, space, &tile, here, &i);
    }
    if (stores) {
        Pair::template store<dim, energy>(k, args.target.v, i.index, i.src, i.sum, args.wanted,
                                          out);
        out[SLUICE_SUM_PAIRS] += (double)i.hits;
    }
    pass_sum(args, out);
}

/* Only the general kernel with energies is compiled; it serves passes without energies too. */
struct tiled_launch {
    template <class Pair, int dim, int energy, int usual>
    static sluice_status run(struct gpu_backend *gpu, const struct sluice_grid *g,
                             struct sluice_pass *pass)
    {
        const int64_t count = pass->target->count;
        const unsigned blocks = gpu_blocks(count, GPU_BLOCK);
        struct pass_args<Pair> args;
        SLUICE_TRY(pass_open(gpu, pass, &args));
        struct tiled_space space = {gpu->frames.index, {0, 0, 0}, {0, 0, 0}, wall_images_of(g)};
        for (int c = 0; c < dim; c++) {
            space.width[c] = g->width[c];
            space.wrap[c] = g->periodic[c] ? g->wrap[c] : 0;
        }
        if (count == 0)
            return SLUICE_OK;
        auto kernel = tiled_kernel<Pair, dim, 1>;
        GPU_LAUNCH(kernel, blocks, GPU_BLOCK, 0, gpu->stream, args, space);
        GPU_LAUNCHED("tiled");
        if (sluice_pairs[pass->pair].writes & SLUICE_BIT(EOS))
            gpu_unpack(pass->target);
        return SLUICE_OK;
    }
};

PASS_STRATEGY(tiled)

} // namespace SLUICE_GPU::GPU_PRECISION
