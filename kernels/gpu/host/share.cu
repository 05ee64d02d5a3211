/* Before a sort: own particles near other ranks' regions are sent there, and those that are needed
 * no longer, the old halo among them, are dropped. Arrivals take the places of dropped particles,
 * then places behind the last particle; or the last particles fill the gaps. */
#include "kernels/gpu/ranks.h"
#include "kernels/gpu/variant.h"

namespace SLUICE_GPU
{

/* Where arriving particles go: to the places of dropped ones, then behind the last. */
static __global__ void choose_places(const uint32_t *dropped, int64_t drops, int64_t count,
                                     int64_t arrived, uint32_t *place)
{
    gpu_begin();
    const int64_t k = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (k < arrived)
        place[k] = k < drops ? dropped[k] : (uint32_t)(count + k - drops);
}

/* Takes the flags of gaps away. flag[0] is of the place `first`. */
static __global__ void flag_filled(const uint32_t *gap, int64_t gaps, int64_t first, uint32_t *flag)
{
    gpu_begin();
    const int64_t k = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (k < gaps && gap[k] >= first)
        flag[gap[k] - first] = 0;
}

static __global__ void flag_all(uint32_t *flag, int64_t n)
{
    gpu_begin();
    const int64_t k = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (k <= n)
        flag[k] = k < n;
}

/* The places of the particles that fill the gaps. */
static __global__ void list_filled(const uint32_t *offset, int64_t n, int64_t first, uint32_t *list,
                                   uint32_t *count)
{
    gpu_begin();
    const int64_t k = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (k == 0)
        *count = offset[n];
    if (k < n && offset[k + 1] != offset[k])
        list[offset[k]] = (uint32_t)(first + k);
}

/* Fills the gaps with the last particles, in their order. */
static sluice_status close_gaps(struct gpu_backend *gpu, struct sluice_set *set,
                                const uint32_t *gap, int64_t gaps)
{
    struct gpu_ranks *ranks = gpu->ranks;
    const int64_t first = set->count - gaps;
    const struct gpu_fields fields = gpu_fields_of(set, sluice_pack_state(set));
    uint32_t *flag = gpu_flags_of(set),
             *count = (uint32_t *)ranks->set[set->type].counts.memory; /* has been read */
    SLUICE_TRY(gpu_scratch_reserve(gpu, &ranks->place, (size_t)gaps * sizeof(uint32_t)));
    uint32_t *from = (uint32_t *)ranks->place.memory;
    GPU_LAUNCH_EACH(gpu, "flag_all", flag_all, gaps + 1, flag, gaps);
    GPU_LAUNCH_EACH(gpu, "flag_filled", flag_filled, gaps, gap, gaps, first, flag);
    SLUICE_TRY(gpu_scan_exclusive(gpu, flag, gaps + 1));
    GPU_LAUNCH_EACH(gpu, "list_filled", list_filled, gaps, flag, gaps, first, from, count);
    SLUICE_TRY(gpu_copy_fields(gpu->stream, fields, from, fields, gap, gaps, count));
    set->count = first;
    return SLUICE_OK;
}

static sluice_status allocate_set(struct gpu_backend *gpu, const struct sluice_set *set,
                                  int64_t capacity, void **memory)
{
    return gpu_allocate(gpu, (size_t)(capacity * set->columns * SLUICE_COLUMN_BYTES), memory);
}

/* The least capacity for `count` particles (particles.h). */
static int64_t capacity_for(int64_t count)
{
    return (count + 63) / 64 * 64 + 64;
}

static int fits(const struct sluice_set *set, int64_t count)
{
    return count + 64 <= set->capacity;
}

/* Moves a set to new memory of a capacity. If that fails, the set stays where it is. */
static sluice_status move_set(struct gpu_backend *gpu, struct sluice_set *set, void *memory,
                              int64_t capacity)
{
    const sluice_fields state = sluice_pack_state(set);
    struct sluice_set moved = *set;
    moved.memory = memory;
    moved.capacity = capacity;
    sluice_columns_lay_out(&moved);
    sluice_status status = gpu_copy_fields(gpu->stream, gpu_fields_of(set, state), NULL,
                                           gpu_fields_of(&moved, state), NULL, set->count, NULL);
    if (status == SLUICE_OK)
        status = gpu_check(gpuStreamSynchronize(gpu->stream), "moving a set");
    if (status != SLUICE_OK) {
        gpu_release(gpu, memory);
        return status;
    }
    gpu_release(gpu, set->memory);
    set->memory = memory; /* other threads read other members */
    set->capacity = capacity;
    sluice_columns_lay_out(set);
    return SLUICE_OK;
}

/* The same where the device cannot hold both: through the host's memory. If the device cannot hold
 * `capacity` then either, the set gets no more than `least`. */
static sluice_status move_set_by_host(struct gpu_backend *gpu, struct sluice_set *set,
                                      int64_t capacity, int64_t least)
{
    const sluice_fields state = sluice_pack_state(set);
    const int64_t count = set->count;
    const struct gpu_host_array<char> host(gpu_packed_bytes(set, state, count));
    SLUICE_CHECK(host.at, SLUICE_DEVICE,
                 GPU_NAME ": no memory on the host for %lld particles that move on the device",
                 (long long)count);
    const struct gpu_fields kept = gpu_packed_fields(set, state, count, host.at),
                            from = gpu_fields_of(set, state);
    for (int f = 0; f < from.count; f++)
        SLUICE_TRY(gpu_download(gpu, kept.field[f].at, from.field[f].at,
                                (size_t)(count * from.field[f].bytes)));
    gpu_release(gpu, set->memory);
    set->capacity = capacity;
    set->count = 0; /* without memory it has none */
    if (allocate_set(gpu, set, capacity, &set->memory) != SLUICE_OK) {
        set->capacity = least;
        SLUICE_TRY(allocate_set(gpu, set, least, &set->memory));
    }
    sluice_columns_lay_out(set);
    set->count = count;
    const struct gpu_fields to = gpu_fields_of(set, state);
    for (int f = 0; f < to.count; f++)
        SLUICE_TRY(
            gpu_send(gpu, to.field[f].at, kept.field[f].at, (size_t)(count * to.field[f].bytes)));
    return SLUICE_OK;
}

/* Gives a set memory for `count` particles, and for `wanted` if the device has that. A set that has
 * too much keeps it if the device cannot hold another one. */
static sluice_status resize(struct gpu_backend *gpu, struct sluice_set *set, int64_t count,
                            int64_t wanted)
{
    const int64_t capacity = capacity_for(wanted);
    void *memory;
    SLUICE_TRY(sluice_set_check(set, count));
    if (allocate_set(gpu, set, capacity, &memory) == SLUICE_OK)
        return move_set(gpu, set, memory, capacity);
    return fits(set, count) ? SLUICE_OK : move_set_by_host(gpu, set, capacity, capacity_for(count));
}

static sluice_status grow(struct gpu_backend *gpu, struct sluice_set *set, int64_t count)
{
    /* After new cuts a rank may need far less memory than it has. Results of ghost nodes lie in the
     * order of all their numbers. */
    const int wastes = 2 * count + 4096 < set->capacity;
    return set->type == SLUICE_GHOST || (fits(set, count) && !wastes)
               ? SLUICE_OK
               : resize(gpu, set, count, sluice_domain_capacity(count));
}

sluice_status gpu_set_grow(struct gpu_backend *gpu, struct sluice_set *set, int64_t n)
{
    const int64_t half_more = set->count + set->count / 2;
    return fits(set, n) ? SLUICE_OK : resize(gpu, set, n, n > half_more ? n : half_more);
}

/* Sends the listed particles, and takes what comes. */
static sluice_status trade(struct gpu_backend *gpu, struct sluice_set *set)
{
    struct gpu_ranks *ranks = gpu->ranks;
    struct sluice_comm *comm = ranks->domain->comm;
    const sluice_fields state = sluice_pack_state(set);
    const uint32_t *dropped = numbers_of(ranks->dropped);
    const int64_t drops = ranks->dropped.count;
    int64_t arrived = 0;
    for (int r = 0; r < comm->size; r++)
        ranks->sent[r] = r == comm->rank ? 0 : ranks->sends[r].count;
    SLUICE_TRY(comm->ops->counts(comm, ranks->sent, ranks->got));
    for (int r = 0; r < comm->size; r++) {
        ranks->out.bytes[r] = gpu_packed_bytes(set, state, ranks->sent[r]);
        ranks->in.bytes[r] = gpu_packed_bytes(set, state, ranks->got[r]);
        arrived += ranks->got[r];
    }
    SLUICE_TRY(gpu_mail_open(gpu));
    for (int r = 0; r < comm->size; r++)
        SLUICE_TRY(gpu_copy_fields(gpu->stream, gpu_fields_of(set, state),
                                   numbers_of(ranks->sends[r]),
                                   gpu_packed_fields(set, state, ranks->sent[r], ranks->out.at[r]),
                                   NULL, ranks->sent[r], NULL));
    SLUICE_TRY(gpu_mail_travel(gpu, gpu->stream));
    if (arrived > drops)
        SLUICE_TRY(grow(gpu, set, set->count + arrived - drops));
    SLUICE_TRY(gpu_scratch_reserve(gpu, &ranks->place, (size_t)arrived * sizeof(uint32_t)));
    uint32_t *place = (uint32_t *)ranks->place.memory;
    if (arrived > 0)
        GPU_LAUNCH_EACH(gpu, "choose_places", choose_places, arrived, dropped, drops, set->count,
                        arrived, place);
    int64_t at = 0;
    for (int r = 0; r < comm->size; at += ranks->got[r++])
        SLUICE_TRY(gpu_copy_fields(
            gpu->stream, gpu_packed_fields(set, state, ranks->got[r], ranks->in.at[r]), NULL,
            gpu_fields_of(set, state), place + at, ranks->got[r], NULL));
    if (arrived > drops)
        set->count += arrived - drops;
    if (arrived < drops)
        SLUICE_TRY(close_gaps(gpu, set, dropped + arrived, drops - arrived));
    return SLUICE_OK;
}

static __global__ void set_number(uint32_t *number, uint32_t value)
{
    gpu_begin();
    *number = value;
}

/* Lists what is dropped and what is sent. */
static sluice_status list_needs(struct gpu_backend *gpu, const struct sluice_grid *g,
                                const struct sluice_set *set, int64_t most)
{
    struct gpu_ranks *ranks = gpu->ranks;
    const struct sluice_domain *d = ranks->domain;
    struct gpu_listing l;
    SLUICE_TRY(gpu_listing_open(gpu, g, set, most, &l));
    SLUICE_TRY(gpu_listing_add(&l, GPU_IS_DROPPED, 0, &ranks->dropped));
    for (int r = 0; r < ranks->size; r++) {
        ranks->sends[r].count = 0;
        if (d->set[set->type].divided && r != d->comm->rank)
            SLUICE_TRY(gpu_listing_add(&l, GPU_IS_SENT, r, &ranks->sends[r]));
    }
    return gpu_listing_end(&l);
}

/* The same, if about `most` particles are at the border: if more are, they have been counted. */
static sluice_status list_all_needs(struct gpu_backend *gpu, const struct sluice_grid *g,
                                    const struct sluice_set *set, int64_t most)
{
    const struct gpu_list *border = &gpu->ranks->border;
    SLUICE_TRY(list_needs(gpu, g, set, most < set->count ? most : set->count));
    return border->count > most ? list_needs(gpu, g, set, border->count) : SLUICE_OK;
}

static sluice_status share_set(struct gpu_backend *gpu, const struct sluice_grid *g,
                               struct sluice_set *set)
{
    struct gpu_ranks *ranks = gpu->ranks;
    struct sluice_domain *d = ranks->domain;
    struct gpu_shared *shared = &ranks->set[set->type];
    const int64_t before = set->count;
    SLUICE_TRY(list_all_needs(gpu, g, set, shared->border_most));
    shared->border_most = gpu_border_capacity(ranks->border.count);
    if (d->set[set->type].divided) {
        SLUICE_TRY(trade(gpu, set));
    } else {
        if (ranks->dropped.count > 0)
            SLUICE_TRY(close_gaps(gpu, set, numbers_of(ranks->dropped), ranks->dropped.count));
        SLUICE_TRY(grow(gpu, set, set->count));
        d->set[set->type].divided = 1;
    }
    shared->border_after = ranks->border.count + set->count - before;
    GPU_LAUNCH(set_number, 1, 1, 0, gpu->stream, &gpu->counts->alive[set->type],
               (uint32_t)set->count);
    GPU_LAUNCHED("set_number");
    return SLUICE_OK;
}

/* The cuts and the regions. */
static sluice_status send_regions(struct gpu_backend *gpu)
{
    struct gpu_ranks *ranks = gpu->ranks;
    const struct sluice_domain *d = ranks->domain;
    const size_t size = (size_t)d->comm->size;
    SLUICE_TRY(gpu_scratch_reserve(gpu, &ranks->cut, size * sizeof *d->regions.cut));
    SLUICE_TRY(gpu_scratch_reserve(gpu, &ranks->region, size * sizeof *d->regions.region));
    SLUICE_TRY(gpu_send(gpu, ranks->cut.memory, d->regions.cut, size * sizeof *d->regions.cut));
    return gpu_send(gpu, ranks->region.memory, d->regions.region, size * sizeof *d->regions.region);
}

/* Brings every so many places of a set: sluice_domain_sample. */
static sluice_status bring_samples(void *data, const struct sluice_grid *g,
                                   const struct sluice_set *set, int64_t every, int64_t n,
                                   double (*x)[3])
{
    struct gpu_backend *gpu = (struct gpu_backend *)data;
    struct gpu_scratch *place = &gpu->ranks->place;
    const size_t bytes = (size_t)n * sizeof *x;
    if (n == 0)
        return SLUICE_OK;
    SLUICE_TRY(gpu_scratch_reserve(gpu, place, bytes));
    SLUICE_TRY(gpu->variant->sample(gpu, g, set, every, n, (double *)place->memory));
    return gpu_download(gpu, x, place->memory, bytes);
}

/* Makes the cuts, the first time or when the ranks have become uneven. */
static sluice_status divide(struct gpu_backend *gpu, const struct sluice_grid *g,
                            struct sluice_set *const *sets, int n)
{
    struct gpu_ranks *ranks = gpu->ranks;
    const int64_t check_at = ranks->domain->check_at;
    for (int s = 0; s < n; s++)
        SLUICE_TRY(gpu_read_lists(gpu, sets[s]));
    SLUICE_TRY(gpu_read_clock(&ranks->clock));
    SLUICE_TRY(sluice_domain_divide(ranks->domain, g, sets, n,
                                    (int64_t)(1e9 * ranks->clock.seconds), bring_samples, gpu));
    if (ranks->domain->check_at != check_at)
        ranks->clock.seconds = 0;
    return SLUICE_OK;
}

static sluice_status open_regions(struct gpu_backend *gpu, const struct sluice_grid *g,
                                  struct sluice_set *const *sets, int n)
{
    SLUICE_TRY(gpu_mirror_frames(gpu, g));
    SLUICE_TRY(divide(gpu, g, sets, n));
    if (gpu->ranks->domain->moved)
        SLUICE_TRY(send_regions(gpu));
    return gpu_find_inner(gpu, g);
}

sluice_status gpu_share(struct gpu_backend *gpu, struct sluice_grid *g,
                        struct sluice_set *const *sets, int n)
{
    struct sluice_domain *d = gpu->ranks->domain;
    SLUICE_TRY(gpu_complete_posted(gpu)); /* the numbers of particles must be known */
    SLUICE_TRY(open_regions(gpu, g, sets, n));
    for (int s = 0; s < n; s++)
        if (sets[s]->moves || d->moved || !d->set[sets[s]->type].divided)
            SLUICE_TRY(share_set(gpu, g, sets[s]));
    return SLUICE_OK;
}

/* --- In the order of an earlier sort ---- */

/* New places that keep the order: of what stays, then of what is dropped. */
static __global__ void choose_kept_places(const uint32_t *offset, int64_t n, uint32_t *place)
{
    gpu_begin();
    const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const uint32_t before = offset[i], kept = offset[n];
    place[i] = offset[i + 1] != before ? before : kept + (uint32_t)i - before;
}

/* Flags what stays. */
static sluice_status flag_kept(struct gpu_backend *gpu, const struct sluice_set *set)
{
    const struct gpu_list *dropped = &gpu->ranks->dropped;
    uint32_t *flag = gpu_flags_of(set);
    GPU_LAUNCH_EACH(gpu, "flag_all", flag_all, set->count + 1, flag, set->count);
    if (dropped->count > 0)
        GPU_LAUNCH_EACH(gpu, "flag_filled", flag_filled, dropped->count, numbers_of(*dropped),
                        dropped->count, (int64_t)0, flag);
    return gpu_scan_exclusive(gpu, flag, set->count + 1);
}

/* Moves what stays to the front, in its order. */
static sluice_status keep_places(struct gpu_backend *gpu, struct sluice_set *set)
{
    if (set->count == 0)
        return SLUICE_OK;
    SLUICE_TRY(flag_kept(gpu, set));
    GPU_LAUNCH_EACH(gpu, "choose_kept_places", choose_kept_places, set->count, gpu_flags_of(set),
                    set->count, (uint32_t *)set->memory);
    return gpu->variant->reorder(gpu, set);
}

/* Drops what this rank does not need. */
static sluice_status keep_sorted(struct gpu_backend *gpu, const struct sluice_grid *g,
                                 struct sluice_set *set)
{
    struct gpu_ranks *ranks = gpu->ranks;
    SLUICE_TRY(list_all_needs(gpu, g, set, 0));
    SLUICE_TRY(keep_places(gpu, set));
    set->count -= ranks->dropped.count;
    ranks->set[set->type].border_after = ranks->border.count - ranks->dropped.count;
    ranks->domain->set[set->type].divided = 1;
    return grow(gpu, set, set->count);
}

/* The entries of particles that stay. Their places become those among this rank's particles; the
 * present places are kept as the numbers that give the order. */
static sluice_status keep_entries(struct gpu_backend *gpu, const struct sluice_set *set,
                                  const struct sluice_sorted *bin, int64_t before,
                                  struct sluice_sorted **own)
{
    struct gpu_shared *shared = &gpu->ranks->set[set->type];
    const struct gpu_list *dropped = &gpu->ranks->dropped;
    const struct gpu_host_array<uint32_t> drop((size_t)dropped->count);
    const size_t key_bytes = (size_t)(set->count * set->real_bytes);
    const struct gpu_host_array<char> key(key_bytes);
    struct sluice_sorted *to = (struct sluice_sorted *)malloc((size_t)(set->count + 1) *
                                                              sizeof *to);
    *own = to;
    SLUICE_CHECK(drop.at && key.at && to, SLUICE_DEVICE, GPU_NAME ": no memory for an order");
    SLUICE_TRY(gpu_download(gpu, drop.at, dropped->memory.memory,
                            (size_t)dropped->count * sizeof *drop.at));
    int64_t n = 0, next = 0;
    for (int64_t i = 0; i < before; i++) {
        if (next < dropped->count && drop.at[next] == i) {
            next++;
            continue;
        }
        const int same = n > 0 && to[n - 1].frame_x == bin[i].frame_x &&
                         to[n - 1].row_y == bin[i].row_y && to[n - 1].row_z == bin[i].row_z;
        to[n] = bin[i];
        to[n].place = same ? to[n - 1].place + 1 : 0;
        gpu_put_key(key.at, set, n++, (uint64_t)bin[i].place);
    }
    SLUICE_TRY(gpu_scratch_reserve(gpu, &shared->key, key_bytes));
    return gpu_send(gpu, shared->key.memory, key.at, key_bytes);
}

sluice_status gpu_share_sorted(struct gpu_backend *gpu, struct sluice_grid *g,
                               struct sluice_set *const *sets, int n,
                               struct sluice_sorted *const bin[SLUICE_TYPE_COUNT],
                               struct sluice_sorted *own[SLUICE_TYPE_COUNT])
{
    SLUICE_TRY(open_regions(gpu, g, sets, n));
    for (int s = 0; s < n; s++) {
        struct sluice_set *set = sets[s];
        const int64_t before = set->count;
        if (!set->moves) {
            SLUICE_TRY(share_set(gpu, g, set));
            continue;
        }
        SLUICE_TRY(keep_sorted(gpu, g, set));
        SLUICE_TRY(keep_entries(gpu, set, bin[set->type], before, &own[set->type]));
    }
    return SLUICE_OK;
}

} // namespace SLUICE_GPU
