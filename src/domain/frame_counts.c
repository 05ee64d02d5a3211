#include "domain/frame_counts.h"

#include <stdlib.h>
#include <string.h>

#include "core/allocate.h"
#include "core/hash.h"

enum { FIRST_SLOTS = 1024 };

static int is_free(const struct sluice_frame_count *slot)
{
    int64_t all = 0;
    for (int t = 0; t < SLUICE_TYPE_COUNT; t++)
        all += slot->particles[t];
    return all == 0;
}

/* The slot of a frame, or the free one where it would stand. */
static struct sluice_frame_count *find_slot(const struct sluice_frame_counts *c,
                                            const int32_t frame[3])
{
    const uint64_t last = (uint64_t)c->slots - 1;
    uint64_t h = 0;
    for (int a = 0; a < 3; a++)
        h = sluice_mix(h + (uint64_t)(int64_t)frame[a] + SLUICE_MIX_STEP);
    while (!is_free(&c->slot[h & last]) &&
           memcmp(c->slot[h & last].frame, frame, 3 * sizeof *frame) != 0)
        h++;
    return &c->slot[h & last];
}

/* Twice the slots. */
static sluice_status grow(struct sluice_frame_counts *c)
{
    struct sluice_frame_counts larger = {.slots = c->slots ? 2 * c->slots : FIRST_SLOTS};
    SLUICE_ALLOCATE(larger.slot, larger.slots, "frames of particles");
    for (int64_t k = 0; k < c->slots; k++)
        if (!is_free(&c->slot[k]))
            *find_slot(&larger, c->slot[k].frame) = c->slot[k];
    free(c->slot);
    c->slot = larger.slot;
    c->slots = larger.slots;
    return SLUICE_OK;
}

/* The slot of a frame to which particles are added. */
static sluice_status take_slot(struct sluice_frame_counts *c, const int32_t frame[3],
                               struct sluice_frame_count **slot)
{
    if (4 * (c->used + 1) > 3 * c->slots)
        SLUICE_TRY(grow(c));
    *slot = find_slot(c, frame);
    c->used += is_free(*slot);
    memcpy((*slot)->frame, frame, sizeof(*slot)->frame);
    return SLUICE_OK;
}

/* Particles that follow one another mostly lie in one frame, which is looked up once. */
sluice_status sluice_frame_counts_add(struct sluice_frame_counts *c, enum sluice_type type,
                                      const struct sluice_place *place, int64_t n)
{
    struct sluice_frame_count *slot;
    for (int64_t first = 0, i = 0; first < n; first = i) {
        while (i < n && memcmp(place[i].frame, place[first].frame, sizeof place->frame) == 0)
            i++;
        SLUICE_TRY(take_slot(c, place[first].frame, &slot));
        slot->particles[type] += i - first;
    }
    return SLUICE_OK;
}

sluice_status sluice_frame_counts_join(struct sluice_frame_counts *c,
                                       const struct sluice_frame_count *frame, int64_t n)
{
    struct sluice_frame_count *slot;
    for (int64_t k = 0; k < n; k++) {
        if (is_free(&frame[k]))
            continue;
        SLUICE_TRY(take_slot(c, frame[k].frame, &slot));
        for (int t = 0; t < SLUICE_TYPE_COUNT; t++)
            slot->particles[t] += frame[k].particles[t];
    }
    return SLUICE_OK;
}

void sluice_frame_counts_destroy(struct sluice_frame_counts *c)
{
    free(c->slot);
    memset(c, 0, sizeof *c);
}

sluice_status sluice_frame_counts_list(const struct sluice_frame_counts *c, int32_t (**frame)[3])
{
    int64_t n = 0;
    SLUICE_ALLOCATE(*frame, c->used, "frames of particles");
    for (int64_t k = 0; k < c->slots; k++)
        if (!is_free(&c->slot[k]))
            memcpy((*frame)[n++], c->slot[k].frame, sizeof **frame);
    return SLUICE_OK;
}

sluice_status sluice_frame_counts_set(const struct sluice_frame_counts *c, struct sluice_grid *grid)
{
    int32_t(*frame)[3];
    SLUICE_TRY(sluice_frame_counts_list(c, &frame));
    const sluice_status status = sluice_grid_set_frames(grid, (const int32_t(*)[3])frame, c->used);
    free(frame);
    return status;
}
