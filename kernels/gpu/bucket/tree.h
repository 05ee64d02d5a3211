/* A tree of boxes over the particles of each frame.
 *
 *   order   the particles of a frame along Hilbert's curve (kernels/types/curve.h)
 *   leaf    as many consecutive ones as a warp has lanes
 *   node    as many consecutive leaves, or nodes of the level below. A warp tests its children at
 *           once. The top of a frame is the one node of its level; even a single leaf has a node
 *           above it
 *
 * A node has the box of its particles and, for pairs that meet within the larger support of two,
 * their largest support. No pointers are stored: with w = 2^log2 lanes, node n of level l of a
 * frame whose particles are first .. last - 1 is entry level[l] + first/w^(l + 1) + slot + n of
 * `node`. Frames do not overlap, since a/w + ceil(b/w) <= (a + b)/w + 1 for whole numbers.
 *
 * The order is that of the last sort of the set; boxes and supports are made for each pass. Any two
 * particles of a frame are in the same order on every rank. */
#ifndef SLUICE_KERNELS_GPU_BUCKET_TREE_H
#define SLUICE_KERNELS_GPU_BUCKET_TREE_H
#include "kernels/gpu/pass.h"
/* after pass.h */
#include "kernels/types/curve.h"
#include "kernels/types/reach.h"

namespace SLUICE_GPU::GPU_PRECISION
{

enum { TREE_LEVELS = 7 }; /* 32^7 particles are more than 2^32 */

struct tree_range {
    uint32_t first, last; /* in the order; empty frames: 0, 0 */
};

/* Offsets from the frame's centre. */
struct tree_node {
    real low[3], support, high[3], unused;
};

/* A particle of a source, in the order: its offset and its own reach, 0 where that does not matter.
 */
struct tree_record {
    real x, y, z, reach;
};

struct tree {
    const uint32_t *order;    /* NULL: no particles */
    struct tree_range *range; /* [slot] */
    uint32_t *slot;           /* of each node's frame; UINT32_MAX: no such node */
    struct tree_node *node;
    struct tree_record *record; /* [count] */
    int64_t level[TREE_LEVELS + 1];
    int log2;
};

/* The first node of a frame on a level. */
static __device__ __forceinline__ int64_t first_node(const struct tree &t, int level, uint32_t slot,
                                                     const struct tree_range &frame)
{
    return t.level[level] + ((int64_t)frame.first >> t.log2 * (level + 1)) + slot;
}

/* The nodes of a frame on a level. */
static __device__ __forceinline__ uint32_t nodes_of(const struct tree &t, int level,
                                                    const struct tree_range &frame)
{
    const int64_t before_last = (int64_t)frame.last - frame.first - 1;
    return (uint32_t)((before_last >> t.log2 * (level + 1)) + 1);
}

static __device__ __forceinline__ int top_level(const struct tree &t,
                                                const struct tree_range &frame)
{
    int level = 1;
    while (nodes_of(t, level, frame) > 1)
        level++;
    return level;
}

/* --- Building --- */

/* Gone particles come last. */
static __global__ void find_tree_keys(const struct gpu_set set, const struct curve curve,
                                      uint32_t frames, uint64_t *key, uint32_t *number)
{
    gpu_begin();
    const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= set.v.count)
        return;
    const real *x = &VIEW(&set.v, POSITION, i, curve.dim + 1, 0);
    const int here = i < alive_in(set), above = curve.dim * curve.bits;
    const uint32_t slot = here ? ((const uint32_t *)set.v.field[SLUICE_FIELD_FRAME])[i] : frames;
    key[i] = (uint64_t)slot << above | (here ? curve_key(&curve, curve.dim, x) : 0);
    number[i] = (uint32_t)i;
}

static __global__ void find_tree_ranges(const struct gpu_set set, const uint64_t *key, int above,
                                        struct tree_range *range)
{
    gpu_begin();
    const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x, alive = alive_in(set);
    if (i >= alive)
        return;
    const uint64_t slot = key[i] >> above;
    if (i == 0 || key[i - 1] >> above != slot)
        range[slot].first = (uint32_t)i;
    if (i == alive - 1 || key[i + 1] >> above != slot)
        range[slot].last = (uint32_t)i + 1;
}

/* The first particle of each node says in which frame it is. */
static __global__ void name_tree_nodes(const struct gpu_set set, const uint64_t *key, int above,
                                       const GPU_CONSTANT struct tree t)
{
    gpu_begin();
    const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= alive_in(set))
        return;
    const uint32_t slot = (uint32_t)(key[i] >> above);
    const struct tree_range frame = t.range[slot];
    const int64_t n = i - frame.first;
    for (int level = 0; level <= top_level(t, frame); level++) {
        const int64_t node = n >> t.log2 * (level + 1);
        if (node << t.log2 * (level + 1) != n)
            break;
        t.slot[first_node(t, level, slot, frame) + node] = slot;
    }
}

/* The box and the largest support of a warp's lanes. */
static __device__ __forceinline__ struct tree_node join_lanes(struct tree_node n, const int dim)
{
    for (int d = GPU_WARP / 2; d > 0; d /= 2) {
        for (int c = 0; c < dim; c++) {
            n.low[c] = real_min(n.low[c], gpu_shuffle_xor(n.low[c], d));
            n.high[c] = real_max(n.high[c], gpu_shuffle_xor(n.high[c], d));
        }
        n.support = real_max(n.support, gpu_shuffle_xor(n.support, d));
    }
    return n;
}

static __device__ __forceinline__ struct tree_node empty_node()
{
    struct tree_node n;
    for (int c = 0; c < 3; c++) {
        n.low[c] = (real)INFINITY;
        n.high[c] = (real)-INFINITY;
    }
    n.support = n.unused = 0;
    return n;
}

static __device__ __forceinline__ struct tree_node load_node(const struct tree_node *from)
{
    const struct real4 low = view_load4(from->low), high = view_load4(from->high);
    const struct tree_node n = {{low.x, low.y, low.z}, low.w, {high.x, high.y, high.z}, 0};
    return n;
}

static __device__ __forceinline__ void store_node(struct tree_node *to, const struct tree_node &n)
{
    view_store4(to->low, n.low[0], n.low[1], n.low[2], n.support);
    view_store4(to->high, n.high[0], n.high[1], n.high[2], 0);
}

/* A warp makes a leaf and the records of its particles. */
template <class Pair, int dim>
__global__ void make_leaves(const typename Pair::constants k, const struct gpu_set set,
                            const GPU_CONSTANT struct tree t, const real slack)
{
    gpu_begin();
    const int64_t thread = (int64_t)blockIdx.x * blockDim.x + threadIdx.x, leaf = thread >> t.log2;
    const int lane = (int)(thread & ((1 << t.log2) - 1));
    const uint32_t slot = leaf < t.level[1] ? t.slot[leaf] : UINT32_MAX;
    struct tree_node box = empty_node();
    if (slot != UINT32_MAX) {
        const struct tree_range frame = t.range[slot];
        const int64_t i = frame.first + ((leaf - first_node(t, 0, slot, frame)) << t.log2) + lane;
        if (i < frame.last) {
            const int64_t n = t.order[i];
            real x[3] = {0, 0, 0};
            for (int c = 0; c < dim; c++) {
                x[c] = VIEW(&set.v, POSITION, n, dim + 1, c);
                box.low[c] = box.high[c] = x[c];
            }
            if constexpr (Pair::either)
                box.support = reach_of(real_max(Pair::support_of(k, set.v, n, dim), 0), slack);
            view_store4(&t.record[i].x, x[0], x[1], x[2], box.support);
        }
    }
    box = join_lanes(box, dim);
    if (lane == 0 && slot != UINT32_MAX)
        store_node(&t.node[leaf], box);
}

/* A warp makes a node of a level from those below. */
template <int dim> __global__ void make_nodes(const GPU_CONSTANT struct tree t, int level)
{
    gpu_begin();
    const int64_t thread = (int64_t)blockIdx.x * blockDim.x + threadIdx.x,
                  entry = t.level[level] + (thread >> t.log2);
    const int lane = (int)(thread & ((1 << t.log2) - 1));
    const uint32_t slot = entry < t.level[level + 1] ? t.slot[entry] : UINT32_MAX;
    struct tree_node box = empty_node();
    if (slot != UINT32_MAX) {
        const struct tree_range frame = t.range[slot];
        const int64_t child = ((entry - first_node(t, level, slot, frame)) << t.log2) + lane;
        if (child < nodes_of(t, level - 1, frame))
            box = load_node(&t.node[first_node(t, level - 1, slot, frame) + child]);
    }
    box = join_lanes(box, dim);
    if (lane == 0 && slot != UINT32_MAX)
        store_node(&t.node[entry], box);
}

/* Whether a level may have nodes, in a set of so many particles. */
static inline int has_level(int64_t count, int log2, int level)
{
    return level < TREE_LEVELS && (level <= 1 || (count - 1) >> log2 * level > 0);
}

/* Divides the memory of a set's tree; returns its bytes. memory NULL: only measures. */
static inline size_t divide_tree(const struct gpu_backend *gpu, const struct sluice_set *set,
                                 char *memory, struct tree *t, uint32_t *number[2])
{
    const int64_t frames = gpu->frames.count;
    size_t bytes = 0;
    const auto take = [&](size_t size) {
        char *at = memory ? memory + bytes : NULL;
        bytes += (size + 255) / 256 * 256;
        return at;
    };
    *t = tree();
    while (1 << t->log2 < gpu->warp)
        t->log2++;
    for (int l = 0; l < TREE_LEVELS; l++)
        t->level[l + 1] = t->level[l] + (has_level(set->count, t->log2, l)
                                             ? (set->count >> t->log2 * (l + 1)) + frames + 1
                                             : 0);
    const size_t nodes = (size_t)t->level[TREE_LEVELS];
    t->node = (struct tree_node *)(void *)take(nodes * sizeof *t->node);
    t->slot = (uint32_t *)(void *)take(nodes * sizeof *t->slot);
    t->range = (struct tree_range *)(void *)take((size_t)frames * sizeof *t->range);
    for (int k = 0; k < 2; k++)
        number[k] = (uint32_t *)(void *)take((size_t)set->count * sizeof *number[k]);
    return bytes;
}

/* Orders the particles of a set, unless that was done since its last sort. The arrays follow from
 * the numbers of particles and frames: when the host learns that particles left, they change. The
 * keys are where the position records will be. */
static sluice_status order_tree(struct gpu_backend *gpu, const struct sluice_grid *g,
                                struct sluice_set *set, struct tree *t)
{
    struct gpu_bins *bins = bins_of(set);
    struct gpu_tree *kept = &bins->tree;
    uint32_t *number[2];
    const size_t bytes = divide_tree(gpu, set, NULL, t, number);
    const int done = kept->sort == bins->sorts && kept->bytes == bytes;
    if (!done) {
        kept->sort = -1;
        SLUICE_TRY(gpu_bins_reserve(gpu, set, &kept->work, bytes));
        kept->bytes = bytes;
    }
    divide_tree(gpu, set, (char *)kept->work.memory, t, number);
    t->record = (struct tree_record *)bins->packed;
    gpu_unpack(set);
    if (!done) {
        const struct curve curve = curve_of(g);
        const int above = curve.dim * curve.bits;
        uint64_t *const key[2] = {(uint64_t *)bins->packed, (uint64_t *)bins->packed + set->count};
        int bits = above;
        while ((int64_t)gpu->frames.count >> (bits - above) > 0)
            bits++;
        const auto find = find_tree_keys;
        const struct gpu_set all = set_of(gpu, set);
        GPU_LAUNCH_EACH(gpu, "find_tree_keys", find, set->count, all, curve,
                        (uint32_t)gpu->frames.count, key[0], number[0]);
        SLUICE_TRY(gpu_sort_pairs(gpu, key, number, set->count, bits, &kept->last));
        SLUICE_TRY(gpu_clear(gpu, t->range, (size_t)gpu->frames.count * sizeof *t->range));
        SLUICE_TRY(
            gpu_check(gpuMemsetAsync(t->slot, 0xff, (size_t)t->level[TREE_LEVELS] * sizeof *t->slot,
                                     gpu->stream),
                      "clearing a tree"));
        GPU_LAUNCH_EACH(gpu, "find_tree_ranges", find_tree_ranges, set->count, all, key[kept->last],
                        above, t->range);
        GPU_LAUNCH_EACH(gpu, "name_tree_nodes", name_tree_nodes, set->count, all, key[kept->last],
                        above, *t);
        kept->sort = bins->sorts;
    }
    t->order = number[kept->last];
    return SLUICE_OK;
}

/* Makes the tree of a set for a pass. */
template <class Pair, int dim>
static sluice_status make_tree(struct gpu_backend *gpu, const struct sluice_grid *g,
                               struct sluice_set *set, const typename Pair::constants &k,
                               real slack, struct tree *t)
{
    SLUICE_TRY(order_tree(gpu, g, set, t));
    auto leaves = make_leaves<Pair, dim>;
    auto nodes = make_nodes<dim>;
    GPU_LAUNCH_EACH(gpu, "make_leaves", leaves, t->level[1] << t->log2, k, set_of(gpu, set), *t,
                    slack);
    for (int l = 1; has_level(set->count, t->log2, l); l++)
        GPU_LAUNCH_EACH(gpu, "make_nodes", nodes, (t->level[l + 1] - t->level[l]) << t->log2, *t,
                        l);
    return SLUICE_OK;
}

} // namespace SLUICE_GPU::GPU_PRECISION
#endif
