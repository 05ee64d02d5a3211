/* Particles that come into the fluid, before the sort: behind the last one. */
#include <stdlib.h>

#include "backend/particle_list.h"
#include "kernels/cpu/sort.h"

/* Gives the particles of all sets the slots of a table with more frames. */
static void renumber(const struct sluice_grid *g, struct sluice_set *const *sets, int n,
                     const int32_t (*before)[3])
{
    for (int s = 0; s < n; s++) {
        uint32_t *slot = sets[s]->field[SLUICE_FIELD_FRAME];
        for (int64_t i = 0; i < sets[s]->count; i++)
            slot[i] = (uint32_t)sluice_grid_find_frame(g, before[slot[i]]);
    }
}

static sluice_status add_frames(struct sluice_grid *g, struct sluice_set *const *sets, int n,
                                const struct sluice_particle_list *born)
{
    int32_t(*before)[3];
    int slots;
    const sluice_status status = sluice_particle_list_add_frames(born, g, &before, &slots);
    if (status == SLUICE_OK && before)
        renumber(g, sets, n, (const int32_t(*)[3])before);
    free(before);
    return status;
}

sluice_status cpu_take_births(struct sluice_backend *b, struct sluice_grid *g,
                              struct sluice_set *const *sets, int n,
                              const struct sluice_particle_list *born)
{
    struct sluice_set *fluid = NULL;
    for (int s = 0; s < n; s++)
        if (sets[s]->type == SLUICE_FLUID)
            fluid = sets[s];
    if (!fluid || born->count == 0)
        return SLUICE_OK;
    SLUICE_TRY(add_frames(g, sets, n, born));
    int64_t mine = 0;
    for (int64_t k = 0; k < born->count; k++)
        mine += sluice_domain_owns(b->domain, g, &born->particle[k].place);
    SLUICE_TRY(sluice_set_grow(b, fluid, fluid->count + mine));
    for (int64_t k = 0; k < born->count; k++)
        if (sluice_domain_owns(b->domain, g, &born->particle[k].place))
            sluice_particle_list_write(&born->particle[k], g, fluid, fluid->count++);
    return b->domain ? sluice_domain_own_last(b->domain, fluid, mine) : SLUICE_OK;
}
