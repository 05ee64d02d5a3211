/* Particles that come into the fluid, before the sort: behind the last one. */
#include <stdlib.h>

#include "backend/particle_list.h"
#include "kernels/cpu/sort.h"

/* Adds the frames of the newcomers to the table. */
static sluice_status add_frames(struct sluice_backend *b, struct sluice_grid *g,
                                struct sluice_set *const *sets, int n,
                                const struct sluice_particle_list *born)
{
    int32_t *new_slot;
    const sluice_status status = sluice_particle_list_add_frames(born, g, &new_slot);
    for (int s = 0; s < n && new_slot && status == SLUICE_OK; s++)
        cpu_renumber_particles(b->team, sets[s], new_slot);
    free(new_slot);
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
    SLUICE_TRY(add_frames(b, g, sets, n, born));
    int64_t mine = 0;
    for (int64_t k = 0; k < born->count; k++)
        mine += sluice_domain_owns(b->domain, g, &born->particle[k].place);
    SLUICE_TRY(sluice_set_grow(b, fluid, fluid->count + mine));
    const struct listed_arrays arrays = listed_arrays_of(fluid);
    for (int64_t k = 0; k < born->count; k++)
        if (sluice_domain_owns(b->domain, g, &born->particle[k].place))
            listed_write(&arrays, &born->particle[k],
                         sluice_particle_list_slot(g, &born->particle[k]), fluid->count++);
    return b->domain ? sluice_domain_own_last(b->domain, fluid, mine) : SLUICE_OK;
}
