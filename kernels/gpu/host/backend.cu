/* The GPU backend: memory, and the table of operations. */
#include "kernels/gpu/cells/cells.h"
#include "kernels/gpu/ranks.h"
#include "kernels/gpu/variant.h"

namespace SLUICE_GPU
{

static sluice_status op_join(struct sluice_backend *b)
{
    return gpu_ranks_create(gpu_of(b), b->domain);
}

/* --- Memory ---- */

sluice_status gpu_allocate(struct gpu_backend *gpu, size_t bytes, void **out)
{
    *out = NULL;
    SLUICE_TRY(gpu_check_memory(gpuMalloc(out, bytes ? bytes : 1), bytes, "an array"));
    gpu_note_free(gpu);
    return gpu_clear(gpu, *out, bytes ? bytes : 1);
}

void gpu_note_free(struct gpu_backend *gpu)
{
    size_t available = 0, total = 0;
    int64_t *least = &gpu->backend->free_least;
    if (gpuMemGetInfo(&available, &total) == gpuSuccess && (int64_t)available < *least)
        *least = (int64_t)available;
}

void gpu_release(struct gpu_backend *gpu, void *memory)
{
    (void)gpu;
    if (memory)
        gpuFree(memory);
}

sluice_status gpu_scratch_reserve(struct gpu_backend *gpu, struct gpu_scratch *work, size_t bytes)
{
    if (bytes <= work->bytes)
        return SLUICE_OK;
    const size_t size = gpu_with_spare(bytes);
    gpu_release(gpu, work->memory);
    work->bytes = 0;
    SLUICE_TRY(gpu_allocate(gpu, size, &work->memory));
    work->bytes = size;
    return SLUICE_OK;
}

/* --- Operations ---- */

/* Makes an operation of the table from a function of the GPU's own data. settled() first queues the
 * deferred kicks and drifts (deferred.cu). */
template <auto function> struct op;
template <class Result, class... Arguments, Result (*function)(struct gpu_backend *, Arguments...)>
struct op<function> {
    static Result plain(struct sluice_backend *b, Arguments... arguments)
    {
        return function(gpu_of(b), arguments...);
    }
    static Result settled(struct sluice_backend *b, Arguments... arguments)
    {
        SLUICE_TRY(gpu_settle(gpu_of(b)));
        return function(gpu_of(b), arguments...);
    }
};

/* Whether the particles of a pair have supports of their own. */
static int adapts(int pair)
{
#define X(name, formulas, known, what) pair == SLUICE_PAIR_##name ||
    return SLUICE_ADAPTIVE_PAIRS(X) 0;
#undef X
}

/* The bins a cutoff along each axis. There are at most four rows a cutoff, since a periodic axis
 * may make them 1.41 times finer and six is the limit.
 *
 *   x      fine bins cost little here: finest
 *   y      rows as narrow as the particles' distance, except in 3-D with many neighbours. While
 *          particles are nearly on a lattice, every row holds the same number of its lines, and
 *          a warp's windows are alike
 *   z      the more neighbours a particle has, the finer the rows, so that windows hold few misses
 *   light  3-D pairs of few numbers meet all candidates of all rows. Looking rows up is a larger
 *          part of their work, so they get fewer rows
 *
 * A gas has rows about as wide as the particles' distance in both directions. Its search has no
 * limit on rows, so the cutoff, the widest support, may be much larger than that. */
static void op_bins(int strategy, int pair, int dimension, double reach, double bins_per_cutoff[3])
{
    const int cells = sluice_strategies[strategy].bins == SLUICE_CELLS,
              light = dimension == 3 && sluice_pairs[pair].numbers <= SLUICE_LIGHT_NUMBERS;
    const double wide = reach < 2.5   ? 1
                        : reach < 4.5 ? 2
                                      : 3,
                 narrow = fmax(fmin(floor(reach + 0.1), 4), 1);
    bins_per_cutoff[0] = cells ? 1 : dimension == 3 && (light || reach > 3.5) ? 16 : 8;
    bins_per_cutoff[1] = cells ? 1 : dimension == 2 || reach < 4.5 ? narrow : wide;
    bins_per_cutoff[2] = cells ? 1 : wide;
    if (!cells && adapts(pair)) {
        bins_per_cutoff[0] = fmin(16 * fmax(reach / 3.6, 1), 64);
        bins_per_cutoff[1] = fmin(fmax(rint(reach / 1.1), 1), 64);
        bins_per_cutoff[2] = fmin(fmax(rint(reach / 1.3), 1), 64);
    } else if (!cells && light && reach > 1.9 && reach < 4.5) {
        bins_per_cutoff[1] = 2;
        bins_per_cutoff[2] = reach < 2.75 ? 1 : 2;
    }
}

static void op_free(struct sluice_backend *b, void *memory)
{
    if (gpu_of(b)) /* otherwise the device is closed */
        (void)gpu_settle(gpu_of(b));
    gpu_release(gpu_of(b), memory);
}

/* In sets with fewer particles all fields move at once, into spare columns of the same size:
 * another launch would take longer. */
enum { AT_ONCE_BELOW = 1 << 18 };

/* Spare columns of a set: its scratch fields and the position records of the pair loop; at least
 * the keys and the order of the sort, of 32 bits each. */
static int op_scratch_columns(const struct sluice_set *set)
{
    const struct sluice_columns c = sluice_columns_of(set);
    const int records = c.scratch + 4 * set->real_bytes / SLUICE_COLUMN_BYTES,
              two = 2 * SLUICE_COLUMNS_OF_INDEX, least = c.largest > two ? c.largest : two,
              most = records > least ? records : least;
    return set->moves && set->capacity < AT_ONCE_BELOW && c.state > most ? c.state : most;
}

static int64_t op_needs(const struct sluice_backend *b, const struct sluice_grid *g,
                        const struct sluice_set *set, const uint32_t *count,
                        const struct sluice_halo *halo)
{
    return gpu_needs(gpu_of(b), g, set, count) + (halo ? gpu_rank_needs(gpu_of(b), set, halo) : 0);
}

static int64_t op_available(const struct sluice_backend *b, int64_t beside[SLUICE_BESIDE_COUNT])
{
    const struct gpu_backend *gpu = gpu_of(b);
    size_t available = 0, total = 0;
    if (beside) {
        beside[SLUICE_BESIDE_FRAMES] = (int64_t)gpu->frames.capacity * GPU_FRAME_BYTES;
        beside[SLUICE_BESIDE_RANKS] = gpu->ranks ? gpu_rank_bytes(gpu) : 0;
        beside[SLUICE_BESIDE_REST] = (int64_t)(gpu->scan.bytes + gpu->wanted.bytes +
                                               gpu->labels.bytes + gpu->asked.bytes +
                                               gpu->list_scratch.bytes + sizeof *gpu->counts);
        for (int k = 0; k < 2; k++)
            beside[SLUICE_BESIDE_REST] += (int64_t)(gpu->supports[k].bytes + gpu->again[k].bytes);
    }
    return gpuMemGetInfo(&available, &total) == gpuSuccess ? (int64_t)available : 0;
}

/* Whether memory is one of a sorted set's. */
static int is_of_set(const struct gpu_backend *gpu, const void *at)
{
    for (int t = 0; t < SLUICE_TYPE_COUNT; t++) {
        const struct sluice_set *set = gpu->set[t];
        const char *first = set ? (const char *)set->memory : NULL;
        if (first && (const char *)at >= first &&
            (const char *)at < first + set->capacity * set->columns * SLUICE_COLUMN_BYTES)
            return 1;
    }
    return 0;
}

static sluice_status op_upload(struct sluice_backend *b, void *to, const void *from_host,
                               size_t bytes)
{
    struct gpu_backend *gpu = gpu_of(b);
    SLUICE_TRY(gpu_settle(gpu));
    return is_of_set(gpu, to) ? gpu_upload(gpu, to, from_host, bytes)
                              : gpu_send(gpu, to, from_host, bytes);
}

static sluice_status op_kick_drift(struct sluice_backend *b, const struct sluice_grid *g,
                                   struct sluice_set *set, double dt)
{
    gpu_of(b)->drifted = b->drifted;
    return gpu_drift_later(gpu_of(b), g, set, dt);
}

/* A step begins with this one where walls move. */
static sluice_status op_pointwise(struct sluice_backend *b, const struct sluice_grid *g,
                                  const struct sluice_point *point)
{
    gpu_of(b)->drifted = b->drifted;
    return gpu_pointwise(gpu_of(b), g, point);
}

static sluice_status op_bin(struct sluice_backend *b, struct sluice_grid *g,
                            struct sluice_set *const *sets, int n,
                            const struct sluice_particle_list *born,
                            struct sluice_particle_list *gone)
{
    gpu_of(b)->queue.gone = gone;
    gpu_of(b)->drifted = b->drifted;
    const sluice_status status = gpu_bin(gpu_of(b), g, sets, n, born);
    b->drifted = gpu_of(b)->drifted;
    return status;
}

static sluice_status op_bin_as(struct sluice_backend *b, struct sluice_grid *g,
                               struct sluice_set *const *sets, int n,
                               struct sluice_sorted *const bin[SLUICE_TYPE_COUNT])
{
    SLUICE_TRY(gpu_settle(gpu_of(b)));
    gpu_of(b)->drifted = b->drifted;
    return gpu_bin_as(gpu_of(b), g, sets, n, bin);
}

static sluice_status op_order(struct sluice_backend *b, const struct sluice_grid *g,
                              const struct sluice_set *set, struct sluice_sorted *bin)
{
    SLUICE_TRY(gpu_settle(gpu_of(b)));
    return b->domain ? gpu_order_of_ranks(gpu_of(b), g, set, bin)
                     : gpu_order(gpu_of(b), g, set, bin);
}

static __global__ void find_asked(const uint32_t *motion, uint32_t least, const uint8_t *own,
                                  int64_t n, uint8_t *asked)
{
    gpu_begin();
    const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        asked[i] = motion[i] >= least && (!own || own[i]);
}

/* Which targets a pass with a least motion computes. */
static sluice_status mark_asked(struct gpu_backend *gpu, struct sluice_pass *pass)
{
    const struct sluice_set *set = pass->target;
    SLUICE_TRY(gpu_scratch_reserve(gpu, &gpu->asked, (size_t)set->count + 1));
    uint8_t *asked = (uint8_t *)gpu->asked.memory;
    pass->asked = asked;
    if (set->count > 0)
        GPU_LAUNCH_EACH(gpu, "find_asked", find_asked, set->count,
                        (const uint32_t *)set->field[SLUICE_FIELD_MOTION], pass->least_motion,
                        set->own, set->count, asked);
    return SLUICE_OK;
}

static sluice_status op_interact(struct sluice_backend *b, const struct sluice_grid *g,
                                 struct sluice_pass *pass)
{
    struct gpu_backend *gpu = gpu_of(b);
    gpu->strategy = sluice_strategies[b->orders.strategy].name;
    if (pass->least_motion > 0)
        SLUICE_TRY(mark_asked(gpu, pass));
    if (gpu->ranks)
        return gpu_rank_pass(gpu, g, b->orders.strategy, pass);
    SLUICE_TRY(gpu_settle(gpu));
    return gpu->variant->interact[b->orders.strategy](gpu, g, pass);
}

static sluice_status op_occupancy(struct sluice_backend *b, const struct sluice_grid *g,
                                  const struct sluice_set *set, struct sluice_occupancy *out)
{
    struct cell_counts counts;
    SLUICE_TRY(gpu_settle(gpu_of(b)));
    SLUICE_TRY(gpu_count_cells(gpu_of(b), g, set, 1, &counts));
    out->mean = counts.occupied ? (double)set->count / (double)counts.occupied : 0;
    out->fullest = counts.fullest;
    return b->domain ? sluice_occupancy_add(b->domain, out, counts.occupied, set->count)
                     : SLUICE_OK;
}

static sluice_status op_fetch(struct sluice_backend *b, const struct sluice_grid *g,
                              struct sluice_fetch *fetch)
{
    struct sluice_set found = *fetch->set;
    SLUICE_TRY(gpu_settle(gpu_of(b)));
    if (fetch->set->count == 0 || fetch->box_count == 0)
        SLUICE_TRY(sluice_fetch_reserve(fetch, 0));
    else
        SLUICE_TRY(gpu_of(b)->variant->fetch(gpu_of(b), g, fetch));
    if (!b->domain)
        return SLUICE_OK;
    memcpy(found.field, fetch->field, sizeof found.field);
    found.count = fetch->count;
    found.own = NULL;
    return sluice_fetch_from_ranks(b, fetch, &found, NULL, 0);
}

static sluice_status op_foremost(struct sluice_backend *b, const struct sluice_grid *g,
                                 const struct sluice_set *set, struct sluice_foremost *of, int n)
{
    SLUICE_TRY(gpu_settle(gpu_of(b)));
    for (int k = 0; k < n; k++)
        of[k].x = -INFINITY;
    if (n && set->count)
        SLUICE_TRY(gpu_of(b)->variant->foremost(gpu_of(b), g, set, of, n));
    for (int k = 0; k < n && b->domain; k++)
        SLUICE_TRY(b->domain->comm->ops->max(b->domain->comm, &of[k].x, 1));
    return SLUICE_OK;
}

} // namespace SLUICE_GPU

#ifndef __HIP_DEVICE_COMPILE__ /* clang would put a constant table into device memory */
extern "C" {
extern const struct sluice_backend_ops GPU_SYMBOL(ops);
}
const struct sluice_backend_ops GPU_SYMBOL(ops) = {
    GPU_NAME,
    0,         /* on_host */
    0,         /* tunes_x */
    1,         /* tries_cells */
    268435456, /* tiled_most */
    0.02,      /* timing_noise */
    SLUICE_GPU::gpu_lists_device,
    SLUICE_GPU::op_bins,
    SLUICE_GPU::gpu_open,
    SLUICE_GPU::gpu_close,
    SLUICE_GPU::op_join,
    SLUICE_GPU::op<SLUICE_GPU::gpu_allocate>::plain,
    SLUICE_GPU::op_free,
    SLUICE_GPU::op_available,
    SLUICE_GPU::op_scratch_columns,
    SLUICE_GPU::op_needs,
    SLUICE_GPU::op_upload,
    SLUICE_GPU::op<SLUICE_GPU::gpu_download>::settled,
    SLUICE_GPU::op_kick_drift,
    SLUICE_GPU::op_bin,
    SLUICE_GPU::op_order,
    SLUICE_GPU::op_bin_as,
    SLUICE_GPU::op_pointwise,
    SLUICE_GPU::op_interact,
    SLUICE_GPU::op<SLUICE_GPU::gpu_sum_labels>::settled,
    SLUICE_GPU::op<SLUICE_GPU::gpu_kick_later>::plain,
    SLUICE_GPU::op<SLUICE_GPU::gpu_reduce>::plain,
    SLUICE_GPU::gpu_bins_destroy,
    SLUICE_GPU::op<SLUICE_GPU::gpu_sync>::settled,
    SLUICE_GPU::op<SLUICE_GPU::gpu_post>::settled,
    SLUICE_GPU::op<SLUICE_GPU::gpu_wait>::plain,
    SLUICE_GPU::op<SLUICE_GPU::gpu_mark>::plain,
    SLUICE_GPU::op<SLUICE_GPU::gpu_elapsed>::plain,
    SLUICE_GPU::op_occupancy,
    SLUICE_GPU::op_fetch,
    SLUICE_GPU::op_foremost,
};
#endif
