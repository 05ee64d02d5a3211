/* The sort of a set: finds each particle's bin and its place in the row, and moves every field
 * there.
 *
 *   keys          bin of each particle, and the number of particles in each bin (atomic counts)
 *   scan          first place of each bin
 *   place         destination of particles alone in their bin; the others are listed by bin, in any
 *                 order
 *   destinations  the others' destinations, by x, then id, within the bin. The order is total, so
 *                 the atomic counts leave no trace. Those that go have no order: the host
 *                 sorts them by id
 *   reorder       moves the STATE fields to their new places in another array
 *
 * Particles that go get the bin after the last. Those that went in a step whose
 * results the host has not seen yet stay where they are. */
#include "kernels/gpu/step/sort_grid.h"

namespace SLUICE_GPU::GPU_PRECISION
{

/* --- Census --- */

/* Marks the frame, and the neighbours whose border is within an eighth of a frame. */
static __device__ void mark_near(const struct sort_grid &g, const real *x, uint32_t slot,
                                 const struct gpu_frames &frames)
{
    int low[3] = {0, 0, 0}, high[3] = {0, 0, 0};
    for (int c = 0; c < g.dim; c++) {
        low[c] = x[c] < (real)(-0.375 * g.width[c]) ? -1 : 0;
        high[c] = x[c] > (real)(0.375 * g.width[c]) ? 1 : 0;
    }
    for (int z = low[2]; z <= high[2]; z++)
        for (int y = low[1]; y <= high[1]; y++)
            for (int k = low[0]; k <= high[0]; k++) {
                const int32_t near = frames.neighbour[slot][(z + 1) * 9 + (y + 1) * 3 + k + 1];
                if (near >= 0)
                    GPU_STORE_SAME(&frames.wanted[near], 1u);
            }
}

static __global__ void census(const struct sort_grid g, const struct gpu_set set,
                              const struct gpu_frames frames, int moves, uint32_t *count)
{
    gpu_begin();
    const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    const uint32_t *frame = (const uint32_t *)set.v.field[SLUICE_FIELD_FRAME];
    if (i >= set.v.count)
        return;
    if (i >= *set.alive) { /* it left: its frame must stay in the table until the host lists it */
        GPU_STORE_SAME(&frames.wanted[frame[i]], 1u);
        return;
    }
    atomicAdd(&count[frame[i]], 1u);
    if (moves)
        mark_near(g, &VIEW(&set.v, POSITION, i, g.dim + 1, 0), frame[i], frames);
}

sluice_status count_frames(struct gpu_backend *gpu, const struct sluice_grid *g,
                           const struct sluice_set *set, uint32_t *count)
{
    if (set->count == 0)
        return SLUICE_OK;
    GPU_LAUNCH_EACH(gpu, "census", census, set->count, grid_of(g), set_of(gpu, set), gpu->frames,
                    set->moves, count);
    return SLUICE_OK;
}

/* --- The order --- */

struct sort_arrays {
    const real *position;
    const uint32_t *frame;
    const sluice_id *id;
    const uint32_t *retires; /* not 0: the particle goes; NULL: none does */
    uint32_t *key, *rank;    /* [particle] its bin; its number in the bin, then its destination */
    uint32_t *order;         /* [place] the particle, in bins of more than one */
    uint32_t *start;
    int64_t count;
};

static __global__ void keys(const struct sort_grid g, const struct sort_arrays a,
                            const struct gpu_slot *slot, const struct gpu_frames frames,
                            uint32_t left_key, const uint32_t *alive, uint32_t *new_frames)
{
    gpu_begin();
    const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i == 0 && new_frames)
        *new_frames = 0;
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
    if (left_key != UINT32_MAX &&
        ((frames.outside[at] && left_domain(g, frames.index[at], position)) ||
         (a.retires && a.retires[i])))
        key = left_key;
    a.key[i] = key;
    a.rank[i] = atomicAdd(&a.start[key], 1u);
}

/* Destination of a particle that is alone in its bin; UINT32_MAX: it is not. Those that go have a
 * bin for all, `left_key`, and no order there, which would take time as their number squared.
 * Particles that left before stay. */
static __global__ void place(const struct sort_arrays a, uint32_t left_key, const uint32_t *alive)
{
    gpu_begin();
    const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= a.count)
        return;
    uint32_t destination = (uint32_t)i;
    if (i < *alive) {
        const uint32_t key = a.key[i], first = a.start[key], company = a.start[key + 1] - first;
        if (company > 1)
            a.order[first + a.rank[i]] = (uint32_t)i;
        destination = key == left_key ? first + a.rank[i] : company > 1 ? UINT32_MAX : first;
    }
    a.rank[i] = destination;
}

static __global__ void destinations(const struct sort_arrays a, const int dim)
{
    gpu_begin();
    const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= a.count || a.rank[i] != UINT32_MAX)
        return;
    const uint32_t first = a.start[a.key[i]], last = a.start[a.key[i] + 1];
    const sluice_id id = a.id[i];
    const int64_t x = ordinal(a.position[(dim + 1) * i]);
    uint32_t before = 0;
    for (uint32_t q = first; q < last; q++) {
        const uint32_t j = a.order[q];
        const int64_t other = ordinal(a.position[(int64_t)(dim + 1) * j]);
        before += other < x || (other == x && a.id[j] < id);
    }
    a.rank[i] = first + before;
}

/* --- The fields --- */

enum { MOVES = 3 * SLUICE_FIELD_COUNT, AT_ONCE = 5 };

/* The parts of entries that move. One load or three moves a part. */
struct moves {
    struct {
        const char *from;
        char *to;
        int stride, bytes; /* from entry to entry; of the part (2, 4, 6, 8, 12 or 16) */
    } part[MOVES];
    int count;
};

/* An entry starts at a multiple of the largest power of two, up to 16, that divides its size. */
static void add_move(struct moves *m, const struct sluice_move &move)
{
    const int bytes = SLUICE_COLUMN_BYTES * move.columns, part = bytes <= 16       ? bytes
                                                                 : bytes % 16 == 0 ? 16
                                                                                   : 8;
    for (int at = 0; at < bytes; at += part)
        m->part[m->count++] = {(const char *)move.from + at, (char *)move.to + at, bytes, part};
}

static __device__ __forceinline__ uint4 load_part(const char *from, int bytes)
{
    const uint16_t *half = (const uint16_t *)from;
    const uint32_t *word = (const uint32_t *)(const void *)from;
    switch (bytes) {
    case 2:
        return make_uint4(half[0], 0, 0, 0);
    case 6:
        return make_uint4(half[0], half[1], half[2], 0);
    case 4:
        return make_uint4(word[0], 0, 0, 0);
    case 12:
        return make_uint4(word[0], word[1], word[2], 0);
    case 8: {
        const uint2 both = *(const uint2 *)(const void *)from;
        return make_uint4(both.x, both.y, 0, 0);
    }
    default:
        return *(const uint4 *)(const void *)from;
    }
}

static __device__ __forceinline__ void store_part(char *to, int bytes, const uint4 &v)
{
    uint16_t *half = (uint16_t *)to;
    uint32_t *word = (uint32_t *)(void *)to;
    switch (bytes) {
    case 2:
        half[0] = (uint16_t)v.x;
        break;
    case 6:
        half[0] = (uint16_t)v.x;
        half[1] = (uint16_t)v.y;
        half[2] = (uint16_t)v.z;
        break;
    case 4:
        word[0] = v.x;
        break;
    case 12:
        word[0] = v.x;
        word[1] = v.y;
        word[2] = v.z;
        break;
    case 8:
        *(uint2 *)(void *)to = make_uint2(v.x, v.y);
        break;
    default:
        *(uint4 *)(void *)to = v;
    }
}

/* The end of a sort, done with the last fields: counts the particles left in the domain, and finds
 * whether particles are in or near a frame without bins, which the next sort must know. */
struct sort_end {
    const uint32_t *start;
    uint32_t bin_count;
    uint32_t *alive; /* NULL: this is not the last launch */
    const struct gpu_slot *slot;
    uint32_t *wanted, *new_frames; /* new_frames NULL: compare nothing */
    int frames;                    /* 0: the set is at rest */
};

static __device__ void end_sort(const struct sort_end &end, int64_t i)
{
    if (i == 0)
        *end.alive = end.start[end.bin_count];
    for (int64_t k = i; k < end.frames; k += (int64_t)gridDim.x * blockDim.x) {
        if (end.new_frames && end.wanted[k] && end.slot[k].bins == 0)
            GPU_STORE_SAME(end.new_frames, 1u);
        end.wanted[k] = 0;
    }
}

/* The layers of blocks share the parts. Loads of several parts overlap. */
static __global__ void __launch_bounds__(GPU_BLOCK)
    move_kernel(const struct moves m, const uint32_t *destination, int64_t n,
                const struct sort_end end)
{
    gpu_begin();
    const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    const int layer = (int)blockIdx.y, layers = (int)gridDim.y;
    if (end.alive && layer == 0)
        end_sort(end, i);
    if (i >= n)
        return;
    const int64_t k = destination[i];
    for (int first = layer; first < m.count; first += AT_ONCE * layers) {
        uint4 v[AT_ONCE];
#pragma unroll
        for (int a = 0; a < AT_ONCE; a++) {
            const int p = first + a * layers;
            if (p < m.count)
                v[a] = load_part(m.part[p].from + m.part[p].stride * i, m.part[p].bytes);
        }
#pragma unroll
        for (int a = 0; a < AT_ONCE; a++) {
            const int p = first + a * layers;
            if (p < m.count)
                store_part(m.part[p].to + m.part[p].stride * k, m.part[p].bytes, v[a]);
        }
    }
}

static sluice_status move_fields(struct gpu_backend *gpu, struct sluice_set *set,
                                 const uint32_t *destination, const struct sort_end &end)
{
    struct sluice_move move[SLUICE_FIELD_COUNT];
    const int count = sluice_columns_plan(set, move);
    struct moves m = {};
    for (int k = 0, begun = 0; k < count; k++) {
        add_move(&m, move[k]);
        if (k + 1 < count && !move[k + 1].waits)
            continue;
        const struct sort_end of_this = k + 1 == count ? end : sort_end();
        /* Where all fields move at once the set is small: each field gets a layer of blocks. */
        const unsigned layers = begun == 0 && k + 1 == count ? (unsigned)count : 1;
        GPU_LAUNCH(move_kernel, dim3(gpu_blocks(set->count, GPU_BLOCK), layers), GPU_BLOCK, 0,
                   gpu->stream, m, destination, set->count, of_this);
        GPU_LAUNCHED("reorder");
        m.count = 0;
        begun = k + 1;
    }
    sluice_columns_moved(set, move, count);
    return SLUICE_OK;
}

/* --- The operation --- */

/* The first columns hold the destinations until all fields have moved; the spare columns hold what
 * is needed before that. */
static void open_arrays(const struct sluice_set *set, struct sort_arrays *a)
{
    a->position = (const real *)set->field[SLUICE_FIELD_POSITION];
    a->frame = (const uint32_t *)set->field[SLUICE_FIELD_FRAME];
    a->id = (const sluice_id *)set->field[SLUICE_FIELD_ID];
    a->retires = (const uint32_t *)set->field[SLUICE_FIELD_RETIRES];
    a->rank = (uint32_t *)set->memory;
    a->key = (uint32_t *)sluice_columns_scratch(set, 0);
    a->order = (uint32_t *)sluice_columns_scratch(set, SLUICE_COLUMNS_OF_INDEX);
    a->start = bins_of(set)->start;
    a->count = set->count;
}

static sluice_status order_particles(struct gpu_backend *gpu, const struct sluice_grid *g,
                                     const struct sluice_set *set, const struct sort_arrays *a)
{
    struct gpu_bins *bins = bins_of(set);
    uint32_t *alive = &gpu->counts->alive[set->type];
    const uint32_t left_key = set->type == SLUICE_FLUID ? bins->bin_count : UINT32_MAX;
    const int64_t entries = (int64_t)bins->bin_count + 2;
    if (!bins->cleared)
        SLUICE_TRY(gpu_clear(gpu, bins->start, (size_t)entries * sizeof(uint32_t)));
    bins->cleared = 0;
    GPU_LAUNCH_EACH(gpu, "keys", keys, set->count, grid_of(g), *a, bins->slot, gpu->frames,
                    left_key, alive,
                    gpu->clears_marks == set->type ? &gpu->counts->new_frames : NULL);
    SLUICE_TRY(gpu_scan_exclusive(gpu, bins->start, entries));
    GPU_LAUNCH_EACH(gpu, "place", place, set->count, *a, left_key, alive);
    GPU_LAUNCH_EACH(gpu, "destinations", destinations, set->count, *a, set->dimension);
    return SLUICE_OK;
}

void sort_done(struct sluice_set *set)
{
    struct gpu_bins *bins = bins_of(set);
    bins->packed = sluice_columns_scratch(set, sluice_columns_of(set).scratch);
    bins->rows_known = 0;
    bins->bins_seen++;
    set->bins_bytes = bins->slot_capacity * (int64_t)sizeof *bins->slot +
                      bins->start_capacity * (int64_t)sizeof *bins->start +
                      bins->extents_capacity * 4 * set->real_bytes;
    if (bins->near)
        set->bins_bytes += bins->slot_capacity * (int64_t)sizeof *bins->near * gpu_masks(set);
    for (int k = 0; k < GPU_BOX_LISTS; k++)
        set->bins_bytes += (int64_t)bins->boxes[k].list.bytes;
    set->bins_bytes += (int64_t)(bins->tree.work.bytes + bins->of_bodies.bytes +
                                 bins->near_groups.last.bytes);
}

sluice_status reorder(struct gpu_backend *gpu, struct sluice_set *set)
{
    return move_fields(gpu, set, (const uint32_t *)set->memory, sort_end());
}

sluice_status sort(struct gpu_backend *gpu, const struct sluice_grid *g, struct sluice_set *set)
{
    struct gpu_bins *bins = bins_of(set);
    struct sort_arrays a;
    const struct sort_end end = {bins->start,
                                 bins->bin_count,
                                 &gpu->counts->alive[set->type],
                                 bins->slot,
                                 gpu->frames.wanted,
                                 gpu->marks_hold ? &gpu->counts->new_frames : NULL,
                                 set->moves ? gpu->frames.count : 0};
    gpu_unpack(set);
    bins->sorts++;
    open_arrays(set, &a);
    SLUICE_TRY(order_particles(gpu, g, set, &a));
    SLUICE_TRY(move_fields(gpu, set, a.rank, end));
    if (!set->moves)
        SLUICE_TRY(mark_near_blocks(gpu, g, set));
    sort_done(set);
    return SLUICE_OK;
}

} // namespace SLUICE_GPU::GPU_PRECISION
