/* The parts of the forces on mixed walls: each thread takes some walls and keeps their parts; the
 * parts then follow one another in the order of the walls. */
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "core/allocate.h"
#include "probes/split_force.h"

enum { WALLS_A_TIME = 8 };

static int64_t first_from(const struct sluice_near *near, double x)
{
    int64_t low = 0, high = near->count;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (near->entry[middle].x[0] < x)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static sluice_status add_partner(struct sluice_split_buffer *b, int *count,
                                 const struct sluice_reaction_partner *partner, int group)
{
    if (*count == b->partner_capacity) {
        const size_t larger = 2 * (size_t)b->partner_capacity + 256;
        void *more = realloc(b->partner, larger * sizeof *b->partner);
        SLUICE_CHECK(more, SLUICE_DEVICE, "no memory for %zu particles near walls", larger);
        b->partner = more;
        more = realloc(b->whose, larger * sizeof *b->whose);
        SLUICE_CHECK(more, SLUICE_DEVICE, "no memory for %zu particles near walls", larger);
        b->whose = more;
        b->partner_capacity = (int)larger;
    }
    b->partner[*count] = *partner;
    b->whose[(*count)++] = group;
    return SLUICE_OK;
}

/* Adds one fluid particle that touches another group first. */
static sluice_status meet(const struct sluice_force_split *s, const struct sluice_mixed_wall *w,
                          int64_t n, const double d[3], double r, struct sluice_split_buffer *b,
                          int *count)
{
    const struct sluice_wall_near *ahead = &s->ahead[n];
    struct sluice_reaction_partner partner = {s->near.entry[n].particle, {d[0], d[1], d[2]}, 1};
    int group[2], others = 0;
    for (int k = 0; k < 2; k++)
        others |= ahead->group[k] >= 0 && ahead->group[k] != w->group && ahead->distance[k] < r;
    if (!others)
        return SLUICE_OK;
    group[0] = sluice_wall_surfaces_first(&s->surfaces, s->near.entry[n].x, ahead, d, &group[1]);
    partner.fraction = group[1] >= 0 ? 0.5 : 1;
    for (int k = 0; k < 2; k++)
        if (group[k] >= 0 && group[k] != w->group)
            SLUICE_TRY(add_partner(b, count, &partner, group[k]));
    return SLUICE_OK;
}

static sluice_status add_part(struct sluice_split_buffer *b, int64_t wall, int group, double sign,
                              const double force[3])
{
    SLUICE_GROW(b->part, b->parts, b->capacity, "parts of forces");
    b->part[b->parts++] = (struct sluice_force_part){
        wall, group, {sign * force[0], sign * force[1], sign * force[2]}};
    return SLUICE_OK;
}

/* Sums the partners of wall particle k of the list, group by group. */
static sluice_status sum_partners(const struct sluice_force_split *s, int64_t k,
                                  struct sluice_split_buffer *b, int count)
{
    const struct wcsph_reaction_params params = {
        s->setup->physics.wcsph, !sluice_config_walls_have(s->setup->config, SLUICE_WALL_IN_PAIRS)};
    const struct sluice_mixed_wall *w = &s->list[k];
    for (int first = 0; first < count;) { /* those of a group come to the front */
        const int group = b->whose[first];
        int end = first;
        for (int n = first; n < count; n++)
            if (b->whose[n] == group) {
                const struct sluice_reaction_partner other = b->partner[end];
                b->partner[end] = b->partner[n];
                b->partner[n] = other;
                b->whose[n] = b->whose[end];
                b->whose[end++] = group;
            }
        double force[3];
        sluice_reaction_sum(&params, &s->walls, k, &s->water, b->partner + first, end - first,
                            force);
        SLUICE_TRY(add_part(b, w->wall, group, 1, force));
        SLUICE_TRY(add_part(b, w->wall, w->group, -1, force));
        first = end;
    }
    return SLUICE_OK;
}

static sluice_status split_one(const struct sluice_force_split *s, int64_t k,
                               struct sluice_split_buffer *b)
{
    const struct sluice_mixed_wall *w = &s->list[k];
    const double reach = s->setup->cutoff;
    int count = 0;
    for (int64_t n = first_from(&s->near, w->x[0] - reach);
         n < s->near.count && s->near.entry[n].x[0] <= w->x[0] + reach; n++) {
        const double *x = s->near.entry[n].x,
                     d[3] = {w->x[0] - x[0], w->x[1] - x[1], w->x[2] - x[2]},
                     r = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
        if (r < reach)
            SLUICE_TRY(meet(s, w, n, d, r, b, &count));
    }
    return sum_partners(s, k, b, count);
}

struct work {
    struct sluice_force_split *s;
    atomic_int thread, failed;
};

static void split_some(struct sluice_share *share, void *data)
{
    struct work *work = data;
    struct sluice_force_split *s = work->s;
    const int thread = atomic_fetch_add(&work->thread, 1);
    struct sluice_split_buffer *b = &s->buffer[thread];
    int64_t k, end;
    while (sluice_share_block(share, s->count, WALLS_A_TIME, &k, &end))
        for (; k < end; k++) {
            struct sluice_mixed_wall *w = &s->list[k];
            w->buffer = thread;
            w->first = b->parts;
            if (split_one(s, k, b) != SLUICE_OK)
                atomic_store(&work->failed, 1);
            w->parts = b->parts - w->first;
        }
}

static sluice_status make_buffers(struct sluice_force_split *s, int threads)
{
    if (s->buffers < threads) {
        sluice_force_split_destroy_buffers(s);
        SLUICE_ALLOCATE(s->buffer, threads, "threads");
        s->buffers = threads;
    }
    for (int i = 0; i < s->buffers; i++)
        s->buffer[i].parts = 0;
    return SLUICE_OK;
}

void sluice_force_split_destroy_buffers(struct sluice_force_split *s)
{
    for (int i = 0; i < s->buffers; i++) {
        free(s->buffer[i].partner);
        free(s->buffer[i].whose);
        free(s->buffer[i].part);
    }
    free(s->buffer);
    s->buffer = NULL;
    s->buffers = 0;
}

sluice_status sluice_force_split_sum(struct sluice_force_split *s, struct sluice_threads *team)
{
    struct work work = {.s = s};
    SLUICE_TRY(make_buffers(s, sluice_threads_count(team)));
    sluice_threads_run(team, sluice_blocks(s->count, WALLS_A_TIME), split_some, &work);
    SLUICE_CHECK(!work.failed, SLUICE_DEVICE, "no memory for particles near walls");
    for (int64_t k = 0; k < s->count; k++) {
        const struct sluice_mixed_wall *w = &s->list[k];
        for (int64_t i = 0; i < w->parts; i++) {
            SLUICE_GROW(s->part, s->parts, s->part_capacity, "parts of forces");
            s->part[s->parts++] = s->buffer[w->buffer].part[w->first + i];
        }
    }
    return SLUICE_OK;
}
