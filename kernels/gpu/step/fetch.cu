/* Answers for probes: which particles lie in some boxes, and how far particles reach.
 *
 *   find   index[] of the particles found, in the order in which warps reach it: callers may sum
 *          only by ids
 *   pack   their fields, one after the other, for one download
 *
 * index and the packed fields stand in the set's spare columns (columns.h) behind its scratch
 * fields, which nobody uses between two steps. If they do not fit there, most particles are wanted,
 * and all of them are downloaded. */
#include "kernels/gpu/prefix.h"
#include "kernels/gpu/ranks.h"
#include "kernels/gpu/variant.h"
/* after variant.h */
#include "particles/columns.h"

namespace SLUICE_GPU::GPU_PRECISION
{

/* For a particle's position in the config's coordinates. */
struct fetch_space {
    struct gpu_set set;
    const int32_t (*frame)[3]; /* index of each slot */
    double corner[3], width[3];
    int32_t shift[3];
};

static struct fetch_space space_of(struct gpu_backend *gpu, const struct sluice_grid *g,
                                   const struct sluice_set *set)
{
    struct fetch_space space;
    space.set = set_of(gpu, set);
    space.frame = gpu->frames.index;
    for (int c = 0; c < 3; c++) {
        space.corner[c] = g->corner[c];
        space.width[c] = g->width[c];
        space.shift[c] = g->shift[c];
    }
    return space;
}

template <int dim>
static __device__ __forceinline__ void coordinates(const struct fetch_space &space, int64_t i,
                                                   double *x)
{
    const uint32_t slot = ((const uint32_t *)space.set.v.field[SLUICE_FIELD_FRAME])[i];
#pragma unroll
    for (int c = 0; c < dim; c++)
        x[c] = space.corner[c] +
               ((double)(space.frame[slot][c] - space.shift[c]) + 0.5) * space.width[c] +
               (double)VIEW(&space.set.v, POSITION, i, dim + 1, c);
}

/* --- In boxes ---- */

template <int dim>
static __device__ __forceinline__ int lies_in(const struct sluice_box &box, const double *x)
{
    int inside = 1;
#pragma unroll
    for (int c = 0; c < dim; c++)
        inside &= x[c] >= box.low[c] && x[c] <= box.high[c];
    return inside;
}

template <int dim>
static __global__ void __launch_bounds__(GPU_BLOCK)
    find(const struct fetch_space space, const struct sluice_box *box, int boxes, uint32_t *count,
         uint32_t *index)
{
    gpu_begin();
    const int64_t i = (int64_t)blockIdx.x * GPU_BLOCK + threadIdx.x;
    int inside = 0;
    if (i < alive_in(space.set) && is_own(space.set, i)) {
        double x[dim];
        coordinates<dim>(space, i, x);
        for (int k = 0; k < boxes && !inside; k++)
            inside = lies_in<dim>(box[k], x);
    }
    const uint32_t at = warp_append(count, inside);
    if (inside)
        index[at] = (uint32_t)i;
}

/* Fields as words of 32 bits; `to` is the first packed particle. */
struct pack_args {
    int fields, words[SLUICE_FIELD_COUNT];
    const uint32_t *from[SLUICE_FIELD_COUNT];
    uint32_t *to[SLUICE_FIELD_COUNT];
};

static __global__ void pack(const struct pack_args args, const uint32_t *index, int64_t count)
{
    gpu_begin();
    const int64_t n = (int64_t)blockIdx.x * GPU_BLOCK + threadIdx.x;
    if (n >= count)
        return;
    const int64_t i = index[n];
    for (int f = 0; f < args.fields; f++)
        for (int w = 0; w < args.words[f]; w++)
            args.to[f][args.words[f] * n + w] = args.from[f][args.words[f] * i + w];
}

/* Packs the fields at `scratch` (device memory) in the layout of fetch->memory. */
static struct pack_args pack_args_of(const struct sluice_fetch *fetch, char *scratch)
{
    struct pack_args args;
    args.fields = 0;
    for (int f = 0; f < SLUICE_FIELD_COUNT; f++) {
        if (!fetch->field[f])
            continue;
        const int64_t at = (const char *)fetch->field[f] - (const char *)fetch->memory;
        args.words[args.fields] = (int)sluice_set_field_bytes(fetch->set, (enum sluice_field)f) / 4;
        args.from[args.fields] = (const uint32_t *)fetch->set->field[f];
        args.to[args.fields++] = (uint32_t *)(scratch + at);
    }
    return args;
}

static sluice_status bring(struct gpu_backend *gpu, struct sluice_fetch *fetch, int64_t count,
                           const uint32_t *index)
{
    const struct sluice_set *set = fetch->set;
    const struct sluice_columns c = sluice_columns_of(set);
    const size_t bytes = sluice_fetch_lay_out(fetch, count),
                 held = (size_t)(SLUICE_COLUMN_BYTES * set->capacity *
                                 (set->columns - c.first - c.state - c.scratch -
                                  SLUICE_COLUMNS_OF_INDEX));
    if (bytes > held && !gpu->ranks)
        return gpu_download_fields(gpu, fetch, 0); /* all particles */
    SLUICE_TRY(sluice_fetch_reserve(fetch, count));
    if (count == 0)
        return SLUICE_OK;
    char *packed = (char *)sluice_columns_scratch(set, c.scratch + SLUICE_COLUMNS_OF_INDEX);
    if (bytes > held) { /* only own particles may go */
        SLUICE_TRY(gpu_scratch_reserve(gpu, &gpu->ranks->out.device, bytes));
        packed = (char *)gpu->ranks->out.device.memory;
    }
    GPU_LAUNCH_EACH(gpu, "pack", pack, count, pack_args_of(fetch, packed), index, count);
    return gpu_download(gpu, fetch->memory, packed, bytes);
}

sluice_status fetch(struct gpu_backend *gpu, const struct sluice_grid *g,
                    struct sluice_fetch *fetch)
{
    const struct sluice_set *set = fetch->set;
    const size_t boxes = (size_t)fetch->box_count * sizeof *fetch->box, counter = 64;
    uint32_t count = 0,
             *index = (uint32_t *)sluice_columns_scratch(set, sluice_columns_of(set).scratch);
    gpu_unpack(set);
    bins_of(set)->rows_known = 0;
    SLUICE_TRY(gpu_scratch_reserve(gpu, &gpu->wanted, counter + boxes));
    const struct sluice_box *box = (const struct sluice_box *)((char *)gpu->wanted.memory +
                                                               counter);
    SLUICE_TRY(gpu_send(gpu, (void *)box, fetch->box, boxes));
    SLUICE_TRY(gpu_clear(gpu, gpu->wanted.memory, counter));
    auto kernel = set->dimension == 3 ? find<3> : find<2>;
    GPU_LAUNCH_EACH(gpu, "find", kernel, set->count, space_of(gpu, g, set), box, fetch->box_count,
                    (uint32_t *)gpu->wanted.memory, index);
    SLUICE_TRY(gpu_download(gpu, &count, gpu->wanted.memory, sizeof count));
    return bring(gpu, fetch, count, index);
}

/* --- Foremost ---- */

enum { ANSWERS = 32 }; /* answers downloaded together */

/* Integers in the order of the doubles; 0: no particle. */
static __device__ uint64_t key_of(double x)
{
    const uint64_t bits = (uint64_t)__double_as_longlong(x), sign = (uint64_t)1 << 63;
    return bits & sign ? ~bits : bits | sign;
}

static double of_key(uint64_t key)
{
    const uint64_t sign = (uint64_t)1 << 63, bits = key & sign ? key ^ sign : ~key;
    double x;
    memcpy(&x, &bits, sizeof x);
    return key ? x : -INFINITY;
}

template <int dim>
static __global__ void __launch_bounds__(GPU_BLOCK)
    find_foremost(const struct fetch_space space, int axis, double above, unsigned long long *best)
{
    gpu_begin();
    const int64_t i = (int64_t)blockIdx.x * GPU_BLOCK + threadIdx.x;
    unsigned long long key = 0;
    if (i < alive_in(space.set) && is_own(space.set, i)) {
        double x[dim];
        coordinates<dim>(space, i, x);
        const double along = axis == 0 ? x[0] : axis == 1 ? x[1] : x[dim - 1];
        if (x[dim - 1] > above)
            key = key_of(along);
    }
    for (int step = GPU_WARP / 2; step > 0; step /= 2) {
        const unsigned long long other = gpu_shuffle_xor(key, step);
        key = other > key ? other : key;
    }
    if ((int)threadIdx.x % GPU_WARP == 0 && key > GPU_LOAD_SAME(best))
        atomicMax(best, key);
}

sluice_status foremost(struct gpu_backend *gpu, const struct sluice_grid *g,
                       const struct sluice_set *set, struct sluice_foremost *of, int n)
{
    const struct fetch_space space = space_of(gpu, g, set);
    auto kernel = set->dimension == 3 ? find_foremost<3> : find_foremost<2>;
    SLUICE_TRY(gpu_scratch_reserve(gpu, &gpu->wanted, (size_t)n * sizeof(uint64_t)));
    unsigned long long *best = (unsigned long long *)gpu->wanted.memory;
    SLUICE_TRY(gpu_clear(gpu, best, (size_t)n * sizeof *best));
    for (int k = 0; k < n; k++) {
        GPU_LAUNCH_EACH(gpu, "find_foremost", kernel, set->count, space, of[k].axis, of[k].above,
                        best + k);
    }
    for (int k = 0; k < n; k += ANSWERS) {
        uint64_t key[ANSWERS];
        const int here = n - k < ANSWERS ? n - k : (int)ANSWERS;
        SLUICE_TRY(gpu_download(gpu, key, best + k, (size_t)here * sizeof *key));
        for (int a = 0; a < here; a++)
            of[k + a].x = of_key(key[a]);
    }
    return SLUICE_OK;
}

} // namespace SLUICE_GPU::GPU_PRECISION
