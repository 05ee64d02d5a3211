/* The sort of the particles: by bin, then by id within the bin. The order is total, so that neither
 * the order of the input nor the number of threads shows in the result; the particles are nearly
 * sorted from the last step, so that memory is walked almost in order.
 *
 *   count of each bin -> first place of each bin (scan) -> order[place] = particle
 *                     -> by id within a bin -> every STATE field
 *
 * Particles that go get a bin after the last, are listed, and dropped. */
#include "kernels/cpu/sort.h"

#include "backend/particle_list.h"
#include "particles/columns.h"

#include <stdlib.h>
#include <string.h>

/* SCAN_BLOCKS: the most blocks of a sum over bins. COUNT_TOGETHER: with this many threads or more,
 * atomic counts by the whole team are faster than plain ones by one thread. PAST_LAST: as many
 * particles past the last one may be read. */
enum {
    SCAN_BLOCKS = 256,
    CLEAR_BLOCK = 1 << 15,
    INSERTION_MOST = 32,
    COUNT_TOGETHER = 4,
    PAST_LAST = 64
};

/* --- The order --- */

/* Bins of every frame in use; the frames' counts are known. */
static sluice_status lay_out(const struct sluice_grid *g, const struct sluice_set *set,
                             struct sluice_bins *bins)
{
    uint64_t total = 0;
    SLUICE_CHECK(set->count < (int64_t)1 << 30, SLUICE_BAD_INPUT,
                 "cpu: %lld particles of one type are more than the %d that a search table holds; "
                 "use a larger spacing",
                 (long long)set->count, 1 << 30);
    for (int slot = 0; slot < bins->frame_count; slot++) {
        struct cpu_frame_bins *f = &bins->frame[slot];
        f->first_bin = (uint32_t)total;
        if (f->count == 0)
            continue;
        int log2[3];
        sluice_grid_level(g, f->global, log2);
        for (int c = 0; c < 3; c++)
            f->log2[c] = (int8_t)log2[c];
        total += (uint64_t)1 << (log2[0] + log2[1] + log2[2]);
    }
    bins->bin_count = (uint32_t)total;
    if ((int64_t)total + 2 > bins->start_capacity) {
        free(bins->start);
        bins->start_capacity = (int64_t)(total + total / 8 + 64);
        bins->start = malloc((size_t)bins->start_capacity * sizeof *bins->start);
        if (!bins->start)
            bins->start_capacity = 0;
    }
    SLUICE_CHECK(bins->start, SLUICE_DEVICE,
                 "cpu: no memory for a search table of %llu bins; use a larger spacing",
                 (unsigned long long)total);
    return SLUICE_OK;
}

/* A sum over bins: a[i] = a[0] + ... + a[i - 1], in blocks. */
struct scan {
    uint32_t *a;
    int64_t n, size;
    uint32_t sum[SCAN_BLOCKS]; /* of each block, then of all before it */
};

static void sum_blocks(struct sluice_share *share, void *data)
{
    struct scan *s = data;
    int64_t first, last;
    while (sluice_share_block(share, s->n, s->size, &first, &last)) {
        uint32_t sum = 0;
        for (int64_t i = first; i < last; i++)
            sum += s->a[i];
        s->sum[first / s->size] = sum;
    }
}

static void scan_blocks(struct sluice_share *share, void *data)
{
    const struct scan *s = data;
    int64_t first, last;
    while (sluice_share_block(share, s->n, s->size, &first, &last)) {
        uint32_t sum = s->sum[first / s->size];
        for (int64_t i = first; i < last; i++) {
            const uint32_t own = s->a[i];
            s->a[i] = sum;
            sum += own;
        }
    }
}

static void scan_exclusive(struct sluice_threads *team, uint32_t *a, int64_t n)
{
    enum { SIZE = 4096 };
    const int64_t share = sluice_blocks(n, SCAN_BLOCKS);
    struct scan s = {.a = a, .n = n, .size = share > SIZE ? share : SIZE};
    const int64_t blocks = sluice_blocks(n, s.size);
    sluice_threads_run(team, blocks, sum_blocks, &s);
    uint32_t before = 0;
    for (int64_t b = 0; b < blocks; b++) {
        const uint32_t sum = s.sum[b];
        s.sum[b] = before;
        before += sum;
    }
    sluice_threads_run(team, blocks, scan_blocks, &s);
}

static void sift_down(uint32_t *order, const sluice_id *id, int64_t root, int64_t n)
{
    for (int64_t child; (child = 2 * root + 1) < n; root = child) {
        if (child + 1 < n && id[order[child]] < id[order[child + 1]])
            child++;
        if (id[order[root]] >= id[order[child]])
            return;
        const uint32_t swap = order[root];
        order[root] = order[child];
        order[child] = swap;
    }
}

/* By insertion; many particles by a heap, which is fast for every order of the input. */
static void sort_by_id(uint32_t *order, const sluice_id *id, int64_t n)
{
    if (n > INSERTION_MOST) {
        for (int64_t root = n / 2 - 1; root >= 0; root--)
            sift_down(order, id, root, n);
        for (int64_t last = n - 1; last > 0; last--) {
            const uint32_t swap = order[0];
            order[0] = order[last];
            order[last] = swap;
            sift_down(order, id, 0, last);
        }
        return;
    }
    for (int64_t i = 1; i < n; i++) {
        const uint32_t moving = order[i];
        int64_t k = i;
        for (; k > 0 && id[order[k - 1]] > id[moving]; k--)
            order[k] = order[k - 1];
        order[k] = moving;
    }
}

/* While particles are ordered, start[k + 1] is the next free place of bin k. */

static void clear_bins(struct sluice_share *share, void *data)
{
    const struct bin_job *job = data;
    struct sluice_bins *bins = job->set->bins;
    int64_t first, last;
    while (sluice_share_block(share, (int64_t)bins->bin_count + 2, CLEAR_BLOCK, &first, &last))
        memset(bins->start + first, 0, (size_t)(last - first) * sizeof *bins->start);
}

static void count_together(struct sluice_share *share, void *data)
{
    const struct bin_job *job = data;
    uint32_t *next = job->set->bins->start + 1;
    int64_t first, last;
    while (sluice_share_block(share, job->set->count, CPU_BLOCK, &first, &last))
        for (int64_t i = first; i < last; i++)
            __atomic_fetch_add(&next[job->key[i]], 1, __ATOMIC_RELAXED);
}

static void place_together(struct sluice_share *share, void *data)
{
    const struct bin_job *job = data;
    uint32_t *next = job->set->bins->start + 1;
    int64_t first, last;
    while (sluice_share_block(share, job->set->count, CPU_BLOCK, &first, &last))
        for (int64_t i = first; i < last; i++)
            job->order[__atomic_fetch_add(&next[job->key[i]], 1, __ATOMIC_RELAXED)] = (uint32_t)i;
}

static void sort_bins(struct sluice_share *share, void *data)
{
    const struct bin_job *job = data;
    const uint32_t *start = job->set->bins->start;
    const sluice_id *id = job->set->field[SLUICE_FIELD_ID];
    int64_t first, last;
    while (sluice_share_block(share, (int64_t)job->set->bins->bin_count + 1, 4 * CPU_BLOCK, &first,
                              &last))
        for (int64_t k = first; k < last; k++)
            if (start[k + 1] > start[k] + 1)
                sort_by_id(job->order + start[k], id, start[k + 1] - start[k]);
}

/* Fills `start` and `order` from the keys. */
static void order_particles(struct sluice_threads *team, struct bin_job *job)
{
    struct sluice_bins *bins = job->set->bins;
    const int64_t n = job->set->count, bin_count = bins->bin_count;
    uint32_t *next = bins->start + 1;
    const int together = sluice_threads_used(team) >= COUNT_TOGETHER && n >= 16 * CPU_BLOCK;
    sluice_threads_run(team, sluice_blocks(bin_count + 2, CLEAR_BLOCK), clear_bins, job);
    if (together)
        sluice_threads_run(team, sluice_blocks(n, CPU_BLOCK), count_together, job);
    for (int64_t i = 0; !together && i < n; i++)
        next[job->key[i]]++;
    scan_exclusive(team, next, bin_count + 1);
    if (together)
        sluice_threads_run(team, sluice_blocks(n, CPU_BLOCK), place_together, job);
    for (int64_t i = 0; !together && i < n; i++)
        job->order[next[job->key[i]]++] = (uint32_t)i;
    sluice_threads_run(team, sluice_blocks(bin_count + 1, 4 * CPU_BLOCK), sort_bins, job);
}

/* --- The fields --- */

#define GATHER(bytes)                                                                              \
    case bytes:                                                                                    \
        for (int64_t i = first; i < last; i++)                                                     \
            memcpy((char *)to + (bytes)*i, (const char *)from + (bytes) * (int64_t)order[i],       \
                   (bytes));                                                                       \
        break

static void gather(void *restrict to, const void *restrict from, const uint32_t *order, int bytes,
                   int64_t first, int64_t last)
{
    switch (bytes) {
        GATHER(1);
        GATHER(4);
        GATHER(8);
        GATHER(12);
        GATHER(16);
        GATHER(24);
        GATHER(32);
    default:
        for (int64_t i = first; i < last; i++)
            memcpy((char *)to + bytes * i, (const char *)from + bytes * (int64_t)order[i],
                   (size_t)bytes);
    }
}

/* A field to its new order. */
struct gathering {
    void *to;
    const void *from;
    const uint32_t *order;
    int64_t n;
    int bytes;
};

static void gather_blocks(struct sluice_share *share, void *data)
{
    const struct gathering *g = data;
    int64_t first, last;
    while (sluice_share_block(share, g->n, 2 * CPU_BLOCK, &first, &last))
        gather(g->to, g->from, g->order, g->bytes, first, last);
}

static void gather_all(struct sluice_threads *team, const struct bin_job *job, void *to,
                       const void *from, int bytes)
{
    struct gathering g = {to, from, job->order, job->set->count, bytes};
    sluice_threads_run(team, sluice_blocks(g.n, 2 * CPU_BLOCK), gather_blocks, &g);
}

/* A set that moves is sorted through the scratch space in its own memory. Vectors read past the
 * last particle, so zeros are written there. */
static void move_fields(struct sluice_threads *team, const struct bin_job *job)
{
    struct sluice_set *set = job->set;
    struct sluice_move move[SLUICE_FIELD_COUNT];
    const int moves = sluice_columns_plan(set, move);
    for (int k = 0; k < moves; k++)
        gather_all(team, job, move[k].to, move[k].from, SLUICE_COLUMN_BYTES * move[k].columns);
    sluice_columns_moved(set, move, moves);
    const int64_t spare = set->capacity - set->count, past = spare < PAST_LAST ? spare : PAST_LAST;
    for (int f = 0; f < SLUICE_FIELD_COUNT; f++) {
        const int64_t bytes = sluice_set_field_bytes(set, (enum sluice_field)f);
        if (set->field[f] && f != SLUICE_FIELD_EOS)
            memset((char *)set->field[f] + set->count * bytes, 0, (size_t)(past * bytes));
    }
}

/* A set at rest: each field into borrowed memory and back. */
static sluice_status shuffle_fields(struct sluice_threads *team, const struct bin_job *job)
{
    struct sluice_set *set = job->set;
    const int64_t largest = SLUICE_COLUMN_BYTES * sluice_columns_of(set).largest;
    void *borrowed = malloc((size_t)(set->count * largest + 1));
    SLUICE_CHECK(borrowed, SLUICE_DEVICE,
                 "cpu: no memory for %lld bytes to sort with; use a larger spacing",
                 (long long)(set->count * largest));
    for (int f = 0; f < SLUICE_FIELD_COUNT; f++) {
        const int bytes = (int)sluice_set_field_bytes(set, (enum sluice_field)f);
        if (!set->field[f] || sluice_field_table[f].life != SLUICE_LIFE_STATE)
            continue;
        gather_all(team, job, borrowed, set->field[f], bytes);
        memcpy(set->field[f], borrowed, (size_t)(set->count * bytes));
    }
    free(borrowed);
    return SLUICE_OK;
}

/* The marks of own particles; lists of particles no longer hold. */
static void move_marks(struct sluice_threads *team, struct sluice_domain *d,
                       const struct bin_job *job)
{
    struct sluice_shared_set *shared = &d->set[job->set->type];
    uint8_t *const from = shared->own;
    shared->own = shared->other;
    shared->other = from;
    job->set->own = shared->own;
    shared->listed = 0;
    gather_all(team, job, shared->own, from, 1);
}

/* --- The operation --- */

int cpu_scratch_columns(const struct sluice_set *set)
{
    return set->moves ? sluice_columns_of(set).largest : 0;
}

/* A set that moves has its order in the first columns and its keys in the scratch space; one at
 * rest is sorted once, in memory borrowed for that. */
static sluice_status open_job(const struct sluice_grid *g, struct bin_job *job,
                              struct sluice_set *set)
{
    const int first = !set->bins || set->bins->version != g->version;
    memset(job, 0, sizeof *job);
    job->set = set; /* NOLINT(clang-analyzer-unix.Malloc): a new job holds nothing */
    job->sorts = first || set->moves;
    if (!set->bins)
        set->bins = calloc(1, sizeof *set->bins);
    if (job->sorts && set->moves) {
        job->key = sluice_columns_scratch(set, 0);
        job->order = set->memory;
    } else if (job->sorts) {
        job->key = malloc((size_t)(set->count + 1) * sizeof *job->key);
        job->order = malloc((size_t)(set->count + 1) * sizeof *job->order);
    }
    SLUICE_CHECK(set->bins && (!job->sorts || (job->key && job->order)), SLUICE_DEVICE,
                 "cpu: no memory to sort %lld particles; use a larger spacing",
                 (long long)set->count);
    return SLUICE_OK;
}

static void close_job(struct bin_job *job)
{
    struct sluice_bins *bins = job->set->bins;
    if (!job->set->moves) {
        free(job->key);
        free(job->order);
    }
    if (bins)
        job->set->bins_bytes = (int64_t)sizeof *bins +
                               bins->frame_capacity * (int64_t)sizeof *bins->frame +
                               bins->start_capacity * (int64_t)sizeof *bins->start;
}

static sluice_status sort_set(const struct cpu_backend *cpu, struct sluice_domain *d,
                              const struct sluice_grid *g, struct bin_job *job,
                              struct sluice_particle_list *gone)
{
    struct sluice_set *set = job->set;
    SLUICE_TRY(lay_out(g, set, set->bins));
    cpu->variant->keys(cpu->team, g, set, set->bins, job->key);
    order_particles(cpu->team, job);
    if (d)
        move_marks(cpu->team, d, job);
    if (set->moves)
        move_fields(cpu->team, job);
    else
        SLUICE_TRY(shuffle_fields(cpu->team, job));
    const int64_t left = set->bins->start[set->bins->bin_count];
    SLUICE_TRY(sluice_particle_list_read(gone, g, set, left, set->count));
    set->count = left;
    return SLUICE_OK;
}

sluice_status cpu_bin(struct sluice_backend *b, struct sluice_grid *g,
                      struct sluice_set *const *sets, int n,
                      const struct sluice_particle_list *born, struct sluice_particle_list *gone)
{
    struct cpu_backend *cpu = b->data;
    struct bin_job job[SLUICE_TYPE_COUNT];
    sluice_status status = SLUICE_OK;
    int opened = 0;
    SLUICE_CHECK(n <= SLUICE_TYPE_COUNT, SLUICE_BAD_INPUT, "bin: %d sets, at most %d can be sorted",
                 n, (int)SLUICE_TYPE_COUNT);
    gone->count = 0;
    if (born)
        SLUICE_TRY(cpu_take_births(b, g, sets, n, born));
    if (b->domain)
        SLUICE_TRY(cpu_share(b, g, sets, n));
    while (opened < n && status == SLUICE_OK) {
        status = open_job(g, &job[opened], sets[opened]);
        opened++;
    }
    if (status == SLUICE_OK)
        status = cpu_bin_frames(cpu, b->domain, g, job, n);
    for (int s = 0; s < n && status == SLUICE_OK; s++)
        if (job[s].sorts)
            status = sort_set(cpu, b->domain, g, &job[s], gone);
    if (b->domain)
        b->pending.gone = gone;
    for (int s = 0; s < opened; s++)
        close_job(&job[s]);
    return status;
}
