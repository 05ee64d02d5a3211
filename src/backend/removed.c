#include "backend/removed.h"

#include <stdlib.h>
#include <string.h>

#include "kernels/types/compensated.h"

static double component(const struct sluice_set *set, int field, int64_t index)
{
    const void *array = set->field[field];
    return array ? sluice_real_at(array, set->real_bytes, index) : 0;
}

/* Value and compensation added. */
static double both(const struct sluice_set *set, int field, int64_t index, int low_field,
                   int64_t low_index)
{
    const double value = component(set, field, index);
    const void *low = set->field[low_field];
    return value + (!low ? 0
                    : set->real_bytes == 4
                        ? (double)lost_or_nan((float)value, ((const int16_t *)low)[low_index])
                        : ((const double *)low)[low_index]);
}

static sluice_status grow(struct sluice_removed *removed, int64_t count)
{
    if (count <= removed->capacity)
        return SLUICE_OK;
    struct sluice_removed_particle *particle = realloc(removed->particle,
                                                       (size_t)(2 * count) * sizeof *particle);
    SLUICE_CHECK(particle, SLUICE_DEVICE, "no memory to list %lld particles that left the domain",
                 (long long)count);
    removed->particle = particle;
    removed->capacity = 2 * count;
    return SLUICE_OK;
}

sluice_status sluice_removed_add(struct sluice_removed *removed, const struct sluice_grid *g,
                                 const struct sluice_set *set, int64_t first, int64_t last)
{
    const int dim = set->dimension;
    const uint32_t *phase = set->field[SLUICE_FIELD_PHASE];
    SLUICE_TRY(grow(removed, removed->count + last - first));
    for (int64_t i = first; i < last; i++) {
        struct sluice_removed_particle *p = &removed->particle[removed->count++];
        memset(p, 0, sizeof *p);
        p->id = ((const sluice_id *)set->field[SLUICE_FIELD_ID])[i];
        p->phase = phase ? phase[i] : 0;
        memcpy(p->place.frame, g->frame[((const uint32_t *)set->field[SLUICE_FIELD_FRAME])[i]],
               sizeof p->place.frame);
        for (int c = 0; c < dim; c++) {
            p->place.offset[c] = both(set, SLUICE_FIELD_POSITION, (dim + 1) * i + c,
                                      SLUICE_FIELD_POSITION_LOW, dim * i + c);
            p->velocity[c] = both(set, SLUICE_FIELD_VELOCITY, dim * i + c,
                                  SLUICE_FIELD_VELOCITY_LOW, dim * i + c);
        }
        p->scalar = both(set, SLUICE_FIELD_SCALAR, i, SLUICE_FIELD_SCALAR_LOW, i);
        p->mass = component(set, SLUICE_FIELD_POSITION, (dim + 1) * i + dim);
    }
    return SLUICE_OK;
}
