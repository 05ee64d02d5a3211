#include "snapshots/particle_copy.h"

#include <stdlib.h>
#include <string.h>

static size_t padded(size_t bytes)
{
    return (bytes + 63) / 64 * 64;
}

static int is_wanted(const struct sluice_set *set, enum sluice_field field, int densities)
{
    if (!set->field[field] || set->count == 0)
        return 0;
    switch (field) {
    case SLUICE_FIELD_POSITION:
    case SLUICE_FIELD_FRAME:
    case SLUICE_FIELD_VELOCITY:
    case SLUICE_FIELD_ID:
        return 1;
    case SLUICE_FIELD_DENSITY:
        return densities;
    case SLUICE_FIELD_EOS:
        return densities && !set->field[SLUICE_FIELD_DENSITY];
    default:
        return 0;
    }
}

static size_t bytes_of(const struct sluice_set *set, enum sluice_field field)
{
    return (size_t)set->count * (size_t)sluice_set_field_bytes(set, field);
}

static sluice_status reserve(struct sluice_particle_copy *copy, size_t bytes)
{
    if (bytes <= copy->bytes)
        return SLUICE_OK;
    free(copy->memory);
    copy->bytes = 0;
    copy->memory = aligned_alloc(64, bytes);
    SLUICE_CHECK(copy->memory, SLUICE_DEVICE, "no memory for the output's copy of %.1f MB",
                 1e-6 * (double)bytes);
    copy->bytes = bytes;
    return SLUICE_OK;
}

static sluice_status take_set(struct sluice_copied_set *to, struct sluice_backend *b,
                              const struct sluice_set *set, int densities, char **at)
{
    memset(to, 0, sizeof *to);
    to->type = set->type;
    to->count = set->count;
    for (int f = 0; f < SLUICE_FIELD_COUNT; f++) {
        const enum sluice_field field = (enum sluice_field)f;
        if (!is_wanted(set, field, densities))
            continue;
        SLUICE_TRY(b->ops->download(b, *at, set->field[f], bytes_of(set, field)));
        to->field[f] = *at;
        *at += padded(bytes_of(set, field));
    }
    return SLUICE_OK;
}

sluice_status sluice_particle_copy_take(struct sluice_particle_copy *copy, struct sluice_backend *b,
                                        const struct sluice_grid *g, struct sluice_set *const *sets,
                                        int n, int densities)
{
    SLUICE_CHECK(n <= SLUICE_TYPE_COUNT, SLUICE_DEVICE, "internal: %d sets to copy, there are %d",
                 n, (int)SLUICE_TYPE_COUNT);
    SLUICE_TRY(b->ops->sync(b)); /* takes particles that left the domain off the counts */
    const size_t frames = (size_t)g->frame_count * sizeof *g->frame;
    size_t bytes = padded(frames + 1);
    for (int s = 0; s < n; s++)
        for (int f = 0; f < SLUICE_FIELD_COUNT; f++)
            if (is_wanted(sets[s], (enum sluice_field)f, densities))
                bytes += padded(bytes_of(sets[s], (enum sluice_field)f));
    SLUICE_TRY(reserve(copy, bytes));
    copy->dimension = g->dimension;
    copy->real_bytes = b->real_bytes;
    copy->set_count = n;
    copy->grid = *g;
    copy->grid.frame = copy->memory;
    copy->grid.neighbour = NULL;
    if (frames)
        memcpy(copy->memory, g->frame, frames);
    char *at = (char *)copy->memory + padded(frames + 1);
    for (int s = 0; s < n; s++)
        SLUICE_TRY(take_set(&copy->set[s], b, sets[s], densities, &at));
    return SLUICE_OK;
}

void sluice_particle_copy_destroy(struct sluice_particle_copy *copy)
{
    free(copy->memory);
    memset(copy, 0, sizeof *copy);
}
