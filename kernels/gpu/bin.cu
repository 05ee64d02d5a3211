/* The sort of a set: every particle's bin, its place in the row, and every field moved there.
 *
 *   keys          bin of each particle, and how many are in each bin (atomic counts)
 *   scan          first place of each bin
 *   place         particles by bin, in any order within one
 *   destinations  place by x, then id, within the bin: the order is total, so that what was
 *                 atomic leaves no trace
 *   reorder       STATE fields, written to their new places in another array
 *
 * What left the domain gets the bin after the last; what left in a step that the host has not heard
 * of yet stays where it is. */
#include "kernels/bin_index.h"
#include "kernels/gpu/leaf.h"
#include "kernels/gpu/scan.h"

namespace SLUICE_GPU
{
namespace GPU_PRECISION
{

/* What the kernels need of the grid, by value. */
struct sort_grid {
    struct bin_axis axis[3];
    int bits[3], dim;
    double low[3], high[3]; /* the domain, from the corner of frame 0; periodic: infinite */
    double width[3];
    int32_t shift[3];
};

static struct sort_grid grid_of(const struct sluice_grid *g)
{
    struct sort_grid s;
    s.dim = g->dimension;
    for (int c = 0; c < 3; c++) {
        const int used = c < g->dimension;
        s.bits[c] = used ? g->bins_log2[c] : 0;
        s.axis[c] = bin_axis_of(g->width[c], s.bits[c]);
        s.low[c] = used && !g->periodic[c] ? g->low[c] : -INFINITY;
        s.high[c] = used && !g->periodic[c] ? g->high[c] : INFINITY;
        s.width[c] = g->width[c];
        s.low[c] -= g->corner[c];
        s.high[c] -= g->corner[c];
        s.shift[c] = g->shift[c];
    }
    return s;
}

static __device__ int left_domain(const struct sort_grid &g, const int32_t frame[3], const real *x)
{
    int gone = 0;
    for (int c = 0; c < g.dim; c++) {
        const double centre = ((double)(frame[c] - g.shift[c]) + 0.5) * g.width[c];
        gone |= (double)x[c] < g.low[c] - centre || (double)x[c] > g.high[c] - centre;
    }
    return gone;
}

/* --- Census --- */

/* Marks the frame and those whose border is within an eighth of a frame. */
static __device__ void mark_near(const struct sort_grid &g, const real *x, uint32_t slot,
                                 const int32_t (*neighbour)[27], uint32_t *wanted)
{
    int low[3] = {0, 0, 0}, high[3] = {0, 0, 0};
    for (int c = 0; c < g.dim; c++) {
        low[c] = x[c] < (real)(-0.375 * g.width[c]) ? -1 : 0;
        high[c] = x[c] > (real)(0.375 * g.width[c]) ? 1 : 0;
    }
    for (int z = low[2]; z <= high[2]; z++)
        for (int y = low[1]; y <= high[1]; y++)
            for (int k = low[0]; k <= high[0]; k++) {
                const int32_t near = neighbour[slot][(z + 1) * 9 + (y + 1) * 3 + k + 1];
                if (near >= 0)
                    GPU_STORE_SAME(&wanted[near], 1u);
            }
}

static __global__ void census(const struct sort_grid g, const real *position, const uint32_t *frame,
                              const int32_t (*neighbour)[27], const uint32_t *alive, int moves,
                              uint32_t *count, uint32_t *wanted)
{
    const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= *alive)
        return;
    atomicAdd(&count[frame[i]], 1u);
    if (moves)
        mark_near(g, position + (g.dim + 1) * i, frame[i], neighbour, wanted);
}

sluice_status count_frames(struct gpu_backend *gpu, const struct sluice_grid *g,
                           const struct sluice_set *set, uint32_t *count)
{
    if (set->count == 0)
        return SLUICE_OK;
    GPU_LAUNCH(census, gpu_blocks(set->count, GPU_BLOCK), GPU_BLOCK, 0, gpu->stream, grid_of(g),
               (const real *)set->field[SLUICE_FIELD_POSITION],
               (const uint32_t *)set->field[SLUICE_FIELD_FRAME], gpu->frames.neighbour,
               &gpu->results->alive[set->type], set->moves, count, gpu->frames.wanted);
    GPU_LAUNCHED("census");
    return SLUICE_OK;
}

/* --- The order --- */

struct sort_arrays {
    const real *position;
    const uint32_t *frame, *id;
    uint32_t *key,
        *rank; /* of particle i: its bin, and its number in it as it came; then its destination */
    uint32_t *order; /* [place]: the particle */
    uint32_t *start;
    int64_t count;
};

static __global__ void keys(const struct sort_grid g, const struct sort_arrays a,
                            const struct gpu_slot *slot, const struct gpu_frames frames,
                            uint32_t gone_key, const uint32_t *alive)
{
    const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= a.count || i >= *alive)
        return;
    const uint32_t at = a.frame[i];
    const real *position = a.position + (g.dim + 1) * i;
    const struct gpu_slot s = slot[at];
    int bin[3] = {0, 0, 0};
    for (int c = 0; c < g.dim; c++)
        bin[c] = bin_index(&g.axis[c], position[c]);
    uint32_t key = s.base + (uint32_t)(bin[2] << g.bits[1] | bin[1]) * s.stride +
                   ((uint32_t)bin[0] >> s.shift);
    if (frames.outside[at] && gone_key != UINT32_MAX && left_domain(g, frames.index[at], position))
        key = gone_key;
    a.key[i] = key;
    a.rank[i] = atomicAdd(&a.start[key], 1u);
}

static __global__ void place(const struct sort_arrays a, const uint32_t *alive)
{
    const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < a.count && i < *alive)
        a.order[a.start[a.key[i]] + a.rank[i]] = (uint32_t)i;
}

/* A number of the same order as x, for all bit patterns. */
static __device__ int64_t ordinal(real x)
{
#ifdef SLUICE_DOUBLE
    int64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits ^ (int64_t)((uint64_t)(bits >> 63) >> 1);
#else
    int32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits ^ (int32_t)((uint32_t)(bits >> 31) >> 1);
#endif
}

static __global__ void destinations(const struct sort_arrays a, const int dim,
                                    const uint32_t *alive)
{
    const int64_t p = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (p >= a.count)
        return;
    if (p >= *alive) {
        a.rank[p] = (uint32_t)p;
        return;
    }
    const uint32_t i = a.order[p], first = a.start[a.key[i]], last = a.start[a.key[i] + 1];
    uint32_t before = 0;
    if (last - first > 1) {
        const int64_t x = ordinal(a.position[(int64_t)(dim + 1) * i]);
        const uint32_t id = a.id[i];
        for (uint32_t q = first; q < last; q++) {
            const uint32_t j = a.order[q];
            const int64_t other = ordinal(a.position[(int64_t)(dim + 1) * j]);
            before += other < x || (other == x && a.id[j] < id);
        }
    }
    a.rank[i] = first + before;
}

static __global__ void set_alive(const uint32_t *start, uint32_t bin_count, uint32_t *alive)
{
    *alive = start[bin_count];
}

/* --- The fields --- */

enum { MOVES = 16 };

struct moves {
    struct {
        const uint32_t *from;
        uint32_t *to;
        int words; /* of an entry */
    } move[MOVES];
    int count;
};

template <int words> static __device__ void copy_words(uint32_t *to, const uint32_t *from)
{
    uint32_t w[words];
    for (int k = 0; k < words; k++)
        w[k] = from[k];
    for (int k = 0; k < words; k++)
        to[k] = w[k];
}

static __global__ void reorder(const struct moves m, const uint32_t *destination, int64_t n)
{
    const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const int64_t k = destination[i];
    for (int f = 0; f < m.count; f++) {
        const int words = m.move[f].words;
        const uint32_t *from = m.move[f].from + words * i;
        uint32_t *to = m.move[f].to + words * k;
        switch (words) {
        case 1:
            copy_words<1>(to, from);
            break;
        case 2:
            *(uint2 *)(void *)to = *(const uint2 *)(const void *)from;
            break;
        case 3:
            copy_words<3>(to, from);
            break;
        case 4:
            *(uint4 *)(void *)to = *(const uint4 *)(const void *)from;
            break;
        default:
            for (int w = 0; w < words; w += 2)
                *(uint2 *)(void *)(to + w) = *(const uint2 *)(const void *)(from + w);
        }
    }
}

/* Arrays that nothing is stored in. */
struct free_arrays {
    struct {
        void *memory;
        int bytes;
    } array[2 * SLUICE_FIELD_COUNT + GPU_SPARES];
    int count;
};

static void give(struct free_arrays *f, void *memory, int bytes)
{
    f->array[f->count].memory = memory;
    f->array[f->count].bytes = bytes;
    f->count++;
}

/* The array with the smallest entries that hold `bytes`; with entries of just that size where
 * `exact`. */
static void *take(struct free_arrays *f, int bytes, int exact, int *got)
{
    int best = -1;
    for (int k = 0; k < f->count; k++)
        if (exact ? f->array[k].bytes == bytes
                  : f->array[k].bytes >= bytes &&
                        (best < 0 || f->array[k].bytes < f->array[best].bytes))
            best = k;
    if (best < 0)
        return NULL;
    void *const memory = f->array[best].memory;
    *got = f->array[best].bytes;
    f->array[best] = f->array[--f->count];
    return memory;
}

/* Whether a field holds nothing while the set is sorted. */
static int is_idle(int f)
{
    return sluice_field_table[f].life == SLUICE_LIFE_SCRATCH && f != SLUICE_FIELD_ORDER;
}

static int bytes_of(const struct sluice_set *set, int f)
{
    return (int)sluice_set_field_bytes(set, (enum sluice_field)f);
}

/* One reordering. A field that found no array of its own size stands for a while in a larger one.
 */
struct reordering {
    struct gpu_backend *gpu;
    struct sluice_set *set;
    const uint32_t *destination;
    struct free_arrays idle;
    struct moves m;
    int borrowed[SLUICE_FIELD_COUNT]; /* bytes of an entry of the larger array; 0: none */
    int by_size[SLUICE_FIELD_COUNT];  /* fields, large entries first */
};

static void sort_by_size(struct reordering *r)
{
    for (int f = 0; f < SLUICE_FIELD_COUNT; f++) {
        int k = f;
        for (; k > 0 && bytes_of(r->set, r->by_size[k - 1]) < bytes_of(r->set, f); k--)
            r->by_size[k] = r->by_size[k - 1];
        r->by_size[k] = f;
    }
}

static sluice_status flush(struct reordering *r)
{
    if (r->m.count == 0)
        return SLUICE_OK;
    GPU_LAUNCH(reorder, gpu_blocks(r->set->count, GPU_BLOCK), GPU_BLOCK, 0, r->gpu->stream, r->m,
               r->destination, r->set->count);
    GPU_LAUNCHED("reorder");
    for (int k = 0; k < r->m.count; k++)
        give(&r->idle, (void *)(uintptr_t)r->m.move[k].from, 4 * r->m.move[k].words);
    r->m.count = 0;
    return SLUICE_OK;
}

/* Fields that stand in a larger array go where one of their size has become free: the small ones
 * first, for they may stand in the place of others. */
static sluice_status bring_home(struct reordering *r)
{
    for (int k = SLUICE_FIELD_COUNT; k > 0; k--) {
        const int f = r->by_size[k - 1], bytes = bytes_of(r->set, f);
        int got;
        if (!r->borrowed[f])
            continue;
        void *const home = take(&r->idle, bytes, 1, &got);
        if (!home)
            continue;
        SLUICE_TRY(gpu_check(gpuMemcpyAsync(home, r->set->field[f], (size_t)(r->set->count * bytes),
                                            gpuMemcpyDeviceToDevice, r->gpu->stream),
                             "moving a field"));
        give(&r->idle, r->set->field[f], r->borrowed[f]);
        r->set->field[f] = home;
        r->borrowed[f] = 0;
    }
    return SLUICE_OK;
}

/* Few particles: an array for every field, so that one launch moves all. Many: arrays that are
 * idle, one field of a size after the other. */
enum { ARRAYS_FOR_ALL_BELOW = 1 << 20 };

static sluice_status move_field(struct reordering *r, int f)
{
    const int bytes = bytes_of(r->set, f);
    const int frugal = r->set->moves && r->set->capacity >= ARRAYS_FOR_ALL_BELOW;
    int got = bytes;
    void *to = take(&r->idle, bytes, 1, &got);
    if (!to && frugal) {
        SLUICE_TRY(flush(r));
        to = take(&r->idle, bytes, 1, &got);
        if (!to)
            to = take(&r->idle, bytes, 0, &got);
    }
    if (!to)
        SLUICE_TRY(gpu_allocate(r->gpu, (size_t)(r->set->capacity * bytes), &to));
    r->m.move[r->m.count].from = (const uint32_t *)r->set->field[f];
    r->m.move[r->m.count].to = (uint32_t *)to;
    r->m.move[r->m.count].words = bytes / 4;
    r->m.count++;
    r->set->field[f] = to;
    r->borrowed[f] = got > bytes ? got : 0;
    return r->m.count == MOVES ? flush(r) : SLUICE_OK;
}

/* What is left over is kept for the next time; not for a set at rest. */
static sluice_status keep_arrays(struct reordering *r)
{
    struct gpu_bins *bins = bins_of(r->set);
    for (int k = 0; k < GPU_SPARES; k++)
        bins->spare[k].bytes = 0;
    for (int k = 0; k < r->idle.count; k++) {
        if (!r->set->moves) {
            gpu_release(r->gpu, r->idle.array[k].memory);
            continue;
        }
        SLUICE_CHECK(k < GPU_SPARES, SLUICE_DEVICE,
                     "reordering: %d arrays are left over, at most %d can be kept", r->idle.count,
                     (int)GPU_SPARES);
        bins->spare[k].memory = r->idle.array[k].memory;
        bins->spare[k].bytes = r->idle.array[k].bytes;
    }
    return SLUICE_OK;
}

static sluice_status reorder_fields(struct gpu_backend *gpu, struct sluice_set *set,
                                    const uint32_t *destination)
{
    struct gpu_bins *bins = bins_of(set);
    struct reordering r = {gpu, set, destination, {}, {}, {}, {}};
    int got;
    sort_by_size(&r);
    for (int k = 0; k < GPU_SPARES; k++)
        if (bins->spare[k].bytes)
            give(&r.idle, bins->spare[k].memory, bins->spare[k].bytes);
    for (int f = 0; f < SLUICE_FIELD_COUNT; f++)
        if (set->field[f] && is_idle(f))
            give(&r.idle, set->field[f], bytes_of(set, f));
    if (set->moves) /* a set at rest has its destinations there */
        give(&r.idle, bins->packed, 4 * set->real_bytes);
    for (int k = 0; k < SLUICE_FIELD_COUNT; k++) {
        const int f = r.by_size[k];
        if (set->field[f] && sluice_field_table[f].life == SLUICE_LIFE_STATE)
            SLUICE_TRY(move_field(&r, f));
    }
    SLUICE_TRY(flush(&r));
    SLUICE_TRY(bring_home(&r));
    for (int f = 0; f < SLUICE_FIELD_COUNT; f++)
        if (set->field[f] && is_idle(f))
            set->field[f] = take(&r.idle, bytes_of(set, f), 1, &got);
    if (set->moves)
        bins->packed = take(&r.idle, 4 * set->real_bytes, 1, &got);
    return keep_arrays(&r);
}

/* --- The operation --- */

/* Key and order stand where the position records will be; a set at rest has its destinations there
 * too. */
static sluice_status open_arrays(struct gpu_backend *gpu, struct sluice_set *set,
                                 struct sort_arrays *a)
{
    struct gpu_bins *bins = bins_of(set);
    if (!bins->packed)
        SLUICE_TRY(gpu_allocate(gpu, (size_t)(4 * set->real_bytes * set->capacity), &bins->packed));
    a->position = (const real *)set->field[SLUICE_FIELD_POSITION];
    a->frame = (const uint32_t *)set->field[SLUICE_FIELD_FRAME];
    a->id = (const uint32_t *)set->field[SLUICE_FIELD_ID];
    a->key = (uint32_t *)bins->packed;
    a->order = a->key + set->capacity;
    a->rank = set->moves ? (uint32_t *)set->field[SLUICE_FIELD_ORDER] : a->order + set->capacity;
    a->start = bins->start;
    a->count = set->count;
    return SLUICE_OK;
}

static sluice_status order_particles(struct gpu_backend *gpu, const struct sluice_grid *g,
                                     const struct sluice_set *set, const struct sort_arrays *a)
{
    const struct gpu_bins *bins = bins_of(set);
    const unsigned blocks = gpu_blocks(set->count, GPU_BLOCK);
    uint32_t *alive = &gpu->results->alive[set->type];
    const int64_t entries = (int64_t)bins->bin_count + 2;
    SLUICE_TRY(
        gpu_check(gpuMemsetAsync(bins->start, 0, (size_t)entries * sizeof(uint32_t), gpu->stream),
                  "clearing bins"));
    GPU_LAUNCH(keys, blocks, GPU_BLOCK, 0, gpu->stream, grid_of(g), *a, bins->slot, gpu->frames,
               set->type == SLUICE_FLUID ? bins->bin_count : UINT32_MAX, alive);
    GPU_LAUNCHED("keys");
    SLUICE_TRY(gpu_scan_exclusive(gpu, bins->start, entries));
    GPU_LAUNCH(place, blocks, GPU_BLOCK, 0, gpu->stream, *a, alive);
    GPU_LAUNCHED("place");
    GPU_LAUNCH(destinations, blocks, GPU_BLOCK, 0, gpu->stream, *a, set->dimension, alive);
    GPU_LAUNCHED("destinations");
    return SLUICE_OK;
}

sluice_status sort(struct gpu_backend *gpu, const struct sluice_grid *g, struct sluice_set *set)
{
    struct gpu_bins *bins = bins_of(set);
    struct sort_arrays a;
    gpu_unpack(set);
    bins->sorts++;
    SLUICE_TRY(open_arrays(gpu, set, &a));
    SLUICE_TRY(order_particles(gpu, g, set, &a));
    SLUICE_TRY(reorder_fields(gpu, set, a.rank));
    GPU_LAUNCH(set_alive, 1, 1, 0, gpu->stream, bins->start, bins->bin_count,
               &gpu->results->alive[set->type]);
    GPU_LAUNCHED("set_alive");
    if (!set->moves)
        SLUICE_TRY(mark_near_blocks(gpu, g, set));
    set->bins_bytes = (int64_t)sizeof *bins + bins->slot_capacity * (int64_t)sizeof *bins->slot +
                      bins->start_capacity * (int64_t)sizeof *bins->start +
                      4 * set->real_bytes * set->capacity;
    for (int k = 0; k < GPU_SPARES; k++)
        set->bins_bytes += set->capacity * bins->spare[k].bytes;
    return SLUICE_OK;
}

} // namespace GPU_PRECISION
} // namespace SLUICE_GPU
