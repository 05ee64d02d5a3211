#include "fit/cell_map.h"

#include <stdlib.h>
#include <string.h>

#include "core/allocate.h"
#include "core/hash.h"

void sluice_cell_map_destroy(struct sluice_cell_map *m)
{
    free(m->cell);
    free(m->slot);
    memset(m, 0, sizeof *m);
}

/* The slot of a cell, or the empty one where it would be. */
static int64_t *slot_of(const struct sluice_cell_map *m, const int64_t cell[3])
{
    /* Odd multipliers: neighbouring cells get different sums. */
    uint64_t h = sluice_mix((uint64_t)cell[0] * SLUICE_MIX_STEP +
                            (uint64_t)cell[1] * UINT64_C(0xc2b2ae3d27d4eb4f) +
                            (uint64_t)cell[2] * UINT64_C(0x165667b19e3779f9));
    for (;; h++) {
        int64_t *slot = &m->slot[h & m->mask];
        if (!*slot || memcmp(m->cell[*slot - 1], cell, sizeof m->cell[0]) == 0)
            return slot;
    }
}

int64_t sluice_cell_map_find(const struct sluice_cell_map *m, const int64_t cell[3])
{
    return m->count ? *slot_of(m, cell) - 1 : -1;
}

/* Grows the table in steps that double it; at least half of the slots stay empty. */
static sluice_status grow(struct sluice_cell_map *m)
{
    SLUICE_GROW(m->cell, m->count, m->capacity, "cells at fitted walls");
    if (m->slot && 2 * (uint64_t)m->capacity <= m->mask + 1)
        return SLUICE_OK;
    uint64_t slots = 64;
    while (slots < 2 * (uint64_t)m->capacity)
        slots *= 2;
    free(m->slot);
    SLUICE_ALLOCATE(m->slot, slots, "cells at fitted walls");
    m->mask = slots - 1;
    for (int64_t i = 0; i < m->count; i++)
        *slot_of(m, m->cell[i]) = i + 1;
    return SLUICE_OK;
}

sluice_status sluice_cell_map_add(struct sluice_cell_map *m, const int64_t cell[3])
{
    SLUICE_TRY(grow(m));
    memcpy(m->cell[m->count], cell, sizeof m->cell[0]);
    *slot_of(m, cell) = m->count + 1;
    m->count++;
    return SLUICE_OK;
}
