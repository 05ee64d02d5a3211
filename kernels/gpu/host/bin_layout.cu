/* How many bins each frame has, and where they stand in the table: computed on the host from the
 * number of particles in each frame. */
#include "kernels/gpu/gpu_backend.h"

namespace SLUICE_GPU
{

enum { BINS_A_PARTICLE = 6 }; /* at most, beside one in each row of a frame */

struct layout {
    const struct sluice_grid *g;
    const uint32_t *count, *wanted; /* [slot] particles; frames that need bins; wanted NULL: none */
    int whole;                      /* 1: one bin along x in each frame */
    struct gpu_slot *slot;          /* out */
};

/* Bins along x of each of `frames` frames with `count` particles in all, as a power of two: the
 * most that BINS_A_PARTICLE allows, at least one. whole: one. */
static int bins_along_x(const struct sluice_grid *g, int64_t frames, int64_t count, int whole)
{
    int finest = whole ? 0 : g->bins_log2[0];
    const int rows = g->bins_log2[1] + (g->dimension == 3 ? g->bins_log2[2] : 0);
    while (finest > 0 && frames << (finest + rows) > BINS_A_PARTICLE * count)
        finest--;
    return finest;
}

/* Lays out one row of frames: slots first .. last - 1 of the same (y, z), ascending in x. All
 * have the same number of bins, so that a window finds its ends without asking which frame they
 * are in. */
static void lay_out_row(const struct layout &l, int first, int last, uint64_t *total)
{
    const struct sluice_grid *g = l.g;
    const int rows = g->bins_log2[1] + (g->dimension == 3 ? g->bins_log2[2] : 0);
    uint32_t stride = 0;
    int64_t frames = 0, particles = 0;
    for (int k = first; k < last; k++) {
        frames += l.count[k] > 0 || (l.wanted && l.wanted[k]);
        particles += l.count[k];
    }
    const int log2 = bins_along_x(g, frames, particles, l.whole);
    for (int k = first; k < last; k++) {
        l.slot[k].bins = l.count[k] > 0 || (l.wanted && l.wanted[k]) ? 1u << log2 : 0;
        l.slot[k].shift = l.slot[k].bins ? (uint32_t)(g->bins_log2[0] - log2) : 31;
        l.slot[k].base = (uint32_t)*total + stride;
        stride += l.slot[k].bins;
    }
    for (int k = first; k < last; k++)
        l.slot[k].stride = stride;
    *total += (uint64_t)stride << rows;
}

/* Lays out all frames of the grid; returns the number of bins. */
static uint64_t lay_out_rows(const struct layout &l)
{
    const struct sluice_grid *g = l.g;
    const int frames = g->frame_count;
    uint64_t total = 0;
    for (int first = 0, last; first < frames; first = last) {
        for (last = first + 1; last < frames && g->frame[last][1] == g->frame[first][1] &&
                               g->frame[last][2] == g->frame[first][2];)
            last++;
        lay_out_row(l, first, last, &total);
    }
    return total;
}

/* With a reserve to grow. Little is enough: a table that is too small is replaced at the next
 * layout. */
static int64_t entries_for(uint64_t bins)
{
    return (int64_t)(bins + bins / 32 + 64);
}

static sluice_status reserve_bins(struct gpu_backend *gpu, struct gpu_bins *bins, int frames,
                                  uint64_t total)
{
    if (frames > bins->slot_capacity) {
        gpu_release(gpu, bins->slot);
        gpu_release(gpu, bins->near);
        bins->near = NULL;
        bins->slot_capacity = 0;
        SLUICE_TRY(gpu_allocate_array(gpu, gpu->frames.capacity, &bins->slot));
        free(bins->laid_out);
        bins->laid_out = (uint8_t *)malloc((size_t)gpu->frames.capacity);
        SLUICE_CHECK(bins->laid_out, SLUICE_DEVICE, "no memory for a table of %d frames", frames);
        bins->slot_capacity = gpu->frames.capacity;
    }
    if ((int64_t)total + 2 > bins->start_capacity) {
        const int64_t capacity = entries_for(total);
        gpu_release(gpu, bins->start);
        bins->start_capacity = 0;
        SLUICE_TRY(gpu_allocate_array(gpu, capacity, &bins->start));
        bins->start_capacity = capacity;
    }
    return SLUICE_OK;
}

sluice_status gpu_lay_out(struct gpu_backend *gpu, const struct sluice_grid *g,
                          struct sluice_set *set, const uint32_t *count, const uint32_t *wanted)
{
    struct gpu_bins *bins = bins_of(set);
    const int frames = g->frame_count;
    const struct gpu_host_array<struct gpu_slot> slot((size_t)frames);
    SLUICE_CHECK(slot.at, SLUICE_DEVICE, "no memory for a table of %d frames", frames);
    const uint64_t total = lay_out_rows(
        {g, count, set->moves ? wanted : NULL, bins->whole_frames, slot.at});
    SLUICE_CHECK(total < UINT32_MAX - 2, SLUICE_BAD_INPUT,
                 "the search table of %lld particles would have %llu bins, more than 2^32; use a "
                 "larger spacing or fewer backend.bins",
                 (long long)set->count, (unsigned long long)total);
    SLUICE_TRY(reserve_bins(gpu, bins, frames, total));
    SLUICE_TRY(gpu_upload(gpu, bins->slot, slot.at, (size_t)frames * sizeof *slot.at));
    for (int f = 0; f < frames; f++)
        bins->laid_out[f] = slot.at[f].bins > 0;
    bins->bin_count = (uint32_t)total;
    bins->cleared = 0;
    bins->version = g->version;
    return SLUICE_OK;
}

void gpu_bins_destroy(struct sluice_bins **of_set)
{
    struct gpu_bins *bins = (struct gpu_bins *)(void *)*of_set;
    if (!bins)
        return;
    gpuFree(bins->slot);
    gpuFree(bins->near);
    gpuFree(bins->start);
    gpuFree(bins->extents);
    for (int k = 0; k < GPU_BOX_LISTS; k++)
        gpuFree(bins->boxes[k].list.memory);
    gpuFree(bins->tree.work.memory);
    gpuFree(bins->of_bodies.memory);
    gpuFree(bins->near_groups.last.memory);
    gpuFree(bins->counts);
    if (bins->counts_host)
        gpuFreeHost(bins->counts_host);
    free(bins->laid_out);
    free(bins);
    *of_set = NULL;
}

/* --- Memory --- */

sluice_status gpu_bins_reserve(struct gpu_backend *gpu, struct sluice_set *set,
                               struct gpu_scratch *work, size_t bytes)
{
    set->bins_bytes -= (int64_t)work->bytes;
    const sluice_status status = gpu_scratch_reserve(gpu, work, bytes);
    set->bins_bytes += (int64_t)work->bytes;
    return status;
}

enum { BINS_GUESSED = 4 }; /* bins a particle, if the particles' places are not known yet */

/* Whether its particles have supports of their own. */
static int adapts(const struct sluice_set *set)
{
    return (set->fields & SLUICE_BIT(SMOOTHING)) != 0;
}

/* Bytes that bucket/tree.h allocates, with a list of targets: two numbers a particle, and nodes. */
static int64_t tree_bytes(const struct gpu_backend *gpu, const struct sluice_grid *g,
                          const struct sluice_set *set)
{
    const int64_t nodes = set->count / (gpu->warp - 1) + 3 * (int64_t)g->frame_count;
    return set->count * 3 * (int64_t)sizeof(uint32_t) +
           nodes * (8 * set->real_bytes + (int64_t)sizeof(uint32_t));
}

/* Bytes that window/adaptive.cu allocates: tables of supports, and a list of targets. */
static int64_t window_bytes(const struct sluice_grid *g, const struct sluice_set *set)
{
    const int64_t cells = (int64_t)g->frame_count
                          << (2 + g->bins_log2[1] + (g->dimension == 3 ? g->bins_log2[2] : 0));
    return cells * g->dimension * set->real_bytes + set->count * (int64_t)sizeof(uint32_t);
}

static int64_t adaptive_bytes(const struct gpu_backend *gpu, const struct sluice_grid *g,
                              const struct sluice_set *set)
{
    return !adapts(set)                                              ? 0
           : gpu->backend->orders.strategy == SLUICE_STRATEGY_bucket ? tree_bytes(gpu, g, set)
                                                                     : window_bytes(g, set);
}

/* Approximation: counts only occupied frames, not those near particles. */
static int64_t table_bytes(const struct sluice_grid *g, const struct sluice_set *set,
                           const uint32_t *count)
{
    uint64_t bins = BINS_GUESSED * (uint64_t)set->count;
    const struct gpu_host_array<struct gpu_slot> slot((size_t)g->frame_count);
    if (count && slot.at)
        bins = lay_out_rows({g, count, NULL, 0, slot.at});
    const int64_t entries = entries_for(bins),
                  boxed = g->dimension ==
                              3 && /* row extents, for sources of pairs that use lists */
                          !adapts(set) &&
                          (set->type != SLUICE_FLUID || set->fields & SLUICE_BIT(SCALAR));
    return entries * (int64_t)sizeof(uint32_t) +
           (boxed ? extent_count(entries) * 4 * set->real_bytes : 0);
}

/* Bytes that the sum of forces on bodies allocates: marks of its particles, and their list. Also
 * counted beside moving walls whose force a probe asks for. */
static int64_t bodies_bytes(const struct sluice_set *set)
{
    const sluice_fields of_bodies = SLUICE_BIT(MOTION) | SLUICE_BIT(REACTION);
    return (set->fields & of_bodies) == of_bodies
               ? set->count * (int64_t)(sizeof(uint8_t) + sizeof(uint32_t))
               : 0;
}

int64_t gpu_needs(const struct gpu_backend *gpu, const struct sluice_grid *g,
                  const struct sluice_set *set, const uint32_t *count)
{
    const int64_t frames = gpu_frames_capacity(g->frame_count);
    int64_t bytes = table_bytes(g, set, count) + adaptive_bytes(gpu, g, set) + bodies_bytes(set) +
                    frames * (int64_t)sizeof(struct gpu_slot);
    if (!set->moves || g->dimension == 3)
        bytes += frames * (int64_t)sizeof(uint64_t) * gpu_masks(set);
    if (set->type == SLUICE_FLUID)
        bytes += frames * GPU_FRAME_BYTES;
    return bytes;
}

} // namespace SLUICE_GPU
