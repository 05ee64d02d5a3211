#include "snapshots/particle_copy.h"

#include <stdlib.h>
#include <string.h>

static sluice_fields fields_of(const struct sluice_set *set, int densities)
{
    const sluice_fields density = set->field[SLUICE_FIELD_SCALAR] ? SLUICE_BIT(SCALAR)
                                                                  : SLUICE_BIT(EOS);
    return SLUICE_BIT(POSITION) | SLUICE_BIT(FRAME) | SLUICE_BIT(VELOCITY) | SLUICE_BIT(ID) |
           SLUICE_BIT(PHASE) | SLUICE_BIT(GROUP) |
           (densities ? density | (set->fields & SLUICE_BIT(SMOOTHING)) : 0);
}

static sluice_status take_grid(struct sluice_particle_copy *copy, const struct sluice_grid *g)
{
    const size_t bytes = (size_t)g->frame_count * sizeof *g->frame;
    int32_t(*frame)[3] = realloc(copy->grid.frame, bytes + 1);
    SLUICE_CHECK(frame, SLUICE_DEVICE, "no memory for the output's copy of %d frames",
                 g->frame_count);
    if (bytes)
        memcpy(frame, g->frame, bytes);
    copy->grid = *g;
    copy->grid.frame = frame;
    copy->grid.neighbour = NULL;
    return SLUICE_OK;
}

sluice_status sluice_particle_copy_take(struct sluice_particle_copy *copy, struct sluice_backend *b,
                                        const struct sluice_grid *g, struct sluice_set *const *sets,
                                        int n, int densities)
{
    SLUICE_CHECK(n <= SLUICE_TYPE_COUNT, SLUICE_DEVICE, "internal: %d sets to copy, there are %d",
                 n, (int)SLUICE_TYPE_COUNT);
    SLUICE_TRY(b->ops->sync(b)); /* takes particles that left the domain off the counts */
    SLUICE_TRY(take_grid(copy, g));
    copy->set_count = n;
    for (int s = 0; s < n; s++) {
        copy->set[s].set = sets[s];
        copy->set[s].fields = fields_of(sets[s], densities) |
                              sluice_effect_output_fields(copy->outputs) |
                              (copy->forces ? SLUICE_BIT(ACCELERATION) : 0);
        SLUICE_TRY(sluice_fetch_own(b, &copy->set[s]));
    }
    return SLUICE_OK;
}

void sluice_particle_copy_destroy(struct sluice_particle_copy *copy)
{
    for (int s = 0; s < SLUICE_TYPE_COUNT; s++)
        sluice_fetch_destroy(&copy->set[s]);
    free(copy->grid.frame);
    memset(copy, 0, sizeof *copy);
}
