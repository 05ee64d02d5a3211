/* The table of frames that hold particles, and the renumbering of slots when it changes. */
#include <stdlib.h>
#include <string.h>

#include "kernels/cpu/sort.h"

static sluice_status reserve_frames(struct sluice_bins *bins, int64_t frames)
{
    if (frames <= bins->frame_capacity)
        return SLUICE_OK;
    const int64_t capacity = frames + frames / 4 + 8;
    struct cpu_frame_bins *frame = realloc(bins->frame, (size_t)capacity * sizeof *frame);
    SLUICE_CHECK(frame, SLUICE_DEVICE, "cpu: no memory for a table of %lld frames",
                 (long long)frames);
    bins->frame = frame;
    bins->frame_capacity = capacity;
    return SLUICE_OK;
}

/* A count of the particles of each frame. */
struct frame_count {
    const struct bin_job *job;
    struct cpu_frame_bins *frame;
    uint8_t *used;
};

/* Counts runs of particles of one frame, so that threads seldom update the same count. */
static void count_frames(struct sluice_share *share, void *data)
{
    const struct frame_count *c = data;
    const uint32_t *slot = c->job->set->field[SLUICE_FIELD_FRAME], *key = c->job->key;
    const uint8_t *own = c->job->set->own;
    int64_t first, last;
    while (sluice_share_block(share, c->job->set->count, 4 * CPU_BLOCK, &first, &last))
        for (int64_t i = first, next; i < last; i = next) {
            uint32_t halo = 0;
            for (next = i; next < last && key[next] == key[i] && slot[next] == slot[i]; next++)
                halo += own && !own[next];
            const uint32_t count = (uint32_t)(next - i);
            if (key[i] == CPU_KEY_GONE) { /* its frame must stay in the table until it is listed */
                __atomic_store_n(&c->used[slot[i]], 1, __ATOMIC_RELAXED);
                continue;
            }
            __atomic_fetch_add(&c->frame[slot[i]].count, count, __ATOMIC_RELAXED);
            __atomic_fetch_add(&c->frame[slot[i]].global, count - halo, __ATOMIC_RELAXED);
        }
}

/* New numbers of the slots, for the particles of a set. */
struct renumbering {
    uint32_t *slot;
    int64_t n;
    const int32_t *new_slot;
};

static void renumber_blocks(struct sluice_share *share, void *data)
{
    const struct renumbering *r = data;
    int64_t first, last;
    while (sluice_share_block(share, r->n, 4 * CPU_BLOCK, &first, &last))
        for (int64_t i = first; i < last; i++)
            r->slot[i] = (uint32_t)r->new_slot[r->slot[i]];
}

void cpu_renumber_particles(struct sluice_threads *team, struct sluice_set *set,
                            const int32_t *new_slot)
{
    struct renumbering r = {set->field[SLUICE_FIELD_FRAME], set->count, new_slot};
    sluice_threads_run(team, sluice_blocks(r.n, 4 * CPU_BLOCK), renumber_blocks, &r);
}

/* Moves the records of frames to their new slots. */
static sluice_status renumber_bins(struct sluice_bins *bins, const int32_t *new_slot, int old_count,
                                   int new_count)
{
    struct cpu_frame_bins *frame = calloc((size_t)new_count + 1, sizeof *frame);
    SLUICE_CHECK(frame, SLUICE_DEVICE, "cpu: no memory for a table of %d frames", new_count);
    for (int slot = 0; slot < old_count; slot++)
        if (bins->frame[slot].global > 0)
            frame[new_slot[slot]] = bins->frame[slot];
    free(bins->frame);
    bins->frame = frame;
    bins->frame_capacity = new_count + 1;
    return SLUICE_OK;
}

/* Makes the used frames and their neighbours the grid's table. new_slot: work memory. */
static sluice_status rebuild(struct sluice_threads *team, struct sluice_grid *g,
                             struct bin_job *job, int n, const uint8_t *used, int32_t *new_slot)
{
    const int old_count = g->frame_count;
    SLUICE_TRY(sluice_grid_keep_frames(g, used, new_slot));
    for (int s = 0; s < n; s++) {
        cpu_renumber_particles(team, job[s].set, new_slot);
        SLUICE_TRY(renumber_bins(job[s].set->bins, new_slot, old_count, g->frame_count));
    }
    return SLUICE_OK;
}

/* Makes the global counts out of this rank's. */
static sluice_status count_global(struct sluice_domain *d, const struct sluice_grid *g,
                                  struct bin_job *job, int n, uint8_t *used)
{
    if (d)
        SLUICE_TRY(cpu_add_frames(d, g, job, n, used));
    for (int s = 0; s < n; s++)
        for (int slot = 0; slot < g->frame_count; slot++)
            used[slot] |= job[s].set->bins->frame[slot].global > 0;
    return SLUICE_OK;
}

sluice_status cpu_bin_frames(struct cpu_backend *cpu, struct sluice_domain *d,
                             struct sluice_grid *g, struct bin_job *job, int n)
{
    const size_t frames = (size_t)g->frame_count;
    int changed = 0;
    SLUICE_TRY(cpu_scratch_reserve(&cpu->sort, frames * (sizeof(int32_t) + 2) + 1));
    int32_t *new_slot = cpu->sort.memory;
    uint8_t *was = (uint8_t *)(new_slot + frames), *used = was + frames;
    memset(was, 0, 2 * frames);

    for (int s = 0; s < n; s++) {
        struct sluice_bins *bins = job[s].set->bins;
        const int known = bins->version == g->version && bins->frame_count == g->frame_count;
        changed |= !known;
        for (size_t slot = 0; known && slot < frames; slot++)
            was[slot] |= bins->frame[slot].global > 0;
        if (job[s].sorts) {
            SLUICE_TRY(reserve_frames(bins, g->frame_count));
            if (frames > 0)
                memset(bins->frame, 0, frames * sizeof *bins->frame);
            cpu->variant->locate(cpu->team, g, job[s].set, job[s].key);
            struct frame_count count = {&job[s], bins->frame, used};
            sluice_threads_run(cpu->team, sluice_blocks(job[s].set->count, 4 * CPU_BLOCK),
                               count_frames, &count);
        }
    }
    SLUICE_TRY(count_global(d, g, job, n, used));
    if (changed || memcmp(was, used, frames) != 0)
        SLUICE_TRY(rebuild(cpu->team, g, job, n, used, new_slot));
    for (int s = 0; s < n; s++) {
        job[s].set->bins->frame_count = g->frame_count;
        job[s].set->bins->version = g->version;
    }
    return SLUICE_OK;
}
