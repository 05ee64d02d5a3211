/* Which frames have bins, and how many. The host lays them out, seldom: when particles come near a
 * frame without bins.
 *
 * A step does not wait for any of this. The drift marks the frames that particles are in or near,
 * the end of the sort compares the marks with the layout, and the answer comes back with the step's
 * results. The next bin() then counts anew, widens the table of frames, and sorts every set. */
#include "kernels/gpu/ranks.h"
#include "kernels/gpu/variant.h"

namespace SLUICE_GPU
{

/* Steps after which the bins are laid out anew for the present particles. */
enum { LAYOUT_AGE = 1000 };

/* Row s of a census counts the particles of set s in each frame; row MARKS has the marks, row
 * ANY_RANK what any of several ranks needs. */
enum { MARKS = SLUICE_TYPE_COUNT, ANY_RANK, CENSUS_ROWS };

/* In host memory. */
struct census {
    int frames;
    uint32_t *row[CENSUS_ROWS]; /* [frames]; all in one block of memory, row[0] */
};

static sluice_status census_create(struct census *c, int frames)
{
    const size_t length = (size_t)frames + 1;
    c->frames = frames;
    c->row[0] = (uint32_t *)calloc(CENSUS_ROWS * length, sizeof(uint32_t));
    SLUICE_CHECK(c->row[0], SLUICE_DEVICE, "no memory for a table of %d frames", frames);
    for (int r = 1; r < CENSUS_ROWS; r++)
        c->row[r] = c->row[r - 1] + length;
    return SLUICE_OK;
}

/* --- The mirror --- */

static int reaches_outside(const struct sluice_grid *g, const int32_t frame[3])
{
    int outside = 0;
    for (int c = 0; c < g->dimension; c++) {
        const double low = g->corner[c] + (double)(frame[c] - g->shift[c]) * g->width[c];
        outside |= !g->periodic[c] && (low < g->low[c] || low + g->width[c] > g->high[c]);
    }
    return outside;
}

void gpu_frames_destroy(struct gpu_backend *gpu)
{
    struct gpu_frames *f = &gpu->frames;
    gpu_release(gpu, f->index);
    gpu_release(gpu, f->neighbour);
    gpu_release(gpu, f->outside);
    gpu_release(gpu, f->wanted);
    f->capacity = 0;
    f->index = NULL, f->neighbour = NULL, f->outside = NULL, f->wanted = NULL;
}

static sluice_status reserve_frames(struct gpu_backend *gpu, int count)
{
    struct gpu_frames *f = &gpu->frames;
    if (count <= f->capacity)
        return SLUICE_OK;
    const int64_t capacity = gpu_frames_capacity(count);
    gpu_frames_destroy(gpu);
    SLUICE_TRY(gpu_allocate_array(gpu, capacity, &f->index));
    SLUICE_TRY(gpu_allocate_array(gpu, capacity, &f->neighbour));
    SLUICE_TRY(gpu_allocate_array(gpu, capacity, &f->outside));
    SLUICE_TRY(gpu_allocate_array(gpu, capacity, &f->wanted));
    f->capacity = (int)capacity;
    return SLUICE_OK;
}

sluice_status gpu_mirror_frames(struct gpu_backend *gpu, const struct sluice_grid *g)
{
    struct gpu_frames *f = &gpu->frames;
    if (f->version == g->version && f->count == g->frame_count)
        return SLUICE_OK;
    const size_t count = (size_t)g->frame_count;
    const struct gpu_host_array<uint8_t> outside(count);
    SLUICE_CHECK(outside.at, SLUICE_DEVICE, "no memory for a table of %zu frames", count);
    for (size_t slot = 0; slot < count; slot++)
        outside.at[slot] = (uint8_t)reaches_outside(g, g->frame[slot]);
    SLUICE_TRY(reserve_frames(gpu, g->frame_count));
    SLUICE_TRY(gpu_upload(gpu, f->index, g->frame, count * sizeof *f->index));
    SLUICE_TRY(gpu_upload(gpu, f->neighbour, g->neighbour, count * sizeof *f->neighbour));
    SLUICE_TRY(gpu_upload(gpu, f->outside, outside.at, count));
    f->count = g->frame_count;
    f->version = g->version;
    return SLUICE_OK;
}

/* --- The census --- */

static sluice_status take_census(struct gpu_backend *gpu, const struct sluice_grid *g,
                                 struct sluice_set *const *sets, int n, struct census *c)
{
    const size_t bytes = (size_t)gpu->frames.count * sizeof(uint32_t);
    struct gpu_device_array<uint32_t> count;
    if (gpu->frames.count == 0)
        return SLUICE_OK;
    SLUICE_TRY(gpu_allocate_array(gpu, gpu->frames.count, &count.at));
    SLUICE_TRY(gpu_clear(gpu, gpu->frames.wanted, bytes));
    for (int s = 0; s < n; s++) {
        SLUICE_TRY(gpu_clear(gpu, count.at, bytes));
        SLUICE_TRY(gpu->variant->count_frames(gpu, g, sets[s], count.at));
        SLUICE_TRY(gpu_download(gpu, c->row[s], count.at, bytes));
    }
    return gpu_download(gpu, c->row[MARKS], gpu->frames.wanted, bytes);
}

static int is_needed(const struct census *c, int slot)
{
    int needed = 0;
    for (int r = 0; r < CENSUS_ROWS; r++)
        needed |= c->row[r][slot] != 0;
    return needed;
}

/* Whether all neighbours of every needed frame are in the table. */
static int is_closed(const struct sluice_grid *g, const struct census *c)
{
    const int first = g->dimension == 3 ? 0 : 9, last = g->dimension == 3 ? 27 : 18;
    for (int slot = 0; slot < c->frames; slot++)
        for (int k = first; k < last && is_needed(c, slot); k++)
            if (g->neighbour[slot][k] < 0)
                return 0;
    return 1;
}

/* --- A new table of frames --- */

static __global__ void renumber(uint32_t *frame, const int32_t *new_slot, int64_t n)
{
    gpu_begin();
    const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        frame[i] = (uint32_t)new_slot[frame[i]];
}

sluice_status gpu_renumber_sets(struct gpu_backend *gpu, struct sluice_set *const *sets, int n,
                                const int32_t *new_slot, int count)
{
    struct gpu_device_array<int32_t> device;
    SLUICE_TRY(gpu_allocate_array(gpu, count, &device.at));
    SLUICE_TRY(gpu_upload(gpu, device.at, new_slot, (size_t)count * sizeof *new_slot));
    for (int s = 0; s < n; s++)
        if (sets[s]->count > 0)
            GPU_LAUNCH_EACH(gpu, "renumber", renumber, sets[s]->count,
                            (uint32_t *)sets[s]->field[SLUICE_FIELD_FRAME], device.at,
                            sets[s]->count);
    return gpu_check(gpuStreamSynchronize(gpu->stream), "renumbering frames");
}

/* Moves the census to the new slots. */
static sluice_status renumber_census(struct census *c, const int32_t *new_slot, int count)
{
    struct census moved;
    SLUICE_TRY(census_create(&moved, count));
    for (int slot = 0; slot < c->frames; slot++)
        if (is_needed(c, slot))
            for (int r = 0; r < CENSUS_ROWS; r++)
                moved.row[r][new_slot[slot]] = c->row[r][slot];
    free(c->row[0]);
    *c = moved;
    return SLUICE_OK;
}

/* Makes the needed frames and their neighbours the grid's table; updates the particles' slots. */
static sluice_status rebuild(struct gpu_backend *gpu, struct sluice_grid *g,
                             struct sluice_set *const *sets, int n, struct census *c)
{
    const struct gpu_host_array<uint8_t> needed((size_t)c->frames);
    const struct gpu_host_array<int32_t> new_slot((size_t)c->frames);
    SLUICE_CHECK(needed.at && new_slot.at, SLUICE_DEVICE, "no memory for a table of %d frames",
                 c->frames);
    for (int slot = 0; slot < c->frames; slot++)
        needed.at[slot] = (uint8_t)is_needed(c, slot);
    SLUICE_TRY(sluice_grid_keep_frames(g, needed.at, new_slot.at));
    SLUICE_TRY(gpu_renumber_sets(gpu, sets, n, new_slot.at, c->frames));
    SLUICE_TRY(renumber_census(c, new_slot.at, g->frame_count));
    return gpu_mirror_frames(gpu, g);
}

/* --- Several ranks --- */

/* All ranks have the same table. */
static sluice_status add_ranks(struct gpu_backend *gpu, struct census *c)
{
    struct sluice_comm *comm = gpu->ranks->domain->comm;
    const struct gpu_host_array<int64_t> needs((size_t)c->frames);
    SLUICE_CHECK(needs.at, SLUICE_DEVICE, "no memory for a table of %d frames", c->frames);
    for (int slot = 0; slot < c->frames; slot++)
        needs.at[slot] = is_needed(c, slot);
    SLUICE_TRY(comm->ops->sum(comm, needs.at, c->frames));
    for (int slot = 0; slot < c->frames; slot++)
        c->row[ANY_RANK][slot] = needs.at[slot] > 0;
    return SLUICE_OK;
}

/* Other ranks' particles come from frames that this one has none in yet. */
static void want_near_frames(const struct gpu_backend *gpu, const struct sluice_grid *g,
                             const struct census *c)
{
    for (int slot = 0; slot < g->frame_count; slot++)
        if (c->row[ANY_RANK][slot] && sluice_domain_needs_frame(gpu->ranks->domain, g, slot))
            c->row[MARKS][slot] = 1;
}

/* --- A change of frames --- */

static sluice_status create_bins(struct gpu_backend *gpu, struct sluice_set *set)
{
    const uint32_t count = (uint32_t)set->count;
    if (set->bins)
        return SLUICE_OK;
    struct gpu_bins *bins = (struct gpu_bins *)calloc(1, sizeof *bins);
    SLUICE_CHECK(bins, SLUICE_DEVICE, "no memory for a search table");
    bins->version = -1;
    bins->packed_as = bins->packed_before = -1;
    set->bins = (struct sluice_bins *)(void *)bins;
    return gpu_upload(gpu, &gpu->counts->alive[set->type], &count, sizeof count);
}

/* Counts particles, widens the table if needed, lays out the bins of every set. Waits for the
 * device. */
static sluice_status update_frames(struct gpu_backend *gpu, struct sluice_grid *g,
                                   struct sluice_set *const *sets, int n)
{
    struct census c;
    for (int s = 0; s < n; s++)
        SLUICE_TRY(create_bins(gpu, sets[s]));
    SLUICE_TRY(gpu_mirror_frames(gpu, g));
    SLUICE_TRY(census_create(&c, g->frame_count));
    sluice_status status = take_census(gpu, g, sets, n, &c);
    if (status == SLUICE_OK && gpu->ranks)
        status = add_ranks(gpu, &c);
    if (status == SLUICE_OK && !is_closed(g, &c))
        status = rebuild(gpu, g, sets, n, &c);
    if (status == SLUICE_OK && gpu->ranks)
        want_near_frames(gpu, g, &c);
    for (int s = 0; s < n && status == SLUICE_OK; s++)
        status = gpu_lay_out(gpu, g, sets[s], c.row[s], c.row[MARKS]);
    free(c.row[0]);
    gpu->bins_made = 0;
    gpu->results_host->counts.new_frames = 0;
    return status;
}

/* --- The operation --- */

/* Whether this step can keep the order of the last sort. The answer must not depend on which queued
 * steps have come back, so nothing else is asked. */
static int keeps_order(const struct gpu_backend *gpu, const struct sluice_grid *g,
                       struct sluice_set *const *sets, int n)
{
    int keeps = gpu->drifted > 0 && gpu->frames.version == g->version;
    for (int s = 0; s < n; s++)
        keeps &= sets[s]->bins && bins_of(sets[s])->version == g->version;
    return keeps;
}

static sluice_status sort_set(struct gpu_backend *gpu, const struct sluice_grid *g,
                              struct sluice_set *set)
{
    if (set->count > 0) {
        if (set->moves && gpu->clears_marks < 0)
            gpu->clears_marks = (int)set->type;
        SLUICE_TRY(gpu->variant->sort(gpu, g, set));
    }
    if (!gpu->ranks)
        return SLUICE_OK;
    SLUICE_TRY(gpu_note_order(gpu, set));
    return gpu_list_shared(gpu, g, set);
}

/* Frees what the other strategy of a gas left: trees, or tables of supports. */
static void drop_unused(struct gpu_backend *gpu, struct sluice_set *const *sets, int n)
{
    if (gpu->backend->orders.strategy == SLUICE_STRATEGY_bucket) {
        for (int s = 0; s < SLUICE_PASS_SOURCES; s++) {
            gpu_release(gpu, gpu->supports[s].memory);
            gpu->supports[s] = gpu_scratch();
        }
        return;
    }
    for (int s = 0; s < n; s++) {
        struct gpu_tree *tree = sets[s]->bins ? &bins_of(sets[s])->tree : NULL;
        if (!tree || !tree->work.memory)
            continue;
        sets[s]->bins_bytes -= (int64_t)tree->work.bytes;
        gpu_release(gpu, tree->work.memory);
        *tree = gpu_tree();
    }
}

sluice_status gpu_bin(struct gpu_backend *gpu, struct sluice_grid *g,
                      struct sluice_set *const *sets, int n,
                      const struct sluice_particle_list *born)
{
    int new_frames = 0;
    if (keeps_order(gpu, g, sets, n)) {
        gpu->bins_made++;
        for (int s = 0; s < n; s++) {
            if (sets[s]->count == 0 || !sets[s]->moves)
                continue;
            bins_of(sets[s])->bins_seen++;
            if (bins_of(sets[s])->rows_known)
                continue;
            SLUICE_TRY(gpu_settle(gpu));
            SLUICE_TRY(gpu->variant->stand_records(gpu, g, sets[s]));
        }
        return SLUICE_OK;
    }
    SLUICE_TRY(gpu_settle(gpu));
    gpu->drifted = 0;
    if (gpu->ranks)
        SLUICE_TRY(gpu_share(gpu, g, sets, n));
    if (born)
        SLUICE_TRY(gpu_take_births(gpu, g, sets, n, born, &new_frames));
    int stale = new_frames || gpu->frames.version != g->version ||
                gpu->results_host->counts.new_frames || gpu->bins_made >= LAYOUT_AGE;
    SLUICE_CHECK(n <= SLUICE_TYPE_COUNT, SLUICE_BAD_INPUT, "bin: %d sets, at most %d can be sorted",
                 n, (int)SLUICE_TYPE_COUNT);
    gpu->grid = g;
    for (int s = 0; s < n; s++) {
        gpu->set[sets[s]->type] = sets[s];
        stale |= !sets[s]->bins || bins_of(sets[s])->version != g->version;
    }
    if (gpu->ranks)
        stale = sluice_comm_any(gpu->ranks->domain->comm, stale || gpu->ranks->domain->moved);
    if (stale)
        SLUICE_TRY(update_frames(gpu, g, sets, n));
    if (stale && gpu->ranks)
        SLUICE_TRY(gpu_find_inner(gpu, g));
    gpu->bins_made++;
    gpu->marks_hold = !stale;
    gpu->clears_marks = -1;
    for (int s = 0; s < n; s++)
        if (stale || sets[s]->moves)
            SLUICE_TRY(sort_set(gpu, g, sets[s]));
    for (int s = 0; s < n; s++)
        if (sets[s]->type == SLUICE_FLUID)
            SLUICE_TRY(gpu_queue_gone(gpu, sets[s]));
    drop_unused(gpu, sets, n);
    return SLUICE_OK;
}

/* Makes the tables of sets that are in the order of an earlier sort. */
static sluice_status sort_as(struct gpu_backend *gpu, struct sluice_grid *g,
                             struct sluice_set *const *sets, int n,
                             struct sluice_sorted *const bin[SLUICE_TYPE_COUNT])
{
    for (int s = 0; s < n; s++) {
        gpu->set[sets[s]->type] = sets[s];
        SLUICE_TRY(create_bins(gpu, sets[s]));
        bins_of(sets[s])->whole_frames = bin[sets[s]->type] != NULL;
    }
    SLUICE_TRY(update_frames(gpu, g, sets, n));
    for (int s = 0; s < n; s++) {
        const struct sluice_sorted *as = bin[sets[s]->type];
        bins_of(sets[s])->whole_frames = 0;
        if (sets[s]->count > 0)
            SLUICE_TRY(as ? gpu->variant->sort_as(gpu, g, sets[s], as)
                          : gpu->variant->sort(gpu, g, sets[s]));
    }
    return SLUICE_OK;
}

/* Restores the rows and their order along x. The width of the bins in x is not known, since it
 * depends on past numbers of particles: moving sets get one bin in each frame. */
sluice_status gpu_bin_as(struct gpu_backend *gpu, struct sluice_grid *g,
                         struct sluice_set *const *sets, int n,
                         struct sluice_sorted *const bin[SLUICE_TYPE_COUNT])
{
    struct sluice_sorted *own[SLUICE_TYPE_COUNT] = {};
    sluice_status status = SLUICE_OK;
    gpu->grid = g;
    if (gpu->ranks)
        status = gpu_share_sorted(gpu, g, sets, n, bin, own);
    if (status == SLUICE_OK)
        status = sort_as(gpu, g, sets, n, gpu->ranks ? own : bin);
    for (int t = 0; t < SLUICE_TYPE_COUNT; t++)
        free(own[t]);
    if (status == SLUICE_OK && gpu->ranks)
        status = gpu_find_inner(gpu, g);
    for (int s = 0; s < n && status == SLUICE_OK && gpu->ranks; s++)
        status = gpu_list_shared(gpu, g, sets[s]);
    gpu->bins_made = LAYOUT_AGE; /* the next sort lays out finer bins */
    return status;
}

} // namespace SLUICE_GPU
