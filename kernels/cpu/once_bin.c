/* The sort of the particles: by bin, then by id within the bin. The order is total, so that neither
 * the order of the input nor the number of threads shows in the result; the particles are nearly
 * sorted from the last step, so that memory is walked almost in order.
 *
 *   count of each bin -> first place of each bin (scan) -> order[place] = particle
 *                     -> by id within a bin -> every STATE field
 *
 * What left the domain goes to a bin after the last, is listed and dropped. */
#include "kernels/cpu/once_bin.h"

#include "kernels/removed.h"

#include "particles/columns.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 4096, INSERTION_MOST = 32 };

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
        sluice_grid_level(g, f->count, log2);
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

/* a[i] = a[0] + ... + a[i - 1]; in parallel over blocks of fixed bounds. */
static void scan_exclusive(uint32_t *a, int64_t n)
{
    uint32_t block_sum[256];
    const int64_t size = (n + 255) / 256 > BLOCK ? (n + 255) / 256 : BLOCK,
                  blocks = (n + size - 1) / size;
#pragma omp parallel for schedule(static) if (n >= CPU_ALONE_BELOW)
    for (int64_t b = 0; b < blocks; b++) {
        uint32_t sum = 0;
        for (int64_t i = b * size; i < n && i < (b + 1) * size; i++)
            sum += a[i];
        block_sum[b] = sum;
    }
    uint32_t before = 0;
    for (int64_t b = 0; b < blocks; b++) {
        const uint32_t sum = block_sum[b];
        block_sum[b] = before;
        before += sum;
    }
#pragma omp parallel for schedule(static) if (n >= CPU_ALONE_BELOW)
    for (int64_t b = 0; b < blocks; b++) {
        uint32_t sum = block_sum[b];
        for (int64_t i = b * size; i < n && i < (b + 1) * size; i++) {
            const uint32_t own = a[i];
            a[i] = sum;
            sum += own;
        }
    }
}

static void sift_down(uint32_t *order, const uint32_t *id, int64_t root, int64_t n)
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

/* A few by insertion; a crowd by a heap, which no order of the input makes slow. */
static void sort_by_id(uint32_t *order, const uint32_t *id, int64_t n)
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

/* Fills `start` and `order` from the keys. While it runs, start[k + 1] is the next free place of
 * bin k. */
static void order_particles(const struct bin_job *job)
{
    struct sluice_bins *bins = job->set->bins;
    const int64_t n = job->set->count, bin_count = bins->bin_count;
    const uint32_t *key = job->key, *id = job->set->field[SLUICE_FIELD_ID];
    uint32_t *start = bins->start, *next = bins->start + 1, *order = job->order;
    const int alone = omp_get_max_threads() == 1 || n < CPU_ALONE_BELOW;

#pragma omp parallel for schedule(static) if (!alone)
    for (int64_t k = 0; k < bin_count + 2; k++)
        start[k] = 0;
    if (alone) {
        for (int64_t i = 0; i < n; i++)
            next[key[i]]++;
    } else {
#pragma omp parallel for schedule(static)
        for (int64_t i = 0; i < n; i++)
            __atomic_fetch_add(&next[key[i]], 1, __ATOMIC_RELAXED);
    }
    scan_exclusive(next, bin_count + 1);
    if (alone) {
        for (int64_t i = 0; i < n; i++)
            order[next[key[i]]++] = (uint32_t)i;
    } else {
#pragma omp parallel for schedule(static)
        for (int64_t i = 0; i < n; i++)
            order[__atomic_fetch_add(&next[key[i]], 1, __ATOMIC_RELAXED)] = (uint32_t)i;
    }
#pragma omp parallel for schedule(dynamic, BLOCK) if (!alone)
    for (int64_t k = 0; k <= bin_count; k++)
        if (start[k + 1] > start[k] + 1)
            sort_by_id(order + start[k], id, start[k + 1] - start[k]);
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

static void gather_all(const struct sluice_set *set, void *to, const void *from,
                       const uint32_t *order, int bytes)
{
    const int64_t n = set->count;
#pragma omp parallel for schedule(static) if (n >= CPU_ALONE_BELOW)
    for (int64_t b = 0; b < (n + BLOCK - 1) / BLOCK; b++)
        gather(to, from, order, bytes, b * BLOCK, (b + 1) * BLOCK < n ? (b + 1) * BLOCK : n);
}

/* A set that moves: through the room in its own memory. What stands behind the last particle a
 * vector may read: zeros. */
static void move_fields(const struct bin_job *job)
{
    struct sluice_set *set = job->set;
    struct sluice_move move[SLUICE_FIELD_COUNT];
    const int moves = sluice_columns_plan(set, move);
    for (int k = 0; k < moves; k++)
        gather_all(set, move[k].to, move[k].from, job->order,
                   SLUICE_COLUMN_BYTES * move[k].columns);
    sluice_columns_moved(set, move, moves);
    for (int f = 0; f < SLUICE_FIELD_COUNT; f++) {
        const int64_t bytes = sluice_set_field_bytes(set, (enum sluice_field)f);
        if (set->field[f] && f != SLUICE_FIELD_EOS)
            memset((char *)set->field[f] + set->count * bytes, 0,
                   (size_t)((set->capacity - set->count) * bytes));
    }
}

/* A set at rest: there and back, through borrowed memory. */
static sluice_status shuffle_fields(const struct bin_job *job)
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
        gather_all(set, borrowed, set->field[f], job->order, bytes);
        memcpy(set->field[f], borrowed, (size_t)(set->count * bytes));
    }
    free(borrowed);
    return SLUICE_OK;
}

/* --- The operation --- */

void cpu_bins_destroy(struct sluice_bins **bins)
{
    if (!*bins)
        return;
    free((*bins)->frame);
    free((*bins)->start);
    free(*bins);
    *bins = NULL;
}

int cpu_room(const struct sluice_set *set)
{
    return set->moves ? sluice_columns_of(set).largest : 0;
}

/* A set that moves has its order in the first columns and its keys in the room; one at rest is
 * sorted once, in memory borrowed for that. */
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
        job->key = sluice_columns_room(set, 0);
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

static sluice_status sort_set(const struct cpu_backend *cpu, const struct sluice_grid *g,
                              struct bin_job *job, struct sluice_removed *removed)
{
    struct sluice_set *set = job->set;
    SLUICE_TRY(lay_out(g, set, set->bins));
    cpu->leaf->keys(g, set, set->bins, job->key);
    order_particles(job);
    if (set->moves)
        move_fields(job);
    else
        SLUICE_TRY(shuffle_fields(job));
    const int64_t left = set->bins->start[set->bins->bin_count];
    SLUICE_TRY(sluice_removed_add(removed, g, set, left, set->count));
    set->count = left;
    return SLUICE_OK;
}

sluice_status cpu_bin(struct sluice_backend *b, struct sluice_grid *g,
                      struct sluice_set *const *sets, int n, struct sluice_removed *removed)
{
    struct cpu_backend *cpu = b->data;
    struct bin_job job[SLUICE_TYPE_COUNT];
    sluice_status status = SLUICE_OK;
    int opened = 0;
    SLUICE_CHECK(n <= SLUICE_TYPE_COUNT, SLUICE_BAD_INPUT, "bin: %d sets, at most %d can be sorted",
                 n, (int)SLUICE_TYPE_COUNT);
    removed->count = 0;
    while (opened < n && status == SLUICE_OK) {
        status = open_job(g, &job[opened], sets[opened]);
        opened++;
    }
    if (status == SLUICE_OK)
        status = cpu_bin_frames(cpu, g, job, n);
    for (int s = 0; s < n && status == SLUICE_OK; s++)
        if (job[s].sorts)
            status = sort_set(cpu, g, &job[s], removed);
    for (int s = 0; s < opened; s++)
        close_job(&job[s]);
    return status;
}
